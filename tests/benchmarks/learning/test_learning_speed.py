"""Learning beside busy programs, shrunken: no speed is asserted, only what is measured."""

import multiprocessing
import os
import subprocess
import sys

import pytest

from zerolab.benchmarks.learning import learning_speed as bench_learning
from zerolab.benchmarks.learning.learning_speed import (
    ALONE,
    BRIEFLY,
    LONG,
    NEVER,
    LearningSpeed,
    busy_processes,
    learning_speed,
)
from zerolab.errors import UsageError


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, ("1000", None)),
        ({"GOMP_SPINCOUNT": "7"}, ("7", None)),
        ({"OMP_WAIT_POLICY": "ACTIVE"}, (None, "ACTIVE")),
    ],
)
def test_threads_spin_briefly_unless_somebody_wants_otherwise(
    before: dict[str, str], after: tuple[str | None, str | None]
) -> None:
    """PyTorch is not loaded by then."""
    names = "GOMP_SPINCOUNT", "OMP_WAIT_POLICY"
    code = (
        "import os, sys, zerolab; "
        f"print(tuple(os.environ.get(name) for name in {names}), 'torch' in sys.modules)"
    )
    kept = {name: value for name, value in os.environ.items() if name not in names}
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | before, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{after} False\n"


def test_a_position_is_learnt() -> None:
    assert learning_speed(1, 0.0) > 0


def test_every_way_is_measured_idle_and_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, running = [], []

    def measure(name: str, seconds: float) -> float:
        asked.append((name, bool(running)))
        return 10.0 if running else 40.0

    class Busy:
        def __init__(self, count: int, seconds: float) -> None:
            assert count == os.cpu_count()
            assert seconds > 2

        def __enter__(self) -> None:
            running.append(1)

        def __exit__(self, *error: object) -> None:
            running.clear()

    monkeypatch.setattr(bench_learning, "_measure_apart", measure)
    monkeypatch.setattr(bench_learning, "busy_processes", Busy)
    _, speeds = bench_learning.bench_learning(2.0, lambda done, total: None)
    assert asked == [
        (name, busy) for name in (BRIEFLY, LONG, NEVER, ALONE) for busy in (False, True)
    ]
    assert [speed.kept for speed in speeds] == [0.25] * 4
    assert speeds[0] == LearningSpeed(BRIEFLY, idle=40.0, busy=10.0)


def test_the_policy_reaches_the_process_that_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Done:
        returncode, stdout, stderr = 0, "12.5", ""

    def run(command: list[str], env: dict[str, str], **rest: object) -> Done:
        seen.append((command[-2], env["GOMP_SPINCOUNT"], env.get("OMP_WAIT_POLICY")))
        return Done()

    monkeypatch.setattr(bench_learning.subprocess, "run", run)
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    names = BRIEFLY, LONG, NEVER, ALONE
    assert [bench_learning._measure_apart(name, 1.0) for name in names] == [12.5] * 4
    spins = "1000", "300000", "0", "0"
    assert seen == [(name, spin, None) for name, spin in zip(names, spins, strict=True)]
    Done.returncode, Done.stderr = 1, "no torch"
    with pytest.raises(UsageError, match="learning could not be measured: no torch"):
        bench_learning._measure_apart(BRIEFLY, 1.0)


def test_busy_processes_end_with_the_block() -> None:
    with busy_processes(1, seconds=600.0):
        assert len(multiprocessing.active_children()) == 1
    assert multiprocessing.active_children() == []
