import random

import numpy as np
import pytest

from zerolab.errors import UsageError
from zerolab.kernels.compiling import kernel
from zerolab.solver.clobber import position_table as tables
from zerolab.solver.clobber.position_table import (
    LOST,
    NOT_KNOWN,
    WAYS,
    WON,
    copy_entries,
    fill_of,
    grown,
    keep,
    look_up,
    make_table,
)


@kernel
def put(table, key, second, result, work):
    keep(table, 0, key, second, result, work)


@kernel
def get(table, key, second):
    return look_up(table, key, second)


def keys(count, seed=1):
    draw = random.Random(seed)
    return [
        (np.uint64(draw.getrandbits(64)), np.uint64(draw.getrandbits(64))) for _ in range(count)
    ]


def test_remembers():
    table = make_table(2**12, 1)
    chosen = keys(100)
    for i, key in enumerate(chosen):
        put(table, *key, i % 2, 1)
    assert sum(get(table, *key) == i % 2 for i, key in enumerate(chosen)) == 100
    assert all(get(table, *key) == NOT_KNOWN for key in keys(500, seed=2))
    assert fill_of(table) == 100 / 2**12
    put(table, *chosen[0], WON, 1)
    assert get(table, *chosen[0]) == WON
    assert fill_of(table) == 100 / 2**12


def test_any_bit_of_a_key_but_the_lowest_eight_counts():
    table = make_table(2**12, 1)
    (first, second), *_ = keys(1)
    put(table, first, second, LOST, 3)
    assert get(table, first, second) == LOST
    for bit in range(64):
        flip = np.uint64(1) << np.uint64(bit)
        assert get(table, first, second ^ flip) == NOT_KNOWN
        assert get(table, first ^ flip, second) == (LOST if bit < 8 else NOT_KNOWN)


def test_a_full_set_drops_the_least_work():
    table = make_table(WAYS, 1)
    chosen = keys(WAYS + 1)
    for work, key in enumerate(chosen):
        put(table, *key, WON, 10 - work if work < WAYS else 5)
    assert [get(table, *key) for key in chosen] == [WON, WON, WON, NOT_KNOWN, WON]


def test_half_an_entry_is_none():
    """What a thread may see while another one writes."""
    table = make_table(WAYS, 1)
    old, new = keys(2)
    put(table, *old, WON, 1)
    second = table.entries[:, 1].copy()
    table.entries[:] = 0
    put(table, *new, LOST, 1)
    table.entries[:, 1] = second
    assert get(table, *old) == get(table, *new) == NOT_KNOWN


def test_grows_and_copies():
    table = make_table(2**10, 1)
    chosen = keys(300)
    for i, key in enumerate(chosen):
        put(table, *key, i % 2, i % 7)
    kept = [key for i, key in enumerate(chosen) if get(table, *key) == i % 2]
    larger = grown(table, 4)
    assert len(larger.entries) == 2**12
    assert all(get(larger, *key) != NOT_KNOWN for key in kept)
    copy_entries(larger, table)
    assert all(get(table, *key) != NOT_KNOWN for key in kept)


@pytest.mark.parametrize("header", [b"[1, 2]", b"7", b"{}", b"nothing", b'{"entries": "x"}'])
def test_a_damaged_header_is_told(tmp_path, header):
    path = tmp_path / "table"
    tables.save_table(make_table(64, 1), path, {})
    magic = path.read_bytes().partition(b"\n")[0] + b"\n"
    path.write_bytes(magic + header + b"\n")
    with pytest.raises(UsageError, match="is damaged: its header cannot be read"):
        tables.load_table(path, {}, 1, 64)


def test_sets_are_lines_of_the_cache():
    assert make_table(2**10, 1).entries.ctypes.data % 64 == 0
