"""Positions as sums of components, and the stack of them that a search works on.

A position is its large components and ONE value for all the small ones together (store.py). Its
key is the sum of the digests of these, so it does not depend on their order; each component has a
digest as it stands and one with its colours swapped, and a position with White to move is looked up
as the swapped one with Black to move. A component and its negative cancel.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.clobber import IMPARTIAL
from zerolab.kernels.bits import U0, U1, as_int, popcount, wrapping_add
from zerolab.kernels.compiling import jitable, subroutine
from zerolab.solver.clobber.components import component_value, digest
from zerolab.solver.clobber.position_table import LOST, WON, Table, look_up
from zerolab.solver.clobber.shapes import (
    ComponentTable,
    Topology,
    boxed,
    connected,
    contacts,
    is_dead,
)
from zerolab.solver.clobber.turns import Forms, is_less, standard_forms
from zerolab.solver.values.store import (
    MAX_OPTIONS,
    NEGATIVE,
    NO_VALUE,
    ZERO,
    Values,
    is_at_least_zero,
    is_at_most_zero,
)
from zerolab.solver.values.sums import add, negative

MAX_STONES = 64
MAX_PARTS = MAX_STONES // 2  # nobody can move in less than two stones

# The words of a component. PLAIN and SWAPPED are the first of two words each.
BLACK, WHITE, WIDTH, PLAIN, SWAPPED, CONTACTS = 0, 1, 2, 3, 5, 7
PART_WORDS = 8

# The words of a child.
REMOVED, FIRST_PIECE, PIECES, VALUE, KEY, SCORE = 0, 1, 2, 3, 4, 6
CHILD_WORDS = 7

# What a level holds: how many large components there are, the value of all small ones together, who
# is to move, pairs of enemies in the large components, children not settled, children tried, and
# how many positions had been looked at before.
PART_COUNT, SMALL_VALUE, TO_MOVE, ALL_CONTACTS, CHILD_COUNT, TRIED, ENTRY_NODES = range(7)
LEVEL_WORDS = 8

# What `where` holds.
LEVEL, MODE, RESULT, NODES, THREAD, MOVER, ROOTS = range(7)
# What the search is about to do.
SET_UP, ENTER, GO_ON, TAKE_RESULT, DONE = range(5)

Part = npt.NDArray[np.uint64]  # [PART_WORDS]
Parts = npt.NDArray[np.uint64]  # [N, PART_WORDS]


class Stack(NamedTuple):
    """The current line of play; D levels."""

    roots: npt.NDArray[np.uint64]  # [MAX_PARTS, 3], black, white, width: where it starts
    parts: npt.NDArray[np.uint64]  # [D, MAX_PARTS, PART_WORDS], large components
    levels: npt.NDArray[np.int64]  # [D, LEVEL_WORDS]
    keys: npt.NDArray[np.uint64]  # [D, 2]
    children: npt.NDArray[np.uint64]  # [D, C, CHILD_WORDS], those not settled; the last is scratch
    pieces: npt.NDArray[np.uint64]  # [D, pieces, PART_WORDS], components that children bring
    where: npt.NDArray[np.int64]  # [7]


def make_stack(moves: int, pieces: int, thread: int) -> Stack:
    """A stack for positions with at most `moves` moves, each splitting into at most `pieces`."""
    depth = MAX_STONES + 1
    children = moves + MAX_OPTIONS + 1
    stack = Stack(
        roots=np.zeros((MAX_PARTS, 3), np.uint64),
        parts=np.zeros((depth, MAX_PARTS, PART_WORDS), np.uint64),
        levels=np.zeros((depth, LEVEL_WORDS), np.int64),
        keys=np.zeros((depth, 2), np.uint64),
        children=np.zeros((depth, children, CHILD_WORDS), np.uint64),
        pieces=np.zeros((depth, moves * pieces + MAX_PARTS, PART_WORDS), np.uint64),
        where=np.zeros(7, np.int64),
    )
    stack.where[THREAD] = thread
    return stack


@subroutine
def set_up(
    topology: Topology, components: ComponentTable, values: Values, stack: Stack, table: Table
) -> int:
    """Put the position to be solved on the stack; WON or LOST if that decides it."""
    parts = stack.parts[0]
    mover = stack.where[MOVER]
    value = ZERO
    end = 0
    for i in range(stack.where[ROOTS]):
        root = stack.roots[i]
        end, value = split(
            topology, components, values, root[0], root[1], as_int(root[2]), value, parts, end
        )
    if topology.methods.cancels:
        end = cancel(parts, 0, end)
    side = PLAIN if mover == 0 else SWAPPED
    seen = value if mover == 0 else as_int(values.facts[value, NEGATIVE])
    first, second = values.digests[seen, 0], values.digests[seen, 1]
    total = U0
    for i in range(end):
        first = wrapping_add(first, parts[i, side])
        second = wrapping_add(second, parts[i, side + 1])
        total += parts[i, CONTACTS]
    stack.levels[0, PART_COUNT], stack.levels[0, SMALL_VALUE], stack.levels[0, TO_MOVE] = (
        end,
        value,
        mover,
    )
    stack.keys[0, 0], stack.keys[0, 1] = first, second
    stack.levels[0, ALL_CONTACTS] = as_int(total)
    if end == 0:
        return LOST if is_lost_value(values, value, mover) else WON
    return look_up(table, first, second)


@subroutine
def split(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    black: np.uint64,
    white: np.uint64,
    width: int,
    value: int,
    parts: Parts,
    end: int,
) -> tuple[int, int]:
    """Write the large components behind the `end` of a list, and add the small ones to `value`.

    Returns where the list ends now, and the new value.
    """
    rest = black | white
    while rest:
        piece = connected(topology, components, rest & (~rest + U1), rest, width)
        rest &= ~piece
        if is_dead(topology, black & piece, white & piece):
            continue
        b, w, wide = boxed(topology, black & piece, white & piece, width)
        if popcount(piece) <= topology.methods.small:
            total = component_value(topology, components, values, b, w, wide)
            if total != NO_VALUE:
                total = add(values, value, total)
            if total != NO_VALUE and negative(values, total) != NO_VALUE:
                value = total
                continue
        write_part(
            topology, components, parts[end], standard_forms(topology, components, b, w, wide)
        )
        end += 1
    return end, value


@jitable
def write_part(topology: Topology, components: ComponentTable, part: Part, forms: Forms) -> None:
    """Write a component, given its standard forms in both colourings."""
    black, white, swapped_black, swapped_white, width = forms
    if topology.variant == IMPARTIAL:  # every game is its own negative
        if is_less(swapped_black, swapped_white, black, white):
            black, white = swapped_black, swapped_white
        swapped_black, swapped_white = black, white
    part[BLACK], part[WHITE], part[WIDTH] = black, white, np.uint64(width)
    part[CONTACTS] = np.uint64(contacts(topology, components, black, white, width))
    part[PLAIN], part[PLAIN + 1] = digest(components, black, white, width)
    part[SWAPPED], part[SWAPPED + 1] = digest(components, swapped_black, swapped_white, width)


@jitable
def are_opposite(a: Part, b: Part) -> bool:
    """Whether a component is the negative of another."""
    return bool(a[PLAIN] == b[SWAPPED] and a[PLAIN + 1] == b[SWAPPED + 1])


@jitable
def cancel(parts: Parts, start: int, end: int) -> int:
    """Drop pairs of opposite components from a list; return where it ends now."""
    i = start
    while i < end:
        j = i + 1
        while j < end and not are_opposite(parts[i], parts[j]):
            j += 1
        if j < end:
            copy_part(parts[end - 1], parts[j])
            copy_part(parts[end - 2], parts[i])
            end -= 2
        else:
            i += 1
    return end


@jitable
def copy_part(source: Part, target: Part) -> None:
    """Overwrite a component."""
    for word in range(PART_WORDS):
        target[word] = source[word]


@jitable
def is_lost_value(values: Values, value: int, mover: int) -> bool:
    """Whether the player to move loses a position that is only a value."""
    if mover == 0:
        return is_at_most_zero(values, value)
    return is_at_least_zero(values, value)


@jitable
def place_child(stack: Stack, level: int, child: npt.NDArray[np.uint64]) -> None:
    """Put a child on the next level of the stack."""
    below = level + 1
    count = 0
    total = U0
    for i in range(stack.levels[level, PART_COUNT]):
        if not child[REMOVED] >> np.uint64(i) & U1:
            copy_part(stack.parts[level, i], stack.parts[below, count])
            total += stack.parts[below, count, CONTACTS]
            count += 1
    first = as_int(child[FIRST_PIECE])
    for i in range(first, first + as_int(child[PIECES])):
        copy_part(stack.pieces[level, i], stack.parts[below, count])
        total += stack.parts[below, count, CONTACTS]
        count += 1
    stack.levels[below, PART_COUNT] = count
    stack.levels[below, SMALL_VALUE] = as_int(child[VALUE])
    stack.levels[below, TO_MOVE] = 1 - stack.levels[level, TO_MOVE]
    stack.keys[below, 0], stack.keys[below, 1] = child[KEY], child[KEY + 1]
    stack.levels[below, ALL_CONTACTS] = as_int(total)
