"""`kill -9` of actors, evaluators and the learner, at any moment, for real."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from zerolab.games.clobber import Clobber
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.runs.run_directory import Run

GAME = Clobber(3, 3)
SETTINGS = (
    *("actors=1", "evaluators=1", "eval_levels=2", "max_simulations=8", "batch=8", "nn_width=8"),
    *("nn_depth=1", "replay_buffer_size=512", "replay_buffer_reuse=4", "train_batch_size=32"),
)
# Ctrl-C works even if the tests run in the background, where a shell has it ignored.
COMMAND = """
import signal, sys
from zerolab.interfaces.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


def train(directory: Path, *options: str) -> "subprocess.Popen[bytes]":
    """Its messages go to a file beside the directory."""
    arguments = ["train", "clobber", "--size", "3x3", "--run", str(directory), "--games", "0"]
    with messages_of(directory).open("wb") as file:
        command = [sys.executable, "-c", COMMAND, *arguments, *options]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file)


def messages_of(directory: Path) -> Path:
    return directory.parent / "messages.txt"


def steps_in(directory: Path) -> list[int]:
    log = directory / "learner.jsonl"
    lines = log.read_bytes().split(b"\n")[:-1] if log.exists() else []
    return [json.loads(line)["step"] for line in lines]


def wait_for_step(directory: Path, step: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 600  # kernels may have to be compiled first
    while max(steps_in(directory), default=0) < step:
        assert time.monotonic() < deadline, "the run does not go on"
        assert process.poll() is None, messages_of(directory).read_text()
        time.sleep(0.02)


def workers_of(pid: int) -> list[int]:
    """Processes that the threads of the learner have started, the oldest first."""
    lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = sorted(int(child) for each in lists for child in each)
    return [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_a_run_survives_being_killed_at_any_moment(tmp_path: Path, times: int) -> None:
    """Workers come back by themselves; the learner comes back with --resume, where it was."""
    directory = tmp_path / "run"
    draw = np.random.default_rng(3)
    process = train(directory, "--steps", "100000", "--set", *SETTINGS)
    seen = 0
    try:
        for _ in range(times):
            for _ in range(2):  # the actor is the oldest at first, then the evaluator is
                wait_for_step(directory, seen + 2, process)
                seen = max(steps_in(directory))
                os.kill(workers_of(process.pid)[0], signal.SIGKILL)
            wait_for_step(directory, seen + 3, process)
            time.sleep(draw.uniform(0, 0.2))
            process.kill()
            process.wait()
            before = Run.open(directory, GAME)
            trainer = ContinuousTrainer(GAME, before.config, before.seed)
            before.restore(trainer)
            seen = trainer.step
            assert seen > 0
            assert trainer.replay.size == min(512, trainer.replay.added)
            assert steps_in(directory) == list(range(1, seen + 1))
            process = train(directory, "--steps", "100000", "--resume")
        wait_for_step(directory, seen + 2, process)
    finally:
        process.kill()
        process.wait()
    assert steps_in(directory) == list(range(1, len(steps_in(directory)) + 1))


def test_ctrl_c_ends_all_processes_and_says_how_to_go_on(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    process = train(directory, "--steps", "100000", "--set", *SETTINGS)
    try:
        wait_for_step(directory, 2, process)
        workers = workers_of(process.pid)
        assert len(workers) == 2
        process.send_signal(signal.SIGINT)
        process.wait(timeout=600)  # if it never ends
    finally:
        process.kill()
        process.wait()
    errors = messages_of(directory).read_text()
    assert "--resume continues it" in errors
    assert "Traceback" not in errors
    assert process.returncode in (0, 130)
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
