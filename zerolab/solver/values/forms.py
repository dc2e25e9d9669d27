"""From any game to its value (store.py): the canonical form, in compiled code.

Dominated options go, reversible ones are replaced by what they lead to, until neither is left.
"""

from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import jitable, subroutine
from zerolab.solver.values.order import is_at_least_game, is_at_most, is_at_most_game
from zerolab.solver.values.store import (
    FIRST,
    LEFTS,
    NO_VALUE,
    RIGHTS,
    SCRATCH,
    Marks,
    Values,
    intern,
    marks_of_game,
    sort_options,
)


@subroutine
def simplest(values: Values, start: int, middle: int, end: int) -> int:
    """The value of the game on the stack, which the caller takes off; or NO_VALUE."""
    changed = True
    while changed:
        kept = drop_dominated(values, start, middle, True)
        dropped = middle - kept
        for i in range(middle, end):
            values.scratch[i - dropped] = values.scratch[i]
        middle = kept
        end = drop_dominated(values, middle, end - dropped, False)
        changed = False
        marks = marks_of_game(values, start, middle, end)
        for i in range(start, end):
            through = reversal(values, i, start, middle, end, marks)
            if through != NO_VALUE:
                is_left = i < middle
                first = values.facts[through, FIRST] + (
                    0 if is_left else values.facts[through, LEFTS]
                )
                count = values.facts[through, LEFTS] if is_left else values.facts[through, RIGHTS]
                if end + count > SCRATCH:
                    return NO_VALUE
                # The last option of its side takes its place, new ones come behind that, and the
                # other side makes room.
                last = middle - 1 if is_left else end - 1
                values.scratch[i] = values.scratch[last]
                if is_left:
                    if count == 0:
                        values.scratch[last] = values.scratch[end - 1]
                    else:
                        for j in range(end - 1, last, -1):
                            values.scratch[j + count - 1] = values.scratch[j]
                    middle += count - 1
                for j in range(count):
                    values.scratch[last + j] = values.pool[first + j]
                end += count - 1
                changed = True
                break
    sort_options(values, start, middle)
    sort_options(values, middle, end)
    return intern(values, start, middle, end)


@jitable
def drop_dominated(values: Values, start: int, end: int, is_left: bool) -> int:
    """Keep the best options of a list, each once; return where it ends now."""
    kept = start
    for i in range(start, end):
        option = as_int(values.scratch[i])
        dominated = False
        j = start
        while j < kept and not dominated:
            other = as_int(values.scratch[j])
            low, high = (option, other) if is_left else (other, option)
            if is_at_most(values, low, high):
                dominated = True
            elif is_at_most(values, high, low):
                kept -= 1
                values.scratch[j] = values.scratch[kept]
            else:
                j += 1
        if not dominated:
            values.scratch[kept] = option
            kept += 1
    return kept


@jitable
def reversal(values: Values, place: int, start: int, middle: int, end: int, marks: Marks) -> int:
    """An answer to the option at `place` that leaves its player no better off, or NO_VALUE."""
    option = values.scratch[place]
    middle_of_option = values.facts[option, FIRST] + values.facts[option, LEFTS]
    if place < middle:
        for i in range(middle_of_option, middle_of_option + values.facts[option, RIGHTS]):
            answer = as_int(values.pool[i])
            if is_at_most_game(values, answer, start, middle, end, marks):
                return answer
    else:
        for i in range(values.facts[option, FIRST], middle_of_option):
            answer = as_int(values.pool[i])
            if is_at_least_game(values, answer, start, middle, end, marks):
                return answer
    return NO_VALUE
