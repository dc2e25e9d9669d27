"""Pairs of games: the same opening twice, with colours swapped.

Games of networks are played concurrently, so that a network evaluates all positions in which it is
to move in one batch. Each game draws from a stream of its own, derived from the seed, the players'
names and the number of the pair: the order of games, and which are played together, changes
nothing.
"""

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from zerolab.evaluation.players.players import (
    Buffers,
    CompiledPlayer,
    UctPlayer,
    choose_once,
    make_buffers,
    make_player,
)
from zerolab.evaluation.players.protocol import (
    CanChooseMany,
    CanClose,
    EngineError,
    Player,
    ResignationError,
    choose_all,
    close_player,
    doubts_of,
    warm_up_player,
)
from zerolab.games.base import Game
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.playing.side_by_side import OngoingGame, play_side_by_side
from zerolab.games.position import Position
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import Stream, stream

SEEDS = 2**53 - 1  # the largest whole number that every reader of JSON takes
SIDE_BY_SIDE = 16  # pairs, where a player takes many positions at once


class Planned(NamedTuple):
    """A game to be played. Players are numbers in a list of names."""

    pair: int
    first: int
    second: int
    opening: Position
    seed: int
    stream: int = 0
    """The stream of the seed that the game draws from."""


class Played(NamedTuple):
    """The record of a game that was played, or that broke off because an engine failed."""

    pair: int
    first: str
    second: str
    result: int | None
    """For the player who moved first: 1, 0 or -1; None if the game broke off."""
    plies: int
    opening: str
    """The moves of the opening."""
    moves: str
    """The moves that the players chose."""
    seed: int
    seconds: tuple[float, float]
    """Total thinking time of each player: processor time, or wall-clock time of an engine."""
    chosen: tuple[int, int]
    """Number of moves that each player chose."""
    start: str | None = None
    """The start position, where starts are drawn at random."""
    failed: str | None = None
    """Why there is no result: who failed, a colon, and how."""
    doubtful: tuple[int, int] | None = None
    """Number of moves that each player could not solve, if there are any and it counts them."""
    resigned: str | None = None
    """The player who gave the game up."""


def plan_pair(
    names: Sequence[str], one: int, other: int, pair: int, opening: Position, seed: int
) -> tuple[Planned, Planned]:
    """Both games of a pair; `one` moves first in the first of them."""
    again = int(names[one] == names[other])  # a player that meets itself plays two different games
    first = Planned(pair, one, other, opening, _seed(seed, pair, 0, names[one], names[other]))
    second = Planned(pair, other, one, opening, _seed(seed, pair, again, names[other], names[one]))
    return first, second


def _seed(*parts: object) -> int:
    """A seed derived from these parts and independent of those of other parts."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8]) & SEEDS


def is_batched(player: Player) -> bool:
    """Whether a player should get many positions at once."""
    return isinstance(player, CanChooseMany)


def remembers(player: Player) -> bool:
    """Whether a player keeps state between moves, so that games must not be interleaved."""
    return isinstance(player, CanClose) or (isinstance(player, UctPlayer) and player.reuse)


class Seats:
    """The players of one thread, each created for its first game."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        self._players: dict[int, Player] = {}
        self._buffers: dict[int, Buffers] = {}
        self._room: dict[int, int] = {}  # number of positions at once that a player is ready for

    def player(self, number: int) -> Player:
        """A player, perhaps not yet ready."""
        if number not in self._players:
            self._players[number] = make_player(self.names[number])
        return self._players[number]

    def ready(self, number: int, position: Position, count: int = 1) -> Player:
        """A player for `count` positions at once; there is a move in `position`.

        Loading, starting and compiling do not count as thinking.
        """
        player = self.player(number)
        if self._room.get(number, 0) < count:
            warm_up_player(player, position, count)
            if isinstance(player, CompiledPlayer):
                self._buffers[number] = make_buffers(self.game, position.state, player.choice)
            self._room[number] = count
        return player

    def choose(
        self, number: int, positions: Sequence[Position], rngs: Sequence[Stream]
    ) -> list[int]:
        """A player's moves in many positions; buffers of compiled players are kept."""
        player = self._players[number]
        if not isinstance(player, CompiledPlayer):
            return choose_all(player, positions, rngs)
        game, buffers = lean(self.game), self._buffers[number]
        return [
            int(choose_once(player.choice, game, position.state, rng, buffers))
            for position, rng in zip(positions, rngs, strict=True)
        ]

    def leave(self, number: int) -> None:
        """Close a player; a new one is created when it is needed again."""
        self._room.pop(number, None)
        close_player(self._players.pop(number))

    def close(self) -> None:
        """Close all players."""
        for number in list(self._players):
            self.leave(number)

    def plays_side_by_side(self, planned: Planned) -> bool:
        """Whether games of these two can be played concurrently and gain from it."""
        both = [self.player(number) for number in (planned.first, planned.second)]
        return any(map(is_batched, both)) and not any(map(remembers, both))


