"""Independent pieces of work on a cluster of Ray: each is done once, wherever a processor is free.

A piece whose process or node dies is done again elsewhere. Few pieces are handed out ahead, so that
nodes that come late get their share.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import ray
from ray.exceptions import RayTaskError

from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Planned, Played
from zerolab.evaluation.matches.threads import deal, play_planned
from zerolab.games.base import Game

Item = TypeVar("Item")
Result = TypeVar("Result")
_RETRIES = 10  # of a piece whose process died
_TICK = 0.5  # seconds, in which Ctrl-C is noticed and nodes are counted


def spread(
    call: Callable[[Item], Result],
    items: Sequence[Item],
    on_result: Callable[[Item, Result], bool],
) -> bool:
    """Call a function for each item; return whether all were done or `on_result` asked to stop.

    Results come as they are ready. Ctrl-C ends it with those that came; an error of the user that
    a piece of work meets is raised here.
    """

    def one(item: Item) -> Result:
        return call(item)

    remote: Any = ray.remote(num_cpus=1, max_retries=_RETRIES)(one)
    left = deque(items)
    running: dict[Any, Item] = {}
    try:
        while left or running:
            while left and len(running) < _most():
                item = left.popleft()
                running[remote.remote(item)] = item
            ready, _ = ray.wait(list(running), timeout=_TICK)
            for each in ready:
                if on_result(running.pop(each), _result_of(each)):
                    return True
    except KeyboardInterrupt:
        return False
    finally:
        for each in running:
            ray.cancel(each, force=True)
    return True


def play_on_cluster(
    game: Game,
    names: Sequence[str],
    planned: Sequence[Planned],
    threads: int | None,
    on_games: Callable[[list[Played]], bool],
) -> bool:
    """`play_planned` with a piece of work for each chunk of games; `threads` does not matter."""

    def play(chunk: list[Planned]) -> list[Played]:
        games: list[Played] = []

        def keep(played: list[Played]) -> bool:
            games.extend(played)
            return False

        play_planned(game, names, chunk, 1, keep)
        return games

    return spread(play, deal(names, planned), lambda chunk, games: on_games(games))


def _most() -> int:
    """Pieces handed out: one for each processor, and as many to go on with."""
    found: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, 2 * int(found.get("CPU", 0)))


def _result_of(reference: Any) -> Any:
    try:
        return ray.get(reference)
    except RayTaskError as error:
        if isinstance(error.cause, UsageError):
            raise error.cause from None
        raise
