"""Workers: killed at any moment, failing, orphaned."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.training import jobs
from zerolab.errors import UsageError
from zerolab.training.selfplay.crew import Crew, PipeLink
from zerolab.training.selfplay.workforce import CAPACITY, UNLIMITED, Job


@contextmanager
def working(path: Path, *work: Job) -> Iterator[Crew]:
    """A crew that is closed in any case."""
    crew = Crew(work, path / "model.onnx")
    crew.start(0, b"first", seed=1)
    try:
        yield crew
    finally:
        crew.close()


def test_killed_workers_are_started_again(tmp_path: Path) -> None:
    """Messages of a megabyte: many are cut off in the middle."""
    draw = np.random.default_rng(1)
    work = [Job(f"counter {i}", jobs.count, (10**6,)) for i in range(2)]
    with working(tmp_path, *work) as crew:
        seeds: dict[int, int] = {}
        for kill in range(6):
            victim = draw.choice(list(crew.pids.values()))
            while victim not in seeds:  # it lives and works
                pid, seed, _, data = crew.take()
                assert len(data) == 10**6
                seeds[pid] = seed
            time.sleep(draw.uniform(0, 0.01))
            os.kill(victim, signal.SIGKILL)
            while victim in crew.pids.values():
                crew.take()
            assert crew.deaths == kill + 1
            for worker in crew._workers:
                worker.early_deaths = 0  # they are not to blame
        assert len(set(seeds.values())) == len(seeds)  # nobody plays the same games again


def test_ctrl_c_is_the_learner_s_to_handle(tmp_path: Path) -> None:
    """Ctrl-C reaches all processes of a terminal; workers go on."""
    with working(tmp_path, Job("counter", jobs.count, (10,))) as crew:
        first, *_ = crew.take()
        os.kill(first, signal.SIGINT)
        numbers = [crew.take() for _ in range(3 * CAPACITY)]  # more than was waiting
        assert {pid for pid, *_ in numbers} == {first}
        assert crew.deaths == 0


def test_a_worker_that_cannot_live_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    with (
        working(tmp_path, Job("actor 1", jobs.fail, ())) as crew,
        pytest.raises(UsageError, match=r"actor 1 died 3 times in a row: .*no rules for this"),
    ):
        crew.take()


def test_networks_reach_the_workers(tmp_path: Path) -> None:
    with working(tmp_path, Job("reader", jobs.read_models, ())) as crew:
        assert crew.take() == (0, b"first")
        crew.publish(1, b"second")
        assert crew.take() == (1, b"second")


def test_a_network_is_new_once(tmp_path: Path) -> None:
    path, newest = tmp_path / "model.onnx", SimpleNamespace(value=3)
    path.write_bytes(b"third")
    link = PipeLink(None, newest, path)
    assert [link.new_model(), link.new_model()] == [(3, b"third"), None]
    path.write_bytes(b"fourth")
    newest.value = 4
    assert [link.new_model(), link.new_model()] == [(4, b"fourth"), None]


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    """Nobody takes anything: workers wait."""
    with working(tmp_path, Job("counter", jobs.count, (10,))) as crew:
        pid, _, first, _ = crew.take()
        deadline = time.monotonic() + 600  # if it never fills up
        while crew.waiting < 256 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert crew.waiting == 256
        numbers = [number for _ in range(300) for _, _, number, _ in [crew.take()]]
        assert numbers == list(range(first + 1, first + 301))
        assert crew.pids == {"counter": pid}


def test_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The learner keeps a core, and an evaluator needs none."""
    job = Job("counter", jobs.count, (10,))
    for cores, players in ((4, 3), (2, 1), (1, 1)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        crew = Crew([job] * UNLIMITED, tmp_path / "model.onnx", [job])
        assert (crew.players, crew.neighbours, len(crew._jobs)) == (players, players, players + 1)
    assert Crew([job] * 7, tmp_path / "model.onnx").players == 7


LEARNER = """
import sys, time
from pathlib import Path
from tests.training import jobs
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.workforce import Job
if __name__ == "__main__":
    work = [Job("counter", jobs.count, (10,)), Job("reader", jobs.read_models, ())]
    crew = Crew(work, Path(sys.argv[1]) / "model.onnx")
    crew.start(0, b"first", seed=1)
    crew.take()
    print(*crew.pids.values(), flush=True)
    time.sleep(60)
"""


def test_workers_end_when_the_learner_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "learner.py"
    script.write_text(LEARNER)
    command = [sys.executable, str(script), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as learner:
        assert learner.stdout is not None
        pids = [int(word) for word in learner.stdout.readline().split()]
        learner.kill()
    assert len(pids) == 2
    deadline = time.monotonic() + 600  # if they never end
    while any(_is_alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_is_alive(pid) for pid in pids)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that ended may wait for its parent to notice.
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
