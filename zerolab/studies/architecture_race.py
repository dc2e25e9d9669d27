"""Which network learns most in the same time? Clobber 5x5, where the truth is known.

Positions come from random games; the exact solver says what each is worth and which moves win.
Every network learns for the same time on one core and is then judged on positions it has not seen:
how often the sign of its value is right, on as many won as lost positions, and how often its first
move wins where there are moves that win and moves that lose. What 8 bits change is measured on the
trained networks.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.benchmarks.inference_speed import NETWORKS, distances
from zerolab.benchmarks.measuring import random_position
from zerolab.encodings.views import make_view
from zerolab.games.base import Game, State, step
from zerolab.games.boards.canonical import make_forms, make_key
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import stream
from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.losses import LossConfig
from zerolab.networks.machine import one_thread, seed_weights
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.records.samples import Batch, Samples
from zerolab.solver.exact_leaves import LeafSolver
from zerolab.studies.report import Report
from zerolab.training.learner import Learner

GAME = Clobber(5, 5)
VIEW = make_view(GAME, "own")
PLIES = range(5, 13)  # random moves before a position is taken
TRAINING, TEST = 40_000, 4_000
BATCH = 256
FULL_SECONDS = 120
LEARNING_RATE = 3e-3
LOSS = LossConfig(weight_decay=1e-4, decoupled=True)
NAMES = tuple(name for name in NETWORKS if "128" not in name)  # too slow to compare


class Skill(NamedTuple):
    """How a network does after training."""

    network: str
    steps: int
    value_accuracy: float
    """Share of right signs, won and lost positions weighing the same."""
    value_error: float
    """Its standard error."""
    move_accuracy: float
    """Share of winning first moves where it matters."""
    move_error: float
    int8_policy: float
    int8_value: float
    """What 8 bits change, as in bench_inference."""


HEADINGS = (
    *("network", "steps", "value accuracy", "winning moves"),
    *("8 bits: policy", "8 bits: value"),
)


def compare(seconds: int | None, seed: int, on_progress: Callable[[int, int], None]) -> Report:
    """Let each network learn for `seconds`, or for two minutes."""
    seconds = seconds or FULL_SECONDS
    skills: list[Skill] = []
    total = TRAINING + TEST

    def labelling(done: int) -> None:
        on_progress(done, 2 * total)

    samples = label_positions(GAME, total, seed, labelling)
    training = samples.take(slice(TRAINING))
    test = make_batch(GAME, VIEW, samples.take(slice(TRAINING, None)))
    with one_thread(), suppress(KeyboardInterrupt):
        for number, name in enumerate(NAMES):
            skills.append(_train(name, training, test, seconds, seed))
            on_progress(total + total * (number + 1) // len(NAMES), 2 * total)
    return _report(skills, seconds)


def _report(skills: list[Skill], seconds: float) -> Report:
    title = f"Clobber 5x5 from exact labels, {seconds:.0f} s of learning each on one core"
    rows = [
        (
            *(skill.network, f"{skill.steps:,}"),
            f"{skill.value_accuracy:.1%} ({skill.value_error:.1%})",
            f"{skill.move_accuracy:.1%} ({skill.move_error:.1%})",
            *(f"{skill.int8_policy:.4f}", f"{skill.int8_value:.4f}"),
        )
        for skill in skills
    ]
    values = [skill._asdict() for skill in skills]
    verdict = f"{TEST:,} test positions; standard errors in brackets, of one seed"
    is_complete = len(skills) == len(NAMES)
    if not is_complete:
        verdict += "; stopped early"
    return Report(title, HEADINGS, rows, values, verdict, is_complete)


def label_positions(
    game: Game, count: int, seed: int, on_progress: Callable[[int], None]
) -> Samples:
    """Positions of random games with their exact values; the policy is any winning move."""
    solver = LeafSolver(game, stones=game.rows * game.cols, nodes=10**8, memory=2**30)
    rng, draw = stream(seed), np.random.default_rng(seed)
    states: list[State] = []
    seen: set[bytes] = set()
    forms = make_forms(game, turned=True, swapped=False)
    policies, values = np.zeros((count, num_actions(game)), np.float32), []
    while len(states) < count:
        state = random_position(game, int(draw.choice(PLIES)), rng)
        if state is None:
            continue
        make_key(game, forms, state)
        if (key := forms.key[0].tobytes()) in seen:  # the same but for a symmetry
            continue
        seen.add(key)
        actions = legal_list(game, state)
        after = np.repeat(state[np.newaxis], len(actions), axis=0)
        for row, action in enumerate(actions):
            step(game, after[row], action)
        exact = solver(after)
        assert np.isfinite(exact).all(), "the solver's budget is too small"
        wins = exact < 0
        chosen = [action for action, won in zip(actions, wins, strict=True) if won] or actions
        policies[len(states), chosen] = 1 / len(chosen)
        values.append(1.0 if wins.any() else -1.0)
        states.append(state)
        if len(states) % 500 == 0:
            on_progress(len(states))
    weight = np.ones(count, np.float32)
    return Samples(np.array(states), policies, np.array(values, np.float32), weight)


def _train(name: str, training: Samples, test: Batch, seconds: float, seed: int) -> Skill:
    """Learn for a time, the learning rate falling to zero as a cosine."""
    config: NetworkConfig = NETWORKS[name]
    seed_weights(seed)
    learner = Learner(Network(config, signature_of(GAME)), LOSS, LEARNING_RATE)
    draw = np.random.default_rng(seed)
    started, steps = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - started) < seconds:
        learner.set_learning_rate(LEARNING_RATE * (1 + math.cos(math.pi * elapsed / seconds)) / 2)
        rows = draw.integers(training.size, size=BATCH)
        learner.step(make_batch(GAME, VIEW, training.take(rows), draw))
        steps += 1
    model = learner.network.to_onnx()
    result = OnnxEvaluator(model)(test.planes)
    seen = make_batch(GAME, VIEW, training.take(slice(512))).planes
    rounded = OnnxEvaluator(quantise(model, seen))(test.planes)
    return Skill(name, steps, *judge(*result, test), *distances(result, rounded, test.legal))


def judge(
    logits: npt.NDArray[np.float32], values: npt.NDArray[np.float32], test: Batch
) -> tuple[float, float, float, float]:
    """Accuracy of values and of first moves, each with its standard error.

    Won and lost positions weigh the same, so a value counts as won above the mean of the means of
    both. First moves count where some win and some lose.
    """
    won = test.value > 0
    threshold = (values[won].mean() + values[~won].mean()) / 2
    right = (values > threshold) == won
    shares = [(float(right[group].mean()), int(group.sum())) for group in (won, ~won)]
    value_accuracy = sum(share for share, _ in shares) / 2
    value_error = math.sqrt(sum(share * (1 - share) / size for share, size in shares)) / 2
    best = np.where(test.legal, logits, -np.inf).argmax(axis=1)
    winning = test.policy > 0
    critical = won & (winning.sum(axis=1) < test.legal.sum(axis=1))
    keeps = winning[np.arange(len(best)), best]
    move_accuracy = float(keeps[critical].mean())
    move_error = math.sqrt(move_accuracy * (1 - move_accuracy) / critical.sum())
    return value_accuracy, value_error, move_accuracy, move_error
