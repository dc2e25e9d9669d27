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
from zerolab.games.compiling import jitable, kernel, recursive, subroutine
from zerolab.games.rng import mix

ZERO = 0
NO_VALUE = -1
MAX_OPTIONS = 96  # of one player in a canonical form
SCRATCH = 2**16

_LEFT_SIDE, _RIGHT_SIDE = np.uint64(0x8CB92BA72F3D8DD7), np.uint64(0x3C79AC492BA7B653)
_SECOND = np.uint64(0x1C69B3F74AC4AE35)
_U32 = np.uint64(32)

# What `counts` holds.
VALUES, OPTIONS, TOP = range(3)


class Values(NamedTuple):
    """V places for values, their options in one pool, and what was worked out about them."""

    first: npt.NDArray[np.int32]  # [V], where in the pool the options begin, Left's first
    lefts: npt.NDArray[np.int32]  # [V], how many options Left has
    rights: npt.NDArray[np.int32]  # [V], how many options Right has
    pool: npt.NDArray[np.int32]  # [P], options, in ascending order for each player
    digests: npt.NDArray[np.uint64]  # [V, 2], a hash of the form, the same in every store
    negatives: npt.NDArray[np.int32]  # [V], or NO_VALUE while not known
    birthdays: npt.NDArray[np.int32]  # [V]
    at_least_zero: npt.NDArray[np.bool_]  # [V], Right, moving first, loses
    at_most_zero: npt.NDArray[np.bool_]  # [V], Left, moving first, loses
    places: npt.NDArray[np.int32]  # [2 V], hash table from forms to values
    order: npt.NDArray[np.uint64]  # [power of two], comparisons made: x, y, whether x <= y
    sums: npt.NDArray[np.uint64]  # [power of two, 2], sums made: both terms, the sum
    scratch: npt.NDArray[np.int32]  # [SCRATCH], a stack of options of games being looked at
    counts: npt.NDArray[np.int64]  # [3]: values, options in the pool, top of the scratch stack


def make_values(capacity: int) -> Values:
    """A store for so many values, a power of two, that knows zero."""
    values = Values(
        first=np.zeros(capacity, np.int32),
        lefts=np.zeros(capacity, np.int32),
        rights=np.zeros(capacity, np.int32),
        pool=np.zeros(16 * capacity, np.int32),
        digests=np.zeros((capacity, 2), np.uint64),
        negatives=np.full(capacity, NO_VALUE, np.int32),
        birthdays=np.zeros(capacity, np.int32),
        at_least_zero=np.zeros(capacity, np.bool_),
        at_most_zero=np.zeros(capacity, np.bool_),
        places=np.full(2 * capacity, NO_VALUE, np.int32),
        order=np.zeros(4 * capacity, np.uint64),
        sums=np.zeros((4 * capacity, 2), np.uint64),
        scratch=np.zeros(SCRATCH, np.int32),
        counts=np.zeros(3, np.int64),
    )
    zero = simplest(values, 0, 0, 0)
    assert zero == ZERO
    # Zero adds nothing to a sum of digests.
    values.digests[ZERO] = 0
    values.negatives[ZERO] = ZERO
    return values


@recursive
def is_at_most(values: Values, x: int, y: int) -> bool:
    """Whether x <= y: no move of Left in x, and no move of Right in y, leads Left to win."""
    if x == y:
        return True
    # What the outcomes of x and y tell: x <= 0 <= y, or one is on the wrong side of 0.
    if values.at_most_zero[x] and values.at_least_zero[y]:
        return True
    if values.at_least_zero[x] and not values.at_least_zero[y]:
        return False
    if values.at_most_zero[y] and not values.at_most_zero[x]:
        return False
    key = np.uint64(x) << _U32 | np.uint64(y) << U1
    place = as_int(mix(key) & np.uint64(values.order.shape[0] - 1))
    if values.order[place] | U1 == key | U1:
        return bool(values.order[place] & U1)
    holds = True
    first = values.first[x]
    for i in range(first, first + values.lefts[x]):
        if is_at_most(values, y, as_int(values.pool[i])):
            holds = False
            break
    if holds:
        first = values.first[y] + values.lefts[y]
        for i in range(first, first + values.rights[y]):
            if is_at_most(values, as_int(values.pool[i]), x):
                holds = False
                break
    values.order[place] = key | (U1 if holds else U0)
    return holds


# A game that is not canonical yet is two lists on top of the scratch stack: Left's options from
# `start` to `middle`, Right's from there to `end`.


@recursive
def is_at_most_game(values: Values, x: int, start: int, middle: int, end: int) -> bool:
    """Whether the value x is at most the game on the stack."""
    if start == end:
        return bool(values.at_most_zero[x])
    for i in range(middle, end):
        if is_at_most(values, as_int(values.scratch[i]), x):
            return False
    for i in range(values.first[x], values.first[x] + values.lefts[x]):
        # Left moves in x to y. Is the game at most y?
        y = as_int(values.pool[i])
        holds = True
        for j in range(start, middle):
            holds = holds and not is_at_most(values, y, as_int(values.scratch[j]))
        first = values.first[y] + values.lefts[y]
        for j in range(first, first + values.rights[y]):
            answer = as_int(values.pool[j])
            holds = holds and not is_at_most_game(values, answer, start, middle, end)
        if holds:
            return False
    return True


