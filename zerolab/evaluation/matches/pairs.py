"""Pairs of games: the same opening twice, with colours swapped.

Games of networks go on side by side, so that positions in which the same player is to move reach it
together and the network rates them in one batch. Each game draws from a stream of its own, which
follows from the seed, the players' names and the number of the pair: who plays when, and beside
which other games, changes nothing.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from zerolab.evaluation.players.players import (
    Buffers,
    CompiledPlayer,
    PatientPlayer,
    choose_once,
    make_buffers,
    make_player,
)
from zerolab.evaluation.players.protocol import (
    CanChooseMany,
    CanClose,
    EngineError,
    Player,
    choose_all,
    close_player,
    doubts_of,
    warm_up_player,
)
from zerolab.games.base import BLACK, Game, State, player_to_move, step
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.notation import format_move, format_position, legal_list
from zerolab.games.openings import Opening
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import Stream, stream
from zerolab.search.playouts import value_for

SEEDS = 2**53 - 1  # the largest whole number that every reader of JSON takes
SIDE_BY_SIDE = 16  # pairs, where a player takes many positions at once


class Planned(NamedTuple):
    """A game to be played. Players are numbers in a list of names."""

    pair: int
    first: int
    second: int
    opening: Opening
    seed: int


class Played(NamedTuple):
    """A game that was played, or would have been, had an engine not failed."""

    pair: int
    first: str
    second: str
    result: int | None
    """For the player who moved first: 1, 0 or -1; None if the game broke off."""
    plies: int
    opening: str
    """Moves that were made for the players."""
    moves: str
    """Those that they chose."""
    seed: int
    seconds: tuple[float, float]
    """That either thought, in all: of a processor's time, or of an engine's by the clock."""
    chosen: tuple[int, int]
    """Moves that either chose."""
    start: str | None = None
    """Where the start is drawn by lot."""
    failed: str | None = None
    """Why there is no result: who failed, a colon, and how."""
    doubtful: tuple[int, int] | None = None
    """Moves of either that it could not settle, if there are any and it says so."""


def plan_pair(
    names: Sequence[str], one: int, other: int, pair: int, opening: Opening, seed: int
) -> tuple[Planned, Planned]:
    """Both games of a pair; `one` moves first in the first of them."""
    again = int(names[one] == names[other])  # whoever meets itself plays two different games
    first = Planned(pair, one, other, opening, _seed(seed, pair, 0, names[one], names[other]))
    second = Planned(pair, other, one, opening, _seed(seed, pair, again, names[other], names[one]))
    return first, second


def plan_game(names: Sequence[str], number: int, opening: Opening, seed: int) -> Planned:
    """A game by itself; the player named first moves first."""
    return Planned(number, 0, 1, opening, _seed(seed, number, 0, *names))


def _seed(*parts: object) -> int:
    """A seed that has nothing in common with those of other parts."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8]) & SEEDS


def is_batched(player: Player) -> bool:
    """Whether a player should be asked about many positions at once."""
    return isinstance(player, CanChooseMany)


def remembers(player: Player) -> bool:
    """Whether a player goes on from its last move, so that games must come one after the other."""
    return isinstance(player, CanClose) or (isinstance(player, PatientPlayer) and player.reuse)


class Seats:
    """The players of one thread, each made when its first game comes."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        self._players: dict[int, Player] = {}
        self._buffers: dict[int, Buffers] = {}
        self._room: dict[int, int] = {}  # positions at once that a player is ready for

    def player(self, number: int) -> Player:
        """A player, perhaps not yet ready."""
        if number not in self._players:
            self._players[number] = make_player(self.names[number])
        return self._players[number]

    def ready(self, number: int, state: State, positions: int = 1) -> Player:
        """A player for so many positions at once, in a position in which there is a move.

        What it loads, starts or compiles for that does not count as thinking.
        """
        player = self.player(number)
        if self._room.get(number, 0) < positions:
            warm_up_player(player, self.game, state, positions)
            if isinstance(player, CompiledPlayer):
                self._buffers[number] = make_buffers(self.game, state, player.choice)
            self._room[number] = positions
        return player

    def choose(self, number: int, states: Sequence[State], rngs: Sequence[Stream]) -> list[int]:
        """A player's moves in many positions; to compiled ones their buffers are kept ready."""
        player = self._players[number]
        if not isinstance(player, CompiledPlayer):
            return choose_all(player, self.game, states, rngs)
        game, buffers = lean(self.game), self._buffers[number]
        return [
            int(choose_once(player.choice, game, state, rng, buffers))
            for state, rng in zip(states, rngs, strict=True)
        ]

    def leave(self, number: int) -> None:
        """Let a player go; a new one takes the seat."""
        self._room.pop(number, None)
        close_player(self._players.pop(number))

    def close(self) -> None:
        """Let all go."""
        for number in list(self._players):
            self.leave(number)

    def plays_side_by_side(self, planned: Planned) -> bool:
        """Whether games of these two gain from being played at once, and can be."""
        both = [self.player(number) for number in (planned.first, planned.second)]
        return any(map(is_batched, both)) and not any(map(remembers, both))


