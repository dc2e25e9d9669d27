"""What is trained: two networks alike in all but their blocks, in two ways."""

from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.definition import Place, Sweep
from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual import contestants
from zerolab.studies.mobile_or_residual.contest_scales import EVENING, FULL, QUICK, SCALES, scale_of
from zerolab.studies.mobile_or_residual.contestants import (
    EQUAL_STEPS,
    EQUAL_TIME,
    MOBILE,
    NETWORK,
    RESIDUAL,
    cores_of,
    limits_of,
    sweep_of,
    train_all,
)
from zerolab.training.loop import Limits
from zerolab.training.settings.presets import make_preset


@pytest.mark.parametrize("side", [6, 8])
def test_networks_differ_in_their_blocks_alone(side: int) -> None:
    game = Clobber(side, side)
    sweep = sweep_of(game, EQUAL_TIME, SCALES[FULL], 3)
    assert sweep.plan == [{NETWORK: RESIDUAL}, {NETWORK: MOBILE}]
    assert (sweep.seed, sweep.repeats, sweep.objectives) == (3, 1, ("ladder",))
    preset = make_preset("zerolab", game).flat() | {"evaluators": 0}
    residual, mobile = (sweep.config(each).flat() for each in sweep.plan)
    assert residual == preset | {"nn_model": "zerolab", "nn_width": 32, "nn_depth": 4}
    own = {"nn_model": "zerolab.mobile", "nn_width": None, "nn_depth": None}
    assert mobile == residual | own
    sweep.check()


def test_the_two_ways() -> None:
    scale = SCALES[EVENING]
    assert limits_of(EQUAL_TIME, scale) == Limits(seconds=240)
    assert limits_of(EQUAL_STEPS, scale) == Limits(steps=24)
    assert sweep_of(Clobber(6, 6), EQUAL_STEPS, scale, 1).limits == Limits(steps=24)


def test_scales() -> None:
    assert (SCALES[QUICK].seeds, SCALES[EVENING].seeds, SCALES[FULL].seeds) == (1, 3, 3)
    assert all(scale.games % 2 == 0 for scale in SCALES.values())
    assert [scale_of(name).name for name in SCALES] == list(SCALES)
    with pytest.raises(UsageError, match="'huge' is no scale; expected quick, evening, full"):
        scale_of("huge")


def test_cores_that_a_learner_had() -> None:
    log = [
        {"learn_processor_seconds": 1.0, "learn_seconds": 2.0},
        {"learn_processor_seconds": 5.0, "learn_seconds": 6.0},
    ]
    assert cores_of(log) == 0.75


def test_runs_are_made_one_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both networks of a seed in a row; side by side they would take time from each other."""
    made = []

    def run(sweep: Sweep, place: Place, on_progress: OnProgress, workers: int | None) -> bool:
        made.append((sweep.seed, sweep.limits, place.directory, workers))
        on_progress(1, 2)
        return len(made) < 6

    monkeypatch.setattr(contestants, "run_to_the_end", run)
    monkeypatch.setattr(contestants, "_contestants", lambda *about: [])
    scale, told = SCALES[EVENING], []
    with pytest.raises(KeyboardInterrupt):
        train_all(Clobber(6, 6), scale, 7, tmp_path, told.append)
    assert made == [
        (seed, limits_of(way, scale), tmp_path / way.replace(" ", "-") / f"seed{seed}", 1)
        for seed in (7, 8, 9)
        for way in (EQUAL_TIME, EQUAL_STEPS)
    ]
    assert told == pytest.approx([(number + 0.5) / 6 for number in range(6)])
