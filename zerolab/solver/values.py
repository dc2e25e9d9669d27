"""Values of combinatorial games in compiled code: canonical forms, each kept once under a number.

A value is its Left and Right options, which are values themselves; 0 is the game without options.
Only canonical forms are kept: no option is dominated or reversible, so games of equal value are one
(Conway, "On Numbers and Games", theorem 69). Sums and comparisons are remembered.

A store does not grow. When it is full, or a game has too many options, the answer is NO_VALUE, and
whoever asked has to do without.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.bits import U0, U1, as_int, wrapping_add
from zerolab.games.compiling import jitable, recursive, subroutine
from zerolab.games.rng import mix
from zerolab.solver.yardsticks import foreseen, measured

ZERO = 0
NO_VALUE = -1
MAX_OPTIONS = 96  # of one player in a canonical form
SCRATCH = 2**16
# Comparisons and sums, whose places are all over the array: where memory is touched for the first
# time it costs more than to work some of them out again.
MOST_REMEMBERED = 2**21

_LEFT_SIDE, _RIGHT_SIDE = np.uint64(0x8CB92BA72F3D8DD7), np.uint64(0x3C79AC492BA7B653)
_U32 = np.uint64(32)

# What `facts` tells of a value: where in the pool its options begin, Left's first; how many options
# Left and Right have; its negative, or NO_VALUE while that is not known; its birthday; and, a bit
# for each, the yardsticks that it is at least, and those that it is at most.
FIRST, LEFTS, RIGHTS, NEGATIVE, BIRTHDAY, AT_LEAST, AT_MOST = range(7)
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
    """A store for so many values, a power of two, that knows zero; digests depend on the seed."""
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
    zero = simplest(values, 0, 0, 0)
    assert zero == ZERO
    # Zero adds nothing to a sum of digests.
    values.digests[ZERO] = 0
    values.facts[ZERO, NEGATIVE] = ZERO
    return values


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
def is_at_least_zero(values: Values, x: int) -> bool:
    """Whether Left wins when Right moves first."""
    return bool(values.facts[x, AT_LEAST] & 1)


@jitable
def is_at_most_zero(values: Values, x: int) -> bool:
    """Whether Right wins when Left moves first."""
    return bool(values.facts[x, AT_MOST] & 1)


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


@subroutine
def simplest(values: Values, start: int, middle: int, end: int) -> int:
    """The value of the game on the stack, which is taken off; or NO_VALUE."""
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
