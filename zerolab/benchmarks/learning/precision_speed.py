"""Positions learnt a second in 32 bits and with convolutions in bfloat16, on one core."""

from collections.abc import Callable
from typing import NamedTuple

from zerolab.benchmarks.learning.learning_speed import random_batch
from zerolab.benchmarks.measuring import measure, repeated
from zerolab.games.clobber import Clobber
from zerolab.networks.machine import one_thread
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.training.learner import Learner
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import jans, ours

FULL, HALF = "float32", "bfloat16"
CASES: dict[str, tuple[Clobber, Callable[[Clobber], TrainingConfig]]] = {
    "zerolab, 5x5": (Clobber(5, 5), ours),
    "zerolab, 10x10": (Clobber(10, 10), ours),
    "jans, 5x5": (Clobber(5, 5), jans),
}


class PrecisionSpeed(NamedTuple):
    """Positions a second with the network of a preset."""

    preset: str
    full: float
    half: float

    @property
    def ratio(self) -> float:
        """How much faster bfloat16 is."""
        return self.half / self.full


def bench_precision(
    seconds: float, on_progress: Callable[[int, int], None]
) -> list[PrecisionSpeed]:
    """Both precisions by turns, for each preset."""
    speeds = []
    for number, (name, (game, preset)) in enumerate(CASES.items(), start=1):
        speeds.append(PrecisionSpeed(name, *learning_speeds(game, preset(game), seconds)))
        on_progress(number, len(CASES))
    return speeds


def learning_speeds(game: Clobber, config: TrainingConfig, seconds: float) -> tuple[float, float]:
    """Positions learnt a second in float32 and in bfloat16."""
    size = config.learner.train_batch_size
    batch = random_batch(signature_of(game, config.encoding), size)
    learners = {}
    for precision in (FULL, HALF):
        network = Network(config.recipe.network, signature_of(game, config.encoding))
        learners[precision] = Learner(network, config.recipe.loss, 1e-3, precision == HALF)
    with one_thread():
        found = measure(
            {name: repeated(each.step, batch) for name, each in learners.items()}, seconds
        )
    return size * found[FULL], size * found[HALF]
