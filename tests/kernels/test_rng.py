"""SplitMix64 as published, streams that differ, and the same numbers compiled as in Python."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.strategies import quick
from zerolab.kernels.compiling import kernel
from zerolab.kernels.rng import (
    Stream,
    random_below,
    random_exponential,
    random_float,
    random_gamma,
    random_gumbel,
    random_normal,
    random_word,
    seed_stream,
    stream,
)

SEED = 1234567
FIRST_FIVE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


@kernel
def fill_words(rng: Stream, words: npt.NDArray[np.uint64]) -> None:
    for i in range(words.shape[0]):
        words[i] = random_word(rng)


@kernel
def fill_numbers(rng: Stream, bound: int, numbers: npt.NDArray[np.int64]) -> None:
    for i in range(numbers.shape[0]):
        numbers[i] = random_below(rng, bound)


@kernel
def seed_compiled(rng: Stream, seed: np.uint64, index: int) -> None:
    seed_stream(rng, seed, index)


def plain_words(rng: Stream, count: int) -> list[int]:
    return [int(random_word(rng)) for _ in range(count)]


def compiled_words(rng: Stream, count: int) -> list[int]:
    words = np.zeros(count, np.uint64)
    fill_words(rng, words)
    return words.tolist()


def test_the_published_numbers() -> None:
    """The output of the reference C code for the state 1234567."""
    assert plain_words(np.array([SEED], np.uint64), 5) == FIRST_FIVE
    assert compiled_words(np.array([SEED], np.uint64), 5) == FIRST_FIVE


@quick
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(1, 2**31))
def test_compiled_and_plain_agree(seed: int, index: int, bound: int) -> None:
    rng = np.zeros(1, np.uint64)
    seed_compiled(rng, np.uint64(seed), index)
    assert rng.tolist() == stream(seed, index).tolist()
    numbers = np.zeros(5, np.int64)
    fill_numbers(stream(seed, index), bound, numbers)
    plain = stream(seed, index)
    assert numbers.tolist() == [random_below(plain, bound) for _ in range(5)]


def test_streams_differ_by_index_and_by_seed() -> None:
    streams = [stream(seed, index) for seed in range(20) for index in range(200)]
    assert len({int(rng[0]) for rng in streams}) == 20 * 200
    firsts = [plain_words(rng, 1)[0] for rng in streams]
    assert len(set(firsts)) == 20 * 200


def test_neighbouring_streams_have_nothing_in_common() -> None:
    """No stream is another one shifted by a few numbers."""
    words = [set(plain_words(stream(SEED, index), 100)) for index in range(50)]
    assert len(set().union(*words)) == 50 * 100


def test_the_same_stream_twice() -> None:
    assert plain_words(stream(5, 7), 3) == plain_words(stream(5, 7), 3)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70 + 3])
def test_any_integer_is_a_seed(seed: int) -> None:
    assert stream(seed).tolist() == stream(seed % 2**64).tolist()


@pytest.mark.parametrize("bound", [1, 2, 7, 64, 1000])
def test_numbers_below_are_in_range_and_uniform(bound: int) -> None:
    each = 1000
    numbers = np.zeros(each * bound, np.int64)
    fill_numbers(stream(SEED), bound, numbers)
    assert numbers.min() >= 0
    assert numbers.max() < bound
    counts = np.bincount(numbers, minlength=bound)
    # Chi-square: mean bound - 1, variance 2 (bound - 1); six standard deviations are generous.
    statistic = ((counts - each) ** 2 / each).sum()
    assert statistic <= bound - 1 + 6 * np.sqrt(2 * (bound - 1))


FLOAT, EXPONENTIAL, GUMBEL, NORMAL, SMALL_GAMMA, LARGE_GAMMA = range(6)

# Mean, variance and fourth central moment. For a gamma distribution of shape a: a, a, 3 a (a + 2).
MOMENTS = {
    FLOAT: (1 / 2, 1 / 12, 1 / 80),
    EXPONENTIAL: (1, 1, 9),
    GUMBEL: (0.5772156649, np.pi**2 / 6, 5.4 * (np.pi**2 / 6) ** 2),
    NORMAL: (0, 1, 3),
    SMALL_GAMMA: (0.3, 0.3, 3 * 0.3 * 2.3),
    LARGE_GAMMA: (5, 5, 3 * 5 * 7),
}


@kernel
def fill_floats(rng: Stream, kind: int, numbers: npt.NDArray[np.float64]) -> None:
    for i in range(numbers.shape[0]):
        if kind == FLOAT:
            numbers[i] = random_float(rng)
        elif kind == EXPONENTIAL:
            numbers[i] = random_exponential(rng)
        elif kind == GUMBEL:
            numbers[i] = random_gumbel(rng)
        elif kind == NORMAL:
            numbers[i] = random_normal(rng)
        elif kind == SMALL_GAMMA:
            numbers[i] = random_gamma(rng, 0.3)
        else:
            numbers[i] = random_gamma(rng, 5.0)


@pytest.mark.parametrize("kind", MOMENTS)
def test_distributions_have_their_moments(kind: int) -> None:
    mean, variance, fourth = MOMENTS[kind]
    count = 20_000
    numbers = np.zeros(count)
    fill_floats(stream(SEED), kind, numbers)
    # Five standard errors of the mean, and of the mean square about the true mean.
    assert abs(numbers.mean() - mean) < 5 * np.sqrt(variance / count)
    spread = ((numbers - mean) ** 2).mean()
    assert abs(spread - variance) < 5 * np.sqrt((fourth - variance**2) / count)


@pytest.mark.parametrize("kind", MOMENTS)
def test_distributions_are_the_same_in_plain_python(kind: int) -> None:
    compiled, plain = np.zeros((2, 200))
    fill_floats(stream(SEED), kind, compiled)
    getattr(fill_floats, "py_func", fill_floats)(stream(SEED), kind, plain)
    assert compiled == pytest.approx(plain)


def test_a_float_is_never_one() -> None:
    numbers = np.zeros(100_000)
    fill_floats(stream(SEED), FLOAT, numbers)
    assert numbers.min() >= 0
    assert numbers.max() < 1
