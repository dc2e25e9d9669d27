"""What it gains in learning to keep freed memory (networks/machine.py).

Networks of Go 9x9 on one core, by processor time. The C library reads the environment when a
process begins, so every measurement is a process of its own; both ways take turns.
"""

import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from zerolab.benchmarks.learning.learning_speed import measure_apart, random_batch
from zerolab.games.go import Go
from zerolab.networks.architectures import make_recipe
from zerolab.networks.machine import ALLOCATOR_SETTINGS, one_thread
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.training.learner import Learner

GAME, ENCODING, BATCH = Go(9, 9), "golois", 256
NETWORKS = ("a0.tiny", "mobile.tiny.conv.bin")
RETURNED = {"MALLOC_PERTURB_": "0"}
"""Changes nothing by itself; but zerolab leaves an allocator alone that users have configured."""
ROUNDS = 3


class KeptMemorySpeed(NamedTuple):
    """Positions learnt in a second of processor time, the best of the rounds."""

    network: str
    kept: float
    returned: float

    @property
    def ratio(self) -> float:
        """How much faster it is to keep memory."""
        return self.kept / self.returned


def bench_kept_memory(
    seconds: float, on_progress: Callable[[int, int], None]
) -> list[KeptMemorySpeed]:
    """Both ways for each network, by turns."""
    plain = {
        name: each for name, each in os.environ.items() if not name.startswith(ALLOCATOR_SETTINGS)
    }
    speeds, total = [], len(NETWORKS) * ROUNDS
    for number, network in enumerate(NETWORKS):
        kept, returned = [], []
        for turn in range(ROUNDS):
            arguments = network, str(seconds)
            kept.append(measure_apart(__name__, arguments, plain))
            returned.append(measure_apart(__name__, arguments, plain | RETURNED))
            on_progress(number * ROUNDS + turn + 1, total)
        speeds.append(KeptMemorySpeed(network, max(kept), max(returned)))
    return speeds


def learning_speed(name: str, seconds: float) -> float:
    """Positions learnt in a second of processor time; the first batch is not counted."""
    recipe = make_recipe(name)
    network = Network(recipe.network, signature_of(GAME, ENCODING))
    learner = Learner(network, recipe.loss, learning_rate=0.005, is_half=True)
    batch = random_batch(network.signature, BATCH)
    with one_thread():
        learner.step(batch)
        started, count = time.process_time(), 0
        while (elapsed := time.process_time() - started) < seconds or count == 0:
            learner.step(batch)
            count += 1
    return count * BATCH / elapsed


if __name__ == "__main__":
    print(learning_speed(sys.argv[1], float(sys.argv[2])))
