"""Positions learnt a second on all cores, alone and beside busy programs.

PyTorch divides each layer among its threads and waits for the last one. Its OpenMP library lets the
others spin for milliseconds before they sleep. Where another program has taken a core, the thread
that all others wait for does not run, and those that spin keep it from running. zerolab lets them
spin for microseconds only (zerolab/__init__.py).

How threads wait is fixed when PyTorch is loaded, so every measurement is a process of its own.
"""

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.othello import Othello
from zerolab.networks.machine import at_most
from zerolab.networks.signature import Signature, signature_of
from zerolab.networks.torch_network import Network
from zerolab.records.samples import Batch
from zerolab.training.learner import Learner
from zerolab.training.settings.staged_config import StagedConfig

GAME = Othello(6, 6)
CONFIG = StagedConfig().changed(nn_width=64)  # the network of wang, made narrow
BRIEFLY, LONG, NEVER, ALONE = "spin briefly", "spin long", "sleep at once", "one thread"
# Turns of the loop that a thread spins in; 300,000 is what the library does by itself.
SPINS = {BRIEFLY: "1000", LONG: "300000", NEVER: "0", ALONE: "0"}
_STARTING = 120.0  # seconds until a process must have loaded PyTorch, on a very busy machine


class LearningSpeed(NamedTuple):
    """Positions a second, one way of waiting."""

    name: str
    idle: float
    busy: float

    @property
    def kept(self) -> float:
        """The share of its speed that it keeps beside busy programs."""
        return self.busy / self.idle


def bench_learning(
    seconds: float, on_progress: Callable[[int, int], None]
) -> tuple[int, list[LearningSpeed]]:
    """Speeds with and without busy processes, of which there are as many as cores."""
    others = os.cpu_count() or 1
    speeds, total = [], 2 * len(SPINS)
    for number, name in enumerate(SPINS):
        idle = _measure_apart(name, seconds)
        on_progress(2 * number + 1, total)
        with busy_processes(others, _STARTING + 2 * seconds):
            busy = _measure_apart(name, seconds)
        on_progress(2 * number + 2, total)
        speeds.append(LearningSpeed(name, idle, busy))
    return others, speeds


@contextmanager
def busy_processes(count: int, seconds: float) -> Iterator[None]:
    """Processes that compute while the block runs; they end by themselves after `seconds`."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_spin, args=(seconds,), daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def _measure_apart(name: str, seconds: float) -> float:
    """The speed that another process measures."""
    environment = {**os.environ, "GOMP_SPINCOUNT": SPINS[name]}
    environment.pop("OMP_WAIT_POLICY", None)  # the other way to say it
    return measure_apart(__name__, (name, str(seconds)), environment)


def measure_apart(module: str, arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    """What a module prints when it runs in a process of its own."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"learning could not be measured: {done.stderr.strip()[-200:]}")
    return float(done.stdout)


def learning_speed(threads: int, seconds: float) -> float:
    """Positions learnt a second in this process; the first batch is not counted."""
    network = Network(CONFIG.recipe.network, signature_of(GAME, CONFIG.encoding))
    learner = Learner(network, CONFIG.recipe.loss, CONFIG.learner.learning_rate)
    batch = random_batch(network.signature, CONFIG.learner.train_batch_size)
    with at_most(threads):
        learner.step(batch)
        started, count = time.perf_counter(), 0
        while (elapsed := time.perf_counter() - started) < seconds or count == 0:
            learner.step(batch)
            count += 1
    return count * CONFIG.learner.train_batch_size / elapsed


def random_batch(signature: Signature, size: int) -> Batch:
    """A batch to learn from that means nothing."""
    draw = np.random.default_rng(1)
    return Batch(
        draw.random((size, *signature.input_shape), np.float32),
        np.ones((size, signature.actions), np.bool_),
        np.full((size, signature.actions), 1 / signature.actions, np.float32),
        draw.uniform(-1, 1, size).astype(np.float32),
        np.ones(size, np.float32),
    )


if __name__ == "__main__":
    print(learning_speed(1 if sys.argv[1] == ALONE else os.cpu_count() or 1, float(sys.argv[2])))
