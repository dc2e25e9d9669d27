"""The worker processes of the server, seen from its event loop.

    pool = WorkerPool(2)
    job = pool.submit(task, on_message, on_end)
    job.cancel()

Tasks that somebody waits for, such as the reply in a game, come first; analyses leave one worker
free for them. A task that does not stop when it is told to is ended with its process.
"""

import asyncio
import contextlib
import itertools
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from zerolab.interfaces.web.workers.search_worker import (
    QUIT,
    STOP,
    Compiling,
    Done,
    Task,
    serve_tasks,
)

GRACE = 1.0  # seconds that a task has to stop
COMPILING = 60.0  # seconds that a kernel may take; its process is not ended while it compiles
LOST = "the process that computed this has ended; try again"

OnMessage = Callable[[Any], None]
OnEnd = Callable[[str], None]
OnCompiling = Callable[[], None]


class Job:
    """A task that was submitted; it tells nothing more once it is cancelled."""

    def __init__(
        self,
        pool: "WorkerPool",
        number: int,
        task: Task,
        tells: tuple[OnMessage, OnEnd, OnCompiling],
        slow: bool,
    ) -> None:
        self.number = number
        self.task = task
        self.slow = slow
        self.is_over = False
        self.is_compiling = False
        self._pool = pool
        self._tells = tells

    def cancel(self) -> None:
        """Nobody wants the result any more."""
        if not self.is_over:
            self.is_over = True
            self._pool.drop(self)

    def hear(self, message: Any) -> None:
        """What the worker said."""
        if self.is_over:
            return
        self.is_compiling = isinstance(message, Compiling)
        if isinstance(message, Compiling):
            self._tells[2]()
        elif isinstance(message, Done):
            self.is_over = True
            self._tells[1](message.failure)
        else:
            self._tells[0](message)


class WorkerPool:
    """A few processes, begun when they are first needed."""

    def __init__(self, workers: int = 2) -> None:
        self.most = max(2, workers)
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._numbers = itertools.count(1)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def submit(
        self,
        task: Task,
        on_message: OnMessage,
        on_end: OnEnd = lambda failure: None,
        slow: bool = False,
        on_compiling: OnCompiling = lambda: None,
    ) -> Job:
        """Have a task done; call from the event loop. `slow` ones leave a worker to the others."""
        self._loop = asyncio.get_running_loop()
        job = Job(self, next(self._numbers), task, (on_message, on_end, on_compiling), slow)
        self._waiting.append(job)
        self._assign()
        return job

    def drop(self, job: Job) -> None:
        """Forget a job that waits, or stop it."""
        if job in self._waiting:
            self._waiting.remove(job)
            return
        for worker in self._workers:
            if worker.job is job:
                worker.stop()

    def close(self) -> None:
        """End all workers and wait for them."""
        self._closed = True
        self._waiting.clear()
        for worker in self._workers:
            worker.quit()
        for worker in self._workers:
            worker.wait()
        self._workers.clear()

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that are alive."""
        return [worker.process.pid or 0 for worker in self._workers if worker.process.is_alive()]

    def _assign(self) -> None:
        if self._closed:
            return
        for job in sorted(self._waiting, key=lambda job: (job.slow, job.number)):
            slow = sum(1 for worker in self._workers if worker.job is not None and worker.job.slow)
            if job.slow and slow >= self.most - 1:
                return
            idle = [each for each in self._workers if each.job is None]
            # A worker that has loaded the player before is best, then one that has loaded none.
            player = getattr(job.task, "player", None)
            idle.sort(key=lambda each: (each.player != player, each.player is not None))
            worker = idle[0] if idle else None
            if worker is None:
                if len(self._workers) >= self.most:
                    return
                worker = _Worker(self._hear)
                self._workers.append(worker)
            self._waiting.remove(job)
            worker.begin(job)

    def _hear(self, worker: "_Worker", message: Any) -> None:
        """From the thread of a worker."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._take, worker, message)

    def _take(self, worker: "_Worker", message: Any) -> None:
        job = worker.job
        if message is None:  # its process is gone
            if worker in self._workers:
                self._workers.remove(worker)
            worker.job = None
            if job is not None and not self._closed:
                job.hear(Done(LOST))
        else:
            number, what = message
            if job is None or job.number != number:
                return
            if isinstance(what, Done):
                worker.job = None
            worker.heard = time.monotonic() if isinstance(what, Compiling) else 0.0
            job.hear(what)
        self._assign()


class _Worker:
    """A process, and the thread that listens to it."""

    def __init__(self, hear: Callable[["_Worker", Any], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self.process = context.Process(target=serve_tasks, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.job: Job | None = None
        self.player: str | None = None
        """The one that it has used last, and keeps."""
        self.heard = 0.0
        """When it last said that it compiles."""
        self._timer: asyncio.TimerHandle | None = None
        self._hear = hear
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, job: Job) -> None:
        """Send a task."""
        self.job = job
        self.player = getattr(job.task, "player", self.player)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._send((job.number, job.task))

    def stop(self) -> None:
        """Ask the task to stop; end the process if it does not."""
        self._send(STOP)
        number = self.job.number if self.job is not None else 0

        def insist() -> None:
            if self.job is None or self.job.number != number:
                return
            if time.monotonic() - self.heard < COMPILING:
                self._timer = loop.call_later(GRACE, insist)
            else:
                self.process.terminate()

        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(GRACE, insist)

    def quit(self) -> None:
        """Ask the process to end."""
        self._send(QUIT)

    def wait(self) -> None:
        """Wait for its end, and force it if it takes long."""
        self.process.join(GRACE)
        if self.process.is_alive():
            self.process.terminate()
            self.process.join(GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()

    def _send(self, message: Any) -> None:
        with contextlib.suppress(OSError):  # it is gone, and the thread will say so
            self._pipe.send(message)

    def _listen(self) -> None:
        try:
            while True:
                self._hear(self, self._pipe.recv())
        except (EOFError, OSError):
            self._hear(self, None)
