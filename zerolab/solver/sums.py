"""Who wins a sum of components: a search that proves one player's win.

A position is its large components and ONE value for all the small ones together (values.py). Its
key is the sum of the digests of these, so it does not depend on their order; each component has a
digest as it stands and one with its colours swapped, and a position with White to move is looked up
as the swapped one with Black to move. A component and its negative cancel.

The search is a loop over a stack of levels. It looks all children of a position up before it goes
down into any: often one of them is known to be lost for the opponent. Of the others it tries those
first that leave the opponent the fewest answers which are not settled yet.

Several threads may search the same position with a table in common. Each goes its own way at the
second child of a position and later, where another thread is at work on the first one it would take
(Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19(1), 1996).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.bits import U0, U1, as_int, popcount, wrapping_add
from zerolab.games.clobber import CANNIBAL, IMPARTIAL
from zerolab.games.compiling import jitable, kernel, subroutine
from zerolab.solver.components import (
    Land,
    Lexicon,
    around,
    boxed,
    component_value,
    connected,
    contacts,
    digest,
    is_dead,
    is_less,
    standard_forms,
)
from zerolab.solver.table import LOST, NOT_KNOWN, WON, Table, keep, look_up, prefetch
from zerolab.solver.values import (
    AT_LEAST_ZERO,
    AT_MOST_ZERO,
    FIRST,
    LEFTS,
    MAX_OPTIONS,
    NEGATIVE,
    NO_VALUE,
    RIGHTS,
    ZERO,
    Values,
    add,
    negative,
)

MAX_STONES = 64
MAX_PARTS = MAX_STONES // 2  # nobody can move in less than two stones
LARGE = 16  # positions with so many contacts are shown to other threads
LAG = 4  # so many children are listed between asking for a line of memory and reading it

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
    """The line of play that is looked at; D levels."""

    roots: npt.NDArray[np.uint64]  # [MAX_PARTS, 3], black, white, width: where it starts
    parts: npt.NDArray[np.uint64]  # [D, MAX_PARTS, PART_WORDS], large components
    levels: npt.NDArray[np.int64]  # [D, LEVEL_WORDS]
    keys: npt.NDArray[np.uint64]  # [D, 2]
    children: npt.NDArray[np.uint64]  # [D, C, CHILD_WORDS], those not settled; the last is scratch
    pieces: npt.NDArray[np.uint64]  # [D, pieces, PART_WORDS], components that children bring
    where: npt.NDArray[np.int64]  # [7]


def make_stack(moves: int, pieces: int, thread: int) -> Stack:
    """For positions with so many moves at most, each of which breaks a component into `pieces`."""
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


@kernel
def search(
    land: Land, lexicon: Lexicon, values: Values, stack: Stack, table: Table, steps: int
) -> None:
    """Go on for that many steps, or to the end."""
    level, mode = stack.where[LEVEL], stack.where[MODE]
    result, nodes = stack.where[RESULT], stack.where[NODES]
    for _ in range(steps):
        if mode == DONE:
            break
        if mode == SET_UP:
            result = set_up(land, lexicon, values, stack, table)
            level = 0
            nodes = 0
            mode = ENTER if result == NOT_KNOWN else DONE
        elif mode == ENTER:
            nodes += 1
            stack.levels[level, ENTRY_NODES] = nodes
            result = list_children(land, lexicon, values, stack, table, level)
            if stack.levels[level, ALL_CONTACTS] >= LARGE:
                show(table, stack.keys[level, 0])
            if result == NOT_KNOWN and stack.levels[level, ALL_CONTACTS] >= land.looks_closely:
                result = order_closely(land, lexicon, values, stack, table, level)
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


@jitable
def set_up(land: Land, lexicon: Lexicon, values: Values, stack: Stack, table: Table) -> int:
    """Put the position to be solved on the stack; WON or LOST if that settles it."""
    parts = stack.parts[0]
    mover = stack.where[MOVER]
    value = ZERO
    end = 0
    for i in range(stack.where[ROOTS]):
        root = stack.roots[i]
        end, value = split(
            land, lexicon, values, root[0], root[1], as_int(root[2]), value, parts, end
        )
    if land.cancels:
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
    land: Land,
    lexicon: Lexicon,
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
        piece = connected(land, lexicon, rest & (~rest + U1), rest, width)
        rest &= ~piece
        if is_dead(land, black & piece, white & piece):
            continue
        b, w, wide = boxed(land, black & piece, white & piece, width)
        if popcount(piece) <= land.small:
            total = component_value(land, lexicon, values, b, w, wide)
            if total != NO_VALUE:
                total = add(values, value, total)
            if total != NO_VALUE and negative(values, total) != NO_VALUE:
                value = total
                continue
        part = parts[end]
        part[BLACK], part[WHITE], part[WIDTH] = b, w, np.uint64(wide)
        part[CONTACTS] = np.uint64(contacts(land, lexicon, b, w, wide))
        b, w, swapped_b, swapped_w, wide = standard_forms(land, b, w, wide)
        if land.variant == IMPARTIAL:  # every game is its own negative
            if is_less(swapped_b, swapped_w, b, w):
                b, w = swapped_b, swapped_w
            swapped_b, swapped_w = b, w
        part[PLAIN], part[PLAIN + 1] = digest(lexicon, b, w, wide)
        part[SWAPPED], part[SWAPPED + 1] = digest(lexicon, swapped_b, swapped_w, wide)
        end += 1
    return end, value


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
        return bool(values.facts[value, AT_MOST_ZERO])
    return bool(values.facts[value, AT_LEAST_ZERO])


@jitable
def leave(stack: Stack, table: Table, level: int, nodes: int, result: int) -> None:
    """Keep what was found."""
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
    """Let other threads know that a position is being searched."""
    table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] = key


@jitable
def hide(table: Table, key: np.uint64) -> None:
    """It is no longer."""
    if is_shown(table, key):
        table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] = U0


@jitable
def is_shown(table: Table, key: np.uint64) -> bool:
    """Whether a thread searches a position."""
    return bool(table.busy[as_int(key >> np.uint64(8)) & (table.busy.shape[0] - 1)] == key)


@jitable
def next_child(stack: Stack, table: Table, level: int) -> int:
    """Put the next child that is not settled on the stack.

    If there is none the position is LOST, and if one is settled as lost for the opponent, WON.
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


