"""Processes that make the trials of a sweep, each with its share of the cores.

Any number of processes may join, from other terminals too: they take trials from the same queue. A
worker that is killed costs the trial it had in hand, which is put back.
"""

import multiprocessing
import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import OnTold, Told, run_trial, take
from zerolab.networks.machine import use_threads
from zerolab.training.selfplay.workforce import Hire, Job, Link
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
    deaths = 0
    running: dict[int, _Worker] = {}
    try:
        for number in range(workers):
            running[number] = _start(sweep, place, cores, number)
        while running:
            wait([worker.told for worker in running.values()], _TICK)
            for number, worker in list(running.items()):
                worker.hand_on(on_told)
                if worker.process.is_alive():
                    continue
                worker.hand_on(on_told)  # its last words
                worker.told.close()
                del running[number]
                if worker.process.exitcode != 0:
                    deaths += 1
                    if deaths > PATIENCE:
                        raise UsageError(
                            f"processes of the sweep have died {deaths} times; the trials that are "
                            "complete are kept"
                        )
                    running[number] = _start(sweep, place, cores, number)
    except KeyboardInterrupt:
        return False  # workers have had their Ctrl-C, or get their end below
    finally:
        for worker in running.values():
            worker.told.close()  # one that has no Ctrl-C of its own stops when it next tells
        for worker in running.values():
            worker.process.join(_TICK * 20)
            if worker.process.is_alive():
                worker.process.terminate()
                worker.process.join()
    return True


class Finished(NamedTuple):
    """Says that no trial is left for a worker."""

    number: int


def work_for(link: Link, seed: int, sweep: Sweep, place: Place, cores: int, number: int) -> None:
    """Make trials wherever a cluster has room, and send how far they are."""
    use_threads(cores)
    work(with_cores(sweep, cores), place, _seldom(link.send), number)
    link.send(Finished(number))


def run_hired(
    sweep: Sweep,
    place: Place,
    workers: int,
    cores: int,
    hire: Hire,
    on_told: OnTold = lambda told: None,
) -> bool:
    """`run_workers` with workers that live elsewhere, for whom `place` is the same directory."""
    open_sweep(sweep, place)
    jobs = [
        Job(f"worker {number + 1} of the sweep", work_for, (sweep, place, cores, number))
        for number in range(workers)
    ]
    crew = hire(jobs, place.directory)
    finished: set[int] = set()
    try:
        crew.start(0, b"", sweep.seed)
        while not finished or len(finished) < crew.players:  # there may not be room for all
            message = crew.take()
            if isinstance(message, Finished):
                finished.add(message.number)
            elif isinstance(message, Told):
                on_told(message)
    except KeyboardInterrupt:
        return False
    finally:
        crew.close()
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


class _Worker(NamedTuple):
    """A process, and where it tells how far it is.

    Each has a pipe of its own. In a queue that all share, one that is killed while it writes would
    keep the lock, and the others would wait for it without end.
    """

    process: BaseProcess
    told: "Connection[Told, Told]"

    def hand_on(self, on_told: OnTold) -> None:
        """Pass on all that it has said; nothing more comes from one that has ended."""
        while True:
            try:
                if not self.told.poll():
                    return
                told = self.told.recv()
            except (EOFError, OSError):  # it has ended, or was killed in the middle of a message
                self.process.join(_TICK)
                return
            on_told(told)


def _start(sweep: Sweep, place: Place, cores: int, number: int) -> _Worker:
    reader, writer = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(
        target=_work_in_process, args=(sweep, place, cores, number, writer), daemon=False
    )
    process.start()
    writer.close()  # the worker's copy is the only one, so that its end is noticed
    return _Worker(process, reader)


def _work_in_process(
    sweep: Sweep, place: Place, cores: int, number: int, pipe: "Connection[Told, Told]"
) -> None:
    use_threads(cores)

    def tell(told: Told) -> None:
        try:
            pipe.send(told)
        except OSError:  # whoever listened is gone
            raise KeyboardInterrupt from None

    try:
        work(with_cores(sweep, cores), place, _seldom(tell), number)
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
