import random
import subprocess
import sys

import numpy as np
import pytest

from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import parse_position
from zerolab.solver.cgt import value as cgt
from zerolab.solver.clobber.shapes import BY_CONTACTS
from zerolab.solver.clobber.sum_solver import SumSolver, to_value
from zerolab.solver.values import database as kept_values
from zerolab.solver.values.database import (
    database_directory,
    pack,
    read_database,
    write_database,
)
from zerolab.solver.values.store import FIRST, LEFTS, NEGATIVE, NO_VALUE, RIGHTS, VALUES

ABOUT = {"variant": 0, "small": 3}
BLOCKS = {"facts": np.arange(6, dtype=np.int32).reshape(3, 2), "none": np.zeros((0, 2), np.uint64)}


@pytest.fixture(autouse=True)
def _eager(monkeypatch):
    """Databases for boards that are quickly solved."""
    monkeypatch.setattr(kept_values, "LEAST_CELLS", 16)
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)


def chequered(rows, cols):
    return "|".join("".join("xo"[(r + c) % 2] for c in range(cols)) for r in range(rows))


def solve(directory, rows=4, cols=4, text=None, threads=1, **methods):
    game = Clobber(rows, cols)
    solver = SumSolver(game, 10**7, threads, 0, directory, **methods)
    value = solver.value(parse_position(game, text or chequered(rows, cols)))
    return solver, value


def count_of(values):
    return int(values.counts[VALUES])


def known(solver):
    return count_of(solver.worker.values)


def test_solves_with_a_database_agree(tmp_path):
    rng = random.Random(1)
    rows = ("xoxox", "ooxx.", "x.oxo", "oxxoo")
    for text in [chequered(4, 5), *("|".join(rng.choices(rows, k=4)) for _ in range(8))]:
        # By contacts, because moves that look the same are tried as their values were first met.
        methods = {"small": 6, "orders": BY_CONTACTS}
        alone, expected = solve(None, 4, 5, text, **methods)
        first, value = solve(tmp_path, 4, 5, text, **methods)
        start = SumSolver(Clobber(4, 5), 10**7, 1, 0, tmp_path, **methods)
        again, value_again = solve(tmp_path, 4, 5, text, **methods)
        assert value == value_again == expected == solve(tmp_path, 4, 5, text, small=6)[1]
        assert first.nodes == again.nodes == alone.nodes
        assert known(start) > 1
    assert known(again) <= kept_values.GROWTH * known(start)


def test_what_is_found_is_added_if_it_is_much(tmp_path, monkeypatch):
    solve(tmp_path, 4, 4)
    (path,) = tmp_path.iterdir()
    small, written = path.stat().st_size, path.stat().st_mtime_ns
    solve(tmp_path, 4, 4)
    assert path.stat().st_mtime_ns == written
    monkeypatch.setattr(kept_values, "SECONDS", 100.0)
    solve(tmp_path, 4, 5)
    assert path.stat().st_mtime_ns == written
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    solve(tmp_path, 4, 5)
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_size > small


