"""Sets of cells as bits of 64-bit words: cell i is bit i % 64 of word i // 64."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zerolab.kernels.compiling import jitable

WORD = 64
ALL_BITS = 0xFFFFFFFFFFFFFFFF
U0, U1 = np.uint64(0), np.uint64(1)


def as_int(word: np.uint64 | np.int32 | int) -> int:
    """A word as an ordinary number. (In Numba a uint64 mixed with an int64 changes its type.)"""
    return int(word)


def wrapping_add(a: np.uint64, b: np.uint64) -> np.uint64:
    """The sum modulo 2**64. (Outside compiled code NumPy would warn of the overflow.)"""
    return np.uint64((int(a) + int(b)) & ALL_BITS)


def wrapping_multiply(a: np.uint64, b: np.uint64) -> np.uint64:
    """The product modulo 2**64."""
    return np.uint64(int(a) * int(b) & ALL_BITS)


def popcount(word: np.uint64) -> int:
    """Number of set bits."""
    return int(word).bit_count()


def lowest(word: np.uint64) -> int:
    """The index of the lowest set bit of a word that has one."""
    return (int(word) & -int(word)).bit_length() - 1


def highest(word: np.uint64) -> int:
    """The index of the highest set bit of a word that has one."""
    return int(word).bit_length() - 1


def reverse_bits(word: np.uint64) -> np.uint64:
    """Bit 0 becomes bit 63, and so on."""
    return np.uint64(int(f"{int(word):064b}"[::-1], 2))


def _instruction(emit: Callable[[Any, Any], Any], result: Any = types.int64) -> Any:
    """An intrinsic from a word to an int, made by one instruction."""

    def typed(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return result(types.uint64), generate

    return intrinsic(typed)


_ctpop = _instruction(lambda builder, word: builder.ctpop(word))
_cttz = _instruction(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))

_ctlz = _instruction(lambda builder, word: builder.ctlz(word, ir.Constant(ir.IntType(1), 1)))
_bitreverse = _instruction(lambda builder, word: builder.bitreverse(word), types.uint64)


@overload(as_int, strict=False)
def _as_int(word: Any) -> Any:
    return lambda word: np.int64(word)


@overload(wrapping_add, strict=False)
def _wrapping_add(a: Any, b: Any) -> Any:
    return lambda a, b: a + b


@overload(wrapping_multiply, strict=False)
def _wrapping_multiply(a: Any, b: Any) -> Any:
    return lambda a, b: a * b


@overload(popcount, strict=False)
def _popcount(word: Any) -> Any:
    return lambda word: _ctpop(word)


@overload(lowest, strict=False)
def _lowest(word: Any) -> Any:
    return lambda word: _cttz(word)


@overload(highest, strict=False)
def _highest(word: Any) -> Any:
    return lambda word: 63 - _ctlz(word)


@overload(reverse_bits, strict=False)
def _reverse_bits(word: Any) -> Any:
    return lambda word: _bitreverse(word)


@jitable
def word_of(cell: int) -> int:
    """The word a cell is in. (A shift: Numba's division would look after signs.)"""
    return cell >> 6


@jitable
def bit(cell: int) -> np.uint64:
    """The bit of a cell within its word."""
    return U1 << np.uint64(cell & 63)


@jitable
def nth_bit(word: np.uint64, n: int) -> int:
    """The index of the n-th set bit, counting from zero."""
    for _ in range(n):
        word &= word - U1
    return lowest(word)
