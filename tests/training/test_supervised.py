"""The supervised loop: what can be learnt, numbers worked out by hand, stops and resumes."""

import math
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
import torch

from zerolab.errors import UsageError
from zerolab.games.base import BLACK, player_to_move
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions
from zerolab.games.position import Position
from zerolab.records.samples import Samples
from zerolab.training.lesson_sources import RunLessons, digest_of, open_lessons
from zerolab.training.loop import Limits, train
from zerolab.training.runs.run_directory import PAUSED, Run
from zerolab.training.settings.supervised_config import SupervisedConfig, parse_supervised
from zerolab.training.steps import LEARNING, MEASURING
from zerolab.training.supervised import SupervisedTrainer

GAME = Clobber(3, 3)
TINY = SupervisedConfig().changed(
    **{"nn_model": "zerolab", "nn_width": 8, "nn_depth": 1, "epochs": 3, "epoch_samples": 160},
    **{"train_batch_size": 32, "validation_positions": 50, "schedule": "constant"},
)


def positions(count: int, seed: int) -> Samples:
    """Random positions in which the first legal move is played, and Black wins."""
    draw = np.random.default_rng(seed)
    states, policies, values = [], [], []
    while len(states) < count:
        position = Position.start(GAME)
        for _ in range(int(draw.integers(4))):
            if not position.is_over:
                position = position.play(int(draw.choice(position.legal_actions)))
        if position.is_over:
            continue
        policy = np.zeros(num_actions(GAME), np.float32)
        policy[legal_list(GAME, position.state)[0]] = 1
        states.append(position.words)
        policies.append(policy)
        values.append(1.0 if player_to_move(position.words) == BLACK else -1.0)
    ones = np.ones(count, np.float32)
    return Samples(np.array(states), np.array(policies), np.array(values, np.float32), ones)


class FirstMoves:
    """Lessons on games in which the first legal move is always played."""

    digests: ClassVar = {"training": "a", "validation": "b"}

    def batch(self, number: int, size: int) -> Samples:
        return positions(size, number)

    def validation(self, count: int) -> Samples:
        return positions(count, 10**6)


def make(**changes: object) -> SupervisedTrainer:
    return SupervisedTrainer(GAME, TINY.changed(**changes), 5, FirstMoves())


def weights(trainer: SupervisedTrainer) -> dict[str, np.ndarray]:
    return trainer.learner.arrays()


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)


def test_a_simple_rule_is_learnt() -> None:
    """Symmetries would turn the first move into another one, and colours cannot be seen."""
    trainer = make(epochs=8, epoch_samples=1280, symmetries=False, encoding="colours")
    *_, last = trainer.steps()
    assert last.validation["accuracy"] > 0.8
    assert last.validation["value_accuracy"] > 0.9
    assert last.validation["mse"] < 0.05
    assert last.validation["positions"] == 50


def test_a_step_is_an_epoch() -> None:
    steps = list(make().steps())
    assert [step.number for step in steps] == [1, 2, 3]
    assert [step.samples for step in steps] == [160, 320, 480]
    assert all(step.batches == 5 and step.seconds > 0 for step in steps)
    assert all(step.digests == FirstMoves.digests for step in steps)
    assert next(make(epoch_samples=170).steps()).samples == 160  # whole batches


def test_validation_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """All legal moves alike, and Black's chances 3/4: value 0.5, so (0.25)^2 where it is right."""
    trainer = make()
    samples = trainer.lessons.validation(50)
    sides = np.array([player_to_move(state) == BLACK for state in samples.states])

    class Uniform(torch.nn.Module):
        def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            values = torch.full((len(planes),), math.atanh(0.5))
            return torch.zeros(len(planes), num_actions(GAME)), values

    trainer.learner.network = Uniform()  # type: ignore[assignment]
    found = trainer.measure()
    counts = [len(legal_list(GAME, state)) for state in samples.states]
    assert found.policy == pytest.approx(np.mean(np.log(counts)), rel=1e-5)
    assert found.accuracy == 1  # of moves that are alike the first one is taken
    assert found.value_accuracy == pytest.approx(sides.mean())
    assert found.mse == pytest.approx(np.where(sides, 0.25**2, 0.75**2).mean(), rel=1e-5)


