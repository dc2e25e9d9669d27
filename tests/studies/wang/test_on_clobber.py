"""wang's questions asked of Clobber: shrunken runs, and effects whose answer is known."""

import pytest

from zerolab.experiments import judging
from zerolab.experiments.sweeps import objectives
from zerolab.experiments.sweeps.findings import COMPLETE, TrialSummary
from zerolab.games.clobber import Clobber
from zerolab.studies.wang import hyper_parameters, on_clobber
from zerolab.studies.wang.effort import EFFORTS, EVENING, TINY
from zerolab.studies.wang.on_clobber import Effect, effect_of, losses, parameters
from zerolab.studies.wang.paper import PARAMETERS
from zerolab.studies.wang.significance import chance

BY_SYMBOL = {parameter.symbol: parameter for parameter in PARAMETERS}


def test_what_matters():
    effect = Effect(BY_SYMBOL["m"], (1, 2, 3), (1, 1, 1), (1, 1, 1), (), (10, 10, 12), 0.05, 0.049)
    assert (effect.changes_loss, effect.changes_strength, effect.changes_time) == (
        *(False, True),
        False,
    )
    other = effect._replace(loss_p=0.049, strength_p=None, seconds=(10, 10, 12.1))
    assert (other.changes_loss, other.changes_strength, other.changes_time) == (True, False, True)
    verdict = on_clobber.verdict_on([effect, other._replace(parameter=BY_SYMBOL["c"])])
    assert "the loss depends on c; strength on m; time on c (" in verdict
    alone = on_clobber.verdict_on([effect])
    assert "the loss depends on none;" in alone
    assert alone.endswith("; runs failed for I, E, T', c, rs, ep, bs, lr, d, n, u")
    every = on_clobber.verdict_on([effect._replace(parameter=each) for each in PARAMETERS])
    assert "failed" not in every


def test_an_effect_is_that_of_its_own_trials(monkeypatch):
    effort = EFFORTS[EVENING]
    base = {each.setting: effort.base.flat()[each.setting] for each in PARAMETERS}
    trials = [
        TrialSummary(number, COMPLETE, base | {"uct_c": c}, (c, 10 * c), (c / 10, c), (), 1, 1, "")
        for number, c in enumerate((2.0, 0.5, 1.0))
    ]
    monkeypatch.setattr(on_clobber, "seconds_of", lambda trial: 100.0 + trial.number)
    found = effect_of(BY_SYMBOL["c"], effort, trials)
    assert found.losses == (0.5, 1.0, 2.0)
    assert found.strengths == (5, 10, 20)
    assert found.strength_errors == (0.5, 1.0, 2.0)
    assert found.seconds == (101, 102, 100)
    assert found.loss_p == chance((0.5, 1.0, 2.0), (0.05, 0.1, 0.2), effort.seeds)
    assert found.strength_p == chance((5, 10, 20), (0.5, 1, 2), effort.seeds)
    assert effect_of(BY_SYMBOL["c"], effort, trials[:2]) is None
    assert effect_of(BY_SYMBOL["m"], effort, trials) is None


def test_shrunken_runs(tmp_path, monkeypatch):
    """5x5 is judged by exact play; 5x6, which is too large for that, by the ladder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(judging, "QUESTIONS", 4)
    monkeypatch.setattr(objectives, "LEVELS", 1)
    monkeypatch.setattr(on_clobber, "PARAMETERS", [BY_SYMBOL["m"], BY_SYMBOL["ep"]])
    monkeypatch.setattr(hyper_parameters, "PARAMETERS", [BY_SYMBOL["m"], BY_SYMBOL["ep"]])
    told = []
    boards = (Clobber(5, 5), Clobber(5, 6))
    reports = parameters(TINY, 1, lambda *done: told.append(done), boards, workers=1)
    assert [report.is_complete for report in reports] == [True, True]
    assert told[-1] == (pytest.approx(2), 2)
    for report, strength in zip(reports, on_clobber.STRENGTHS.values(), strict=True):
        assert [line[0] for line in report.rows] == ["m", "ep"]
        assert report.headings[4] == strength
        assert all(len(line) == len(report.headings) for line in report.rows)
        assert [chart.title for chart in report.charts] == ["m (max_simulations)", "ep (epochs)"]
        assert report.reproduced is None
        assert report.charts[1].curves[0].y == report.values[1]["strengths"]
        assert all(seconds > 0 for value in report.values for seconds in value["seconds"])
    kept = [share for value in reports[0].values for share in value["strengths"]]
    assert all(0 <= share <= 1 for share in kept)
    assert [report.picture.parent.name for report in reports] == ["clobber-5x5", "clobber-5x6"]


def test_losses_have_no_paper_to_agree_with(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (report,) = losses(TINY, 1, lambda done, total: None, [Clobber(5, 6)], workers=1)
    assert report.is_complete
    assert "paper" not in report.verdict
    assert report.reproduced is None
