"""Random numbers inside kernels: SplitMix64, one word of state, passed explicitly.

Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

A stream is an array of one word. Streams are spawned from the seed by index, so that game number
1,000 of a match is the same game whichever core plays it and whatever was played before.
"""

import math

import numpy as np
import numpy.typing as npt

from zerolab.kernels.bits import ALL_BITS, as_int, wrapping_add, wrapping_multiply
from zerolab.kernels.compiling import jitable

Stream = npt.NDArray[np.uint64]  # [1]

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_U11, _U27, _U30, _U31, _U32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))


@jitable
def mix(word: np.uint64) -> np.uint64:
    """Scramble a word so that neighbours have nothing in common."""
    word = wrapping_multiply(word ^ (word >> _U30), _MIX_1)
    word = wrapping_multiply(word ^ (word >> _U27), _MIX_2)
    return word ^ (word >> _U31)


@jitable
def random_word(rng: Stream) -> np.uint64:
    """The next 64 random bits."""
    rng[0] = wrapping_add(rng[0], GAMMA)
    return mix(rng[0])


@jitable
def random_below(rng: Stream, bound: int) -> int:
    """A number from 0 to bound - 1; the bias is below bound / 2**32."""
    return as_int(((random_word(rng) >> _U32) * np.uint64(bound)) >> _U32)


@jitable
def random_float(rng: Stream) -> float:
    """A number in [0, 1), of 53 random bits."""
    return as_int(random_word(rng) >> _U11) * 2.0**-53


@jitable
def random_exponential(rng: Stream) -> float:
    """From the exponential distribution of mean 1."""
    return -math.log1p(-random_float(rng))


@jitable
def random_gumbel(rng: Stream) -> float:
    """From the standard Gumbel distribution."""
    return -math.log(max(random_exponential(rng), 1e-300))


@jitable
def random_normal(rng: Stream) -> float:
    """From the standard normal distribution (Box & Muller 1958)."""
    return math.sqrt(2.0 * random_exponential(rng)) * math.cos(2.0 * math.pi * random_float(rng))


@jitable
def random_gamma(rng: Stream, shape: float) -> float:
    """From the gamma distribution of scale 1 (Marsaglia & Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_float(rng)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = random_normal(rng)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and random_exponential(rng) > -0.5 * x * x - d + d * v - d * math.log(v):
            return boost * d * v


@jitable
def seed_stream(rng: Stream, seed: np.uint64, index: int) -> None:
    """Make `rng` stream number `index` of `seed`."""
    place = wrapping_multiply(np.uint64(index), GAMMA)
    rng[0] = mix(wrapping_add(mix(wrapping_add(seed, GAMMA)), place))


def stream(seed: int, index: int = 0) -> Stream:
    """A new stream, for use from Python."""
    rng = np.zeros(1, np.uint64)
    seed_stream(rng, np.uint64(seed & ALL_BITS), index)
    return rng
