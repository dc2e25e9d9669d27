"""A game that somebody played, as it is read from a file or written to one."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from zerolab.games.base import Actions, Game, State, is_legal, step
from zerolab.games.notation import format_move, num_actions
from zerolab.games.position import Colour, Position
from zerolab.kernels.compiling import kernel, lean


class RecordedGame(NamedTuple):
    """Rules, moves and result."""

    game: Game
    actions: tuple[int, ...]
    result: float | None
    """For Black: 1 won, 0 drawn, -1 lost; None if the record does not say."""
    names: tuple[str, str] = ("", "")
    """Black's and White's."""
    start: str | None = None
    """The first position as text, where it is not the start of the game."""
    turn: Colour = "black"
    """Who moves first."""
    source: str = ""
    """Where it was found, for messages."""

    @classmethod
    def of(cls, position: Position, names: tuple[str, str] = ("", "")) -> "RecordedGame":
        """The game that led to a position."""
        outcome, first = position.outcome(), position.history[0]
        start = None if first == Position.start(position.game) else first.text
        result = None if outcome is None else outcome.value
        return cls(position.game, position.actions, result, names, start, first.turn)

    @property
    def first(self) -> Position:
        """The position before the first move."""
        if self.start is None:
            return Position.start(self.game)
        return Position.parse(self.game, self.start, self.turn)

    def position(self) -> Position:
        """The last position, with all moves that led there; GameError if one is not legal."""
        position = self.first
        for action in self.actions:
            position = position.play(action)
        return position


class Reason(StrEnum):
    """Why a record cannot be used, in the few words under which a summary counts it."""

    UNREADABLE = "unreadable file"
    NOT_A_RECORD = "not a record"
    TOO_LONG = "too long"
    UNKNOWN_GAME = "unknown game"
    ILLEGAL_MOVE = "illegal move"
    OTHER_GAME = "other game"
    OTHER_BOARD = "other board"
    OTHER_RULES = "other rules"
    OTHER_START = "other start"
    NO_MOVES = "no moves"
    NO_RESULT = "no result"
    DUPLICATE = "duplicate"


class RecordError(ValueError):
    """A record that cannot be used, and why."""

    def __init__(self, message: str, reason: Reason = Reason.NOT_A_RECORD) -> None:
        super().__init__(message)
        self.reason = reason

    def at(self, where: str) -> "RecordError":
        """The same, with the place where the record was found."""
        return RecordError(f"{where}: {self}" if where else str(self), self.reason)


def check_moves(recorded: RecordedGame) -> None:
    """Raise a RecordError that names the first move which is not legal."""
    moves = np.array(recorded.actions, np.int64)
    legal = np.zeros(num_actions(recorded.game), np.int64)
    count = int(_play(lean(recorded.game), recorded.first.state, moves, legal))
    if count < len(moves):
        move = format_move(recorded.game, int(moves[count]))
        raise RecordError(f"move {count + 1}, {move}, is not legal", Reason.ILLEGAL_MOVE)


@kernel
def _play(game: Game, state: State, moves: Actions, legal: Actions) -> int:
    """Play moves as long as they are legal; return how many were."""
    for i in range(moves.shape[0]):
        if not is_legal(game, state, moves[i], legal):
            return i
        step(game, state, moves[i])
    return int(moves.shape[0])
