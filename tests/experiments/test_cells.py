import json
import threading
from concurrent.futures import CancelledError

import pytest

from zerolab.errors import UsageError
from zerolab.experiments.cells import Job, run_cells


def silent(done, total):
    assert 0 <= done <= total


def square(number, calls):
    """A job that squares a number, and leaves word of having been run."""

    def run(tell):
        calls.append(number)
        tell(0.5)
        return {"square": number * number}

    return Job({"number": number, "pair": (number, 1.5)}, 1.0, run)


def squares(records):
    return [record and record["square"] for record in records]


def test_what_is_there_is_not_made_again(tmp_path):
    path = tmp_path / "cells.jsonl"
    calls = []
    assert run_cells(path, "s", [square(n, calls) for n in range(3)], silent).is_complete
    assert sorted(calls) == [0, 1, 2]
    cells = run_cells(path, "s", [square(n, calls) for n in (2, 3, 0)], silent)
    assert squares(cells.records) == [4, 9, 0]
    assert sorted(calls) == [0, 1, 2, 3]


def test_a_file_cut_off_anywhere_goes_on(tmp_path):
    whole, path = tmp_path / "whole", tmp_path / "cut"
    run_cells(whole, "s", [square(n, []) for n in range(3)], silent, threads=1)
    data = whole.read_bytes()
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        cells = run_cells(path, "s", [square(n, []) for n in range(3)], silent, threads=1)
        assert squares(cells.records) == [0, 1, 4]
        assert path.read_bytes() == data


@pytest.mark.parametrize("content", [b"poem\n", b"poem", b"[1]\n", b'{"format": "other"}\n'])
def test_alien_files_are_left_alone(tmp_path, content):
    path = tmp_path / "cells.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="not a file of experiments"):
        run_cells(path, "s", [square(1, [])], silent)
    assert path.read_bytes() == content


def test_the_file_of_another_study(tmp_path):
    path = tmp_path / "cells.jsonl"
    run_cells(path, "one", [square(1, [])], silent)
    with pytest.raises(UsageError, match="belongs to the study one, not to two"):
        run_cells(path, "two", [square(1, [])], silent)


def test_damage_in_the_middle_is_told(tmp_path):
    path = tmp_path / "cells.jsonl"
    run_cells(path, "s", [square(n, []) for n in range(3)], silent)
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:-3]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(UsageError, match="damaged in line 3"):
        run_cells(path, "s", [square(1, [])], silent)


def test_two_processes_do_not_write_one_file(tmp_path):
    path = tmp_path / "cells.jsonl"

    def nested(tell):
        run_cells(path, "s", [square(1, [])], silent)

    with pytest.raises(UsageError, match="is being written by another process"):
        run_cells(path, "s", [Job({}, 1.0, nested)], silent)


def test_progress_is_weighted_by_cost(tmp_path):
    seen = []
    jobs = [square(n, [])._replace(cost=cost) for n, cost in ((1, 10.0), (2, 1.0))]
    path = tmp_path / "cells.jsonl"
    run_cells(path, "s", jobs[:1], silent)
    run_cells(path, "s", jobs, lambda done, total: seen.append((done, total)))
    assert all(total == 11.0 for _, total in seen)
    assert seen[-1][0] >= 10.5


def test_an_interrupt_keeps_what_is_done(tmp_path):
    """The second job would never end by itself."""
    path = tmp_path / "cells.jsonl"
    cancelled = threading.Event()

    def endless(tell):
        try:
            while True:
                tell(0.1)
        except CancelledError:
            cancelled.set()
            raise

    def interrupt(done, total):
        if len(path.read_bytes().splitlines()) == 2:
            raise KeyboardInterrupt

    jobs = [square(3, []), Job({"endless": True}, 1.0, endless)]
    cells = run_cells(path, "s", jobs, interrupt, threads=2)
    assert squares(cells.records) == [9, None]
    assert not cells.is_complete
    assert cancelled.is_set()
    assert json.loads(path.read_bytes().splitlines()[1])["result"] == {"square": 9}


def test_what_goes_wrong_is_raised_and_the_rest_is_kept(tmp_path):
    path = tmp_path / "cells.jsonl"

    def fail(tell):
        raise UsageError("no such board")

    with pytest.raises(UsageError, match="no such board"):
        run_cells(path, "s", [square(3, []), Job({"bad": 1}, 1.0, fail)], silent, threads=1)
    calls = []
    cells = run_cells(path, "s", [square(3, calls)], silent)
    assert squares(cells.records) == [9]
    assert not calls
