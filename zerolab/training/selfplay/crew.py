"""Processes that work for the learner.

Each worker has a pipe of its own, so that a killed worker, at whatever moment, loses only its own
message; it is restarted. A network reaches all of them through a file that is replaced atomically;
a number in shared memory announces it. Workers end by themselves when the learner is gone, and
ignore Ctrl-C, which the learner handles.

Messages wait in a queue of limited length. When it is full the pipes fill up, and the workers wait.
"""

import contextlib
import ctypes
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.training.selfplay.workforce import (
    CAPACITY,
    PATIENCE,
    SOON,
    UNLIMITED,
    Failure,
    Job,
    Seeds,
    cores_beside,
)

# Forked processes would inherit the threads' locks of PyTorch and ONNX Runtime, not the threads.
_SPAWN = multiprocessing.get_context("spawn")
_TICK = 0.2  # seconds


class PipeLink:
    """A worker's connection to the learner on the same machine."""

    def __init__(self, connection: Any, newest: Any, path: Path) -> None:
        self._connection = connection
        self._newest = newest
        self._path = path
        self._known = -1

    def send(self, message: object) -> None:
        """Send a message; waits while the pipe is full. BrokenPipeError if the learner is gone."""
        self._connection.send(message)

    def check(self) -> None:
        """Raise BrokenPipeError, which ends the worker, if the learner is gone."""
        parent = multiprocessing.parent_process()
        if parent is not None and not parent.is_alive():
            raise BrokenPipeError

    def new_model(self) -> tuple[int, bytes] | None:
        """The step and the bytes of the newest network; None if it was returned before."""
        newest = int(self._newest.value)
        if newest == self._known:
            return None
        self._known = newest
        return newest, self._path.read_bytes()


class Crew:
    """The workers, seen from the learner: a process for each job."""

    def __init__(self, players: Sequence[Job], path: Path, others: Sequence[Job] = ()) -> None:
        """The file `path` holds the current network for the workers."""
        self.deaths = 0
        """Workers that had to be started again."""
        if len(players) == UNLIMITED:
            players = players[: cores_beside(1)]
        self.players = self.neighbours = len(players)
        self.figures: dict[str, Any] = {}
        self._jobs = [*players, *others]
        self._path = path
        self._newest = _SPAWN.RawValue(ctypes.c_int64, 0)
        self._messages: queue.Queue[object] = queue.Queue(CAPACITY)
        self._closing = threading.Event()
        self._failure: str | None = None
        self._workers: list[_Worker] = []
        self._listener = threading.Thread(target=self._listen, daemon=True)

    def start(self, step: int, model: bytes, seed: int) -> None:
        """Publish the first network and start a process for each job."""
        self.publish(step, model)
        for number, job in enumerate(self._jobs):
            worker = _Worker(job, Seeds(seed, number))
            try:
                worker.start(self._newest, self._path)
            except OSError as error:
                raise UsageError(f"{job.name} cannot be started: {error.strerror}") from None
            self._workers.append(worker)
        self._listener.start()

    def publish(self, step: int, model: bytes) -> None:
        """Replace the network that all workers use."""
        with replacing(self._path) as file:
            file.write(model)
        self._newest.value = step

    def take(self) -> object:
        """The next message; waits for one."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self._messages.get(timeout=_TICK)
            if self._failure is not None:
                raise UsageError(self._failure)

    @property
    def waiting(self) -> int:
        """Number of messages that have arrived but were not taken yet."""
        return self._messages.qsize()

    @property
    def pids(self) -> dict[str, int]:
        """The process of each worker."""
        return {each.job.name: each.process.pid for each in self._workers if each.process.pid}

    def close(self) -> None:
        """End all workers; the games they are playing are lost."""
        self._closing.set()
        if self._listener.is_alive():  # first, so that it starts nobody again
            self._listener.join()
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(5)
            if worker.process.is_alive():
                worker.process.kill()

    def _listen(self) -> None:
        try:
            self._hear_all()
        except Exception as error:  # else the learner would wait for ever
            self._failure = f"the workers cannot be heard any more: {error!r}"

    def _hear_all(self) -> None:
        while not self._closing.is_set() and self._failure is None:
            ready = wait([worker.connection for worker in self._workers], timeout=_TICK)
            for worker in [each for each in self._workers if each.connection in ready]:
                try:
                    message = worker.connection.recv()
                except Exception:  # the end of the pipe, or half a message
                    self._restart(worker)
                    continue
                if isinstance(message, Failure):
                    worker.failure = message.text
                else:
                    self._deliver(message)

    def _deliver(self, message: object) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(queue.Full):
                self._messages.put(message, timeout=_TICK)
                return

    def _restart(self, worker: "_Worker") -> None:
        """Restart a worker that has died, unless it died several times soon after starting."""
        if self._closing.is_set():
            return
        self.deaths += 1
        worker.early_deaths = worker.early_deaths + 1 if worker.age < SOON else 1
        if worker.early_deaths >= PATIENCE:
            reason = worker.failure or f"exit code {worker.exit_code()}"
            self._failure = f"{worker.job.name} died {PATIENCE} times in a row: {reason}"
            return
        worker.start(self._newest, self._path)


class _Worker:
    """A worker process and its replacements."""

    process: Any
    connection: "Connection[Any, Any]"

    def __init__(self, job: Job, seeds: Seeds) -> None:
        self.job = job
        self.early_deaths = 0
        self.failure = ""
        self._seeds = seeds
        self._born = 0.0

    def start(self, newest: Any, path: Path) -> None:
        mine, theirs = _SPAWN.Pipe(duplex=False)
        arguments = theirs, newest, path, self.job, self._seeds.take()
        process = _SPAWN.Process(target=_work, args=arguments, daemon=True)
        with _without_interrupts():
            process.start()
        theirs.close()
        self.process, self.connection = process, mine
        self.failure = ""
        self._born = time.monotonic()

    @property
    def age(self) -> float:
        return time.monotonic() - self._born

    def exit_code(self) -> int | None:
        self.process.join(1)
        code: int | None = self.process.exitcode
        return code


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that are started in the block ignore Ctrl-C from the beginning."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Any, newest: Any, path: Path, job: Job, seed: int) -> None:
    """Do the job until the learner is gone; an error is sent to the learner."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(job.nice)
    try:
        job.work(PipeLink(connection, newest, path), seed, *job.arguments)
    except (BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send(Failure.of(error))
        raise SystemExit(1) from None
