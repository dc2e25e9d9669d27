"""Values of combinatorial games in compiled code: canonical forms, each kept once under a number.

A value is its Left and Right options, which are values themselves; 0 is the game without options.
Only canonical forms are kept: no option is dominated or reversible, so games of equal value are one
(Conway, "On Numbers and Games", theorem 69). forms.py finds them, order.py compares
values, sums.py adds them; sums and comparisons are remembered.

A store does not grow. When it is full, or a game has too many options, the answer is NO_VALUE, and
the caller has to do without.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.kernels.bits import U0, as_int, popcount, wrapping_add
from zerolab.kernels.compiling import jitable
from zerolab.kernels.rng import mix
from zerolab.solver.values.yardsticks import measured

ZERO = 0
NO_VALUE = -1
MAX_OPTIONS = 96  # of one player in a canonical form
SCRATCH = 2**16
# Comparisons and sums, whose places are all over the array: where memory is touched for the first
# time it costs more than to compute some of them again.
MOST_REMEMBERED = 2**21

_LEFT_SIDE, _RIGHT_SIDE = np.uint64(0x8CB92BA72F3D8DD7), np.uint64(0x3C79AC492BA7B653)

# What `facts` tells of a value: where in the pool its options begin, Left's first; how many options
# Left and Right have; its negative, or NO_VALUE while that is not known; its birthday; a bit for
# each yardstick that it is at least, and for each that it is at most; and how many more there are
# of the former, which says roughly how much it favours Left.
FIRST, LEFTS, RIGHTS, NEGATIVE, BIRTHDAY, AT_LEAST, AT_MOST, HEIGHT = range(8)
FACTS = 8
# What `counts` holds.
VALUES, OPTIONS, TOP = range(3)

Marks = tuple[int, int]


class Values(NamedTuple):
    """V places for values, their options in one pool, and what was worked out about them."""

    facts: npt.NDArray[np.int32]  # [V, FACTS]
    pool: npt.NDArray[np.int32]  # [P], options, in ascending order for each player
    digests: npt.NDArray[np.uint64]  # [V, 2], a hash of the form, the same in stores of a seed
    places: npt.NDArray[np.int32]  # [2 V], hash table from forms to values + 1, 0 for none
    order: npt.NDArray[np.uint64]  # [power of two], comparisons made: x, y, whether x <= y
    sums: npt.NDArray[np.uint64]  # [power of two, 2], sums made: both terms, the sum
    scratch: npt.NDArray[np.int32]  # [SCRATCH], a stack of options of games being looked at
    counts: npt.NDArray[np.int64]  # [3]: values, options in the pool, top of the scratch stack
    seed: npt.NDArray[np.uint64]  # [2], what digests are mixed with


def make_values(capacity: int, seed: int = 0) -> Values:
    """A store for that many values, a power of two, that knows zero; digests depend on the seed."""
    values = Values(
        facts=np.zeros((capacity, FACTS), np.int32),
        pool=np.zeros(16 * capacity, np.int32),
        digests=np.zeros((capacity, 2), np.uint64),
        places=np.zeros(2 * capacity, np.int32),
        order=np.zeros(min(4 * capacity, MOST_REMEMBERED), np.uint64),
        sums=np.zeros((min(4 * capacity, MOST_REMEMBERED), 2), np.uint64),
        scratch=np.zeros(SCRATCH, np.int32),
        counts=np.zeros(3, np.int64),
        seed=np.array([mix(np.uint64(2 * seed + 1)), mix(np.uint64(2 * seed + 2))], np.uint64),
    )
    zero = intern(values, 0, 0, 0)
    assert zero == ZERO
    # Zero adds nothing to a sum of digests.
    values.digests[ZERO] = 0
    values.facts[ZERO, NEGATIVE] = ZERO
    return values


@jitable
def is_at_least_zero(values: Values, x: int) -> bool:
    """Whether Left wins when Right moves first."""
    return bool(values.facts[x, AT_LEAST] & 1)


@jitable
def is_at_most_zero(values: Values, x: int) -> bool:
    """Whether Right wins when Left moves first."""
    return bool(values.facts[x, AT_MOST] & 1)


# A game that is not canonical yet is two lists on top of the scratch stack: Left's options from
# `start` to `middle`, Right's from there to `end`. `marks` are the yardsticks that it is at least,
# and those that it is at most.


@jitable
def marks_of_game(values: Values, start: int, middle: int, end: int) -> tuple[int, int]:
    """How the game on the stack compares with the yardsticks."""
    above, below = 0, 0
    for i in range(start, middle):
        above |= as_int(values.facts[values.scratch[i], AT_LEAST])
    for i in range(middle, end):
        below |= as_int(values.facts[values.scratch[i], AT_MOST])
    return measured(above, below)


@jitable
def sort_options(values: Values, start: int, end: int) -> None:
    """In ascending order."""
    for i in range(start + 1, end):
        option = values.scratch[i]
        j = i
        while j > start and values.scratch[j - 1] > option:
            values.scratch[j] = values.scratch[j - 1]
            j -= 1
        values.scratch[j] = option


@jitable
def intern(values: Values, start: int, middle: int, end: int) -> int:
    """The number of a canonical form, a new one if it was never met; NO_VALUE if it is too much."""
    digest = U0
    second = U0
    for i in range(start, end):
        side = _LEFT_SIDE if i < middle else _RIGHT_SIDE
        option = values.scratch[i]
        digest = wrapping_add(digest, mix(values.digests[option, 0] ^ side))
        second = wrapping_add(second, mix(values.digests[option, 1] ^ side))
    digest = mix(wrapping_add(digest, values.seed[0]))
    second = mix(wrapping_add(second, values.seed[1]))
    mask = values.places.shape[0] - 1
    place = as_int(digest & np.uint64(mask))
    while values.places[place] != 0:
        known = as_int(values.places[place]) - 1
        if is_form(values, known, start, middle, end):
            return known
        place = (place + 1) & mask
    number = values.counts[VALUES]
    first = values.counts[OPTIONS]
    if (
        number == values.facts.shape[0]
        or first + end - start > values.pool.shape[0]
        or middle - start > MAX_OPTIONS
        or end - middle > MAX_OPTIONS
    ):
        return NO_VALUE
    values.counts[VALUES] += 1
    values.counts[OPTIONS] += end - start
    values.places[place] = number + 1
    values.facts[number, FIRST] = first
    values.facts[number, LEFTS] = middle - start
    values.facts[number, RIGHTS] = end - middle
    values.digests[number, 0] = digest
    values.digests[number, 1] = second
    birthday = 0
    for i in range(start, end):
        option = values.scratch[i]
        values.pool[first + i - start] = option
        birthday = max(birthday, as_int(values.facts[option, BIRTHDAY]) + 1)
    values.facts[number, NEGATIVE] = NO_VALUE
    values.facts[number, BIRTHDAY] = birthday
    marks = marks_of_game(values, start, middle, end)
    values.facts[number, AT_LEAST], values.facts[number, AT_MOST] = marks
    values.facts[number, HEIGHT] = popcount(np.uint64(marks[0])) - popcount(np.uint64(marks[1]))
    return as_int(number)


@jitable
def is_form(values: Values, known: int, start: int, middle: int, end: int) -> bool:
    """Whether a value has exactly the options on the stack."""
    if values.facts[known, LEFTS] != middle - start or values.facts[known, RIGHTS] != end - middle:
        return False
    first = values.facts[known, FIRST]
    for i in range(end - start):
        if values.pool[first + i] != values.scratch[start + i]:
            return False
    return True
