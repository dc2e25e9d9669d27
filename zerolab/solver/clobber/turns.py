"""Components that are equal up to orientation, and their standard form.

A box can be turned in eight ways if it is a square, else in four, once it lies down. The form with
the least numbers stands for all of them. A move changes two cells: as long as the box stays the
same, what it does to each of the turned boxes follows from where these two cells go.
"""

import functools

import numpy as np
import numpy.typing as npt

from zerolab.games.boards.stones import FIRST_COLUMNS, MAX_SIDE
from zerolab.kernels.bits import U0, U1, highest, lowest, reverse_bits
from zerolab.kernels.compiling import generic, jitable, rule
from zerolab.solver.clobber.shapes import MAX_CELLS, ComponentTable, GridTopology, Topology, around

FourWords = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
Forms = tuple[np.uint64, np.uint64, np.uint64, np.uint64, int]

Turns = npt.NDArray[np.uint64]  # [8, 2], black and white

# What `ComponentTable.turns` holds: the component that moves are tried in, and what else is turned.
MOVED_IN, SCRATCH = range(2)

_U64 = np.uint64(64)


@functools.cache
def turned_cells() -> npt.NDArray[np.uint8]:
    """[MAX_SIDE + 1, 9, 8, 64]: by width, height and way of turning, where each cell goes."""
    places = np.zeros((MAX_SIDE + 1, 9, 8, MAX_CELLS), np.uint8)
    for width in range(1, MAX_SIDE + 1):
        for height in range(1, min(width, MAX_CELLS // width) + 1):
            box = np.arange(width * height).reshape(height, width)
            standing = [box, box.T] if width == height else [box]
            turned = [t for b in standing for t in (b, b[::-1], b[::-1, ::-1], b[:, ::-1])]
            for way, cells in enumerate(turned):
                places[width, height, way, cells.reshape(-1)] = np.arange(width * height)
    return places


@generic
def standard_forms(
    topology: Topology, components: ComponentTable, black: np.uint64, white: np.uint64, width: int
) -> Forms:
    """A component, and the same with its colours swapped, each turned to make its numbers least."""
    return black, white, white, black, width


@rule(GridTopology, "standard_forms")
def standard_forms_on_grid(
    topology: GridTopology,
    components: ComponentTable,
    black: np.uint64,
    white: np.uint64,
    width: int,
) -> Forms:
    """The least of eight, or four where the box is no square."""
    height = highest(black | white) // width + 1
    if height > width:  # boxes lie down
        black, white = flip_diagonally(black, width, height), flip_diagonally(white, width, height)
        width, height = height, width
    turns = components.turns[SCRATCH]
    least = black, white, white, black
    for way in range(write_turns(turns, black, white, width, height)):
        least = lesser(least, turns[way, 0], turns[way, 1])
    return least[0], least[1], least[2], least[3], width


@jitable
def write_turns(turns: Turns, black: np.uint64, white: np.uint64, width: int, height: int) -> int:
    """Write a component turned in all ways, in the order of `turned_cells`; return how many."""
    spare = _U64 - np.uint64(width * height)
    count = 0
    for diagonal in range(2 if width == height else 1):
        if diagonal == 1:
            black = flip_diagonally(black, width, height)
            white = flip_diagonally(white, width, height)
        flipped_black, flipped_white = flip(black, width, height), flip(white, width, height)
        turns[count, 0], turns[count, 1] = black, white
        turns[count + 1, 0], turns[count + 1, 1] = flipped_black, flipped_white
        # To turn a box half round is to read its bits backwards.
        turns[count + 2, 0] = reverse_bits(black) >> spare
        turns[count + 2, 1] = reverse_bits(white) >> spare
        turns[count + 3, 0] = reverse_bits(flipped_black) >> spare
        turns[count + 3, 1] = reverse_bits(flipped_white) >> spare
        count += 4
    return count


@generic
def expect_moves(
    topology: Topology, components: ComponentTable, black: np.uint64, white: np.uint64, width: int
) -> None:
    """Prepare for `forms_after`, given a component in standard form."""


@rule(GridTopology, "expect_moves")
def expect_moves_on_grid(
    topology: GridTopology,
    components: ComponentTable,
    black: np.uint64,
    white: np.uint64,
    width: int,
) -> None:
    """Turn it in all ways."""
    write_turns(
        components.turns[MOVED_IN], black, white, width, highest(black | white) // width + 1
    )


@generic
def stays_whole(
    topology: Topology, components: ComponentTable, stones: np.uint64, source: np.uint64, width: int
) -> bool:
    """Whether a component is known to stay connected in the same box without its stone `source`."""
    return False


@rule(GridTopology, "stays_whole")
def stays_whole_on_grid(
    topology: GridTopology,
    components: ComponentTable,
    stones: np.uint64,
    source: np.uint64,
    width: int,
) -> bool:
    """Its stones touch all sides, and the neighbours of the stone that left are connected."""
    rest = stones ^ source
    top, left = (U1 << np.uint64(width)) - U1, FIRST_COLUMNS[width]
    bottom, right = top << np.uint64(highest(stones) // width * width), left << np.uint64(width - 1)
    if not (rest & top and rest & bottom and rest & left and rest & right):
        return False
    neighbours = around(topology, components, source, width) & rest
    found = neighbours & (~neighbours + U1)
    while neighbours & ~found:
        more = found | around(topology, components, found, width) & rest
        if more == found:
            return False
        found = more
    return True


@jitable
def forms_after(
    components: ComponentTable, width: int, height: int, source: int, target: int, is_black: bool
) -> FourWords:
    """The standard forms after a move, of Black or White, that leaves the component whole."""
    turns = components.turns[MOVED_IN]
    least = ~U0, ~U0, ~U0, ~U0
    for way in range(8 if width == height else 4):
        left = U1 << np.uint64(components.cells[width, height, way, source])
        taken = U1 << np.uint64(components.cells[width, height, way, target])
        black, white = turns[way, 0], turns[way, 1]
        if is_black:
            black, white = black & ~left | taken, white & ~taken
        else:
            black, white = black & ~taken, white & ~left | taken
        least = lesser(least, black, white)
    return least


@jitable
def lesser(least: FourWords, black: np.uint64, white: np.uint64) -> FourWords:
    """The least of two forms, and likewise with colours swapped."""
    plain_black, plain_white, swapped_black, swapped_white = least
    if is_less(black, white, plain_black, plain_white):
        plain_black, plain_white = black, white
    if is_less(white, black, swapped_black, swapped_white):
        swapped_black, swapped_white = white, black
    return plain_black, plain_white, swapped_black, swapped_white


@jitable
def is_less(
    black: np.uint64, white: np.uint64, than_black: np.uint64, than_white: np.uint64
) -> bool:
    """Whether one form comes before another."""
    # No `and` and `or`: branches that cannot be foreseen would cost more than both comparisons.
    return bool((black < than_black) | ((black == than_black) & (white < than_white)))


@jitable
def flip(cells: np.uint64, width: int, height: int) -> np.uint64:
    """The last row becomes the first."""
    flipped = U0
    row = np.uint64(width)
    mask = (U1 << row) - U1
    for _ in range(height):
        flipped = flipped << row | cells & mask
        cells >>= row
    return flipped


@jitable
def flip_diagonally(cells: np.uint64, width: int, height: int) -> np.uint64:
    """Rows become columns."""
    flipped = U0
    row = np.uint64(width)
    mask = (U1 << row) - U1
    for y in range(height):
        line = cells & mask
        while line:
            flipped |= U1 << np.uint64(lowest(line) * height + y)
            line &= line - U1
        cells >>= row
    return flipped
