"""Workers on a cluster of Ray, seen from the learner.

As many players as allowed live wherever a processor is free, one for each; other workers live
beside them and take no processor of their own. Every worker is asked for its messages, and asked
again when they have come. A worker that does not answer any more is given up: what it had not sent
is lost, and as soon as a processor is free, somewhere, another begins in its place with a seed of
its own. So players follow the nodes that come and go.

Games and everything else have queues of their own: evaluations do not wait behind games. While the
queue of games is full no player is asked, and those whose outboxes are full wait.

A network is put into the object store once; Ray brings it to each node once. Workers belong to the
learner's process, so that Ray ends them with it.
"""

import contextlib
import pickle
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.experiments.engines.ray_worker import Hello, Model, Parcel, RayWorker
from zerolab.training.selfplay.workforce import CAPACITY, PATIENCE, SOON, Failure, Job, Seeds

PAUSE = 0.1  # seconds between two parcels of a worker, at least
MOST_PARCELS = 500  # a second, of all workers: the learner's machine unpacks them
_LOOK = 0.5  # seconds between two looks for free processors
_REST = 5.0  # seconds after which one is tried again who died before saying anything
_TICK = 0.2  # seconds
_ROOM = 30.0  # seconds that a cluster has to offer the first processor


class RayCrew:
    """A worker for each job for which there is room."""

    def __init__(
        self, players: Sequence[Job], path: Path, others: Sequence[Job] = (), processors: int = 1
    ) -> None:
        """Networks go through the object store; no file at `path` is needed.

        Each player takes this many processors, all on one node.
        """
        self.processors = processors
        self.deaths = 0
        """Workers that have died."""
        self.started = 0
        """Workers that were started, replacements included."""
        self.counts = Counts()
        self._jobs = [*players, *others]
        self._most_players = len(players)
        self._seeds: dict[int, Seeds] = {}
        self._early_deaths: dict[int, int] = {}
        self._workers: dict[int, _Worker] = {}  # by the number of their job
        self._newest: Model = 0, []
        self._lock = threading.Lock()  # of what the learner and the listener both change
        self._games: deque[object] = deque()
        self._verdicts: deque[object] = deque()
        self._arrived = threading.Condition()
        self._closing = threading.Event()
        self._failure: str | None = None
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._next_look = 0.0
        self._here = ray.get_runtime_context().get_node_id()

    def start(self, step: int, model: bytes, seed: int) -> None:
        """Publish the first network and start workers while there is room."""
        self._seeds = {number: Seeds(seed, number) for number in range(len(self._jobs))}
        self.publish(step, model)
        deadline = time.monotonic() + _ROOM
        while self._most_players and _free_processors() < self.processors:
            if time.monotonic() > deadline:
                raise UsageError(
                    f"the cluster has less than {self.processors} free processors for a worker; "
                    "add a node, or end what uses them (ray status shows it)"
                )
            time.sleep(_TICK)
        self._listener.start()

    def publish(self, step: int, model: bytes) -> None:
        """Replace the network that all workers use."""
        started = time.perf_counter()
        newest = step, [ray.put(model)]
        with self._lock:
            self._newest = newest
            workers = list(self._workers.values())
        for worker in workers:
            worker.handle.publish.remote(newest)
        self.counts.broadcast_seconds = time.perf_counter() - started

    def take(self) -> object:
        """The next message, one about the network before one with games; waits for one."""
        while True:
            with self._arrived:
                for queue in (self._verdicts, self._games):
                    if queue:
                        return queue.popleft()
                self._arrived.wait(_TICK)
            if self._failure is not None:
                raise UsageError(self._failure)

    @property
    def waiting(self) -> int:
        """Number of messages that have arrived but were not taken yet."""
        return len(self._games) + len(self._verdicts)

    @property
    def players(self) -> int:
        """Workers that play now."""
        return sum(self._plays(each.number) and each.is_at_work for each in self._all())

    @property
    def neighbours(self) -> int:
        """Those that play on the learner's node."""
        return sum(self._plays(each.number) and each.node == self._here for each in self._all())

    @property
    def pids(self) -> dict[str, int]:
        """The process of each worker that is at work."""
        return {each.job.name: each.pid for each in self._all() if each.is_at_work}

    @property
    def figures(self) -> dict[str, Any]:
        """What is counted, for the log."""
        nodes = {each.node for each in self._all() if each.is_at_work}
        return {"name": "ray", "nodes": len(nodes), "workers": self.started, **self.counts.fields}

    def close(self) -> None:
        """End all workers; the games they are playing are lost."""
        self._closing.set()
        if self._listener.is_alive():  # first, so that it starts nobody again
            self._listener.join()
        for worker in self._workers.values():
            worker.end()

    def _all(self) -> "list[_Worker]":
        with self._lock:
            return list(self._workers.values())

    def _plays(self, number: int) -> bool:
        return number < self._most_players

    def _listen(self) -> None:
        try:
            while not self._closing.is_set() and self._failure is None:
                self._fill_places()
                self._ask()
                self._hear()
        except Exception as error:  # else the learner would wait for ever
            self._failure = f"the workers cannot be heard any more: {error!r}"

    def _fill_places(self) -> None:
        """Start workers that are missing, players if a processor is free for them."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK
        missing = [number for number in range(len(self._jobs)) if number not in self._workers]
        playing = [number for number in missing if self._plays(number)]
        starting = any(
            self._plays(number) and not each.is_at_work for number, each in self._workers.items()
        )  # which are not yet seen in the figures of free processors
        free = 0 if starting or not playing else _free_processors() // self.processors
        for number in [*playing[:free], *missing[len(playing) :]]:
            with self._lock:  # it gets the newest network now, or by `publish`
                self._workers[number] = _Worker(
                    *(number, self._jobs[number], self._seeds[number].take(), self._newest),
                    self.processors * self._plays(number),
                )
            self.started += 1

    def _ask(self) -> None:
        """Ask those who have answered for more, if there is room for it."""
        pause = max(PAUSE, len(self._workers) / MOST_PARCELS)
        for number, worker in self._workers.items():
            queue = self._games if self._plays(number) else self._verdicts
            if worker.answer is None and len(queue) < CAPACITY:
                worker.answer = worker.handle.take.remote(pause)

    def _hear(self) -> None:
        asked = {each.answer: each for each in self._workers.values() if each.answer is not None}
        if not asked:
            time.sleep(_TICK / 10)
            return
        ready, _ = ray.wait(list(asked), num_returns=1, timeout=_TICK)
        if ready:
            ready, _ = ray.wait(list(asked), num_returns=len(asked), timeout=0)
        for answer in ready:
            worker = asked[answer]
            worker.answer = None
            try:
                found = ray.get(answer)
            except RayError as error:
                if worker.received == 0:  # perhaps on a node that is gone, which Ray notices late
                    self._next_look = time.monotonic() + _REST
                self._lose(worker, _reason(error))
                continue
            if isinstance(found, Hello):
                self._welcome(worker, found)
            else:
                self._unpack(worker, found)

    def _welcome(self, worker: "_Worker", hello: Hello) -> None:
        if hello.version != __version__:
            self._failure = (
                f"a node of the cluster has zerolab {hello.version}, and this is {__version__}; "
                "install the same everywhere"
            )
        worker.pid, worker.node = hello.pid, hello.node

    def _unpack(self, worker: "_Worker", parcel: Parcel) -> None:
        started = time.thread_time()
        messages = pickle.loads(parcel.data)
        failures = [each for each in messages if isinstance(each, Failure)]
        good = [each for each in messages if not isinstance(each, Failure)]
        with self._arrived:
            (self._games if self._plays(worker.number) else self._verdicts).extend(good)
            self._arrived.notify()
        if self._plays(worker.number):
            self.counts.finished += parcel.finished - worker.finished
            self.counts.received += len(good)
            self.counts.parcels += 1
            self.counts.bytes += len(parcel.data)
            self.counts.packing_seconds += parcel.processor_seconds
            self.counts.unpacking_seconds += time.thread_time() - started
        worker.finished = parcel.finished
        worker.received += len(good)
        if failures:
            self._lose(worker, failures[0].text, time.monotonic() - worker.born < SOON)

    def _lose(self, worker: "_Worker", reason: str, is_early: bool = False) -> None:
        """Give up a worker; its place is filled when there is room.

        One that ends early several times, or always before its first message, cannot live at all.
        """
        if self._closing.is_set():
            return
        number = worker.number
        self.deaths += 1
        with self._lock:
            del self._workers[number]
        worker.end()  # it may only be out of reach
        if self._plays(number):
            self.counts.lost += worker.finished - worker.received
        is_early = is_early or worker.received == 0
        self._early_deaths[number] = self._early_deaths.get(number, 0) + 1 if is_early else 0
        if self._early_deaths[number] >= PATIENCE:
            self._failure = f"{worker.job.name} died {PATIENCE} times in a row: {reason}"


class Counts:
    """Messages with games, and what they cost the engine; since the learner was started."""

    def __init__(self) -> None:
        self.finished = 0
        """That players have said they have finished."""
        self.received = 0
        self.lost = 0
        """That players had said they have finished, and took with them when they died."""
        self.parcels = 0
        """In which messages came."""
        self.bytes = 0
        self.packing_seconds = 0.0
        """Processor time of all players."""
        self.unpacking_seconds = 0.0
        """Processor time on the learner's machine."""
        self.broadcast_seconds = 0.0
        """That publishing the last network took the learner."""

    @property
    def fields(self) -> dict[str, float]:
        """For the log."""
        return dict(vars(self))


class _Worker:
    """A process somewhere in the cluster, which Ray does not replace."""

    def __init__(self, number: int, job: Job, seed: int, model: Model, processors: int) -> None:
        self.number = number
        self.job = job
        self.pid, self.node = 0, ""
        self.finished, self.received = 0, 0
        self.born = time.monotonic()
        options = {"num_cpus": processors, "max_restarts": 0, "max_concurrency": 3}
        made: Any = ray.remote(RayWorker)
        self.handle = made.options(**options).remote(job, seed, model)
        self.answer: Any = self.handle.hello.remote()

    @property
    def is_at_work(self) -> bool:
        return self.node != ""

    def end(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self.handle)


def _free_processors() -> int:
    found: dict[str, float] = ray.available_resources()  # type: ignore[no-untyped-call]
    return int(found.get("CPU", 0))


def _reason(error: RayError) -> str:
    """The last line of what Ray says."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
