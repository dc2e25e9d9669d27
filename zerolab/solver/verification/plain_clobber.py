"""Clobber by its plain rules, on rows of text.

Proofs are checked with these rules. They share nothing with the compiled ones, with their
symmetries or with the solver, so that an error there cannot confirm itself. They are slow: a
position with fifty moves takes a few milliseconds.

A position is a tuple of rows such as ("xo.", "oxo"), in which Black (x) is to move. A move is
followed by a swap of the colours, so that it is again Black who moves next.
"""

from collections.abc import Iterator

Rows = tuple[str, ...]

NORMAL, CANNIBAL, IMPARTIAL = "normal", "cannibal", "impartial"
# Mover and victim, in the cells of a move.
PAIRS = {NORMAL: ("xo",), CANNIBAL: ("xo", "xx"), IMPARTIAL: ("xo", "ox")}
DIRECTIONS = ((-1, 0), (0, -1), (1, 0), (0, 1))
_SWAP = str.maketrans("xo", "ox")


def chequered(rows: int, cols: int) -> Rows:
    """The start: Black has the corner at the top left."""
    return tuple("".join("xo"[(row + col) % 2] for col in range(cols)) for row in range(rows))


def swapped(position: Rows) -> Rows:
    """The same position with the colours exchanged."""
    return tuple(row.translate(_SWAP) for row in position)


def moves(position: Rows, variant: str) -> Iterator[tuple[str, Rows]]:
    """The moves of Black, such as b4b3, and the position after each, as the opponent sees it."""
    height, width = len(position), len(position[0])
    for row in range(height):
        for col in range(width):
            for down, right in DIRECTIONS:
                to_row, to_col = row + down, col + right
                if not (0 <= to_row < height and 0 <= to_col < width):
                    continue
                mover = position[row][col]
                if mover + position[to_row][to_col] not in PAIRS[variant]:
                    continue
                cells = [list(line) for line in position]
                cells[row][col], cells[to_row][to_col] = ".", mover
                name = _cell(row, col, height) + _cell(to_row, to_col, height)
                yield name, swapped(tuple("".join(line) for line in cells))


def standard(position: Rows) -> Rows:
    """The form that all positions share which differ from this one by a turn or a reflection."""
    forms = []
    turned = position
    for _ in range(4):
        turned = tuple("".join(column) for column in zip(*reversed(turned), strict=True))
        forms += [turned, tuple(reversed(turned))]
    return min(form for form in forms if len(form) == len(position))


def stones(position: Rows) -> int:
    """The number of stones. A move leaves one less, so no line of play returns to a position."""
    return sum(len(row) - row.count(".") for row in position)


def text(position: Rows) -> str:
    """A position in one word."""
    return "|".join(position)


def _cell(row: int, col: int, height: int) -> str:
    return f"{chr(ord('a') + col)}{height - row}"
