"""Connected groups of stones, of which a Clobber position is the sum.

A component is its black stones, its white stones and the width of the smallest box around them,
cells numbered row by row within the box. So it does not depend on the board or its place there. On
a graph there are no boxes: cells are vertices and the width is 0.

A move changes one component, removes one stone and may split it. A component in
which nobody can move has the value zero and vanishes.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import BLACK, State
from zerolab.games.boards.stones import FIRST_COLUMNS, stone_at
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.kernels.bits import U0, U1, bit, highest, lowest, popcount
from zerolab.kernels.compiling import generic, jitable, rule

MAX_CELLS = 64


# Orders of moves.
UNORDERED, BY_CONTACTS, BY_OUTLOOK = range(3)


class Methods(NamedTuple):
    """The methods that the solver uses: all of them, except in tests and comparisons."""

    small: int = 8
    """Components of at most this number of stones are replaced by their values; 0 for none."""
    cancels: int = 1
    """Whether a component cancels with its negative."""
    orders: int = BY_OUTLOOK
    """Which moves are tried first: any, those that leave few contacts, or by outlook.py."""
    looks_closely: int = 16
    """From this number of contacts on, moves are ordered by the answers that are left."""


class GridTopology(NamedTuple):
    """Components lie on a board: cells in rows and columns."""

    variant: int
    methods: Methods


class GraphTopology(NamedTuple):
    """Components lie on a graph: vertices and their neighbours."""

    variant: int
    methods: Methods


Topology = GridTopology | GraphTopology
Numbers = npt.NDArray[np.int64]  # [R * C], a buffer
Piece = tuple[np.uint64, np.uint64, int]  # black stones, white stones, width of the box


class ComponentTable(NamedTuple):
    """What is known of components: the values of small ones, in M places, and scratch for turns."""

    links: npt.NDArray[np.uint64]  # [64], the neighbours of each vertex of a graph
    entries: npt.NDArray[np.uint64]  # [M, 3]: black, white, and width and value in one, or 0
    seed: npt.NDArray[np.uint64]  # [2], what digests are mixed with
    used: npt.NDArray[np.int64]  # [1], entries in use
    cells: npt.NDArray[np.uint8]  # [MAX_SIDE + 1, 9, 8, 64], where cells go in turned boxes
    turns: npt.NDArray[np.uint64]  # [2, 8, 2], components turned in all ways (turns.py)


@generic
def around(
    topology: Topology, components: ComponentTable, cells: np.uint64, width: int
) -> np.uint64:
    """The neighbours of a set of cells, and perhaps cells outside the box."""
    raise TypeError("this topology binds no rule around")


@rule(GridTopology, "around")
def around_on_grid(
    topology: GridTopology, components: ComponentTable, cells: np.uint64, width: int
) -> np.uint64:
    """Shifts by a row, and by a cell within its row."""
    first = FIRST_COLUMNS[width]
    row = np.uint64(width)
    found: np.uint64 = cells << row | cells >> row | (cells & ~first) >> U1 | (cells << U1) & ~first
    return found


@rule(GraphTopology, "around")
def around_on_graph(
    topology: GraphTopology, components: ComponentTable, cells: np.uint64, width: int
) -> np.uint64:
    """Vertex by vertex."""
    found = U0
    while cells:
        found |= components.links[lowest(cells)]
        cells &= cells - U1
    return found


@jitable
def connected(
    topology: Topology, components: ComponentTable, start: np.uint64, cells: np.uint64, width: int
) -> np.uint64:
    """The cells that can be reached from `start` through `cells`."""
    found = start
    while True:
        more = found | around(topology, components, found, width) & cells
        if more == found:
            return found
        found = more


@jitable
def find_component(game: Clobber, start: int, seen: Numbers, found: Numbers) -> int:
    """Write the cells of the component of `start` to `found`; return their number.

    For boards of any size. `seen` has a 1 for empty cells and cells of components that were found
    before, and gets one for each cell of this component.
    """
    seen[start] = 1
    found[0] = start
    size, done = 1, 0
    while done < size:
        row, col = found[done] // game.cols, found[done] % game.cols
        done += 1
        for direction in range(4):
            y = row + (direction == 2) - (direction == 0)
            x = col + (direction == 3) - (direction == 1)
            if 0 <= y < game.rows and 0 <= x < game.cols and not seen[y * game.cols + x]:
                seen[y * game.cols + x] = 1
                found[size] = y * game.cols + x
                size += 1
    return size


@jitable
def box_component(
    game: Clobber, state: State, found: Numbers, size: int
) -> tuple[np.uint64, np.uint64, int, int]:
    """The black and the white stones of a component in a box of its own, its width and height.

    The first `size` of `found` are its cells. Stones beyond MAX_CELLS of the box are left out.
    """
    top, left, bottom, right = game.rows, game.cols, 0, 0
    for i in range(size):
        row, col = found[i] // game.cols, found[i] % game.cols
        top, bottom = min(top, row), max(bottom, row)
        left, right = min(left, col), max(right, col)
    width = right - left + 1
    black, white = U0, U0
    for i in range(size):
        place = (found[i] // game.cols - top) * width + found[i] % game.cols - left
        if place < MAX_CELLS:
            if stone_at(game, state, found[i]) == BLACK:
                black |= bit(place)
            else:
                white |= bit(place)
    return black, white, width, bottom - top + 1


@jitable
def is_dead(topology: Topology, black: np.uint64, white: np.uint64) -> bool:
    """Whether nobody can move in a component."""
    if topology.variant == CANNIBAL:
        return popcount(black | white) == 1
    return bool(black == U0 or white == U0)


@generic
def boxed(topology: Topology, black: np.uint64, white: np.uint64, width: int) -> Piece:
    """A component in a box of its own, given its stones in another one of that width."""
    return black, white, width


@rule(GridTopology, "boxed")
def boxed_on_grid(topology: GridTopology, black: np.uint64, white: np.uint64, width: int) -> Piece:
    """Empty rows and columns are cut off."""
    row = np.uint64(width)
    row_mask = (U1 << row) - U1
    while not (black | white) & row_mask:
        black >>= row
        white >>= row
    columns = U0
    rest = black | white
    while rest:
        columns |= rest & row_mask
        rest >>= row
    left = np.uint64(lowest(columns))
    new_width = highest(columns) - lowest(columns) + 1
    if new_width == width:
        return black, white, width
    new_black, new_white, place = U0, U0, U0
    mask = (U1 << np.uint64(new_width)) - U1
    while black | white:
        new_black |= (black >> left & mask) << place
        new_white |= (white >> left & mask) << place
        place += np.uint64(new_width)
        black >>= row
        white >>= row
    return new_black, new_white, new_width


@generic
def contacts(
    topology: Topology, components: ComponentTable, black: np.uint64, white: np.uint64, width: int
) -> int:
    """Number of pairs of neighbours of different colours."""
    count = 0
    while black:
        count += popcount(components.links[lowest(black)] & white)
        black &= black - U1
    return count


@rule(GridTopology, "contacts")
def contacts_on_grid(
    topology: GridTopology,
    components: ComponentTable,
    black: np.uint64,
    white: np.uint64,
    width: int,
) -> int:
    """Above one another, and side by side."""
    inner = ~FIRST_COLUMNS[width]
    row = np.uint64(width)
    across = popcount(black & white << U1 & inner) + popcount(white & black << U1 & inner)
    return across + popcount(black & white << row) + popcount(white & black << row)
