import stat

import pytest

from zerolab.benchmarks.solver_speed import bench_solver
from zerolab.errors import UsageError
from zerolab.solver.clobber.sum_solver import WITHOUT


def test_solves_and_ablates():
    seen = []
    bench = bench_solver(False, 1.0, seen.append, [(2, 3), (3, 3)], [(3, 4)])
    assert [board.one.value for board in bench.boards] == [-1, 1]
    assert all(board.ratio is None for board in bench.boards)
    assert len(bench.ablation) == len(WITHOUT)  # all but the database, and all methods
    assert {solved[0].value for _, solved in bench.ablation} == {-1}
    assert seen == sorted(seen)


def stand_in(tmp_path, monkeypatch, script):
    """A program called MCGS that does as the script says."""
    program = tmp_path / "MCGS"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


def test_reads_the_time_of_mcgs(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, 'echo "Got: Loss"; echo "Time (ms): 2500.0"')
    bench = bench_solver(True, 3600.0, lambda done: None, [(2, 3)], [(2, 3)])
    assert bench.boards[0].peer_seconds == 2.5
    assert bench.boards[0].peer_finished


def test_mcgs_that_takes_too_long_or_fails(tmp_path, monkeypatch):
    stand_in(tmp_path, monkeypatch, "exec sleep 3600")
    bench = bench_solver(True, 0.1, lambda done: None, [(2, 3)], [(2, 3)])
    assert not bench.boards[0].peer_finished
    stand_in(tmp_path, monkeypatch, "exit 3")
    with pytest.raises(UsageError, match="failed"):
        bench_solver(True, 3600.0, lambda done: None, [(2, 3)], [(2, 3)])
    stand_in(tmp_path, monkeypatch, "echo Got: Win")
    with pytest.raises(UsageError, match="does not find"):
        bench_solver(True, 3600.0, lambda done: None, [(2, 3)], [(2, 3)])
    stand_in(tmp_path, monkeypatch, "echo Got: Loss")
    with pytest.raises(UsageError, match="no time"):
        bench_solver(True, 3600.0, lambda done: None, [(2, 3)], [(2, 3)])


def test_without_mcgs(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="needs the program MCGS"):
        bench_solver(True, 1.0, lambda done: None, [(2, 3)], [(2, 3)])