class _PairGame(OngoingGame):
    """A planned game being played, with the time that each player has used."""

    def __init__(self, planned: Planned, numbers: list[int]) -> None:
        """`numbers` are those of the players who move, in their order."""
        self._players = planned.first, planned.second
        movers = numbers.index(planned.first), numbers.index(planned.second)
        super().__init__(planned.pair, planned.opening, movers)
        self.planned = planned
        self.rng = stream(planned.seed, planned.stream)
        self.seconds, self.chosen, self.doubtful = [0.0, 0.0], [0, 0], [0, 0]
        self.failed: str | None = None
        self.resigned: int | None = None
        """Which of the two players has given the game up."""

    @property
    def is_over(self) -> bool:
        return self.failed is not None or self.resigned is not None or super().is_over

    @property
    def result(self) -> int | None:
        """For the player who moved first: 1, 0 or -1; None if the game broke off."""
        if self.failed is not None:
            return None
        if self.resigned is not None:
            return 1 if self.resigned else -1
        outcome = self.position.outcome()
        return None if outcome is None else int(outcome.value > 0) - int(outcome.value < 0)

    def play_for(self, name: str, action: int, seconds: float, doubts: int) -> None:
        """Make the move of a player; an illegal one ends the game."""
        if action not in self.position.legal_actions:
            self.failed = f"{name}: action {action} is not legal"
            return
        side = self.position.player
        self.seconds[side] += seconds
        self.chosen[side] += 1
        self.doubtful[side] += doubts
        self.play(action)

    def record(self, names: Sequence[str]) -> Played:
        """The record of the game."""
        opening, moves = self.planned.opening, self.position.moves
        drawn = starts_at_random(opening.game)
        return Played(
            self.planned.pair,
            names[self.planned.first],
            names[self.planned.second],
            self.result,
            len(moves),
            " ".join(opening.moves),
            " ".join(moves[len(opening.moves) :]),
            self.planned.seed,
            (self.seconds[0], self.seconds[1]),
            (self.chosen[0], self.chosen[1]),
            opening.history[0].text if drawn else None,
            self.failed,
            (self.doubtful[0], self.doubtful[1]) if any(self.doubtful) else None,
            None
            if self.resigned is None
            else names[(self.planned.first, self.planned.second)[self.resigned]],
        )


def play_chunk(
    seats: Seats, chunk: Sequence[Planned], is_stopped: Callable[[], bool] = lambda: False
) -> Iterator[Played]:
    """Play games of the same two players, concurrently if they gain from it, else one by one."""
    if seats.plays_side_by_side(chunk[0]):
        yield from _play_together(seats, chunk, is_stopped)
    else:
        for planned in chunk:
            yield from _play_together(seats, [planned], is_stopped)


def _play_together(
    seats: Seats, chunk: Sequence[Planned], is_stopped: Callable[[], bool]
) -> Iterator[Played]:
    def mover(number: int) -> Callable[[list[_PairGame]], None]:
        return lambda games: _move(seats, number, games, len(chunk), is_stopped)

    numbers = list(dict.fromkeys((chunk[0].first, chunk[0].second)))
    games = [_PairGame(planned, numbers) for planned in chunk]
    with contextlib.suppress(_StoppedError):
        for each in play_side_by_side(games, [mover(number) for number in numbers], len(games)):
            yield each.record(seats.names)


class _StoppedError(Exception):
    """No more games are needed."""


def _move(
    seats: Seats,
    number: int,
    games: Sequence[_PairGame],
    most: int,
    is_stopped: Callable[[], bool],
) -> None:
    """Let a player move in all games where it is to move; a failing engine breaks off its game.

    There are never more than `most` games; a batched player is prepared for that number.
    """
    together = is_batched(seats.player(number))
    for group in [list(games)] if together else [[each] for each in games]:
        if is_stopped():
            raise _StoppedError
        positions, rngs = [each.position for each in group], [each.rng for each in group]
        try:
            player = seats.ready(number, positions[0], most if together else 1)
            clock = time.perf_counter if isinstance(player, CanClose) else time.thread_time
            doubts, started = doubts_of(player), clock()
            actions = seats.choose(number, positions, rngs)
        except ResignationError:
            for each in group:
                each.resigned = each.position.player
            continue
        except EngineError as error:
            seats.leave(number)
            for each in group:
                each.failed = str(error)
            continue
        seconds, doubts = (clock() - started) / len(group), doubts_of(player) - doubts
        for each, action in zip(group, actions, strict=True):
            each.play_for(seats.names[number], action, seconds, doubts)


def skip(seats: Seats, planned: Planned, reason: str) -> Played:
    """The record of a game that is not played."""
    skipped = _PairGame(planned, [planned.first, planned.second])
    skipped.failed = reason
    return skipped.record(seats.names)
