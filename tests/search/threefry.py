"""JAX's random numbers, as many of them as mctx's stored trees need.

mctx tests its search against trees that it has stored (`_src/tests/tree_test.py`). The evaluation
of a node is drawn from a key, and the key of a child comes from its parent's, so that all of
them follow from one seed. Threefry: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
SC 2011, with 20 rounds, on pairs of 32-bit words.
"""

import numpy as np
from scipy.special import erfinv

WORD = np.uint32
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = WORD(0x1BD11BDA)


def threefry(key, count):
    """The numbers 0, 1, ..., count - 1, enciphered; the first half is paired with the second."""
    left, right = np.split(np.arange(count + count % 2, dtype=WORD), 2)
    if count % 2:
        right[-1] = 0
    keys = (key[0], key[1], key[0] ^ key[1] ^ PARITY)
    left, right = left + keys[0], right + keys[1]
    for turn in range(5):
        for rotation in ROTATIONS[turn % 2]:
            left = left + right
            right = (right << WORD(rotation) | right >> WORD(32 - rotation)) ^ left
        left = left + keys[(turn + 1) % 3]
        right = right + keys[(turn + 2) % 3] + WORD(turn + 1)
    return np.concatenate([left, right])[:count]


def split(key, count):
    """Keys [count, 2] that follow from a key."""
    return threefry(key, 2 * count).reshape(count, 2)


def uniform(key, count, low):
    """Numbers in [low, 1): random bits as the mantissa of a number in [1, 2), then stretched."""
    mantissa = threefry(key, count) >> WORD(9) | WORD(0x3F800000)
    low, one = np.float32(low), np.float32(1)
    return np.maximum(low, (mantissa.view(np.float32) - one) * (one - low) + low)


def evaluation(key, moves):
    """Logits from the normal distribution and a value in [-1, 1), as mctx draws them for a node."""
    of_policy, of_value, _ = split(key, 3)
    above = np.nextafter(np.float32(-1), np.float32(0))
    logits = np.sqrt(np.float32(2)) * erfinv(uniform(of_policy, moves, above))
    return logits.astype(np.float32), float(uniform(of_value, 1, -1)[0])
