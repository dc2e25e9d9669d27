"""A worker's end on a cluster: its job runs in a thread, and the learner asks for its messages."""

import os
import pickle
import queue
import threading
import time
from typing import Any, NamedTuple

import ray

from zerolab import __version__
from zerolab.training.selfplay.workforce import Failure, Job

OUTBOX = 32  # messages that a worker has ready, until it waits
_PAUSE = 0.005  # seconds
Model = tuple[int, list[Any]]
"""A step, and the reference to a network in the object store: in a list it is not resolved."""


class Hello(NamedTuple):
    """Says that a worker is at work."""

    pid: int
    node: str
    version: str


class Parcel(NamedTuple):
    """Messages on their way to the learner."""

    data: bytes
    """A list of messages. Arrays that Ray unpacks itself would stay in its object store."""
    finished: int
    """Messages that the worker has finished so far, with those that are not sent yet."""
    processor_seconds: float
    """Time that packing took."""


class RayWorker:
    """Does a job in a process of a cluster, which ends it when the learner is gone."""

    def __init__(self, job: Job, seed: int, model: Model) -> None:
        os.nice(job.nice)
        self._link = _Outbox(model)
        self._sent = 0.0  # the time of the last parcel
        threading.Thread(target=self._work, args=(job, seed), daemon=True).start()

    def hello(self) -> Hello:
        """Where it lives."""
        return Hello(os.getpid(), ray.get_runtime_context().get_node_id(), __version__)

    def publish(self, model: Model) -> None:
        """From now on this is the newest network."""
        self._link.model = model

    def take(self, pause: float) -> Parcel:
        """Messages as soon as there are any, but parcels this many seconds apart unless full."""
        messages = [self._link.outbox.get()]
        due = self._sent + pause
        while time.monotonic() < due and not self._link.outbox.full():
            time.sleep(_PAUSE)
        while len(messages) <= OUTBOX:
            try:
                messages.append(self._link.outbox.get_nowait())
            except queue.Empty:
                break
        self._sent = time.monotonic()
        started = time.thread_time()
        data = pickle.dumps(messages, pickle.HIGHEST_PROTOCOL)
        return Parcel(data, self._link.finished, time.thread_time() - started)

    def _work(self, job: Job, seed: int) -> None:
        try:
            job.work(self._link, seed, *job.arguments)
        except Exception as error:
            self._link.outbox.put(Failure.of(error))


class _Outbox:
    """The link of a job to a learner who asks."""

    def __init__(self, model: Model) -> None:
        self.outbox: queue.Queue[object] = queue.Queue(OUTBOX)
        self.finished = 0
        self.model = model
        self._known = -1

    def send(self, message: object) -> None:
        """Put a message where the learner finds it; waits while there are too many."""
        self.finished += 1
        self.outbox.put(message)

    def check(self) -> None:
        """Nothing to do: Ray ends this process if the learner is gone."""

    def new_model(self) -> tuple[int, bytes] | None:
        """The step and the bytes of the newest network; None if it was returned before."""
        step, references = self.model
        if step == self._known:
            return None
        self._known = step
        model: Any = ray.get(references[0])
        return step, bytes(model)
