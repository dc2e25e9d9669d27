"""Sets of cells as bits of 64-bit words: cell i is bit i % 64 of word i // 64."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zerolab.games.compiling import jitable

WORD = 64
U0, U1 = np.uint64(0), np.uint64(1)


def words_for(cells: int) -> int:
    """How many words hold that many cells."""
    return (cells + WORD - 1) // WORD


def popcount(word: np.uint64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit of a word that has one."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _ctpop(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _cttz(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@overload(popcount, strict=False)
def _popcount(word: Any) -> Any:
    return lambda word: _ctpop(word)


@overload(lowest, strict=False)
def _lowest(word: Any) -> Any:
    return lambda word: _cttz(word)


@jitable
def bit(cell: int) -> np.uint64:
    """The bit of a cell within its word."""
    return U1 << np.uint64(cell % WORD)


@jitable
def nth_bit(word: np.uint64, n: int) -> int:
    """The index of the n-th set bit, counting from zero."""
    for _ in range(n):
        word &= word - U1
    return lowest(word)
