"""Forecasts of new runs and of those that are under way."""

from pathlib import Path

import pytest

from tests.experiments.test_experiment import CONFIG, GAME, STAGED
from zerolab.errors import UsageError
from zerolab.experiments import dry_run
from zerolab.experiments.calibration.measured import Budget
from zerolab.experiments.dry_run import LOGGED, MEASURED, Forecast, forecast, forecast_run
from zerolab.experiments.experiment import run_experiment
from zerolab.training.loop import Limits
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.loops import RunConfig

BUDGET = Budget(play=0.02, learn=0.02, arena=0.02)


def check(found: Forecast) -> None:
    """Parts add up to what stands for all."""
    fields = found.fields
    for key in ("seconds", "memory"):
        parts = dict(fields[key])
        assert parts.pop("total") == pytest.approx(sum(parts.values()))
        assert all(each >= 0 for each in parts.values())
    disk = dict(fields["disk"])
    assert disk.pop("total") == pytest.approx(sum(disk.values()) - disk["per_step"])
    seconds = fields["seconds"]
    others = seconds["compiling"] + seconds["evaluation"]
    assert fields["training_seconds"] == pytest.approx(seconds["total"] - others)


@pytest.mark.parametrize("config", [CONFIG, STAGED], ids=["continuous", "staged"])
def test_new_runs(config: RunConfig) -> None:
    found = forecast(GAME, config, Limits(steps=2), games=3, compiling=4.5, budget=BUDGET)
    check(found)
    assert (found.source, found.prediction.steps) == (MEASURED, 2)
    assert found.fields["seconds"]["compiling"] == 4.5
    assert (found.prediction.evaluation > 0) == (config is CONFIG)  # staged runs climb no ladder
    assert any("caches hit" in words for words in found.assumptions)


@pytest.mark.parametrize("config", [CONFIG, STAGED], ids=["continuous", "staged"])
def test_runs_under_way(config: RunConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their logs say what they cost: nothing is measured, and nothing changes."""
    run_experiment(GAME, config, tmp_path / "run", Limits(steps=1))
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    monkeypatch.setattr(dry_run, "calibrate", pytest.fail)
    found = forecast_run(Run.open(tmp_path / "run", GAME), Limits(steps=3))
    check(found)
    assert (found.source, found.done.steps, found.prediction.steps) == (LOGGED, 1, 2)
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_a_run_without_a_step_is_as_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run.create(tmp_path / "run", GAME, CONFIG, seed=1)
    monkeypatch.setattr(dry_run.forecast, "__defaults__", (0, 0.0, BUDGET))
    assert forecast_run(run, Limits(steps=1)).source == MEASURED


def test_what_has_no_end_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dry_run, "calibrate", pytest.fail)
    with pytest.raises(UsageError, match="until Ctrl-C"):
        forecast(GAME, CONFIG, Limits())
