"""What a setting says happens: asked of the batches that are learnt and of the models that play."""

import itertools
from typing import NamedTuple

import numpy as np
import onnx
import pytest
import torch

from tests.training.canned import Canned
from tests.training.test_continuous import TINY
from zerolab.games.clobber import Clobber
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.records.samples import Batch
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.learner import Learner, LossValues
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN, Evaluated
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.steps import LEARNING, PLAYING

GAME = Clobber(3, 3)
# The stones of the game that is learnt, for Black and for White: xxx|o..|...
BLACK = np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0]], np.float32)
WHITE = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]], np.float32)


class Lesson(NamedTuple):
    """A batch as the learner got it, with the learning rate of the moment."""

    batch: Batch
    rates: set[float]


@pytest.fixture(name="lessons")
def _lessons(monkeypatch: pytest.MonkeyPatch) -> list[Lesson]:
    """Nothing is learnt, but all that would be is kept."""
    lessons: list[Lesson] = []

    def step(self: Learner, batch: Batch) -> LossValues:
        rates = {float(group["lr"]) for group in self.optimizer.param_groups}
        lessons.append(Lesson(batch, rates))
        return LossValues(0, 0, 0, 0)

    monkeypatch.setattr(Learner, "step", step)
    return lessons


def trainer_with(seed: int = 1, **settings: object) -> tuple[ContinuousTrainer, Canned]:
    config = TrainingConfig.model_validate(TINY.flat() | settings)
    source = Canned()
    return ContinuousTrainer(GAME, config, seed, source), source


def take_steps(trainer: ContinuousTrainer, count: int) -> None:
    for _ in itertools.islice(trainer.steps(), count):
        pass


# Half a turn of a cosine: (1 + cos 45 degrees) / 2 = 0.853553 after a quarter of the run.
COSINE = {0.0: 1.0, 0.25: 0.853553, 0.5: 0.5, 0.75: 0.146447, 1.0: 0.0, 1.5: 0.0}


@pytest.mark.parametrize("progress", COSINE)
@pytest.mark.parametrize("schedule", ["constant", "cosine"])
def test_the_learning_rate_in_the_course_of_a_run(
    lessons: list[Lesson], schedule: str, progress: float
) -> None:
    trainer, _ = trainer_with(learning_rate=0.02, schedule=schedule)
    trainer.progress = progress
    take_steps(trainer, 1)
    expected = 0.02 * (COSINE[progress] if schedule == "cosine" else 1.0)
    (rate,) = lessons[0].rates  # the same for all weights
    assert rate == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    ("decouples", "of_optimizer", "of_loss"),
    # Beside the gradient the optimizer does it, and the loss only reports it. In the loss it is
    # OpenSpiel's, which has half the sum of squares.
    [(True, {0.0, 0.04}, 0.04), (False, {0.0}, 0.02)],
)
def test_weights_decay_as_much_as_the_settings_say(
    decouples: bool, of_optimizer: set[float], of_loss: float
) -> None:
    trainer, _ = trainer_with(weight_decay=0.04, decouple_weight_decay=decouples)
    groups = trainer.learner.optimizer.param_groups
    assert {group["weight_decay"] for group in groups} == of_optimizer
    assert trainer.learner.loss.weight_decay == of_loss
    assert trainer.learner.loss.decoupled == decouples


@pytest.mark.parametrize(
    ("steps", "size", "batches"),
    # Two positions come in with each step. As in OpenSpiel: len(buffer) // batch size.
    [(3, 2, [1, 2, 3]), (4, 3, [1, 1, 2, 2]), (2, 100, [1, 1])],
)
def test_batches_of_a_step(
    lessons: list[Lesson], steps: int, size: int, batches: list[int]
) -> None:
    trainer, _ = trainer_with(train_batch_size=size)
    found = []
    for _ in itertools.islice(trainer.steps(), steps):
        found.append(len(lessons))
        assert {len(lesson.batch.planes) for lesson in lessons} == {size}
        lessons.clear()
    assert found == batches


def test_the_buffer_holds_its_size_and_a_step_waits_for_its_share() -> None:
    trainer, source = trainer_with(replay_buffer_size=10, replay_buffer_reuse=4)
    take_steps(trainer, 4)
    assert trainer.replay.size == 8
    take_steps(trainer, 2)
    assert (trainer.replay.size, trainer.replay.added) == (10, 12)
    assert set(source.wanted) == {2}  # 10 // 4


@pytest.mark.parametrize(
    ("share", "exact", "expected"),
    # The search gave 0.5, and a proven 1; the game was won, then (for the other) lost.
    [
        (0.0, False, [1, -1]),
        (0.0, True, [1, 1]),
        (0.25, False, [0.25 * 0.5 + 0.75 * 1, 0.25 * 1 - 0.75 * 1]),
        (0.25, True, [0.875, 1]),
        (1.0, False, [0.5, 1]),
    ],
)
def test_value_targets(
    lessons: list[Lesson], share: float, exact: bool, expected: list[float]
) -> None:
    trainer, _ = trainer_with(search_share=share, exact_targets=exact, train_batch_size=64)
    take_steps(trainer, 1)
    assert trainer.replay.samples.value.tolist() == expected
    assert set(lessons[0].batch.value) == set(expected)