@recursive
def is_at_least_game(values: Values, x: int, start: int, middle: int, end: int) -> bool:
    """Whether the value x is at least the game on the stack."""
    if start == end:
        return bool(values.at_least_zero[x])
    for i in range(start, middle):
        if is_at_most(values, x, as_int(values.scratch[i])):
            return False
    first = values.first[x] + values.lefts[x]
    for i in range(first, first + values.rights[x]):
        # Right moves in x to y. Is the game at least y?
        y = as_int(values.pool[i])
        holds = True
        for j in range(middle, end):
            holds = holds and not is_at_most(values, as_int(values.scratch[j]), y)
        for j in range(values.first[y], values.first[y] + values.lefts[y]):
            answer = as_int(values.pool[j])
            holds = holds and not is_at_least_game(values, answer, start, middle, end)
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
        for i in range(start, end):
            through = reversal(values, i, start, middle, end)
            if through != NO_VALUE:
                is_left = i < middle
                first = values.first[through] + (0 if is_left else values.lefts[through])
                count = values.lefts[through] if is_left else values.rights[through]
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
def reversal(values: Values, place: int, start: int, middle: int, end: int) -> int:
    """An answer to the option at `place` that leaves its player no better off, or NO_VALUE."""
    option = values.scratch[place]
    middle_of_option = values.first[option] + values.lefts[option]
    if place < middle:
        for i in range(middle_of_option, middle_of_option + values.rights[option]):
            answer = as_int(values.pool[i])
            if is_at_most_game(values, answer, start, middle, end):
                return answer
    else:
        for i in range(values.first[option], middle_of_option):
            answer = as_int(values.pool[i])
            if is_at_least_game(values, answer, start, middle, end):
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
    digest = mix(wrapping_add(digest, _LEFT_SIDE))
    second = mix(wrapping_add(second, _SECOND))
    mask = values.places.shape[0] - 1
    place = as_int(digest & np.uint64(mask))
    while values.places[place] != NO_VALUE:
        known = as_int(values.places[place])
        if is_form(values, known, start, middle, end):
            return known
        place = (place + 1) & mask
    number = values.counts[VALUES]
    first = values.counts[OPTIONS]
    if (
        number == values.first.shape[0]
        or first + end - start > values.pool.shape[0]
        or middle - start > MAX_OPTIONS
        or end - middle > MAX_OPTIONS
    ):
        return NO_VALUE
    values.counts[VALUES] += 1
    values.counts[OPTIONS] += end - start
    values.places[place] = number
    values.first[number] = first
    values.lefts[number] = middle - start
    values.rights[number] = end - middle
    values.digests[number, 0] = digest
    values.digests[number, 1] = second
    birthday = 0
    at_least_zero, at_most_zero = True, True
    for i in range(start, end):
        option = values.scratch[i]
        values.pool[first + i - start] = option
        birthday = max(birthday, as_int(values.birthdays[option]) + 1)
        if i < middle:
            at_most_zero = at_most_zero and not values.at_least_zero[option]
        else:
            at_least_zero = at_least_zero and not values.at_most_zero[option]
    values.birthdays[number] = birthday
    values.at_least_zero[number] = at_least_zero
    values.at_most_zero[number] = at_most_zero
    return as_int(number)


@jitable
def is_form(values: Values, known: int, start: int, middle: int, end: int) -> bool:
    """Whether a value has exactly the options on the stack."""
    if values.lefts[known] != middle - start or values.rights[known] != end - middle:
        return False
    first = values.first[known]
    for i in range(end - start):
        if values.pool[first + i] != values.scratch[start + i]:
            return False
    return True


@recursive
def negative(values: Values, x: int) -> int:
    """-x: the same game with the players' options exchanged; or NO_VALUE."""
    if values.negatives[x] != NO_VALUE:
        return as_int(values.negatives[x])
    start = values.counts[TOP]
    first, lefts, count = values.first[x], values.lefts[x], values.lefts[x] + values.rights[x]
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
        values.negatives[x] = number
        values.negatives[number] = x
    return number


@recursive
def add(values: Values, x: int, y: int) -> int:
    """x + y, or NO_VALUE."""
    if x == ZERO:
        return y
    if y == ZERO:
        return x
    if values.negatives[x] == y:
        return ZERO
    x, y = min(x, y), max(x, y)
    key = np.uint64(x) << _U32 | np.uint64(y)
    place = as_int(mix(key) & np.uint64(values.sums.shape[0] - 1))
    if values.sums[place, 0] == key:
        return as_int(values.sums[place, 1])
    start = values.counts[TOP]
    end = start
    middle = start
    full = False
    for side in range(2):
        for turn in range(2):
            moved, still = (x, y) if turn == 0 else (y, x)
            first = values.first[moved] + (0 if side == 0 else values.lefts[moved])
            count = values.lefts[moved] if side == 0 else values.rights[moved]
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


@kernel
def add_values(values: Values, x: int, y: int) -> int:
    """The same from Python."""
    return add(values, x, y)
