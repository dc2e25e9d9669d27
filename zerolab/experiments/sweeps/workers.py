"""Processes that make the trials of a sweep, each with its share of the cores.

Any number of processes may join, from other terminals too: they take trials from the same queue. A
worker that is killed costs the trial it had in hand, which is put back.
"""

import multiprocessing
import os
import queue
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import OnTold, Told, run_trial, take
from zerolab.networks.machine import use_threads
from zerolab.training.settings.continuous_config import TrainingConfig

_SPAWN = multiprocessing.get_context("spawn")  # forked, PyTorch would wait for lost threads
_TICK = 0.5  # seconds
PATIENCE = 3  # deaths of workers until a sweep ends with an error
OnProgress = Callable[[float, float], None]


def work(sweep: Sweep, place: Place, on_told: OnTold = lambda told: None, worker: int = 0) -> None:
    """Make trials until none is left; KeyboardInterrupt puts the one in hand back."""
    study = open_sweep(sweep, place, worker)
    while (taken := take(sweep, study, place)) is not None:
        run_trial(sweep, study, place, taken, on_told)


def with_cores(sweep: Sweep, cores: int) -> Sweep:
    """A copy of a sweep whose runs and judging games use this number of cores."""
    if isinstance(sweep.base, TrainingConfig):
        actors = min(sweep.base.actors, max(1, cores - 1))
        sweep = sweep._replace(base=sweep.base.changed(actors=actors))
    return sweep._replace(judging=sweep.judging._replace(threads=cores))


def run_workers(
    sweep: Sweep,
    place: Place,
    workers: int = 1,
    on_told: OnTold = lambda told: None,
) -> bool:
    """Make all trials, on as many processes; return whether Ctrl-C has not stopped it."""
    cores = max(1, (os.cpu_count() or 1) // workers)
    if workers == 1:
        try:
            work(with_cores(sweep, cores), place, on_told)
        except KeyboardInterrupt:
            return False
        return True
    open_sweep(sweep, place)  # what is wrong is said once, here
    messages: Any = _SPAWN.Queue()
    deaths = 0
    processes: dict[int, BaseProcess] = {}
    try:
        for number in range(workers):
            processes[number] = _start(sweep, place, cores, number, messages)
        while processes:
            _tell_all(messages, on_told)
            for number, process in list(processes.items()):
                if process.is_alive():
                    continue
                del processes[number]
                if process.exitcode != 0:
                    deaths += 1
                    if deaths > PATIENCE:
                        raise UsageError(
                            f"processes of the sweep have died {deaths} times; the trials that are "
                            "complete are kept"
                        )
                    processes[number] = _start(sweep, place, cores, number, messages)
    except KeyboardInterrupt:
        return False  # workers have had their Ctrl-C, or get their end below
    finally:
        for process in processes.values():
            process.join(_TICK * 20)
            if process.is_alive():
                process.terminate()
                process.join()
    return True


def run_to_the_end(
    sweep: Sweep, place: Place, on_progress: OnProgress, workers: int | None = None
) -> bool:
    """Make the trials of a sweep that are missing; return whether all have ended.

    `on_progress` gets the number of trials that are done, and of all.
    """
    shares: dict[int, float] = {}
    found = summarise(sweep, open_sweep(sweep, place))
    if found.is_complete:  # no process has to be started
        return True
    before = len(found.complete)

    def on_told(told: Told) -> None:
        shares[told.number] = told.share
        on_progress(min(sweep.size, before + sum(shares.values())), sweep.size)

    run_workers(sweep, place, workers or os.cpu_count() or 1, on_told)
    return summarise(sweep, open_sweep(sweep, place)).is_complete


def _start(sweep: Sweep, place: Place, cores: int, number: int, messages: Any) -> BaseProcess:
    process = _SPAWN.Process(
        target=_work_in_process, args=(sweep, place, cores, number, messages), daemon=False
    )
    process.start()
    return process


def _work_in_process(sweep: Sweep, place: Place, cores: int, number: int, messages: Any) -> None:
    use_threads(cores)
    try:
        work(with_cores(sweep, cores), place, _seldom(messages.put), number)
    except KeyboardInterrupt:
        return


def _seldom(on_told: OnTold) -> OnTold:
    """Tells about every trial, and of one trial no more than there is time to read."""
    last: tuple[int, float] = (-1, 0.0)

    def tell(told: Told) -> None:
        nonlocal last
        now = time.monotonic()
        if told.number != last[0] or told.share >= 1 or now - last[1] >= _TICK:
            last = told.number, now
            on_told(told)

    return tell


def _tell_all(messages: Any, on_told: OnTold) -> None:
    """All that workers have said; waits a moment for the first."""
    try:
        told: Told = messages.get(timeout=_TICK)
        while True:
            on_told(told)
            told = messages.get_nowait()
    except queue.Empty:
        return