@subroutine
def list_children(
    land: Land, lexicon: Lexicon, values: Values, stack: Stack, table: Table, level: int
) -> int:
    """List what moves lead to, fewest contacts first; WON if one wins for sure, LOST if none can.

    While children are listed, memory fetches the table's entries for those listed before.
    """
    mover = stack.levels[level, TO_MOVE]
    parts, pieces = stack.parts[level], stack.pieces[level]
    stack.levels[level, CHILD_COUNT] = 0
    stack.levels[level, TRIED] = 0
    children = stack.children[level]
    count, sifted, kept, free = 0, 0, 0, 0
    # Moves in the small components are the options of their value.
    value = stack.levels[level, SMALL_VALUE]
    first = values.facts[value, FIRST] + (0 if mover == 0 else values.facts[value, LEFTS])
    options = values.facts[value, LEFTS] if mover == 0 else values.facts[value, RIGHTS]
    for i in range(first, first + options):
        option = as_int(values.pool[i])
        note_child(land, values, stack, table, level, count, U0, free, free, option)
        count += 1
    for part in range(stack.levels[level, PART_COUNT]):
        width = as_int(parts[part, WIDTH])
        for turn in range(2):
            # In impartial Clobber both players move stones of both colours.
            if turn == 1 and land.variant != IMPARTIAL:
                continue
            is_black = mover == turn
            own = parts[part, BLACK] if is_black else parts[part, WHITE]
            other = parts[part, WHITE] if is_black else parts[part, BLACK]
            victims = own | other if land.variant == CANNIBAL else other
            sources = own & around(land, lexicon, victims, width)
            while sources:
                source = sources & (~sources + U1)
                sources ^= source
                targets = around(land, lexicon, source, width) & victims
                while targets:
                    target = targets & (~targets + U1)
                    targets ^= target
                    black, white = own & ~source | target, other & ~target
                    if not is_black:
                        black, white = white, black
                    end, total = split(
                        land, lexicon, values, black, white, width, value, pieces, free
                    )
                    removed = U1 << np.uint64(part)
                    if land.cancels:
                        end, removed = cancel_pieces(stack, level, free, end, removed)
                    if stack.levels[level, PART_COUNT] - popcount(removed) + end - free == 0:
                        if is_lost_value(values, total, 1 - mover):
                            return WON
                        continue
                    note_child(land, values, stack, table, level, count, removed, free, end, total)
                    count += 1
                    free = end
                    if count - sifted >= LAG:
                        known = sift(table, children, sifted, kept)
                        if known == LOST:
                            return WON
                        kept += known == NOT_KNOWN
                        sifted += 1
    for place in range(sifted, count):
        known = sift(table, children, place, kept)
        if known == LOST:
            return WON
        kept += known == NOT_KNOWN
    stack.levels[level, CHILD_COUNT] = kept
    return NOT_KNOWN if kept > 0 else LOST


