"""Positions a second of networks on one core: PyTorch, ONNX Runtime, 8 bits; and the limit.

The limit is what the core can multiply and add: the best rate of matrix products in the same run.
A network's share of it is its multiply-adds a second over that rate.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.benchmarks.measuring import measure, random_position, repeated
from zerolab.encodings.views import make_view
from zerolab.games.base import Game, State
from zerolab.games.clobber import Clobber
from zerolab.games.notation import num_actions
from zerolab.kernels.rng import stream
from zerolab.networks.architectures import NetworkConfig, make_recipe
from zerolab.networks.machine import MULTIPLY_ADDS, multiply_matrices, one_thread
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import Floats, cazenave_signature, signature_of
from zerolab.networks.summary import summarise
from zerolab.networks.torch_evaluator import TorchEvaluator
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.records.samples import Batch, Samples

Evaluate = Callable[[Floats], tuple[Floats, Floats]]

GAME = Clobber(5, 5)
CALIBRATION = 512  # positions that calibrate the ranges of 8-bit numbers

_SMALL = {"policy": "conv", "value": "pooled", "value_hidden": (50,)}
NETWORKS = {
    "resnet 128x6 (jans)": make_recipe("resnet").network,
    "resnet 64x6": make_recipe("resnet", width=64).network,
    "resnet 32x4": NetworkConfig.model_validate({"width": 32, "depth": 4} | _SMALL),
    "resnet 32x4, squeeze": NetworkConfig.model_validate(
        {"width": 32, "depth": 4, "context": "squeeze"} | _SMALL
    ),
    "resnet 32x4, pooling": NetworkConfig.model_validate(
        {"width": 32, "depth": 4, "context": "pooling"} | _SMALL
    ),
    "mobile 64/200x6": NetworkConfig.model_validate(
        {"trunk": "mobile", "width": 64, "inner": 200, "depth": 6} | _SMALL
    ),
    "mobile 32/96x4": NetworkConfig.model_validate(
        {"trunk": "mobile", "width": 32, "depth": 4} | _SMALL
    ),
}
BATCHES = (1, 16, 64, 256)
DEEP = ("a0.small", "mobile.small.conv.bin")  # a million parameters: how fast are new weights?


class InferenceSpeed(NamedTuple):
    """Positions a second of one network at one batch size."""

    network: str
    batch: int
    multiply_adds: int
    torch: float
    onnx: float
    int8: float


class InferenceBench(NamedTuple):
    """All that is measured."""

    speeds: list[InferenceSpeed]
    peak: float
    """Multiply-adds a second of matrix products, the best of the run."""
    refresh: dict[str, float]
    """Milliseconds from new weights in PyTorch to an evaluator that works with them."""
    changes: dict[str, tuple[float, float]]
    """What 8 bits change: mean distance of policies (total variation), and of values."""

    def share(self, speed: InferenceSpeed) -> float:
        """Of the limit, for ONNX Runtime."""
        return speed.onnx * speed.multiply_adds / self.peak


def bench_inference(seconds: float, on_progress: Callable[[int, int], None]) -> InferenceBench:
    """`seconds` for each contestant at each batch size."""
    with one_thread():
        return _bench(seconds, on_progress)


def _bench(seconds: float, on_progress: Callable[[int, int], None]) -> InferenceBench:
    positions = random_batch(GAME, max(*BATCHES, CALIBRATION))
    planes = positions.planes
    bench = InferenceBench([], 0.0, {}, {})
    for name in DEEP:
        network = Network(make_recipe(name).network, cazenave_signature(19, 19)).eval()
        evaluator = OnnxEvaluator(network.to_onnx())
        bench.refresh[f"{name}, Go 19x19"] = _refresh_milliseconds(network, evaluator, seconds)
    for number, (name, config) in enumerate(NETWORKS.items()):
        network = Network(config, signature_of(GAME)).eval()
        model = network.to_onnx()
        evaluators: dict[str, Evaluate] = {
            "torch": TorchEvaluator(network),
            "onnx": (onnx := OnnxEvaluator(model)),
            "int8": OnnxEvaluator(quantise(model, planes[:CALIBRATION])),
        }
        bench.changes[name] = distances(onnx(planes), evaluators["int8"](planes), positions.legal)
        bench.refresh[name] = _refresh_milliseconds(network, onnx, seconds)
        peak = measure({"": multiply_matrices}, seconds)[""] * MULTIPLY_ADDS
        bench = bench._replace(peak=max(bench.peak, peak))
        multiply_adds = summarise(network).multiply_adds
        for index, batch in enumerate(BATCHES):
            rates = measure(
                {kind: repeated(evaluate, planes[:batch]) for kind, evaluate in evaluators.items()},
                seconds,
            )
            speeds = {kind: batch * rate for kind, rate in rates.items()}
            bench.speeds.append(InferenceSpeed(name, batch, multiply_adds, **speeds))
            on_progress(number * len(BATCHES) + index + 1, len(NETWORKS) * len(BATCHES))
    return bench


def random_batch(game: Game, count: int, encoding: str = "own") -> Batch:
    """Positions from the middle of random games."""
    rng = stream(1)
    states: list[State] = []
    while len(states) < count:
        state = random_position(game, len(states) % game.cols + game.rows, rng)
        if state is not None:
            states.append(state)
    policy, ones = np.zeros((count, num_actions(game)), np.float32), np.ones(count, np.float32)
    return make_batch(
        game, make_view(game, encoding), Samples(np.array(states), policy, ones, ones)
    )


def distances(
    one: tuple[Floats, Floats], other: tuple[Floats, Floats], legal: npt.NDArray[np.bool_]
) -> tuple[float, float]:
    """How far apart two evaluations are: total variation of policies, difference of values.

    Only legal actions count: the outputs for others are never used.
    """
    variation = np.abs(softmax(one[0], legal) - softmax(other[0], legal)).sum(axis=1).mean() / 2
    return float(variation), float(np.abs(one[1] - other[1]).mean())


def softmax(logits: Floats, legal: npt.NDArray[np.bool_]) -> Floats:
    """Policies [n, A] over legal actions."""
    logits = np.where(legal, logits, -np.inf)
    odds: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    policies: Floats = odds / odds.sum(axis=1, keepdims=True)
    return policies


def _refresh_milliseconds(network: Network, evaluator: OnnxEvaluator, seconds: float) -> float:
    """From weights in PyTorch to an evaluator that works with them."""

    def refresh(network: Network) -> None:
        evaluator.load(network.to_onnx())

    return 1000 / measure({"": repeated(refresh, network)}, seconds)[""]
