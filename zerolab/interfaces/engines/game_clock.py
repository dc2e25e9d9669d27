"""How long to think about a move, given what the clock has left."""

import math
from typing import NamedTuple

from zerolab.games.base import shape
from zerolab.games.notation import COLOUR_NAMES
from zerolab.games.position import Colour, Position

TYPICAL_LENGTH = 0.75  # plies of a game for each cell of its board
FEWEST_MOVES = 6  # that a player plans for, however far the game has come
MOST_OF_TIME = 0.5  # the largest share of what is left for one move
OF_INCREMENT = 0.75  # the rest is saved
RESERVE_SECONDS = 0.03  # for reading, writing and the last slice of a search
LEAST_SECONDS = 0.005


def moves_to_come(position: Position) -> int:
    """An estimate of how many moves the player to move still has to make."""
    rows, cols = shape(position.game)
    plies = TYPICAL_LENGTH * rows * cols - len(position.actions)
    return max(FEWEST_MOVES, math.ceil(plies / 2))


def time_for_move(left: float, moves: int, increment: float = 0.0) -> float:
    """Seconds for one move, if this many moves are to be made in the seconds `left`."""
    share = left / max(1, moves) + OF_INCREMENT * increment
    most = left if moves == 1 else MOST_OF_TIME * left
    return max(LEAST_SECONDS, min(share, most) - RESERVE_SECONDS)


class TimeSettings(NamedTuple):
    """A main time and, where `stones` is not 0, periods of that many moves (Canadian byo-yomi)."""

    main: float
    period: float
    stones: int

    @property
    def is_limited(self) -> bool:
        """A period without stones means that there is no limit (GTP 2, 4.2)."""
        return self.stones > 0 or self.period == 0


class _Side(NamedTuple):
    """The clock of one colour."""

    seconds: float
    stones: int
    """To be played in these seconds; 0 in the main time."""


class GameClock:
    """The clocks of both colours as GTP describes them; without settings there is no limit."""

    def __init__(self) -> None:
        self._settings: TimeSettings | None = None
        self._sides: dict[Colour, _Side] = {}

    def set(self, settings: TimeSettings) -> None:
        """Begin a game with these times."""
        self._settings = settings
        self._sides = dict.fromkeys(COLOUR_NAMES, self._first())

    def tell(self, colour: Colour, seconds: float, stones: int) -> None:
        """What the controller's clock says; it knows best."""
        self._sides[colour] = _Side(seconds, stones)

    def restart(self) -> None:
        """Begin another game with the same times."""
        if self._settings is None:
            self._sides = {}
        else:
            self.set(self._settings)

    def seconds_for(self, position: Position, colour: Colour) -> float | None:
        """The time for a move; None without a limit."""
        side = self._sides.get(colour)
        settings = self._settings
        if side is None or (settings is not None and not settings.is_limited):
            return None
        if side.stones > 0:
            return time_for_move(side.seconds, side.stones)
        seconds = time_for_move(side.seconds, moves_to_come(position))
        if settings is not None and settings.stones > 0:
            overtime = time_for_move(settings.period, settings.stones)
            return max(seconds, min(overtime, side.seconds + overtime))
        return seconds

    def spend(self, colour: Colour, seconds: float) -> None:
        """A move took this long. The controller may never say how much is left."""
        side, settings = self._sides.get(colour), self._settings
        if side is None:
            return
        left, in_period = side.seconds - seconds, side.stones > 0
        stones = side.stones - 1 if in_period else 0
        if settings is not None and settings.stones > 0:
            if not in_period and left <= 0:  # the main time ended during this move
                left, stones, in_period = settings.period + left, settings.stones - 1, True
            if in_period and stones == 0:
                left, stones = settings.period, settings.stones
        self._sides[colour] = _Side(max(0.0, left), stones)

    def _first(self) -> _Side:
        assert self._settings is not None
        main, period, stones = self._settings
        return _Side(period, stones) if main == 0 and stones > 0 else _Side(main, 0)
