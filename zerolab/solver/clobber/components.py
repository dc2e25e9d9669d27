"""What components are known by: digests, which are hash keys, and for small ones their values."""

import numpy as np
import numpy.typing as npt

from zerolab.games.clobber import CANNIBAL, IMPARTIAL
from zerolab.kernels.bits import U0, U1, as_int, wrapping_add, wrapping_multiply
from zerolab.kernels.compiling import jitable, recursive, subroutine
from zerolab.kernels.rng import GAMMA, mix
from zerolab.solver.clobber.shapes import Land, Lexicon, around, boxed, connected, is_dead
from zerolab.solver.clobber.turns import is_less, standard_forms, turned_cells
from zerolab.solver.values.forms import simplest
from zerolab.solver.values.store import NO_VALUE, SCRATCH, TOP, ZERO, Values
from zerolab.solver.values.sums import add, negative

_SALT = np.uint64(0xD1B54A32D192ED03)
_U8 = np.uint64(8)
_LOW_BYTE = np.uint64(0xFF)


def make_lexicon(places: int, links: npt.NDArray[np.uint64], seed: int) -> Lexicon:
    """An empty one with so many places, a power of two."""
    return Lexicon(
        links=links,
        entries=np.zeros((places, 3), np.uint64),
        seed=np.array([mix(np.uint64(2 * seed + 1)), mix(np.uint64(2 * seed + 2))], np.uint64),
        used=np.zeros(1, np.int64),
        cells=turned_cells(),
        turns=np.zeros((2, 8, 2), np.uint64),
    )


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
    b, w, swapped_b, swapped_w, wide = standard_forms(land, lexicon, black, white, width)
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
