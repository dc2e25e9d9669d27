"""A table of solved positions that threads share without locks, and that can be kept in a file.

The key of a position has 128 bits, of which 120 are compared, so that confusing two positions is
very unlikely: with 10^11 look-ups in a table of 10^9 entries the chance of
a single mistake is about 10^-16.

An entry is two words: the key's first with the result and the work in its low byte, and the key's
second, exclusive-or the first. A thread that reads one half of an old entry and one half of a new
one finds that they do not fit (Hyatt & Mann, "A lock-less transposition-table implementation for
parallel search", ICGA Journal 25(1), 2002).
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.kernels.bits import U0, U1, as_int
from zerolab.kernels.compiling import jitable, kernel, subroutine

WAYS = 4
BYTES_PER_ENTRY = 16
SMALLEST = 2**18  # entries
CHUNK = 2**20  # entries written at a time

LOST, WON, NOT_KNOWN = 0, 1, 2

_IN_USE = np.uint64(1 << 7)
_LOW_BYTE = np.uint64(0xFF)
_WORK = np.uint64(0x3F)
_U8 = np.uint64(8)
_MAGIC = b"zerolab settled positions 1\n"


class Table(NamedTuple):
    """E entries in sets of WAYS, each set one line of the processor's cache."""

    entries: npt.NDArray[np.uint64]  # [E, 2]
    used: npt.NDArray[np.int64]  # [threads, 8], entries that each thread put in free places
    busy: npt.NDArray[np.uint64]  # [power of two], keys of large positions being searched


def make_table(entries: int, threads: int) -> Table:
    """An empty table of that many entries, a power of two."""
    words = np.zeros(2 * entries + 8, np.uint64)
    skip = -(words.ctypes.data // 8) % 8  # so that a set is one line of the cache
    return Table(
        words[skip : skip + 2 * entries].reshape(entries, 2),
        np.zeros((threads, 8), np.int64),
        np.zeros(4096, np.uint64),
    )


def free_memory() -> int:
    """Bytes of memory that are free for use."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return (
            next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) * 1024
        )
    except (OSError, StopIteration):
        return 2**31


@jitable
def set_of(table: Table, key: np.uint64) -> int:
    """The first entry of the set of a position."""
    return as_int(key >> _U8 & np.uint64(table.entries.shape[0] // WAYS - 1)) * WAYS


@jitable
def look_up(table: Table, key: np.uint64, second: np.uint64) -> int:
    """WON or LOST for the player to move, or NOT_KNOWN."""
    first = set_of(table, key)
    for place in range(first, first + WAYS):
        word = table.entries[place, 0]
        if (
            (word ^ key) & ~_LOW_BYTE == U0
            and table.entries[place, 1] ^ word == second
            and word & _IN_USE
        ):
            return as_int(word & U1)
    return NOT_KNOWN


@subroutine
def keep(
    table: Table, thread: int, key: np.uint64, second: np.uint64, result: int, work: int
) -> None:
    """Enter a result; in a full set it replaces the entry with the least work.

    `work` is the logarithm of the number of positions searched.
    """
    first = set_of(table, key)
    place = first
    least = _LOW_BYTE
    for other in range(first, first + WAYS):
        word = table.entries[other, 0]
        if (word ^ key) & ~_LOW_BYTE == U0 and table.entries[other, 1] ^ word == second:
            place = other
            least = _WORK
            break
        other_work = word >> U1 & _WORK if word & _IN_USE else U0
        if not word & _IN_USE or other_work + U1 < least:
            place = other
            least = other_work + U1 if word & _IN_USE else U0
    if least == U0:
        table.used[thread, 0] += 1
    word = key & ~_LOW_BYTE | _IN_USE | np.uint64(work) << U1 | np.uint64(result)
    table.entries[place, 0] = word
    table.entries[place, 1] = second ^ word


@kernel
def copy_entries(source: Table, target: Table) -> None:
    """Copy all entries of one table into another."""
    for place in range(source.entries.shape[0]):
        word = source.entries[place, 0]
        if word & _IN_USE:
            second = source.entries[place, 1] ^ word
            work = as_int(word >> U1 & _WORK)
            keep(target, 0, word, second, as_int(word & U1), work)


def fill_of(table: Table) -> float:
    """The share of the entries that are in use."""
    used = int(table.used[:, 0].sum())
    return min(1.0, used / len(table.entries))


def grown(table: Table, factor: int) -> Table:
    """A table `factor` times as large with the same entries."""
    larger = make_table(factor * table.entries.shape[0], table.used.shape[0])
    copy_entries(table, larger)
    return larger


def save_table(table: Table, path: Path, about: dict[str, Any]) -> None:
    """Write all entries to a file, which is replaced atomically.

    `about` says what the keys depend on: a table is usable only where all of it is the same.
    """
    chunks = range(0, len(table.entries), CHUNK)  # a whole copy may not fit in memory

    def used(start: int) -> npt.NDArray[np.uint64]:
        chunk = table.entries[start : start + CHUNK]
        kept: npt.NDArray[np.uint64] = chunk[chunk[:, 0] & _IN_USE != 0]
        return kept

    count = sum(len(used(start)) for start in chunks)
    header = json.dumps({**about, "entries": count}).encode() + b"\n"
    with replacing(path) as file:
        file.write(_MAGIC + header)
        for start in chunks:
            used(start).astype("<u8", copy=False).tofile(file)


def load_table(path: Path, about: dict[str, Any], threads: int, largest: int) -> Table:
    """Read what `save_table` wrote, into a table of at most that many entries."""
    with path.open("rb") as file:
        if file.readline(len(_MAGIC)) != _MAGIC:
            raise UsageError(
                f"{path} is not a table of solved positions that this version can read"
            )
        try:
            header = json.loads(file.readline(10_000))
            count = int(header.pop("entries"))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(f"{path} is damaged: its header cannot be read") from None
        if count > largest:
            raise UsageError(
                f"{path} has {count:,} entries; the memory allowed has room for {largest:,}"
            )
        if header != about:
            raise UsageError(f"{path} was made with {header}, not with {about}")
        words = np.fromfile(file, "<u8")
    if len(words) != 2 * count:
        raise UsageError(f"{path} is damaged: only {len(words) // 2:,} of {count:,} entries")
    entries = SMALLEST
    while entries < 2 * count and 4 * entries <= largest:
        entries *= 4
    table = make_table(entries, threads)
    copy_entries(Table(words.reshape(count, 2), table.used, table.busy), table)
    return table


def prefetch(table: Table, key: np.uint64) -> None:
    """Prefetch the entries of a key."""


def _typed_prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        declared = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(builder.module, declared, name)
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


_prefetch: Any = intrinsic(_typed_prefetch)


@overload(prefetch, strict=False)
def _prefetch_entries(table: Any, key: Any) -> Any:
    return lambda table, key: _prefetch(table.entries, 2 * set_of(table, key))