def test_kept_values_are_those_of_the_slow_twin(tmp_path):
    solve(tmp_path, 4, 5)
    worker = SumSolver(Clobber(4, 5), 10**7, 1, 0, tmp_path).worker
    values, rng = worker.values, random.Random(2)
    entries = worker.components.entries[worker.components.entries[:, 2] != 0]
    few = [e for e in entries.tolist() if (e[0] | e[1]).bit_count() <= 6]
    for black, white, rest in rng.sample(few, 60):
        width, number = (rest & 255) - 1, (rest >> 8) - 1
        height = -(-(black | white).bit_length() // width)
        cells = ["x" if black >> i & 1 else "o" if white >> i & 1 else "." for i in range(64)]
        text = "|".join("".join(cells[r * width : (r + 1) * width]) for r in range(height))
        assert to_value(values, number) == cgt.clobber(text)
    sums = values.sums[values.sums[:, 0] != 0].tolist()
    for terms, total in rng.sample(sums, 60):
        x, y = to_value(values, terms >> 32), to_value(values, terms & 2**32 - 1)
        assert x + y == to_value(values, total)
    for number in rng.sample(range(count_of(values)), 60):
        if values.facts[number, NEGATIVE] != NO_VALUE:
            negative = to_value(values, int(values.facts[number, NEGATIVE]))
            assert negative == -to_value(values, number)


def test_threads_start_from_the_same(tmp_path):
    solve(tmp_path, 4, 5)
    solver = SumSolver(Clobber(4, 5), 10**7, 2, 0, tmp_path)
    one, two = solver._workers
    assert count_of(one.values) == count_of(two.values) > 100
    packed = [pack(worker.values, worker.components).values() for worker in (one, two)]
    for a, b in zip(*packed, strict=True):
        assert np.array_equal(a, b)
        assert not np.shares_memory(a, b)
    assert solve(tmp_path, 4, 5, threads=2)[1] == 1


def test_size_is_bounded(tmp_path, monkeypatch):
    alone, expected = solve(tmp_path, 4, 5)
    monkeypatch.setattr(kept_values, "MOST_VALUES", 100)
    monkeypatch.setattr(kept_values, "MOST_COMPONENTS", 70)
    blocks = pack(alone.worker.values, alone.worker.components)
    facts = blocks["facts"]
    assert len(facts) == 100
    assert len(blocks["components"]) == 70
    assert facts[:, NEGATIVE].max() < 100
    assert blocks["pool"].max() < 100
    assert (facts[:, FIRST] + facts[:, LEFTS] + facts[:, RIGHTS]).max() == len(blocks["pool"])
    (path,) = tmp_path.iterdir()
    path.unlink()
    assert solve(tmp_path, 4, 5)[1] == expected
    written = path.stat().st_mtime_ns
    again, value = solve(tmp_path, 4, 5)  # full, so nothing is added
    assert (value, again.nodes) == (expected, alone.nodes)
    assert path.stat().st_mtime_ns == written
    # What had to be found anew is the same.
    assert known(again) == known(alone)


def test_where_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_values, "cache_directory", lambda: tmp_path)
    assert database_directory() == tmp_path
    solve(tmp_path, 3, 5)
    solve(tmp_path, 5, 6, "xo....|" + "|".join(["......"] * 4))
    solve(tmp_path, small=0)
    cannibal, graph = Clobber(4, 4, variant=CANNIBAL), GraphClobber()
    for game, text in ((cannibal, chequered(4, 4)), (graph, "xo....")):
        SumSolver(game, 10**7, 1, 0, tmp_path).value(parse_position(game, text))
    game = Clobber(4, 4)
    SumSolver(game, 10**7, 1, 1, tmp_path).value(parse_position(game, chequered(4, 4)))
    SumSolver(game, 10**7, 1).value(parse_position(game, chequered(4, 4)))
    assert not list(tmp_path.iterdir())


def test_a_file_is_read_whole_or_not_at_all(tmp_path):
    path = tmp_path / "values"
    assert read_database(path, ABOUT) is None
    assert write_database(path, ABOUT, BLOCKS)
    found = read_database(path, ABOUT)
    assert list(found) == list(BLOCKS)
    assert all(np.array_equal(found[name], BLOCKS[name]) for name in BLOCKS)
    assert read_database(path, {**ABOUT, "small": 4}) is None
    good = path.read_bytes()
    for cut in range(len(good)):
        path.write_bytes(good[:cut])
        assert read_database(path, ABOUT) is None
        path.write_bytes(good[:cut] + bytes([good[cut] ^ 1 << cut % 8]) + good[cut + 1 :])
        assert read_database(path, ABOUT) is None
    for alien in (good + b"x", b"x" * 10_000, random.Random(3).randbytes(1000), b"\0" * 100):
        path.write_bytes(alien)
        assert read_database(path, ABOUT) is None
    path.unlink()
    path.mkdir()
    assert read_database(path, ABOUT) is None
    assert not write_database(path, ABOUT, BLOCKS)


def test_a_damaged_database_is_replaced(tmp_path):
    alone, expected = solve(tmp_path, 4, 4)
    (path,) = tmp_path.iterdir()
    good = path.read_bytes()
    for bad in (good[: len(good) // 2], good[:-1] + bytes([good[-1] ^ 1]), b""):
        path.write_bytes(bad)
        again, value = solve(tmp_path, 4, 4)
        assert (value, again.nodes) == (expected, alone.nodes)
        assert path.read_bytes() == good


def test_where_none_can_be_written(tmp_path):
    (tmp_path / "file").touch()
    for directory in (tmp_path / "nowhere", tmp_path / "file"):
        assert solve(directory, 4, 4)[1] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "values"
    code = (
        "import sys, pathlib, numpy as np\n"
        "from zerolab.solver.values.database import write_database\n"
        "blocks = {'facts': np.full(10**5, int(sys.argv[2]))}\n"
        "for _ in range(100): assert write_database(pathlib.Path(sys.argv[1]), {}, blocks)"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), number]) for number in "12"]
    while not path.exists():
        assert all(not writer.poll() for writer in writers)
    while any(writer.poll() is None for writer in writers):
        blocks = read_database(path, {})
        assert blocks is not None
        assert len(set(blocks["facts"].tolist())) == 1
    assert [writer.returncode for writer in writers] == [0, 0]
    assert list(tmp_path.iterdir()) == [path]
