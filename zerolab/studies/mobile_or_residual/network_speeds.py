"""Positions a second of the networks of the contest, on one core: playing and learning."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from zerolab.benchmarks.inference_speed import CALIBRATION, random_batch
from zerolab.benchmarks.measuring import measure, repeated
from zerolab.files import make_directory, replacing
from zerolab.games.clobber import Clobber
from zerolab.networks.machine import one_thread
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import signature_of
from zerolab.networks.summary import summarise
from zerolab.networks.torch_network import Network
from zerolab.studies.mobile_or_residual.contest_scales import ContestScale
from zerolab.studies.mobile_or_residual.contestants import NETWORKS
from zerolab.training.learner import Learner

BATCH = 64  # about as many positions as an actor evaluates at once
FILE = "speeds.json"


class NetworkSpeed(BaseModel):
    """The size of a network, and its positions a second."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parameters: int
    multiply_adds: int
    """For one position."""
    one_by_one: float
    in_batches: float
    in_8_bits: float
    """In batches; so actors evaluate."""
    learning: float


_FORMAT = TypeAdapter(dict[str, NetworkSpeed])


def speeds_of(game: Clobber, scale: ContestScale, directory: Path) -> dict[str, NetworkSpeed]:
    """By network; what was measured before is kept in a file."""
    with suppress(OSError, ValidationError):
        return _FORMAT.validate_json((directory / FILE).read_bytes())
    found = _measure(game, scale)
    make_directory(directory)
    with replacing(directory / FILE) as file:
        file.write(_FORMAT.dump_json(found, indent=2) + b"\n")
    return found


def _measure(game: Clobber, scale: ContestScale) -> dict[str, NetworkSpeed]:
    """Networks take turns, since machines are noisy."""
    base = scale.settings(game)
    size = base.learner.train_batch_size
    planes = random_batch(game, CALIBRATION, base.encoding).planes
    lesson = random_batch(game, size, base.encoding)
    signature = signature_of(game, base.encoding)
    recipes = {name: base.changed(**changes).recipe for name, changes in NETWORKS.items()}
    with one_thread():
        networks = {name: Network(each.network, signature).eval() for name, each in recipes.items()}
        models = {name: network.to_onnx() for name, network in networks.items()}
        plain = {name: OnnxEvaluator(model) for name, model in models.items()}
        int8 = {name: OnnxEvaluator(quantise(model, planes)) for name, model in models.items()}
        sizes = {name: summarise(network) for name, network in networks.items()}
        learners = {
            name: Learner(
                networks[name], recipe.loss, base.learner.learning_rate, base.learner.is_half
            )
            for name, recipe in recipes.items()
        }

        def rates(calls: dict[str, Callable[[int], None]], positions: int) -> dict[str, float]:
            found = measure(calls, scale.measuring)
            return {name: positions * rate for name, rate in found.items()}

        one_by_one = rates({name: repeated(plain[name], planes[:1]) for name in plain}, 1)
        batches = rates({name: repeated(plain[name], planes[:BATCH]) for name in plain}, BATCH)
        in_int8 = rates({name: repeated(int8[name], planes[:BATCH]) for name in int8}, BATCH)
        learning = rates({name: repeated(learners[name].step, lesson) for name in learners}, size)
    return {
        name: NetworkSpeed(
            parameters=sizes[name].parameters,
            multiply_adds=sizes[name].multiply_adds,
            one_by_one=one_by_one[name],
            in_batches=batches[name],
            in_8_bits=in_int8[name],
            learning=learning[name],
        )
        for name in NETWORKS
    }
