"""Words on the stack: each call has its own, in compiled code and in plain Python."""

import numpy as np

from zerolab.kernels.bits import U0
from zerolab.kernels.compiling import jitable, kernel, subroutine
from zerolab.kernels.stack_words import MOST_WORDS, Words, stack_words


@jitable
def write(words: Words, value: int) -> None:
    for i in range(MOST_WORDS):
        words[i] = np.uint64(value * 100 + i)


@subroutine
def disturb(value: int) -> None:
    """Use as many words as the caller does."""
    one, two = stack_words(), stack_words()
    write(one, value)
    write(two, value + 1)


@subroutine
def add_up(value: int) -> np.uint64:
    one, two = stack_words(), stack_words()
    write(one, value)
    write(two, 2 * value)
    disturb(7)
    total = U0
    for i in range(MOST_WORDS):
        total += two[i] - one[MOST_WORDS - 1 - i]
    return total


@kernel
def add_up_often(times: int) -> np.uint64:
    """As a loop would run out of stack if it took new words at each turn."""
    total = U0
    for value in range(times):
        total += add_up(value)
    return total


def test_words_are_their_callers_own() -> None:
    assert add_up(3) == 3 * 100 * MOST_WORDS
    assert add_up_often(4) == (0 + 1 + 2 + 3) * 100 * MOST_WORDS


def test_a_loop_takes_words_once() -> None:
    times = 100_000
    assert add_up_often(times) == times * (times - 1) // 2 * 100 * MOST_WORDS
