"""Points and boards as SGF writes them: `dc` is the fourth column and the third row from the top.

SGF is for any board game (FF[4], "User Guide"), but defines moves only for some. Here a move that
puts a stone is its point, as in Go, and a pass is the empty text. Moves of other kinds, such as
Clobber's, are written as zerolab writes them: `b5b4`.
"""

from string import ascii_letters

from zerolab.games.base import Game, GameError, shape
from zerolab.games.notation import ActionSpace, Point, action_space

_LETTERS = ascii_letters  # a to z, then A to Z: boards of up to 52x52
_OLD_PASS = "tt"  # FF[3], on boards of up to 19x19


def format_sgf_point(point: Point) -> str:
    """A point of a board."""
    row, col = point
    return _LETTERS[col] + _LETTERS[row]


def parse_sgf_point(text: str, rows: int, cols: int) -> Point:
    """The point that a text means."""
    if len(text) == 2:
        col, row = (_LETTERS.find(letter) for letter in text)
        if 0 <= row < rows and 0 <= col < cols:
            return row, col
    raise GameError(f"'{text}' is not a point of a board with {rows} rows and {cols} columns")


def parse_sgf_points(text: str, rows: int, cols: int) -> list[Point]:
    """A point, or all points of a rectangle: `aa:cc`."""
    first, colon, last = text.partition(":")
    top, left = parse_sgf_point(first, rows, cols)
    bottom, right = parse_sgf_point(last, rows, cols) if colon else (top, left)
    return [(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)]


def format_sgf_move(game: Game, action: int) -> str:
    """An action as the value of B or W."""
    space = action_space(game)
    if not _puts_stones(game, space):
        return space.text(action)
    points = space.points(action)
    return format_sgf_point(points[0]) if points else ""


def parse_sgf_move(game: Game, text: str) -> int:
    """The action that the value of B or W means, legal or not."""
    space = action_space(game)
    if not _puts_stones(game, space):
        return space.parse(text)
    rows, cols = shape(game)
    if text == "" or (text == _OLD_PASS and max(rows, cols) <= 19):
        return space.parse("pass")
    row, col = parse_sgf_point(text, rows, cols)
    return row * cols + col


def _puts_stones(game: Game, space: ActionSpace) -> bool:
    """Whether an action is a cell, or a pass."""
    rows, cols = shape(game)
    return space.size - rows * cols in (0, 1) and space.points(0) == ((0, 0),)
