import subprocess
import sys

import pytest

from zerolab.benchmarks.server_processes import HAS_PROC, family_of, left_of

pytestmark = pytest.mark.skipif(not HAS_PROC, reason="this system has no /proc")

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
input()
"""


def test_a_family_and_what_is_left_of_it(monkeypatch):
    monkeypatch.setattr("zerolab.benchmarks.server_processes.ENDING", 0.5)
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        child = int(parent.stdout.readline())
        family = family_of(parent.pid)
        assert {number for number, _ in family} == {parent.pid, child}
        assert left_of(family) == 2
        parent.communicate(b"\n")
    monkeypatch.setattr("zerolab.benchmarks.server_processes.ENDING", 60.0)
    assert left_of(family) == 0
