"""Predicted against measured time, shrunken: a tiny board, a step or two."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.experiments.test_experiment import CONFIG, GAME, STAGED
from zerolab.experiments.calibration.measured import Budget
from zerolab.experiments.prediction import Prediction, Spent
from zerolab.studies import time_prediction
from zerolab.studies.report import Report
from zerolab.studies.time_prediction import Compared, Setting, compare, compare_settings, settings
from zerolab.training.loop import Limits

BUDGET = Budget(play=0.02, learn=0.02, arena=0.02)
CHOSEN = [Setting("one", GAME, CONFIG, 2), Setting("two", GAME, STAGED, 1)]


@pytest.fixture(autouse=True)
def _kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_prediction, "DIRECTORY", tmp_path)


def run(stop: bool = False) -> Report:
    def on_progress(done: float, total: float) -> None:
        if stop:
            raise KeyboardInterrupt

    return compare_settings(CHOSEN, 1, 3, on_progress, BUDGET)


def test_a_shrunken_study(tmp_path: Path) -> None:
    report = run()
    assert report.is_complete
    assert [row[:2] for row in report.rows] == [("one", "continuous"), ("two", "staged")]
    assert all(len(row) == len(report.headings) for row in report.rows)
    assert {path.name for path in tmp_path.iterdir()} == {"one-2steps-seed3", "two-1steps-seed3"}
    for value in report.values:
        for key in ("predicted", "measured"):
            parts = dict(value[key])
            assert parts.pop("total") == pytest.approx(sum(parts.values()))
        assert value["ratio"] == value["predicted"]["total"] / value["measured"]["total"]
    assert "the aim is 15%" in report.verdict


def test_what_is_there_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = run(stop=True)
    assert not stopped.is_complete
    assert stopped.verdict == "nothing was measured; stopped"
    assert stopped.reproduced is None
    first = run()
    monkeypatch.setattr(time_prediction, "forecast", pytest.fail)
    assert run().values == first.values


def test_what_is_predicted_is_what_a_run_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without compiling and judging; a log counts the start of processes as waiting for games."""
    parts = Spent(selfplay=1.0, learning=2.0, arena=3.0, checkpoints=4.0)
    expected = Prediction(2, 1, 1, starting=5.0, spent=parts, compiling=70.0, evaluation=80.0)
    asked = []

    def forecast(*arguments: object, budget: Budget) -> SimpleNamespace:
        asked.append((*arguments, budget))
        return SimpleNamespace(prediction=expected)

    monkeypatch.setattr(time_prediction, "forecast", forecast)
    [value] = compare_settings(CHOSEN[:1], 3, 3, budget=BUDGET).values
    assert asked == [(GAME, CONFIG, Limits(steps=6), BUDGET)]  # three times its two steps
    assert value["predicted"] == {
        **{"selfplay": 6.0, "learning": 2.0, "arena": 3.0, "checkpoints": 4.0},
        "total": 15.0,
    }


def compared(name: str, predicted: float, measured: float) -> Compared:
    parts = {"selfplay": 1.0, "learning": 2.0, "arena": 3.0}
    setting = Setting(name, GAME, CONFIG, 1)
    return Compared(setting, Path(name), parts | {"total": predicted}, parts | {"total": measured})


def test_the_verdict_is_the_median_and_the_worst_error() -> None:
    """Ratios of 1.1, 0.5 and 1.04: errors of 10, 50 and 4 %."""
    found = [compared("a", 11, 10), compared("b", 5, 10), compared("c", 26, 25)]
    report = time_prediction._report(found, 3)
    assert "median 10%, worst 50% (b)" in report.verdict
    assert report.reproduced
    assert report.rows[1][-3:] == ("5.0", "10.0", "0.50")
    assert not time_prediction._report([*found[1:2], *found[1:]], 3).reproduced
    assert time_prediction._report(found, 4).reproduced is None


def test_the_parts_of_a_log() -> None:
    log = [
        {"play_seconds": 2.0, "learn_seconds": 5.0, "stage_seconds": {"arena": 1.5}},
        {"play_seconds": 3.0, "learn_seconds": 4.0, "stage_seconds": {"arena": 0.5}},
    ]
    log[-1]["time_rel"] = 15.0
    expected = {"selfplay": 5.0, "learning": 7.0, "arena": 2.0, "others": 1.0, "total": 15.0}
    assert time_prediction._measured(log) == expected


def test_quick_and_full(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(time_prediction, "compare_settings", lambda *given: asked.append(given))
    for factor in (1, None):
        compare(factor, 5, print)
    assert [(each[1], each[2]) for each in asked] == [(1, 5), (4, 5)]


def test_the_settings_of_the_study() -> None:
    found = settings()
    assert len({setting.name for setting in found}) == len(found) >= 12
    assert len({setting.config for setting in found if setting.game == found[0].game}) >= 6
    for setting in found:
        most = setting.config.max_steps
        assert most == 0 or setting.steps * time_prediction.FULL_FACTOR <= most
