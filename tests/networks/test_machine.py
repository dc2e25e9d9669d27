"""Freed memory stays with the process, unless the user has configured the allocator."""

import subprocess
import sys

import pytest

from zerolab.networks import machine
from zerolab.networks.machine import keep_freed_memory

PAGES = """
import resource, sys
import torch
from zerolab.networks.machine import keep_freed_memory

agreed = keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def batch():
    kept = [torch.ones(2_000_000) for _ in range(20)]  # 8 MB each
batch(), batch()
before = faults()
for _ in range(5):
    batch()
print(agreed, faults() - before)
"""
ALL_PAGES = 5 * 20 * 8_000_000 // 4096


@pytest.mark.skipif(sys.platform != "linux", reason="the C library of Linux is asked")
@pytest.mark.parametrize(
    ("environment", "kept"), [({}, True), ({"MALLOC_TRIM_THRESHOLD_": "131072"}, False)]
)
def test_memory_is_lent_once(environment: dict[str, str], kept: bool) -> None:
    """The system lends each page again after each batch, or never again."""
    done = subprocess.run(
        [sys.executable, "-c", PAGES], env=environment, capture_output=True, text=True, check=True
    )
    agreed, faults = done.stdout.split()
    assert agreed == str(kept)
    if kept:
        assert int(faults) < ALL_PAGES / 10
    else:
        assert int(faults) > ALL_PAGES / 2


class NoMallopt:
    """A C library of another system."""


@pytest.mark.parametrize("library", [None, NoMallopt()])
def test_other_c_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch, library: object) -> None:
    monkeypatch.setattr(machine.os, "environ", {})
    monkeypatch.setattr(machine, "_c_library", lambda: library)
    assert not keep_freed_memory()


@pytest.mark.parametrize(("answers", "agreed"), [((1, 1), True), ((1, 0), False), ((0, 1), False)])
def test_what_the_c_library_is_asked(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[int, int], agreed: bool
) -> None:
    """Blocks up to 32 MB come from memory that is kept, and none of it is returned."""
    asked = {}

    class Library:
        def mallopt(self, parameter: int, value: int) -> int:
            asked[parameter] = value
            return answers[parameter == -1]

    monkeypatch.setattr(machine.os, "environ", {})
    monkeypatch.setattr(machine, "_c_library", Library)
    assert keep_freed_memory() is agreed
    if agreed:
        assert asked == {-3: 32 * 2**20, -1: 2**31 - 1}
