"""mobile-or-residual, shrunken: from training to the tables, stopped and continued."""

import json
from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.experiments.sweeps import workers
from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual import contestants, network_speeds
from zerolab.studies.mobile_or_residual.contest import BOARDS, DIRECTORY, PICTURE, compare
from zerolab.studies.mobile_or_residual.contest_scales import SCALES, TINY
from zerolab.studies.mobile_or_residual.contestants import (
    EQUAL_STEPS,
    EQUAL_TIME,
    MOBILE,
    RESIDUAL,
)
from zerolab.studies.registry import EVENING, FULL, QUICK, STUDIES, run_study
from zerolab.studies.report import Report

SMALL = (Clobber(3, 4),)
SCALE = SCALES[TINY]
PLACE = DIRECTORY / "tiny-seed5"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory of its own."""
    monkeypatch.chdir(tmp_path)


def run(stop_at: float = 2.0) -> tuple[list[Report], list[float]]:
    """Run it, until a share of it is done; return the shares that were told too."""
    told: list[float] = []

    def on_progress(done: float, total: float) -> None:
        told.append(done / total)
        if told[-1] >= stop_at:
            raise KeyboardInterrupt

    return compare(TINY, 5, on_progress, SMALL), told


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be trained or measured any more."""
    monkeypatch.setattr(workers, "run_trial", None)
    monkeypatch.setattr(network_speeds, "measure", None)


def test_stopped_and_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    # While networks train: nothing can be compared yet.
    (results, networks), _ = run(stop_at=0.3)
    assert (results.is_complete, results.rows, networks.rows) == (False, [], [])
    assert results.verdict == "no tournament is complete; stopped"
    begun = sorted(path.name for path in (PLACE / "clobber-3x4").iterdir())
    assert begun == ["equal-steps", "equal-time"]

    # In the second tournament: the first one is reported.
    (results, networks), told = run(stop_at=0.9)
    assert told == sorted(told)
    assert [row[1:3] for row in results.rows] == [
        (EQUAL_TIME, "2 simulations"),
        (EQUAL_STEPS, "2 simulations"),
    ]
    assert (results.is_complete, networks.is_complete) == (False, True)

    forbid(monkeypatch)
    (results, networks), told = run()
    assert told[-1] == 1
    assert results.is_complete
    assert [row[:3] for row in results.rows] == [
        ("clobber 3x4", way, move)
        for way in (EQUAL_TIME, EQUAL_STEPS)
        for move in ("2 simulations", "1 ms")
    ]
    assert all(len(row) == len(results.headings) for row in results.rows)
    for value in results.values:
        assert len(value[RESIDUAL]) == len(value[MOBILE]) == SCALE.seeds
        assert value["pairs"] == SCALE.seeds**2
        assert 0 <= value["score_interval"][0] <= value["score"] <= value["score_interval"][1] <= 1
    assert results.picture == PLACE / PICTURE
    assert [len(chart.curves) for chart in results.charts] == [2]

    assert [row[1] for row in networks.rows] == [RESIDUAL, MOBILE]
    for value in networks.values:
        runs = value["runs"]
        assert [each["way"] for each in runs] == [EQUAL_TIME] * 2 + [EQUAL_STEPS] * 2
        assert [each["seed"] for each in runs] == [5, 6] * 2
        assert [each["steps"] for each in runs[2:]] == [SCALE.steps] * 2
        assert all(each["steps"] >= 1 and each["seconds"] >= SCALE.seconds for each in runs[:2])
        assert all(-1 <= each["ladder"] <= 1 and each["states"] > 0 for each in runs)
        assert all(f"seed{each['seed']}" in each["run"] for each in runs)
        models = {_model(Path(each["run"])) for each in runs}
        assert models == {"zerolab" if value["network"] == RESIDUAL else "zerolab.mobile"}

    json.dumps([results.values, networks.values])
    again, _ = run()
    assert [report.values for report in again] == [results.values, networks.values]


def _model(directory: Path) -> str:
    return str(json.loads((directory / "config.json").read_text())["nn_model"])


def test_a_network_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    diverging = contestants.NETWORKS[MOBILE] | {"learning_rate": 1e30}
    monkeypatch.setitem(contestants.NETWORKS, MOBILE, diverging)
    with pytest.raises(UsageError, match="the network mobile failed: "):
        run()


def test_it_is_listed_with_its_scales(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    module = "zerolab.studies.mobile_or_residual.contest.compare"
    monkeypatch.setattr(module, lambda *arguments: asked.append(arguments) or [])
    study = STUDIES["mobile-or-residual"]
    assert study.scales == (QUICK, EVENING, FULL)
    for scale in study.scales:
        assert scale in SCALES
        run_study("mobile-or-residual", scale, 7, print)
    assert asked == [(scale, 7, print) for scale in study.scales]
    assert [(game.rows, game.cols) for game in BOARDS] == [(6, 6), (8, 8)]
