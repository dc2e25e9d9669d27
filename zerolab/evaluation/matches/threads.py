"""Planned games on all cores.

Searches and networks release Python's lock while they compute, so threads are enough. Each thread
has its own players and fetches the next chunk of games when it has finished one.
"""

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import NamedTuple, Protocol

from zerolab.evaluation.matches.pairs import (
    SIDE_BY_SIDE,
    Planned,
    Played,
    Seats,
    is_batched,
    play_chunk,
    remembers,
    skip,
)
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import PlayerError, check_player
from zerolab.games.base import Game, num_players
from zerolab.games.position import Position

MOST_FAILURES = 3  # of a player, in a row
GIVEN_UP = f"given up after {MOST_FAILURES} games in a row that broke off"

Chunk = list[Planned]
Message = Played | BaseException | None


class PlayPlanned(Protocol):
    """Plays games, here or elsewhere, as `play_planned` does."""

    def __call__(
        self,
        game: Game,
        names: Sequence[str],
        planned: Sequence[Planned],
        threads: int | None,
        on_games: Callable[[list[Played]], bool],
    ) -> bool:
        """Return whether all were played or `on_games` asked to stop."""


def prepare(position: Position, names: Sequence[str]) -> None:
    """Raise a PlayerError if a player cannot play this game; compile what is needed."""
    game = position.game
    if num_players(game) != 2:
        raise PlayerError("a match needs a two-player game")
    seats = Seats(game, names)
    for number in range(len(names)):
        player = seats.player(number)
        try:
            if not position.is_over:
                seats.ready(number, position)
            else:
                check_player(player, game)
        finally:
            seats.leave(number)


def deal(names: Sequence[str], planned: Sequence[Planned]) -> list[Chunk]:
    """Divide games into chunks for one thread each, in the order of pairs."""
    players = [make_player(name) for name in names]
    chunks: dict[tuple[int, frozenset[int]], Chunk] = {}
    for each in planned:
        both = players[each.first], players[each.second]
        together = any(map(is_batched, both)) and not any(map(remembers, both))
        size = SIDE_BY_SIDE if together else 1
        block = each.pair - each.pair % size
        chunks.setdefault((block, frozenset((each.first, each.second))), []).append(each)
    return [chunks[key] for key in sorted(chunks, key=lambda key: key[0])]


def play_planned(
    game: Game,
    names: Sequence[str],
    planned: Sequence[Planned],
    threads: int | None,
    on_games: Callable[[list[Played]], bool],
) -> bool:
    """Play games; return whether all were played or `on_games` asked to stop.

    `on_games` is called from this thread with games as they finish. Ctrl-C ends it with the games
    played so far. A player that fails in MOST_FAILURES games in a row is dropped, and its other
    games are not tried.
    """
    work = _Work(
        *(game, names, deque(deal(names, planned)), _Patience()),
        *(SimpleQueue(), threading.Event()),
    )
    count = min(threads or os.cpu_count() or 1, len(work.chunks))
    workers = [threading.Thread(target=_work, args=(work,)) for _ in range(count)]
    is_complete, is_enough, error = True, False, None
    try:
        for worker in workers:
            worker.start()
        running = count
        while running and not is_enough and error is None:
            messages = [work.messages.get(), *_waiting(work.messages)]
            running -= sum(not isinstance(each, Played) for each in messages)
            error = next((each for each in messages if isinstance(each, BaseException)), None)
            is_enough = _hand_on(messages, on_games)
    except KeyboardInterrupt:
        is_complete = False
    finally:
        work.stop.set()
        for worker in workers:
            worker.join()
    if error is not None or not is_complete:
        _hand_on(_waiting(work.messages), on_games)
    if error is not None:
        raise error
    return is_complete


def is_given_up(played: Played) -> bool:
    """Whether a game was not tried, because a player was dropped."""
    return played.failed is not None and played.failed.endswith(GIVEN_UP)


class _Patience:
    """Counts how often players fail; shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failures: Counter[str] = Counter()  # in a row
        self._given_up: set[str] = set()

    def note(self, played: Played) -> None:
        """Note the end of a game. Games that end simultaneously count one after the other."""
        both = played.first, played.second
        with self._lock:
            if played.failed is None:
                for name in both:
                    self._failures[name] = 0
                return
            name = both[not played.failed.startswith(f"{played.first}: ")]
            self._failures[name] += 1
            if self._failures[name] >= MOST_FAILURES:
                self._given_up.add(name)

    def lost_with(self, *names: str) -> str | None:
        """The player among them that is dropped, if any."""
        return next((name for name in names if name in self._given_up), None)


class _Work(NamedTuple):
    """What threads share. A thread that ends sends None, or its error."""

    game: Game
    names: Sequence[str]
    chunks: deque[Chunk]
    patience: _Patience
    messages: "SimpleQueue[Message]"
    stop: threading.Event


def _waiting(messages: "SimpleQueue[Message]") -> list[Message]:
    return [messages.get() for _ in range(messages.qsize())]


def _hand_on(messages: Sequence[Message], on_games: Callable[[list[Played]], bool]) -> bool:
    games = [each for each in messages if isinstance(each, Played)]
    return bool(games) and on_games(games)


def _work(work: _Work) -> None:
    """Play chunks until there are no more: the work of one thread."""
    seats = Seats(work.game, work.names)
    try:
        while not work.stop.is_set():
            try:
                chunk = work.chunks.popleft()
            except IndexError:
                break
            _play_or_skip(work, seats, chunk)
        work.messages.put(None)
    except BaseException as error:
        work.messages.put(error)
    finally:
        seats.close()


def _play_or_skip(work: _Work, seats: Seats, chunk: Chunk) -> None:
    both = work.names[chunk[0].first], work.names[chunk[0].second]
    left = {(each.pair, each.seed): each for each in chunk}
    for played in play_chunk(
        seats, chunk, lambda: work.stop.is_set() or work.patience.lost_with(*both) is not None
    ):
        del left[played.pair, played.seed]
        work.patience.note(played)
        work.messages.put(played)
    lost = work.patience.lost_with(*both)
    if lost is not None and not work.stop.is_set():
        for each in left.values():
            work.messages.put(skip(seats, each, f"{lost}: {GIVEN_UP}"))
