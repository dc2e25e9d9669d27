"""Several processes make one sweep."""

import os
import signal
import struct
from types import SimpleNamespace

import pytest
import torch

from tests.experiments.sweeps.small import BASE, GAME, logs, small_sweep
from zerolab.errors import UsageError
from zerolab.experiments.sweeps import workers
from zerolab.experiments.sweeps.definition import Place, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import Told
from zerolab.experiments.sweeps.workers import run_workers, with_cores
from zerolab.training.settings.continuous_config import TrainingConfig


def complete(sweep, place):
    return [each.state for each in summarise(sweep, open_sweep(sweep, place)).trials]


def test_two_processes_share_the_trials(tmp_path):
    sweep, place, told = small_sweep(), Place(tmp_path), []
    assert run_workers(sweep, place, 2, told.append)
    assert complete(sweep, place) == ["complete"] * 4
    assert logs(tmp_path) == {f"{number:04}-0": 2 for number in range(4)}
    assert {each.number for each in told} == {0, 1, 2, 3}


def test_a_worker_that_is_killed_is_replaced(tmp_path):
    sweep, place = small_sweep(), Place(tmp_path)
    killed = []

    def kill_once(told):
        if not killed:
            children = workers.multiprocessing.active_children()
            killed.append(children[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    assert run_workers(sweep, place, 2, kill_once)
    assert killed
    assert complete(sweep, place) == ["complete"] * 4


def test_workers_that_always_die_end_the_sweep(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_work_in_process", os._exit)
    with pytest.raises(UsageError, match=r"have died 4 times"):
        run_workers(small_sweep(), Place(tmp_path), 2)


def test_ctrl_c_ends_the_workers(tmp_path):
    sweep, place = small_sweep(), Place(tmp_path)

    def interrupt(told):
        raise KeyboardInterrupt

    assert not run_workers(sweep, place, 2, interrupt)
    assert not workers.multiprocessing.active_children()
    assert run_workers(sweep, place, 1)
    assert complete(sweep, place) == ["complete"] * 4


def test_a_worker_has_its_share_and_a_number(tmp_path, monkeypatch):
    begun, threads, told = [], [], []
    monkeypatch.setattr(workers, "work", lambda *arguments: begun.append(arguments))
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    sweep, place = small_sweep("uct_c=1,2", base=TrainingConfig(actors=7)), Place(tmp_path)
    pipe = SimpleNamespace(send=told.append)
    workers._work_in_process(sweep, place, 3, 5, pipe)
    ((*given, on_told, number),) = begun
    assert given == [with_cores(sweep, 3), place]
    assert number == 5
    news = [Told(1, 0.1, "a"), Told(1, 0.2, "b"), Told(2, 0.1, "c"), Told(2, 1.0, "d")]
    for each in news:
        on_told(each)
    assert [news[0], *news[2:]] == [each for each in told if each is not news[1]]
    assert threads == [3]


def test_workers_start_apart(tmp_path):
    sweep, place = small_sweep("uct_c=0.5..2.0", method="tpe", trials=4), Place(tmp_path)
    proposed = {open_sweep(sweep, place, worker).sampler._rng.rng.random() for worker in range(3)}
    assert len(proposed) == 3


def test_cores_are_shared():
    sweep = small_sweep("uct_c=1,2", base=TrainingConfig(actors=7))
    assert with_cores(sweep, 4).base == TrainingConfig(actors=3)
    assert with_cores(sweep, 1).base == TrainingConfig(actors=1)
    assert with_cores(sweep, 4).judging.threads == 4
    in_process = small_sweep("uct_c=1,2", base=TrainingConfig(actors=0))
    assert with_cores(in_process, 4).base == TrainingConfig(actors=0)
    assert with_cores(small_sweep(), 4)[:2] == (GAME, BASE)


def test_a_worker_stops_when_nobody_listens(tmp_path, monkeypatch):
    """As if Ctrl-C was pressed: its trial goes back, and is not counted as failed."""
    seen = []

    def work(sweep, place, on_told, number):
        try:
            on_told(Told(1, 0.5, "step 3"))
        except KeyboardInterrupt:
            seen.append(number)
            raise

    def send(told):
        raise BrokenPipeError

    monkeypatch.setattr(workers, "work", work)
    workers._work_in_process(small_sweep(), Place(tmp_path), 1, 4, SimpleNamespace(send=send))
    assert seen == [4]


def test_half_a_message_is_no_message():
    """A process that was killed while it wrote has left the length of a message and its head."""
    reader, writer = workers.multiprocessing.Pipe(duplex=False)
    told, joined = [], []
    worker = workers._Worker(SimpleNamespace(join=joined.append), reader)
    writer.send(Told(1, 0.5, "whole"))
    os.write(writer.fileno(), struct.pack("!i", 100) + b"head")
    writer.close()
    worker.hand_on(told.append)
    assert told == [Told(1, 0.5, "whole")]
    assert joined
    reader.close()
    worker.hand_on(told.append)  # after its end there is nothing
    assert len(told) == 1
