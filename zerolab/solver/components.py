"""Connected groups of stones, of which a Clobber position is the sum, and their values.

A component is its black stones, its white stones and the width of the smallest box around them,
cells numbered row by row within the box. So it is the same wherever on whatever board it stands. On
a graph there are no boxes: cells are vertices and the width is 0.

A move touches one component, takes one stone away and may break it into pieces. A component in
which nobody can move is worth nothing and vanishes.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.bits import (
    U0,
    U1,
    as_int,
    highest,
    lowest,
    popcount,
    reverse_bits,
    wrapping_add,
    wrapping_multiply,
)
from zerolab.games.board import FIRST_COLUMNS
from zerolab.games.clobber import CANNIBAL, IMPARTIAL
from zerolab.games.compiling import generic, jitable, recursive, rule, subroutine
from zerolab.games.rng import GAMMA, mix
from zerolab.solver.values import NO_VALUE, SCRATCH, TOP, ZERO, Values, add, negative, simplest

MAX_CELLS = 64

_SALT = np.uint64(0xD1B54A32D192ED03)
_U8, _U64 = np.uint64(8), np.uint64(64)
_LOW_BYTE = np.uint64(0xFF)


class Methods(NamedTuple):
    """What the solver makes use of; all of it, but for tests and to see what each is worth."""

    small: int = 8
    """Components of at most so many stones are replaced by their values; 0 for none."""
    cancels: int = 1
    """Whether a component cancels with its negative."""
    orders: int = 1
    """Whether moves that leave few contacts are tried first."""
    looks_closely: int = 16
    """From so many contacts on, moves are ordered by the answers that are left."""


class Grid(NamedTuple):
    """Components of boards."""

    variant: int
    methods: Methods


class Web(NamedTuple):
    """Components of graphs."""

    variant: int
    methods: Methods


Land = Grid | Web
FourWords = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
Forms = tuple[np.uint64, np.uint64, np.uint64, np.uint64, int]
Piece = tuple[np.uint64, np.uint64, int]  # black stones, white stones, width of the box


class Lexicon(NamedTuple):
    """The values of small components; M places."""

    links: npt.NDArray[np.uint64]  # [64], the neighbours of each vertex of a graph
    entries: npt.NDArray[np.uint64]  # [M, 3]: black, white, and width and value in one, or 0
    seed: npt.NDArray[np.uint64]  # [2], what digests are mixed with
    used: npt.NDArray[np.int64]  # [1], entries in use


def make_lexicon(places: int, links: npt.NDArray[np.uint64], seed: int) -> Lexicon:
    """An empty one with so many places, a power of two."""
    return Lexicon(
        links,
        np.zeros((places, 3), np.uint64),
        np.array([mix(np.uint64(2 * seed + 1)), mix(np.uint64(2 * seed + 2))], np.uint64),
        np.zeros(1, np.int64),
    )


@generic
def around(land: Land, lexicon: Lexicon, cells: np.uint64, width: int) -> np.uint64:
    """The neighbours of a set of cells, and perhaps cells outside the box."""
    raise TypeError("this land binds no rule around")


@rule(Grid, "around")
def around_on_grid(land: Grid, lexicon: Lexicon, cells: np.uint64, width: int) -> np.uint64:
    """Shifts by a row, and by a cell within its row."""
    first = FIRST_COLUMNS[width]
    row = np.uint64(width)
    found: np.uint64 = cells << row | cells >> row | (cells & ~first) >> U1 | (cells << U1) & ~first
    return found


@rule(Web, "around")
def around_on_web(land: Web, lexicon: Lexicon, cells: np.uint64, width: int) -> np.uint64:
    """Vertex by vertex."""
    found = U0
    while cells:
        found |= lexicon.links[lowest(cells)]
        cells &= cells - U1
    return found


@jitable
def connected(
    land: Land, lexicon: Lexicon, start: np.uint64, cells: np.uint64, width: int
) -> np.uint64:
    """The cells that can be reached from `start` through `cells`."""
    found = start
    while True:
        more = found | around(land, lexicon, found, width) & cells
        if more == found:
            return found
        found = more


@jitable
def is_dead(land: Land, black: np.uint64, white: np.uint64) -> bool:
    """Whether nobody can move in a component."""
    if land.variant == CANNIBAL:
        return popcount(black | white) == 1
    return bool(black == U0 or white == U0)


@generic
def boxed(land: Land, black: np.uint64, white: np.uint64, width: int) -> Piece:
    """A component in a box of its own, given its stones in another one of that width."""
    return black, white, width


@rule(Grid, "boxed")
def boxed_on_grid(land: Grid, black: np.uint64, white: np.uint64, width: int) -> Piece:
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
def standard_forms(land: Land, black: np.uint64, white: np.uint64, width: int) -> Forms:
    """A component, and the same with its colours swapped, each turned to make its numbers least."""
    return black, white, white, black, width


@rule(Grid, "standard_forms")
def standard_forms_on_grid(land: Grid, black: np.uint64, white: np.uint64, width: int) -> Forms:
    """The least of eight, or four where the box is no square."""
    height = highest(black | white) // width + 1
    if height > width:  # boxes lie down
        black, white = flip_diagonally(black, width, height), flip_diagonally(white, width, height)
        width, height = height, width
    least = black, white, white, black
    for diagonal in range(2):
        if diagonal == 1:
            if height != width:
                break
            black = flip_diagonally(black, width, height)
            white = flip_diagonally(white, width, height)
            least = lesser(least, black, white)
        flipped_black, flipped_white = flip(black, width, height), flip(white, width, height)
        least = lesser(least, flipped_black, flipped_white)
        # To turn a box half round is to read its bits backwards.
        spare = _U64 - np.uint64(width * height)
        least = lesser(least, reverse_bits(black) >> spare, reverse_bits(white) >> spare)
        flipped_black, flipped_white = reverse_bits(flipped_black), reverse_bits(flipped_white)
        least = lesser(least, flipped_black >> spare, flipped_white >> spare)
    return least[0], least[1], least[2], least[3], width


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
    return bool(black < than_black or (black == than_black and white < than_white))


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


@jitable
def digest(
    lexicon: Lexicon, black: np.uint64, white: np.uint64, width: int
) -> tuple[np.uint64, np.uint64]:
    """128 bits for a standard form."""
    # The width is spread over the word, differently in each: added as it is, it would make other
    # stones' numbers.
    wide = np.uint64(width)
    inner = mix(white ^ wrapping_multiply(wide, GAMMA) ^ lexicon.seed[0])
    first = mix(wrapping_add(black, inner) ^ lexicon.seed[1])
    inner = mix(white ^ wrapping_multiply(wide, _SALT) ^ lexicon.seed[1])
    second = mix(wrapping_add(mix(black ^ _SALT ^ lexicon.seed[0]), inner))
    return first, second


@generic
def contacts(land: Land, lexicon: Lexicon, black: np.uint64, white: np.uint64, width: int) -> int:
    """How many pairs of neighbours of different colours there are."""
    count = 0
    while black:
        count += popcount(lexicon.links[lowest(black)] & white)
        black &= black - U1
    return count


@rule(Grid, "contacts")
def contacts_on_grid(
    land: Grid, lexicon: Lexicon, black: np.uint64, white: np.uint64, width: int
) -> int:
    """Above one another, and side by side."""
    inner = ~FIRST_COLUMNS[width]
    row = np.uint64(width)
    across = popcount(black & white << U1 & inner) + popcount(white & black << U1 & inner)
    return across + popcount(black & white << row) + popcount(white & black << row)


@subroutine
def find_value(lexicon: Lexicon, black: np.uint64, white: np.uint64, width: int) -> int:
    """Where the value of a component is kept, or the place that waits for it."""
    mask = lexicon.entries.shape[0] - 1
    place: int = as_int(mix(wrapping_add(black, mix(wrapping_add(white, np.uint64(width)))))) & mask
    while lexicon.entries[place, 2] != U0 and not (
        lexicon.entries[place, 0] == black
        and lexicon.entries[place, 1] == white
        and lexicon.entries[place, 2] & _LOW_BYTE == np.uint64(width + 1)
    ):
        place = (place + 1) & mask
    return place


@recursive
def component_value(
    land: Land, lexicon: Lexicon, values: Values, black: np.uint64, white: np.uint64, width: int
) -> int:
    """The value of a component in its own box, or NO_VALUE."""
    place = find_value(lexicon, black, white, width)
    if lexicon.entries[place, 2] != U0:
        return as_int(lexicon.entries[place, 2] >> _U8) + NO_VALUE
    b, w, swapped_b, swapped_w, wide = standard_forms(land, black, white, width)
    swapped = is_less(swapped_b, swapped_w, b, w)
    if swapped:
        b, w = swapped_b, swapped_w
    if b != black or w != white or wide != width:
        value = component_value(land, lexicon, values, b, w, wide)
        if swapped and value != NO_VALUE:
            value = negative(values, value)
        note_value(lexicon, black, white, width, value)
        return value
    start = values.counts[TOP]
    middle, end = start, start
    full = False
    for side in range(2):
        for turn in range(2):
            # In impartial Clobber both players move stones of both colours.
            if turn == 1 and land.variant != IMPARTIAL:
                continue
            own, other = (black, white) if side == turn else (white, black)
            victims = own | other if land.variant == CANNIBAL else other
            sources = own & around(land, lexicon, victims, width)
            while sources and not full:
                source = sources & (~sources + U1)
                sources ^= source
                targets = around(land, lexicon, source, width) & victims
                while targets and not full:
                    target = targets & (~targets + U1)
                    targets ^= target
                    new_own = own & ~source | target
                    new_other = other & ~target
                    total = as_int(ZERO)  # Numba would compile `add` again for a constant
                    rest = new_own | new_other
                    while rest and total != NO_VALUE:
                        piece = connected(land, lexicon, rest & (~rest + U1), rest, width)
                        rest &= ~piece
                        if is_dead(land, new_own & piece, new_other & piece):
                            continue
                        if side == turn:
                            b, w, wide = boxed(land, new_own & piece, new_other & piece, width)
                        else:
                            b, w, wide = boxed(land, new_other & piece, new_own & piece, width)
                        value = component_value(land, lexicon, values, b, w, wide)
                        total = NO_VALUE if value == NO_VALUE else add(values, total, value)
                    full = total == NO_VALUE or end == SCRATCH
                    if not full:
                        values.scratch[end] = total
                        end += 1
                        values.counts[TOP] = end
        if side == 0:
            middle = end
    value = NO_VALUE if full else simplest(values, start, middle, end)
    values.counts[TOP] = start
    note_value(lexicon, black, white, width, value)
    return value


@subroutine
def note_value(
    lexicon: Lexicon, black: np.uint64, white: np.uint64, width: int, value: int
) -> None:
    """Remember a value while there is room."""
    if 2 * lexicon.used[0] < lexicon.entries.shape[0]:
        place = find_value(lexicon, black, white, width)
        lexicon.used[0] += 1
        lexicon.entries[place, 0], lexicon.entries[place, 1] = black, white
        lexicon.entries[place, 2] = np.uint64(value - NO_VALUE) << _U8 | np.uint64(width + 1)