@pytest.mark.parametrize(
    ("schedule", "shares"),
    [
        ("constant", {0: 1, 0.5: 1, 0.99: 1}),
        ("stepped", {0: 1, 0.49: 1, 0.5: 0.1, 0.74: 0.1, 0.75: 0.01, 1: 0.01}),
        ("cosine", {0: 1, 0.5: 0.5, 1: 0}),
    ],
)
def test_schedules(schedule: str, shares: dict[float, float]) -> None:
    config = TINY.changed(schedule=schedule, learning_rate=0.004)
    for progress, share in shares.items():
        assert config.rate(progress) == pytest.approx(0.004 * share)


def test_the_rate_reaches_the_optimizer(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = make(schedule="cosine", epochs=2, learning_rate=0.01)
    rates = []
    step = trainer.learner.step

    def note(batch: object) -> object:
        rates.append(trainer.learner.optimizer.param_groups[0]["lr"])
        return step(batch)  # type: ignore[arg-type]

    monkeypatch.setattr(trainer.learner, "step", note)
    last = list(trainer.steps())[-1]
    expected = [0.01 * (1 + math.cos(math.pi * number / 10)) / 2 for number in range(10)]
    assert rates == pytest.approx(expected)
    assert last.learning_rate == pytest.approx(expected[-1])


def test_batches_depend_on_seed_and_number_alone() -> None:
    one, other = make(), make()
    list(other.steps())
    for number in (0, 7):
        first, second = one.batch(number), other.batch(number)
        assert all(np.array_equal(a, b) for a, b in zip(first[:5], second[:5], strict=True))
    assert not np.array_equal(one.batch(1).planes, one.batch(2).planes)
    straight = make(symmetries=False).batch(0)
    assert not np.array_equal(straight.planes, one.batch(0).planes)


def test_every_epoch_learns_other_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = make()
    batch, numbers = trainer.batch, []

    def note(number: int) -> object:
        numbers.append(number)
        return batch(number)

    monkeypatch.setattr(trainer, "batch", note)
    list(trainer.steps())
    assert numbers == list(range(15))  # three epochs of five


def test_half_precision_learns_nearly_the_same() -> None:
    exact, half = (next(make(precision=each).steps()) for each in ("float32", "bfloat16"))
    assert exact.losses.total != half.losses.total
    assert half.losses.total == pytest.approx(exact.losses.total, rel=0.05)


def test_the_loss_of_the_settings() -> None:
    loss = TINY.changed(nn_model="mobile.small.conv.bin", nn_width=None, nn_depth=None).recipe.loss
    assert (loss.value, loss.value_weight, loss.weight_decay) == ("bce", 1.0, 1e-4)
    other = TINY.changed(value_loss="bce", value_weight=4.0, weight_decay=0.0).recipe.loss
    assert (other.value, other.value_weight, other.weight_decay) == ("bce", 4.0, 0.0)


class StopHereError(Exception):
    pass


@pytest.mark.parametrize(("phase", "share"), [(LEARNING, 0.4), (MEASURING, 0.0)])
def test_an_epoch_that_was_stopped_goes_on_to_the_bit(phase: str, share: float) -> None:
    whole = make()
    lines = list(whole.steps())
    part = make()

    def on_phase(now: str, done: float) -> None:
        if part.step == 1 and now == phase and done >= share:
            raise StopHereError

    part.on_phase = on_phase
    with pytest.raises(StopHereError):
        list(part.steps())
    arrays, text = part.pause(12.5)
    again = make()
    first = next(again.steps())
    assert first.losses == lines[0].losses
    assert again.go_on(arrays, text) == 12.5
    rest = list(again.steps())
    assert [each.losses for each in rest] == [each.losses for each in lines[1:]]
    assert same(weights(again), weights(whole))
    assert again.go_on(arrays, text) is None  # it does not follow the last epoch


@pytest.fixture(name="played", scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of self-play."""
    from zerolab.experiments.experiment import run_experiment
    from zerolab.training.settings.continuous_config import TrainingConfig

    directory = tmp_path_factory.mktemp("played")
    config = TrainingConfig().changed(
        **{"nn_model": "zerolab", "nn_width": 4, "nn_depth": 1, "max_simulations": 4, "batch": 8},
        **{"replay_buffer_size": 256, "replay_buffer_reuse": 2, "train_batch_size": 32},
    )
    run_experiment(GAME, config, directory, Limits(steps=2), seed=3)
    return directory


def test_a_run_on_disk_is_gone_on_with(tmp_path: Path, played: Path) -> None:
    config = TINY.changed(data=str(played))
    config = config.changed(digest=digest_of(open_lessons(GAME, config, 5)))

    def go_on(directory: Path, limits: Limits) -> tuple[Run, SupervisedTrainer]:
        from zerolab.experiments.experiment import open_or_create
        from zerolab.training.loop import make_trainer

        run = open_or_create(directory, GAME, config, 5)
        trainer = make_trainer(run)
        assert isinstance(trainer, SupervisedTrainer)
        train(run, trainer, limits, lambda event: None)
        return run, trainer

    _, whole = go_on(tmp_path / "whole", Limits())
    run, _ = go_on(tmp_path / "parts", Limits(steps=1))
    run, parts = go_on(tmp_path / "parts", Limits())
    assert same(weights(whole), weights(parts))
    log = run.read_log()
    assert [line["step"] for line in log] == [1, 2, 3]
    assert [line["total_states"] for line in log] == [160, 320, 480]
    assert set(log[0]["validation"]) >= {"accuracy", "mse", "policy", "positions"}
    assert set(log[0]["digests"]) == {"training", "validation"}
    assert log[0]["loss"]["sum"] > 0
    assert log[0]["states_per_s"] > 0
    assert not (run.directory / PAUSED).exists()
    assert (run.directory / "network-000003.safetensors").exists()


def test_other_games_are_refused(played: Path) -> None:
    config = TINY.changed(data=str(played), digest="0" * 64)
    with pytest.raises(UsageError, match="other games than those that this run began with"):
        open_lessons(GAME, config, 5)


def test_lessons_of_a_run(played: Path) -> None:
    lessons = RunLessons(GAME, played, 1)
    batch, again = lessons.batch(3, 64), lessons.batch(3, 64)
    assert all(np.array_equal(a, b) for a, b in zip(batch, again, strict=True))
    assert not np.array_equal(batch.states, lessons.batch(4, 64).states)
    everything = lessons._samples
    held = lessons.validation(10**6)
    assert held.size == max(1, round(0.05 * everything.size))
    assert np.array_equal(held.states, everything.states[-held.size :])
    assert lessons.validation(2).size == 2
    assert set(lessons.digests) == {"training", "validation"}
    drawn = {tuple(state) for number in range(20) for state in lessons.batch(number, 64).states}
    kept = {tuple(state) for state in everything.states[: -held.size]}
    assert drawn <= kept
    with pytest.raises(UsageError, match="holds a run of clobber 3x3, not of clobber 3x4"):
        RunLessons(Clobber(3, 4), played, 1)


def test_too_little_to_learn_from(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zerolab.training import lesson_sources

    monkeypatch.setattr(lesson_sources, "FEWEST", 10**6)
    with pytest.raises(UsageError, match="positions; expected 1000000 or more"):
        RunLessons(GAME, played, 1)


def test_settings_that_are_wrong_get_a_sentence() -> None:
    with pytest.raises(UsageError, match="epochs: Input should be greater than or equal to 1"):
        parse_supervised({"epochs": 0})
    with pytest.raises(UsageError, match="schedule"):
        parse_supervised({"schedule": "none"})