class _Board:
    """A game under way."""

    def __init__(self, game: Game, planned: Planned) -> None:
        self.game = game
        self.planned = planned
        self.state = planned.opening.state.copy()
        self.rng = stream(planned.seed)
        self.legal = legal_list(game, self.state)
        self.moves: list[int] = []
        self.seconds, self.chosen, self.doubtful = [0.0, 0.0], [0, 0], [0, 0]
        self.failed: str | None = None

    @property
    def is_over(self) -> bool:
        return not self.legal or self.failed is not None

    @property
    def to_move(self) -> int:
        """The number of the player."""
        return (self.planned.first, self.planned.second)[player_to_move(self.state)]

    def play(self, name: str, action: int, seconds: float, doubts: int) -> None:
        if action not in self.legal:
            self.failed = f"{name}: action {action} is not legal"
            return
        side = player_to_move(self.state)
        self.seconds[side] += seconds
        self.chosen[side] += 1
        self.doubtful[side] += doubts
        step(self.game, self.state, action)
        self.moves.append(action)
        self.legal = legal_list(self.game, self.state)

    def record(self, names: Sequence[str]) -> Played:
        value = None if self.failed else value_for(self.game, self.state, BLACK)
        opening = self.planned.opening
        return Played(
            self.planned.pair,
            names[self.planned.first],
            names[self.planned.second],
            None if value is None else int(value > 0) - int(value < 0),
            len(opening.moves) + len(self.moves),
            " ".join(format_move(self.game, action) for action in opening.moves),
            " ".join(format_move(self.game, action) for action in self.moves),
            self.planned.seed,
            (self.seconds[0], self.seconds[1]),
            (self.chosen[0], self.chosen[1]),
            format_position(self.game, opening.start) if starts_at_random(self.game) else None,
            self.failed,
            (self.doubtful[0], self.doubtful[1]) if any(self.doubtful) else None,
        )


def play_chunk(
    seats: Seats, chunk: Sequence[Planned], is_stopped: Callable[[], bool] = lambda: False
) -> Iterator[Played]:
    """Games of the same two players, side by side if they like that, else one after the other."""
    if seats.plays_side_by_side(chunk[0]):
        yield from _play_together(seats, chunk, is_stopped)
    else:
        for planned in chunk:
            yield from _play_together(seats, [planned], is_stopped)


def _play_together(
    seats: Seats, chunk: Sequence[Planned], is_stopped: Callable[[], bool]
) -> Iterator[Played]:
    boards = [_Board(seats.game, planned) for planned in chunk]
    yield from (each.record(seats.names) for each in boards if each.is_over)  # before it began
    playing = [each for each in boards if not each.is_over]
    while playing and not is_stopped():
        for number in (chunk[0].first, chunk[0].second):
            turns = [each for each in playing if each.to_move == number]
            _move(seats, number, turns, len(chunk), is_stopped)
            yield from (each.record(seats.names) for each in playing if each.is_over)
            playing = [each for each in playing if not each.is_over]


def _move(
    seats: Seats,
    number: int,
    boards: Sequence[_Board],
    most: int,
    is_stopped: Callable[[], bool],
) -> None:
    """Let a player move on all boards where it is to; an engine that fails spoils that game.

    There are never more than `most` boards, for which a player that likes that is made ready.
    """
    together = is_batched(seats.player(number))
    for group in [list(boards)] if boards and together else [[board] for board in boards]:
        if is_stopped():
            return
        states, rngs = [each.state for each in group], [each.rng for each in group]
        try:
            player = seats.ready(number, states[0], most if together else 1)
            clock = time.perf_counter if isinstance(player, CanClose) else time.thread_time
            doubts, started = doubts_of(player), clock()
            actions = seats.choose(number, states, rngs)
        except EngineError as error:
            seats.leave(number)
            for each in group:
                each.failed = str(error)
            continue
        seconds, doubts = (clock() - started) / len(group), doubts_of(player) - doubts
        for each, action in zip(group, actions, strict=True):
            each.play(seats.names[number], action, seconds, doubts)


def skip(seats: Seats, planned: Planned, reason: str) -> Played:
    """The record of a game that is not played."""
    board = _Board(seats.game, planned)
    board.failed = reason
    return board.record(seats.names)
