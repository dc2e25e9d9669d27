"""Learning in 32 and in 16 bits, shrunken: no speed is asserted, only what is measured."""

import pytest

from zerolab.benchmarks.learning import precision_speed
from zerolab.benchmarks.learning.precision_speed import CASES, bench_precision, learning_speeds
from zerolab.games.clobber import Clobber
from zerolab.training.settings.continuous_config import TrainingConfig

TINY = TrainingConfig(nn_model="zerolab", nn_width=8, nn_depth=1, train_batch_size=4)


def test_both_precisions_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt = []

    def measure(contestants, seconds):
        for play in contestants.values():
            play(2)
        return {name: 10.0 * number for number, name in enumerate(contestants, start=1)}

    step = precision_speed.Learner.step
    monkeypatch.setattr(precision_speed, "measure", measure)
    monkeypatch.setattr(
        precision_speed.Learner,
        "step",
        lambda learner, batch: (learnt.append(learner.is_half), step(learner, batch)),
    )
    assert learning_speeds(Clobber(3, 3), TINY, 1.0) == (40.0, 80.0)
    assert learnt == [False, False, True, True]


def test_each_preset_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        precision_speed,
        "learning_speeds",
        lambda game, config, seconds: (game.rows * 10.0, game.rows * config.network.nn_width * 1.0),
    )
    seen = []
    speeds = bench_precision(1.0, lambda done, total: seen.append((done, total)))
    assert [speed.preset for speed in speeds] == list(CASES)
    assert [(speed.full, speed.ratio) for speed in speeds] == [(50, 3.2), (100, 6.4), (50, 12.8)]
    assert seen == [(1, 3), (2, 3), (3, 3)]
