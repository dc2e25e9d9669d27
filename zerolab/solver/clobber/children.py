"""The children of a position: listed, looked up, and ordered.

All children are looked up before any is searched: often one of them is known to be lost for the
opponent. Of the others, those come first that look bad for the opponent and leave little to search
(outlook.py), and in large positions those that leave the fewest unsolved answers.
"""

import numpy as np
import numpy.typing as npt

from zerolab.games.clobber import CANNIBAL, IMPARTIAL
from zerolab.kernels.bits import U0, U1, as_int, highest, lowest, popcount, wrapping_add
from zerolab.kernels.compiling import jitable, subroutine
from zerolab.solver.clobber.outlook import PER_HEIGHT, outlook
from zerolab.solver.clobber.position_table import (
    LOST,
    NOT_KNOWN,
    WON,
    Table,
    keep,
    look_up,
    prefetch,
)
from zerolab.solver.clobber.shapes import BY_OUTLOOK, ComponentTable, Topology, around
from zerolab.solver.clobber.sum_positions import (
    BLACK,
    CHILD_COUNT,
    CHILD_WORDS,
    FIRST_PIECE,
    KEY,
    PART_COUNT,
    PIECES,
    PLAIN,
    REMOVED,
    SCORE,
    SMALL_VALUE,
    SWAPPED,
    THREAD,
    TO_MOVE,
    TRIED,
    VALUE,
    WHITE,
    WIDTH,
    Stack,
    are_opposite,
    cancel,
    copy_part,
    is_lost_value,
    place_child,
    split,
    write_part,
)
from zerolab.solver.clobber.turns import expect_moves, forms_after, stays_whole
from zerolab.solver.values.store import FIRST, HEIGHT, LEFTS, NEGATIVE, RIGHTS, Values

SCORE_ZERO = 2**20  # as it is kept, in a word: scores may be negative
LAG = 4  # this many children are listed between asking for a line of memory and reading it


@subroutine
def list_children(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    stack: Stack,
    table: Table,
    level: int,
) -> int:
    """List the unsolved children; WON if a move is known to win, LOST if all are known to lose.

    While children are listed, the table's entries for earlier ones are prefetched.
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
        note_child(values, stack, table, level, count, U0, free, free, option)
        count += 1
    for part in range(stack.levels[level, PART_COUNT]):
        width = as_int(parts[part, WIDTH])
        stones = parts[part, BLACK] | parts[part, WHITE]
        stays_large = popcount(stones) - 1 > topology.methods.small
        expect_moves(topology, components, parts[part, BLACK], parts[part, WHITE], width)
        for turn in range(2):
            # In impartial Clobber both players move stones of both colours.
            if turn == 1 and topology.variant != IMPARTIAL:
                continue
            is_black = mover == turn
            own = parts[part, BLACK] if is_black else parts[part, WHITE]
            other = parts[part, WHITE] if is_black else parts[part, BLACK]
            victims = own | other if topology.variant == CANNIBAL else other
            sources = own & around(topology, components, victims, width)
            while sources:
                source = sources & (~sources + U1)
                sources ^= source
                targets = around(topology, components, source, width) & victims
                is_whole = stays_large and stays_whole(topology, components, stones, source, width)
                while targets:
                    target = targets & (~targets + U1)
                    targets ^= target
                    black, white = own & ~source | target, other & ~target
                    if not is_black:
                        black, white = white, black
                    if is_whole and other != target:
                        height = highest(stones) // width + 1
                        forms = forms_after(
                            components, width, height, lowest(source), lowest(target), is_black
                        )
                        write_part(topology, components, pieces[free], (*forms, width))
                        end, total = free + 1, value
                    else:
                        end, total = split(
                            topology, components, values, black, white, width, value, pieces, free
                        )
                    removed = U1 << np.uint64(part)
                    if topology.methods.cancels:
                        end, removed = cancel_pieces(stack, level, free, end, removed)
                    if stack.levels[level, PART_COUNT] - popcount(removed) + end - free == 0:
                        if is_lost_value(values, total, 1 - mover):
                            return WON
                        continue
                    note_child(values, stack, table, level, count, removed, free, end, total)
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
    """Look a child up; if it is unsolved, move it forward behind the `kept` first ones."""
    known = look_up(table, children[place, KEY], children[place, KEY + 1])
    if known == NOT_KNOWN and place > kept:
        for word in range(CHILD_WORDS):
            children[kept, word] = children[place, word]
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
    """Record a child: components removed and added, and its key from the opponent's view."""
    parts, pieces = stack.parts[level], stack.pieces[level]
    opponent = 1 - stack.levels[level, TO_MOVE]
    side = PLAIN if opponent == 0 else SWAPPED
    seen = value if opponent == 0 else as_int(values.facts[value, NEGATIVE])
    first, second = values.digests[seen, 0], values.digests[seen, 1]
    for i in range(stack.levels[level, PART_COUNT]):
        if not removed >> np.uint64(i) & U1:
            first = wrapping_add(first, parts[i, side])
            second = wrapping_add(second, parts[i, side + 1])
    for i in range(start, end):
        first = wrapping_add(first, pieces[i, side])
        second = wrapping_add(second, pieces[i, side + 1])
    child = stack.children[level, place]
    child[REMOVED], child[FIRST_PIECE] = removed, np.uint64(start)
    child[PIECES], child[VALUE] = np.uint64(end - start), np.uint64(value)
    child[KEY], child[KEY + 1] = first, second
    prefetch(table, first)


@subroutine
def order_by_outlook(
    topology: Topology, components: ComponentTable, values: Values, stack: Stack, level: int
) -> None:
    """Order children by how they look for the opponent, worst first."""
    opponent = 1 - stack.levels[level, TO_MOVE]
    own, other = (BLACK, WHITE) if opponent == 0 else (WHITE, BLACK)
    parts, pieces, children = stack.parts[level], stack.pieces[level], stack.children[level]
    for place in range(stack.levels[level, CHILD_COUNT]):
        child = children[place]
        score = SCORE_ZERO
        if topology.methods.orders == BY_OUTLOOK:
            height = as_int(values.facts[as_int(child[VALUE]), HEIGHT])
            score += PER_HEIGHT * (height if opponent == 0 else -height)
        for i in range(stack.levels[level, PART_COUNT]):
            if not child[REMOVED] >> np.uint64(i) & U1:
                width = as_int(parts[i, WIDTH])
                score += outlook(topology, components, parts[i, own], parts[i, other], width)
        first = as_int(child[FIRST_PIECE])
        for i in range(first, first + as_int(child[PIECES])):
            width = as_int(pieces[i, WIDTH])
            score += outlook(topology, components, pieces[i, own], pieces[i, other], width)
        child[SCORE] = np.uint64(score)
        insert_child(children, place, place)


@subroutine
def order_closely(
    topology: Topology,
    components: ComponentTable,
    values: Values,
    stack: Stack,
    table: Table,
    level: int,
) -> int:
    """Order children by the number of unsolved answers; return the result if that decides it."""
    children = stack.children[level]
    kept = 0
    for i in range(stack.levels[level, CHILD_COUNT]):
        place_child(stack, level, children[i])
        known = list_children(topology, components, values, stack, table, level + 1)
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