def pictures(batch: Batch) -> set[bytes]:
    """The planes of stones, each position once."""
    return {planes[:2].tobytes() for planes in batch.planes}


@pytest.mark.parametrize("symmetries", [False, True])
def test_symmetries(lessons: list[Lesson], symmetries: bool) -> None:
    trainer, _ = trainer_with(symmetries=symmetries, train_batch_size=256)
    take_steps(trainer, 1)
    (batch,) = (lesson.batch for lesson in lessons)
    positions = np.stack([BLACK, WHITE]), np.stack([WHITE, BLACK])  # own stones come first
    if symmetries:
        expected = {
            np.rot90(turned, quarters, axes=(1, 2)).tobytes()
            for position in positions
            for turned in (position, position[:, :, ::-1])
            for quarters in range(4)
        }
        assert len(expected) == 16
    else:
        expected = {position.tobytes() for position in positions}
    assert pictures(batch) == expected
    # There is one legal move, which is what should be played, wherever it has been turned to.
    np.testing.assert_array_equal(batch.policy, batch.legal)
    assert (batch.legal.sum(axis=1) == 1).all()


def test_encodings(lessons: list[Lesson]) -> None:
    for encoding, expected in (
        ("colours", {np.stack([BLACK, WHITE]).tobytes()}),
        ("own", {np.stack([BLACK, WHITE]).tobytes(), np.stack([WHITE, BLACK]).tobytes()}),
    ):
        trainer, _ = trainer_with(encoding=encoding, train_batch_size=64)
        take_steps(trainer, 1)
        assert pictures(lessons.pop().batch) == expected


def operators(model: bytes) -> set[str]:
    return {node.op_type for node in onnx.load_model_from_string(model).graph.node}


@pytest.mark.parametrize("int8", [False, True])
def test_eight_bits(lessons: list[Lesson], int8: bool) -> None:
    """From the first step on: before it there are no positions to measure ranges on."""
    trainer, source = trainer_with(int8=int8)
    take_steps(trainer, 2)
    rounds = ["QuantizeLinear" in operators(model) for model in source.models]
    assert rounds == [False, int8, int8]


def test_who_plays_after_a_step_is_who_has_learnt() -> None:
    trainer, source = trainer_with()
    planes = np.random.default_rng(1).random((4, 3, 3, 3), np.float32)
    answers = []
    for _ in itertools.islice(trainer.steps(), 2):
        with torch.inference_mode():
            logits, win = trainer.learner.network(torch.from_numpy(planes))
        found = OnnxEvaluator(source.models[-1])(planes)
        np.testing.assert_allclose(found[0], logits.numpy(), atol=1e-5)
        np.testing.assert_allclose(found[1], np.tanh(win.numpy()), atol=1e-5)
        answers.append(found[1])
    before = OnnxEvaluator(source.models[0])(planes)[1]
    assert np.abs(answers[0] - before).max() > 1e-3
    assert np.abs(answers[1] - answers[0]).max() > 1e-3


def test_the_seed_gives_weights_and_games() -> None:
    planes = np.random.default_rng(1).random((4, 3, 3, 3), np.float32)
    values, seeds = [], []
    for seed in (1, 1, 2):
        trainer, source = trainer_with(seed)
        take_steps(trainer, 1)
        values.append(OnnxEvaluator(source.models[0])(planes)[1].tolist())
        seeds.append(source.seeds)
    assert values[0] == values[1] != values[2]
    assert seeds[0] == seeds[1] != seeds[2]


def test_the_network_that_is_asked_for() -> None:
    """A residual network: a convolution, then two in each block, all of the same width."""
    trainer, _ = trainer_with(nn_model="resnet", nn_width=12, nn_depth=3)
    modules = trainer.learner.network.modules()
    channels = [each.out_channels for each in modules if isinstance(each, torch.nn.Conv2d)]
    assert channels.count(12) == 1 + 2 * 3


def test_evaluations_are_averaged_over_the_window() -> None:
    trainer, _ = trainer_with(evaluation_window=2, eval_levels=3)
    for kind, level, result in (
        *((EVAL, 1, 1.0), (EVAL, 1, 1.0), (EVAL, 1, -1.0)),  # the first of them is forgotten
        *((EVAL, 2, 1.0), (EVAL_PLAIN, 1, -1.0)),
        (EVAL, 3, 1.0),  # there are levels 0, 1 and 2
    ):
        trainer.notice(Evaluated(kind, level, result))
    assert trainer.evaluations[EVAL].means() == [None, 0.0, 1.0]
    assert trainer.evaluations[EVAL_PLAIN].means() == [None, -1.0, None]
    assert trainer.evaluations[EVAL].count == 4


def test_phases_are_told(lessons: list[Lesson]) -> None:
    """Two of the 64 states that are wanted came, which makes two batches of one."""
    trainer, _ = trainer_with(train_batch_size=1)
    told: list[tuple[str, float]] = []
    trainer.on_phase = lambda phase, share: told.append((phase, share))
    take_steps(trainer, 1)
    assert told == [(PLAYING, 0.0), (PLAYING, 2 / 64), (LEARNING, 0.0), (LEARNING, 0.5)]
