"""Which of two values (store.py) is greater, in compiled code.

Most comparisons are decided by yardsticks (yardsticks.py), the others through the options, and
remembered.
"""

import numpy as np

from zerolab.kernels.bits import U0, U1, as_int
from zerolab.kernels.compiling import recursive
from zerolab.kernels.rng import mix
from zerolab.solver.values.store import AT_LEAST, AT_MOST, FIRST, LEFTS, RIGHTS, Marks, Values
from zerolab.solver.values.yardsticks import foreseen

_U32 = np.uint64(32)


@recursive
def is_at_most(values: Values, x: int, y: int) -> bool:
    """Whether x <= y: no move of Left in x, and no move of Right in y, leads Left to win."""
    if x == y:
        return True
    known = foreseen(
        values.facts[x, AT_LEAST],
        values.facts[x, AT_MOST],
        values.facts[y, AT_LEAST],
        values.facts[y, AT_MOST],
    )
    if known >= 0:
        return known == 1
    key = np.uint64(x) << _U32 | np.uint64(y) << U1
    place = as_int(mix(key) & np.uint64(values.order.shape[0] - 1))
    if values.order[place] | U1 == key | U1:
        return bool(values.order[place] & U1)
    holds = True
    first = values.facts[x, FIRST]
    for i in range(first, first + values.facts[x, LEFTS]):
        if is_at_most(values, y, as_int(values.pool[i])):
            holds = False
            break
    if holds:
        first = values.facts[y, FIRST] + values.facts[y, LEFTS]
        for i in range(first, first + values.facts[y, RIGHTS]):
            if is_at_most(values, as_int(values.pool[i]), x):
                holds = False
                break
    values.order[place] = key | (U1 if holds else U0)
    return holds


# For a game on top of the scratch stack, which is not canonical yet (store.py).


@recursive
def is_at_most_game(
    values: Values, x: int, start: int, middle: int, end: int, marks: Marks
) -> bool:
    """Whether the value x is at most the game on the stack."""
    known = foreseen(values.facts[x, AT_LEAST], values.facts[x, AT_MOST], marks[0], marks[1])
    if known >= 0:
        return known == 1
    for i in range(middle, end):
        if is_at_most(values, as_int(values.scratch[i]), x):
            return False
    for i in range(values.facts[x, FIRST], values.facts[x, FIRST] + values.facts[x, LEFTS]):
        # Left moves in x to y. Is the game at most y?
        y = as_int(values.pool[i])
        holds = True
        for j in range(start, middle):
            holds = holds and not is_at_most(values, y, as_int(values.scratch[j]))
        first = values.facts[y, FIRST] + values.facts[y, LEFTS]
        for j in range(first, first + values.facts[y, RIGHTS]):
            answer = as_int(values.pool[j])
            holds = holds and not is_at_most_game(values, answer, start, middle, end, marks)
        if holds:
            return False
    return True


@recursive
def is_at_least_game(
    values: Values, x: int, start: int, middle: int, end: int, marks: Marks
) -> bool:
    """Whether the value x is at least the game on the stack."""
    known = foreseen(marks[0], marks[1], values.facts[x, AT_LEAST], values.facts[x, AT_MOST])
    if known >= 0:
        return known == 1
    for i in range(start, middle):
        if is_at_most(values, x, as_int(values.scratch[i])):
            return False
    first = values.facts[x, FIRST] + values.facts[x, LEFTS]
    for i in range(first, first + values.facts[x, RIGHTS]):
        # Right moves in x to y. Is the game at least y?
        y = as_int(values.pool[i])
        holds = True
        for j in range(middle, end):
            holds = holds and not is_at_most(values, as_int(values.scratch[j]), y)
        for j in range(values.facts[y, FIRST], values.facts[y, FIRST] + values.facts[y, LEFTS]):
            answer = as_int(values.pool[j])
            holds = holds and not is_at_least_game(values, answer, start, middle, end, marks)
        if holds:
            return False
    return True
