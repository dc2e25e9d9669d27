"""Sums and negatives of values (store.py), in compiled code."""

import numpy as np

from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import recursive
from zerolab.kernels.rng import mix
from zerolab.solver.values.forms import simplest
from zerolab.solver.values.store import (
    FIRST,
    LEFTS,
    NEGATIVE,
    NO_VALUE,
    RIGHTS,
    SCRATCH,
    TOP,
    VALUES,
    ZERO,
    Values,
    intern,
    sort_options,
)

_U32 = np.uint64(32)


@recursive
def negative(values: Values, x: int) -> int:
    """-x: the same game with the players' options exchanged; or NO_VALUE."""
    if values.facts[x, NEGATIVE] != NO_VALUE:
        return as_int(values.facts[x, NEGATIVE])
    start = values.counts[TOP]
    first, lefts, count = (
        values.facts[x, FIRST],
        values.facts[x, LEFTS],
        values.facts[x, LEFTS] + values.facts[x, RIGHTS],
    )
    if start + count > SCRATCH:
        return NO_VALUE
    middle = start + count - lefts
    for i in range(count):
        option = negative(values, as_int(values.pool[first + (lefts + i) % count]))
        if option == NO_VALUE:
            values.counts[TOP] = start
            return NO_VALUE
        values.scratch[start + i] = option
        values.counts[TOP] = start + i + 1
    values.counts[TOP] = start
    sort_options(values, start, middle)
    sort_options(values, middle, start + count)
    number = intern(values, start, middle, start + count)
    if number != NO_VALUE:
        values.facts[x, NEGATIVE] = number
        values.facts[number, NEGATIVE] = x
    return number


@recursive
def add(values: Values, x: int, y: int) -> int:
    """x + y, or NO_VALUE."""
    if x == ZERO:
        return y
    if y == ZERO:
        return x
    if values.facts[x, NEGATIVE] == y:
        return ZERO
    x, y = min(x, y), max(x, y)
    key = np.uint64(x) << _U32 | np.uint64(y)
    place = as_int(mix(key) & np.uint64(values.sums.shape[0] - 1))
    if values.sums[place, 0] == key:
        return as_int(values.sums[place, 1])
    if values.counts[VALUES] == values.facts.shape[0]:
        return NO_VALUE
    start = values.counts[TOP]
    end = start
    middle = start
    full = False
    for side in range(2):
        for turn in range(2):
            moved, still = (x, y) if turn == 0 else (y, x)
            first = values.facts[moved, FIRST] + (0 if side == 0 else values.facts[moved, LEFTS])
            count = values.facts[moved, LEFTS] if side == 0 else values.facts[moved, RIGHTS]
            for i in range(first, first + count):
                option = NO_VALUE
                if end < SCRATCH and not full:
                    option = add(values, as_int(values.pool[i]), still)
                if option == NO_VALUE:
                    full = True
                else:
                    values.scratch[end] = option
                    end += 1
                    values.counts[TOP] = end
        if side == 0:
            middle = end
    total = NO_VALUE
    if not full:
        total = simplest(values, start, middle, end)
    values.counts[TOP] = start
    if total != NO_VALUE:
        values.sums[place, 0] = key
        values.sums[place, 1] = np.uint64(total)
    return total
