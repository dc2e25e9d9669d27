"""A database: values of small components and of their sums, kept in a file between runs.

The sums of small values take a solver's time (docs/solver.md), and boards have many of
them in common. So the results of one solve are kept for the next. A store refers to values by their
numbers, and its hash tables to places in arrays of a certain size; both are the same in every store
that uses a database, so that arrays are kept as they are, without the places that are empty.

A database only saves time. A file that is damaged, or of another kind, is ignored and replaced;
where none can be written, there is none.
"""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.kernels.compiling import cache_directory
from zerolab.solver.clobber.shapes import ComponentTable
from zerolab.solver.values.store import (
    FIRST,
    LEFTS,
    NEGATIVE,
    NO_VALUE,
    OPTIONS,
    RIGHTS,
    VALUES,
    Values,
)

# Smaller boards are solved before a database is read; larger ones have more values of components
# as large as this is worth it for than a store has room for.
LEAST_CELLS, MOST_CELLS = 24, 28
SECONDS = 0.3  # a solve that took less is not worth keeping
GROWTH = 1.05  # nor one that found hardly anything new
# The most that is kept, which leaves the next solver room for more.
MOST_VALUES, MOST_COMPONENTS = 2**19, 2**20

_MAGIC = b"zerolab values 1"
_START = len(_MAGIC) + 8  # a checksum of all that follows, and how long the description is
_U8 = np.uint64(8)

Blocks = dict[str, npt.NDArray[Any]]
Store = tuple[Values, ComponentTable]


def database_directory() -> Path | None:
    """Where databases are by default: with the kernels of the same sources, which clears old ones.

    Numbers, marks and digests are of use to the code alone that made them.
    """
    return cache_directory()


def read_database(path: Path, about: dict[str, int]) -> Blocks | None:
    """The content of a file; None if there is none, or it is damaged or of another kind."""
    try:
        data = np.fromfile(path, np.uint8)
        start = data[:_START].tobytes()
        if len(start) < _START or not start.startswith(_MAGIC):
            return None
        checksum, length = np.frombuffer(start, "<u4", 2, len(_MAGIC)).tolist()
        if zlib.crc32(data[_START - 4 :].data) != checksum:
            return None
        described = json.loads(data[_START : _START + length].tobytes())
        if described["about"] != about:
            return None
        blocks, place = {}, _START + length
        for name, kind, shape in described["blocks"]:
            block = np.frombuffer(data, kind, int(np.prod(shape)), place).reshape(shape)
            blocks[name] = block
            place += block.nbytes
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return blocks


def write_database(path: Path, about: dict[str, int], blocks: Blocks) -> bool:
    """Replace the file, if that is possible."""
    described = [(name, block.dtype.str, block.shape) for name, block in blocks.items()]
    text = json.dumps({"about": about, "blocks": described}).encode()
    text += b" " * (-(_START + len(text)) % 64)  # blocks begin where numbers may
    parts = [np.uint32(len(text)).astype("<u4").tobytes(), text]
    parts += [np.ascontiguousarray(block).data for block in blocks.values() if block.size]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    try:
        with replacing(path) as file:
            file.write(_MAGIC + np.uint32(checksum).astype("<u4").tobytes())
            for part in parts:
                file.write(part)
    except UsageError:
        return False
    return True


def pack(values: Values, components: ComponentTable) -> Blocks:
    """The content of a store, without empty places, and only the first MOST_VALUES values.

    Options have lower numbers than what they are options of, so these refer to no other ones,
    except for negatives. A hash table with gaps finds less, and never the wrong thing.
    """
    count = min(int(values.counts[VALUES]), MOST_VALUES)
    facts = values.facts[:count].copy()
    facts[facts[:, NEGATIVE] >= count, NEGATIVE] = NO_VALUE
    last = facts[count - 1]
    places = np.flatnonzero((values.places > 0) & (values.places <= count))
    terms = values.sums[:, 0]
    sums = np.flatnonzero((terms != 0) & (values.sums[:, 1] < count))
    sums = sums[(terms[sums] & np.uint64(2**32 - 1)) < count]  # the larger term
    # Values + 1. Where that is 0 there was no room for one, and may be now.
    numbers = components.entries[:, 2] >> _U8
    filled = np.flatnonzero((numbers > 0) & (numbers <= count))[:MOST_COMPONENTS]
    return {
        "digests": values.digests[:count],
        "sums": values.sums[sums],
        "components": components.entries[filled],
        "facts": facts,
        "pool": values.pool[: last[FIRST] + last[LEFTS] + last[RIGHTS]],
        "numbers": values.places[places],
        "number_places": places.astype(np.int32),
        "sum_places": sums.astype(np.int32),
        "component_places": filled.astype(np.int32),
    }


def unpack(blocks: Blocks, values: Values, components: ComponentTable) -> None:
    """Fill a new store with the packed content of another."""
    values.counts[VALUES], values.counts[OPTIONS] = len(blocks["facts"]), len(blocks["pool"])
    values.facts[: len(blocks["facts"])] = blocks["facts"]
    values.digests[: len(blocks["digests"])] = blocks["digests"]
    values.pool[: len(blocks["pool"])] = blocks["pool"]
    values.places[blocks["number_places"]] = blocks["numbers"]
    values.sums[blocks["sum_places"]] = blocks["sums"]
    components.entries[blocks["component_places"]] = blocks["components"]
    components.used[0] = len(blocks["components"])


class Database:
    """The file for solvers of one kind, and how much is in it."""

    def __init__(self, directory: Path, about: dict[str, int], stores: list[Store]) -> None:
        """Fill all stores, which are new and of one size, from the file; `about` names it."""
        values, components = stores[0]
        sizes = {"values": len(values.facts), "sums": len(values.sums)}
        self._about = {**about, **sizes, "components": len(components.entries)}
        self.path = directory / "-".join(["values", *map(str, about.values())])
        blocks = read_database(self.path, self._about)
        self.count = 0 if blocks is None else len(blocks["facts"])
        if blocks is not None:
            for store in stores:
                unpack(blocks, *store)

    def add(self, stores: list[Store], seconds: float) -> None:
        """Keep the content of the fullest store after a solve of that length, if it is worth it."""
        values, components = max(stores, key=lambda store: int(store[0].counts[VALUES]))
        found = min(int(values.counts[VALUES]), MOST_VALUES)
        if seconds >= SECONDS and found >= GROWTH * self.count:
            write_database(self.path, self._about, pack(values, components))
            self.count = found
