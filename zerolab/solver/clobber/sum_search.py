"""Who wins a sum of components: a search that proves one player's win.

The search is a loop over a stack of levels (sum_positions.py). In each position it lists the
children (children.py) and goes down into them, until one is lost for the opponent or none is left.

Several threads may search the same position with a shared table. From the second child of a
position on, a thread skips children that another thread is searching, for the time being
(Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1), 1996).
"""

import numpy as np
import numpy.typing as npt

from zerolab.kernels.bits import U0, U1, as_int
from zerolab.kernels.compiling import jitable, kernel, subroutine
from zerolab.solver.clobber.children import list_children, order_by_outlook, order_closely
from zerolab.solver.clobber.position_table import LOST, NOT_KNOWN, WON, Table, keep, look_up
from zerolab.solver.clobber.shapes import UNORDERED, ComponentTable, Topology
from zerolab.solver.clobber.sum_positions import (
    ALL_CONTACTS,
    CHILD_COUNT,
    CHILD_WORDS,
    DONE,
    ENTER,
    ENTRY_NODES,
    GO_ON,
    KEY,
    LEVEL,
    MODE,
    NODES,
    RESULT,
    SET_UP,
    TAKE_RESULT,
    THREAD,
    TRIED,
    Stack,
    place_child,
    set_up,
)
from zerolab.solver.values.store import Values

LARGE = 16  # positions with at least this many contacts are announced to other threads


@kernel
def search(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    stack: Stack,
    table: Table,
    steps: int,
) -> None:
    """Continue for that many steps, or to the end."""
    level, mode = stack.where[LEVEL], stack.where[MODE]
    result, nodes = stack.where[RESULT], stack.where[NODES]
    for _ in range(steps):
        if mode == DONE:
            break
        if mode == SET_UP:
            result = set_up(topology, components, values, stack, table)
            level = 0
            nodes = 0
            mode = ENTER if result == NOT_KNOWN else DONE
        elif mode == ENTER:
            nodes += 1
            stack.levels[level, ENTRY_NODES] = nodes
            result = enter(topology, components, values, stack, table, level)
            mode = GO_ON
            if result != NOT_KNOWN:
                leave(stack, table, level, nodes, result)
                level -= 1
                mode = TAKE_RESULT
        elif mode == TAKE_RESULT:
            mode = GO_ON
            if level < 0:
                mode = DONE
            elif result == LOST:
                result = WON
                leave(stack, table, level, nodes, WON)
                level -= 1
                mode = TAKE_RESULT
        else:
            result = next_child(stack, table, level)
            if result == NOT_KNOWN:
                level += 1
                mode = ENTER
            else:
                leave(stack, table, level, nodes, result)
                level -= 1
                mode = TAKE_RESULT
    stack.where[LEVEL], stack.where[MODE] = level, mode
    stack.where[RESULT], stack.where[NODES] = result, nodes


# A helper is compiled anew for callers with other options, as a kernel has: so it is this
# subroutine, and not the kernel, that calls `list_children`.
@subroutine
def enter(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    stack: Stack,
    table: Table,
    level: int,
) -> int:
    """List the children of a position in the order of trying; return the result if known."""
    result = list_children(topology, components, values, stack, table, level)
    if stack.levels[level, ALL_CONTACTS] >= LARGE:
        show(table, stack.keys[level, 0])
    if result == NOT_KNOWN and topology.methods.orders != UNORDERED:
        order_by_outlook(topology, components, values, stack, level)
    if result == NOT_KNOWN and stack.levels[level, ALL_CONTACTS] >= topology.methods.looks_closely:
        result = order_closely(topology, components, values, stack, table, level)
    return result


@jitable
def leave(stack: Stack, table: Table, level: int, nodes: int, result: int) -> None:
    """Store the result of a position."""
    work = np.uint64(nodes - stack.levels[level, ENTRY_NODES] + 1)
    log = 0
    while work > U1:
        work >>= U1
        log += 1
    thread = stack.where[THREAD]
    keep(table, thread, stack.keys[level, 0], stack.keys[level, 1], result, log)
    if stack.levels[level, ALL_CONTACTS] >= LARGE:
        hide(table, stack.keys[level, 0])


@jitable
def show(table: Table, key: np.uint64) -> None:
    """Announce to other threads that a position is being searched."""
    table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] = key


@jitable
def hide(table: Table, key: np.uint64) -> None:
    """Withdraw the announcement."""
    if is_shown(table, key):
        table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] = U0


@jitable
def is_shown(table: Table, key: np.uint64) -> bool:
    """Whether a thread searches a position."""
    return bool(table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] == key)


@jitable
def next_child(stack: Stack, table: Table, level: int) -> int:
    """Put the next unsolved child on the stack.

    If there is none the position is LOST; if a child is known to be lost for the opponent, WON.
    """
    children = stack.children[level]
    while stack.levels[level, TRIED] < stack.levels[level, CHILD_COUNT]:
        chosen = stack.levels[level, TRIED]
        if chosen > 0 and stack.levels[level, ALL_CONTACTS] >= LARGE:
            while chosen < stack.levels[level, CHILD_COUNT] and is_shown(
                table, children[chosen, KEY]
            ):
                chosen += 1
            if chosen == stack.levels[level, CHILD_COUNT]:
                chosen = stack.levels[level, TRIED]
            swap_children(children, chosen, stack.levels[level, TRIED])
        child = children[stack.levels[level, TRIED]]
        stack.levels[level, TRIED] += 1
        known = look_up(table, child[KEY], child[KEY + 1])
        if known == LOST:
            return WON
        if known == NOT_KNOWN:
            place_child(stack, level, child)
            return NOT_KNOWN
    return LOST


@jitable
def swap_children(children: npt.NDArray[np.uint64], a: int, b: int) -> None:
    """Exchange two children."""
    for word in range(CHILD_WORDS):
        children[a, word], children[b, word] = children[b, word], children[a, word]
