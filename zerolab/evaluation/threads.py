"""Planned games on all cores.

Searches and networks let go of Python's lock while they compute, so threads are enough. Each has
players of its own and fetches the next chunk of games when it is done with the last one.
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import NamedTuple

from zerolab.evaluation.pairs import (
    SIDE_BY_SIDE,
    Planned,
    Played,
    Seats,
    is_batched,
    play_chunk,
    remembers,
)
from zerolab.evaluation.players import make_player
from zerolab.evaluation.protocol import PlayerError, check_player, close_player
from zerolab.games.base import Game, State, num_players

Chunk = list[Planned]


def prepare(game: Game, names: Sequence[str], state: State) -> None:
    """Raise a PlayerError if somebody cannot play this game; compile what is needed."""
    if num_players(game) != 2:
        raise PlayerError("a match needs a game for two players")
    for player in map(make_player, names):
        try:
            check_player(player, game)
        finally:
            close_player(player)
    seats = Seats(game, names)
    try:
        for number in range(len(names)):
            seats.player(number, state)
    finally:
        seats.close()


def deal(names: Sequence[str], planned: Sequence[Planned]) -> list[Chunk]:
    """Games in chunks for one thread each, in the order of pairs, whoever plays and how many."""
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
    """Play games; return whether all were played or `on_games` said that it is enough.

    `on_games` is called from this thread with games as they come. Ctrl-C ends it with the games
    played so far.
    """
    work = _Work(game, names, deque(deal(names, planned)), SimpleQueue(), threading.Event())
    count = min(threads or os.cpu_count() or 1, len(work.chunks))
    workers = [threading.Thread(target=_work, args=(work,)) for _ in range(count)]
    is_complete = True
    try:
        for worker in workers:
            worker.start()
        running = count
        while running:
            news = [work.news.get()]
            while not work.news.empty():
                news.append(work.news.get())
            running -= sum(not isinstance(each, Played) for each in news)
            if _hand_on(news, on_games):
                break
    except KeyboardInterrupt:
        is_complete = False
    finally:
        work.stop.set()
        for worker in workers:
            worker.join()
    if not is_complete:
        _hand_on([work.news.get() for _ in range(work.news.qsize())], on_games)
    return is_complete


class _Work(NamedTuple):
    """What threads share. A thread that ends says so by None, or by what went wrong."""

    game: Game
    names: Sequence[str]
    chunks: deque[Chunk]
    news: "SimpleQueue[Played | BaseException | None]"
    stop: threading.Event


def _hand_on(
    news: Sequence[Played | BaseException | None], on_games: Callable[[list[Played]], bool]
) -> bool:
    games = [each for each in news if isinstance(each, Played)]
    is_enough = bool(games) and on_games(games)
    for each in news:
        if isinstance(each, BaseException):
            raise each
    return is_enough


def _work(work: _Work) -> None:
    """What one thread does."""
    seats = Seats(work.game, work.names)
    try:
        while not work.stop.is_set():
            try:
                chunk = work.chunks.popleft()
            except IndexError:
                break
            for played in play_chunk(seats, chunk, work.stop.is_set):
                work.news.put(played)
        work.news.put(None)
    except BaseException as error:
        work.news.put(error)
    finally:
        seats.close()
