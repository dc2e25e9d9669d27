"""The training text of Leela Zero: games as positions, 19 lines for each.

Sixteen lines are planes in hexadecimal digits: the stones of the player to move, now and one to
seven moves ago, then those of the opponent. The last digit of a plane is a single bit, since boards
have an odd number of points. Then come the player to move (0 is Black), the probability of each
point and of a pass, and the result for the player to move, 1 or -1. Points are numbered from the
bottom-left corner, row by row. (leela-zero, README.md and src/Training.cpp.)

A file has the positions of a game one after the other, so a move is the stone by which two of them
differ. The last move of a game is not seen; the most probable one is taken.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO, NamedTuple

from zerolab.games.base import Game, GameError, shape
from zerolab.games.catalogue import make_game
from zerolab.games.sgf_notation import parse_sgf_move
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError, check_moves

LINES = 19
OWN, OTHER, TO_MOVE, PROBABILITIES, RESULT = 0, 8, 16, 17, 18  # lines of a position
_LONGEST = 2**16  # bytes of a line
MOST_POSITIONS = 5_000  # of a game


class _Position(NamedTuple):
    """One position of a file."""

    line: int
    """Where it begins."""
    own: int
    """Stones of the player to move, a bit for each point, the first point the highest."""
    other: int
    is_white: bool
    cells: int
    probable: int
    """The most probable move; the number of points for a pass."""
    result: float
    """For Black."""

    @property
    def is_first(self) -> bool:
        """Whether a game begins here."""
        return not (self.own or self.other or self.is_white)

    def move_to(self, following: "_Position") -> int:
        """The move between two positions, the number of points for a pass."""
        placed = following.other & ~self.own
        if (
            following.is_white == self.is_white
            or following.cells != self.cells
            or placed.bit_count() > 1
            or following.own & ~self.other
        ):
            raise RecordError(f"no move leads to the position of line {following.line}")
        return self.cells - placed.bit_length()


def read_training_text(stream: BinaryIO, source: str = "") -> Iterator[RecordedGame | RecordError]:
    """The games of a file; those that cannot be used are errors."""
    played: list[_Position] = []
    for position in _read_positions(stream, source):
        if isinstance(position, RecordError) or position.is_first:
            if played:
                yield _rebuild_or_say_why(played, source)
            played = []
        if isinstance(position, RecordError):
            yield position
        elif len(played) <= MOST_POSITIONS:
            played.append(position)
    if played:
        yield _rebuild_or_say_why(played, source)


def rules_of(cells: int) -> Game:
    """Go on a board of that many points."""
    side = math.isqrt(cells)
    return make_game("go", f"{side}x{side}")


def _read_positions(stream: BinaryIO, source: str) -> "Iterator[_Position | RecordError]":
    """Positions; after one that cannot be read there is no telling where the next begins."""
    line = 0
    while True:
        lines = [stream.readline(_LONGEST) for _ in range(LINES)]
        if not any(each.strip() for each in lines):
            return
        try:
            yield _parse_position(lines, line + 1)
        except (ValueError, OverflowError):
            error = RecordError("it is not training text of Leela Zero")
            yield error.at(f"{source}, line {line + 1}")
            return
        line += LINES


def _parse_position(lines: Sequence[bytes], line: int) -> _Position:
    """A position from its lines; a ValueError if they are something else."""
    cells = 4 * len(lines[OWN].strip()) - 3
    planes = [each.strip() for each in lines[:TO_MOVE]]
    if math.isqrt(max(0, cells)) ** 2 != cells or len({len(plane) for plane in planes}) > 1:
        raise ValueError
    own, other = (_parse_plane(planes[number]) for number in (OWN, OTHER))
    is_white = {b"0": False, b"1": True}.get(lines[TO_MOVE].strip())
    result = {b"1": 1.0, b"-1": -1.0}.get(lines[RESULT].strip())
    chances = [float(each) for each in lines[PROBABILITIES].split()]
    if is_white is None or result is None or len(chances) != cells + 1 or own & other:
        raise ValueError
    probable = max(range(cells + 1), key=chances.__getitem__)
    return _Position(line, own, other, is_white, cells, probable, -result if is_white else result)


def _parse_plane(digits: bytes) -> int:
    last = {b"0": 0, b"1": 1}.get(digits[-1:])
    if last is None or not digits.isalnum():
        raise ValueError
    return int(digits[:-1] or b"0", 16) << 1 | last


def _rebuild_or_say_why(played: Sequence[_Position], source: str) -> RecordedGame | RecordError:
    where = f"{source}, line {played[0].line}"
    try:
        return _rebuild(played, where)
    except RecordError as error:
        return error.at(where)
    except GameError as error:
        return RecordError(str(error), Reason.UNKNOWN_GAME).at(where)


def _rebuild(played: Sequence[_Position], where: str) -> RecordedGame:
    first = played[0]
    if not first.is_first:
        raise RecordError("it does not begin with an empty board", Reason.OTHER_START)
    if len(played) > MOST_POSITIONS:
        raise RecordError(f"it has more than {MOST_POSITIONS:,} positions", Reason.TOO_LONG)
    if len({position.result for position in played}) > 1:
        raise RecordError("positions of one game have different results")
    game = rules_of(first.cells)
    points = [one.move_to(other) for one, other in pairwise(played)]
    points.append(played[-1].probable)
    actions = tuple(_action(game, point) for point in points)
    recorded = RecordedGame(game, actions, first.result, source=where)
    check_moves(recorded)
    return recorded


def _action(game: Game, point: int) -> int:
    """The move of that number of Leela Zero, whose first row is the bottom one."""
    rows, cols = shape(game)
    if point == rows * cols:
        return parse_sgf_move(game, "")
    row, col = divmod(point, cols)
    return (rows - 1 - row) * cols + col
