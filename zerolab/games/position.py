"""A position: a game, a state, and the moves that led there.

    position = Position.start(Clobber(5, 5))
    position = position.play("b4b3")
    position.legal_moves, position.turn, position.outcome(), position.undo()

It never changes: `play` returns a new one, which refers to the previous one. Players, views and
records use positions. Kernels use the rows of words that `state` returns.
"""

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import (
    BLACK,
    Game,
    State,
    forbid_repetitions,
    num_players,
    player_to_move,
    step,
    terminal_value,
)
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import (
    COLOUR_NAMES,
    format_position,
    legal_list,
    line_texts,
    move_text,
    parse_action,
    parse_position,
)
from zerolab.kernels.rng import stream

Colour = str  # black or white


class Outcome(NamedTuple):
    """How a game ended."""

    winner: Colour | None
    """None for a draw, and for puzzles."""
    value: float
    """For Black: 1 won, 0 drawn, -1 lost. For a puzzle, where 1 is perfect."""

    def __str__(self) -> str:
        return "a draw" if self.winner is None else f"{self.winner} wins"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A position; equal to another if game and state are equal, whatever the moves."""

    game: Game
    words: State
    """Read-only; `state` returns a copy."""
    previous: "Position | None" = None
    """The position before the last move, if that is known."""
    action: int | None = None
    """The last move."""

    @classmethod
    def start(cls, game: Game, seed: int = 0) -> "Position":
        """The start of a game; the `seed` counts only where starts are drawn at random."""
        return cls(game, initial_state(game, stream(seed)))

    @classmethod
    def parse(cls, game: Game, text: str, first: Colour = "black") -> "Position":
        """A position without history from its text, such as ``xoxo|ox..``."""
        return cls(game, parse_position(game, text, COLOUR_NAMES.index(first)))

    @property
    def state(self) -> State:
        """A copy of the words, which kernels may change."""
        return self.words.copy()

    @property
    def player(self) -> int:
        """BLACK or WHITE, whose turn it is."""
        return player_to_move(self.words)

    @property
    def turn(self) -> Colour:
        """The colour to move."""
        return COLOUR_NAMES[self.player]

    @functools.cached_property
    def legal_actions(self) -> tuple[int, ...]:
        """Legal moves as numbers; none when the game is over."""
        return tuple(legal_list(self.game, self.words))

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """Legal moves as text."""
        return tuple(map(self.text_of, self.legal_actions))

    def text_of(self, action: int) -> str:
        """A legal move as text."""
        return move_text(self.game, self.words, action)

    def texts_of(self, line: Iterable[int]) -> tuple[str, ...]:
        """Moves that go on from here, one after the other, as texts."""
        return tuple(line_texts(self.game, self.words, line))

    def play(self, move: str | int) -> "Position":
        """The position after a move, a text or the number of an action; GameError if illegal."""
        return self.after(parse_action(self.game, self.words, self.legal_actions, move))

    def after(self, action: int) -> "Position":
        """The position after an action that is known to be legal."""
        state = self.words.copy()
        step(self.game, state, action)
        forbid_repetitions(self.game, state, (each.words for each in self._backwards()))
        return Position(self.game, state, self, action)

    def undo(self) -> "Position":
        """The position before the last move; this one if there is none."""
        return self if self.previous is None else self.previous

    @property
    def history(self) -> "tuple[Position, ...]":
        """All positions from the first that is known to this one."""
        return tuple(self._backwards())[::-1]

    @property
    def actions(self) -> tuple[int, ...]:
        """The moves that led here, as numbers."""
        return tuple(each.action for each in self.history if each.action is not None)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led here, as text."""
        return self.history[0].texts_of(self.actions)

    @property
    def is_over(self) -> bool:
        """Whether there is no move left."""
        return not self.legal_actions

    def outcome(self) -> Outcome | None:
        """The result of the game, or None while it is not over."""
        if not self.is_over:
            return None
        value = float(terminal_value(self.game, self.words))
        if num_players(self.game) == 1:
            return Outcome(None, value)
        value = value if self.player == BLACK else -value
        winner = None if value == 0 else COLOUR_NAMES[value < 0]
        return Outcome(winner, value)

    @property
    def text(self) -> str:
        """The stones, as ``xoxo|ox..``."""
        return format_position(self.game, self.words)

    def planes(self, encoding: str = "own") -> npt.NDArray[np.float32]:
        """Its planes [P, R, C] for a network (encodings/views.py)."""
        # Encodings are a layer above games, as some need the solver. So they are found by name.
        from importlib import import_module

        planes: npt.NDArray[np.float32] = import_module("zerolab.encodings.views").planes_of(
            self.game, self.state, encoding
        )
        return planes

    def svg(self) -> str:
        """A picture of the board, with the last move marked."""
        from zerolab.games.boards.board_picture import draw_svg

        return draw_svg(self.game, self.words, self.action)

    def _repr_svg_(self) -> str:
        """How notebooks show it."""
        return self.svg()

    def _backwards(self) -> "Iterator[Position]":
        position: Position | None = self
        while position is not None:
            yield position
            position = position.previous

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[type, Game, bytes]:
        return type(self.game), self.game, self.words.tobytes()

    def __repr__(self) -> str:
        from zerolab.games.catalogue import describe

        return f"<{describe(self.game)}: {self.text}, {self.turn} to move>"

    def __deepcopy__(self, memo: object) -> "Position":
        """Itself, as it never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """As its first state and its moves: a chain of positions could be too deep for pickle."""
        first = self.history[0]
        return _replay, (self.game, first.words, self.actions)


def _replay(game: Game, state: State, actions: tuple[int, ...]) -> Position:
    position = Position(game, state)
    for action in actions:
        position = position.play(action)
    return position