@jitable
def cancel_pieces(
    stack: Stack, level: int, start: int, end: int, removed: np.uint64
) -> tuple[int, np.uint64]:
    """Drop new pieces together with their negatives, among them or among the other components."""
    pieces = stack.pieces[level]
    end = cancel(pieces, start, end)
    i = start
    while i < end:
        j = 0
        while j < stack.levels[level, PART_COUNT]:
            gone = removed >> np.uint64(j) & U1
            if not gone and are_opposite(pieces[i], stack.parts[level, j]):
                break
            j += 1
        if j < stack.levels[level, PART_COUNT]:
            removed |= U1 << np.uint64(j)
            end -= 1
            copy_part(pieces[end], pieces[i])
        else:
            i += 1
    return end, removed


@jitable
def sift(table: Table, children: npt.NDArray[np.uint64], place: int, kept: int) -> int:
    """Look a child up; if it is not settled, move it forward among the `kept` first ones."""
    known = look_up(table, children[place, KEY], children[place, KEY + 1])
    if known == NOT_KNOWN:
        insert_child(children, place, kept)
    return known


@jitable
def insert_child(children: npt.NDArray[np.uint64], place: int, kept: int) -> None:
    """Move a child forward to where its score belongs; equals keep their order."""
    spare = children[children.shape[0] - 1]
    for word in range(CHILD_WORDS):
        spare[word] = children[place, word]
    j = kept
    while j > 0 and children[j - 1, SCORE] > spare[SCORE]:
        for word in range(CHILD_WORDS):
            children[j, word] = children[j - 1, word]
        j -= 1
    for word in range(CHILD_WORDS):
        children[j, word] = spare[word]


@jitable
def note_child(
    land: Land,
    values: Values,
    stack: Stack,
    table: Table,
    level: int,
    place: int,
    removed: np.uint64,
    start: int,
    end: int,
    value: int,
) -> None:
    """Note a child: which components go, which come, and its key as the opponent sees it."""
    parts, pieces = stack.parts[level], stack.pieces[level]
    opponent = 1 - stack.levels[level, TO_MOVE]
    side = PLAIN if opponent == 0 else SWAPPED
    seen = value if opponent == 0 else as_int(values.facts[value, NEGATIVE])
    first, second = values.digests[seen, 0], values.digests[seen, 1]
    total = U0
    for i in range(stack.levels[level, PART_COUNT]):
        if not removed >> np.uint64(i) & U1:
            first = wrapping_add(first, parts[i, side])
            second = wrapping_add(second, parts[i, side + 1])
            total += parts[i, CONTACTS]
    for i in range(start, end):
        first = wrapping_add(first, pieces[i, side])
        second = wrapping_add(second, pieces[i, side + 1])
        total += pieces[i, CONTACTS]
    child = stack.children[level, place]
    child[REMOVED], child[FIRST_PIECE] = removed, np.uint64(start)
    child[PIECES], child[VALUE] = np.uint64(end - start), np.uint64(value)
    child[KEY], child[KEY + 1] = first, second
    child[SCORE] = total if land.orders else U0
    prefetch(table, first)


@subroutine
def order_closely(
    land: Land, lexicon: Lexicon, values: Values, stack: Stack, table: Table, level: int
) -> int:
    """Order children by how many answers to them are not settled; the result if that shows it."""
    children = stack.children[level]
    kept = 0
    for i in range(stack.levels[level, CHILD_COUNT]):
        place_child(stack, level, children[i])
        known = list_children(land, lexicon, values, stack, table, level + 1)
        if known == NOT_KNOWN:
            children[i, SCORE] = np.uint64(stack.levels[level + 1, CHILD_COUNT])
            insert_child(children, i, kept)
            kept += 1
        else:
            key, second = stack.keys[level + 1, 0], stack.keys[level + 1, 1]
            keep(table, stack.where[THREAD], key, second, known, 0)
            if known == LOST:
                return WON
    stack.levels[level, CHILD_COUNT] = kept
    return NOT_KNOWN if kept > 0 else LOST
