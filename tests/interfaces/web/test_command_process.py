import time

import pytest

from zerolab.interfaces.web import command_process
from zerolab.interfaces.web.command_process import CommandProcess, result_of
from zerolab.interfaces.web.safety import Rules

SAYS = """
import sys
print("compiling", file=sys.stderr)
print("study: 10%, 3 minutes left", file=sys.stderr, flush=True)
if sys.argv[1] == "waits":
    import time
    time.sleep(600)
print('{"result": 1}')
sys.exit(3 if sys.argv[1] == "fails" else 0)
"""


@pytest.fixture(name="begin")
def _begin(monkeypatch, tmp_path):
    monkeypatch.setattr(command_process, "MAIN", SAYS)
    begun = []

    def begin(word):
        begun.append(CommandProcess(Rules(tmp_path), "it", [word]))
        return begun[-1]

    yield begin
    for process in begun:
        process.end()


def wait_until(condition):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


def test_what_it_said_last_is_its_progress(begin, tmp_path):
    process = begin("waits")
    wait_until(lambda: process.progress == "study: 10%, 3 minutes left")
    assert process.is_alive
    assert process.failure == ""
    process.end()
    assert not process.is_alive
    assert result_of(Rules(tmp_path), "it") is None


def test_a_result_is_read_when_it_has_ended(begin, tmp_path):
    process = begin("ends")
    wait_until(lambda: not process.is_alive)
    assert process.failure == ""
    assert result_of(Rules(tmp_path), "it") == {"result": 1}


def test_a_failure_has_its_words(begin):
    process = begin("fails")
    wait_until(lambda: not process.is_alive)
    assert "3 minutes left" in process.failure


def test_a_process_that_was_killed_says_so(begin):
    process = begin("waits")
    wait_until(lambda: process.progress)
    process._process.kill()
    wait_until(lambda: not process.is_alive)
    assert process.failure == "its process was ended from outside, by signal 9"
