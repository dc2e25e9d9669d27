"""Digests of components, which are hash keys, and the values of small components."""

import numpy as np
import numpy.typing as npt

from zerolab.games.clobber import CANNIBAL, IMPARTIAL
from zerolab.kernels.bits import U0, U1, as_int, wrapping_add, wrapping_multiply
from zerolab.kernels.compiling import jitable, recursive, subroutine
from zerolab.kernels.rng import GAMMA, mix
from zerolab.solver.clobber.shapes import (
    ComponentTable,
    Topology,
    around,
    boxed,
    connected,
    is_dead,
)
from zerolab.solver.clobber.turns import is_less, standard_forms, turned_cells
from zerolab.solver.values.forms import simplest
from zerolab.solver.values.store import NO_VALUE, SCRATCH, TOP, ZERO, Values
from zerolab.solver.values.sums import add, negative

_SALT = np.uint64(0xD1B54A32D192ED03)
_U8 = np.uint64(8)
_LOW_BYTE = np.uint64(0xFF)


def make_component_table(places: int, links: npt.NDArray[np.uint64], seed: int) -> ComponentTable:
    """An empty table with that many places, a power of two."""
    return ComponentTable(
        links=links,
        entries=np.zeros((places, 3), np.uint64),
        seed=np.array([mix(np.uint64(2 * seed + 1)), mix(np.uint64(2 * seed + 2))], np.uint64),
        used=np.zeros(1, np.int64),
        cells=turned_cells(),
        turns=np.zeros((2, 8, 2), np.uint64),
    )


@jitable
def digest(
    components: ComponentTable, black: np.uint64, white: np.uint64, width: int
) -> tuple[np.uint64, np.uint64]:
    """128 bits for a standard form."""
    # The width is spread over the word, differently in each: added as it is, it would make other
    # stones' numbers.
    wide = np.uint64(width)
    inner = mix(white ^ wrapping_multiply(wide, GAMMA) ^ components.seed[0])
    first = mix(wrapping_add(black, inner) ^ components.seed[1])
    inner = mix(white ^ wrapping_multiply(wide, _SALT) ^ components.seed[1])
    second = mix(wrapping_add(mix(black ^ _SALT ^ components.seed[0]), inner))
    return first, second


@subroutine
def find_value(components: ComponentTable, black: np.uint64, white: np.uint64, width: int) -> int:
    """The place of a component's value, or the free place for it."""
    mask = components.entries.shape[0] - 1
    place: int = as_int(mix(wrapping_add(black, mix(wrapping_add(white, np.uint64(width)))))) & mask
    while components.entries[place, 2] != U0 and not (
        components.entries[place, 0] == black
        and components.entries[place, 1] == white
        and components.entries[place, 2] & _LOW_BYTE == np.uint64(width + 1)
    ):
        place = (place + 1) & mask
    return place


@recursive
def component_value(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    black: np.uint64,
    white: np.uint64,
    width: int,
) -> int:
    """The value of a component in its own box, or NO_VALUE."""
    place = find_value(components, black, white, width)
    if components.entries[place, 2] != U0:
        return as_int(components.entries[place, 2] >> _U8) + NO_VALUE
    b, w, swapped_b, swapped_w, wide = standard_forms(topology, components, black, white, width)
    swapped = is_less(swapped_b, swapped_w, b, w)
    if swapped:
        b, w = swapped_b, swapped_w
    if b != black or w != white or wide != width:
        value = component_value(topology, components, values, b, w, wide)
        if swapped and value != NO_VALUE:
            value = negative(values, value)
        note_value(components, black, white, width, value)
        return value
    start = values.counts[TOP]
    middle, end = start, start
    full = False
    for side in range(2):
        for turn in range(2):
            # In impartial Clobber both players move stones of both colours.
            if turn == 1 and topology.variant != IMPARTIAL:
                continue
            own, other = (black, white) if side == turn else (white, black)
            victims = own | other if topology.variant == CANNIBAL else other
            sources = own & around(topology, components, victims, width)
            while sources and not full:
                source = sources & (~sources + U1)
                sources ^= source
                targets = around(topology, components, source, width) & victims
                while targets and not full:
                    target = targets & (~targets + U1)
                    targets ^= target
                    new_own = own & ~source | target
                    new_other = other & ~target
                    total = as_int(ZERO)  # Numba would compile `add` again for a constant
                    rest = new_own | new_other
                    while rest and total != NO_VALUE:
                        piece = connected(topology, components, rest & (~rest + U1), rest, width)
                        rest &= ~piece
                        if is_dead(topology, new_own & piece, new_other & piece):
                            continue
                        if side == turn:
                            b, w, wide = boxed(topology, new_own & piece, new_other & piece, width)
                        else:
                            b, w, wide = boxed(topology, new_other & piece, new_own & piece, width)
                        value = component_value(topology, components, values, b, w, wide)
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
    note_value(components, black, white, width, value)
    return value


@subroutine
def note_value(
    components: ComponentTable, black: np.uint64, white: np.uint64, width: int, value: int
) -> None:
    """Remember a value while there is room."""
    if 2 * components.used[0] < components.entries.shape[0]:
        place = find_value(components, black, white, width)
        components.used[0] += 1
        components.entries[place, 0], components.entries[place, 1] = black, white
        components.entries[place, 2] = np.uint64(value - NO_VALUE) << _U8 | np.uint64(width + 1)
