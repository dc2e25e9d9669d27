"""wang-sweep: a shrunken run, and verdicts on invented outcomes."""

import json

import pytest

from zerolab.experiments.sweeps.findings import COMPLETE, TrialSummary
from zerolab.games.othello import Othello
from zerolab.studies.wang import hyper_parameters
from zerolab.studies.wang.effort import EFFORTS, EVENING, FULL, QUICK, TINY, effort_of
from zerolab.studies.wang.hyper_parameters import Row, axes_of, compare, seconds_of
from zerolab.studies.wang.paper import FRIENDLY, PARAMETERS, SENSITIVE
from zerolab.studies.wang.significance import chance
from zerolab.training.settings.staged_config import StagedConfig

SEEDS = 3
BY_SYMBOL = {parameter.symbol: parameter for parameter in PARAMETERS}


def row(symbol="c", losses=(1.0, 2.0, 3.0), errors=(0.1, 0.1, 0.1), seconds=(10, 10, 10)):
    parameter = BY_SYMBOL[symbol]
    p = None if None in (*losses, *errors) else chance(losses, errors, SEEDS)
    return Row(parameter, parameter.values, losses, errors, seconds, ((), (), ()), p)


def test_the_defaults_of_table_1_are_ours():
    defaults = StagedConfig().flat()
    assert {each.setting: each.values[1] for each in PARAMETERS} == {
        each.setting: defaults[each.setting] for each in PARAMETERS
    }
    assert len(PARAMETERS) == 12
    assert {each.hours[1] for each in PARAMETERS} == {44.0}


def test_full_is_the_paper_s():
    effort = effort_of(FULL)
    assert [effort.values(each) for each in PARAMETERS] == [each.values for each in PARAMETERS]
    assert effort.base == StagedConfig()


@pytest.mark.parametrize("scale", [QUICK, EVENING, TINY])
def test_shorter_scales_shrink_by_the_paper_s_factors(scale):
    effort = EFFORTS[scale]
    assert effort.values(BY_SYMBOL["c"]) == (0.5, 1.0, 2.0)
    for parameter in PARAMETERS:
        low, default, high = effort.values(parameter)
        assert low <= default <= high
        assert effort.base.flat()[parameter.setting] == default
    assert EFFORTS[EVENING].values(BY_SYMBOL["E"]) == (5, 25, 50)
    assert EFFORTS[EVENING].values(BY_SYMBOL["n"]) == (10, 20, 50)
    assert [axis.name for axis in axes_of(effort)] == [each.setting for each in PARAMETERS]


@pytest.mark.parametrize(
    ("seconds", "kind"),
    [((10, 10, 12), FRIENDLY), ((10, 10, 12.1), SENSITIVE), ((5, 10, 10), SENSITIVE)],
)
def test_what_costs_time(seconds, kind):
    assert row(seconds=seconds).kind == kind
    assert row("c", seconds=seconds).time_verdict == ("agrees" if kind == FRIENDLY else "differs")
    assert row("m", seconds=seconds).time_verdict == ("differs" if kind == FRIENDLY else "agrees")


@pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda each: each.symbol)
def test_the_rule_gives_the_paper_s_classes_from_its_own_hours(parameter):
    assert row(parameter.symbol, seconds=parameter.hours).kind == parameter.kind


def test_a_missing_run_is_no_verdict():
    missing = row(losses=(1.0, None, 3.0), seconds=(1, None, 1))
    assert (missing.kind, missing.best) == (None, None)
    assert (missing.loss_verdict, missing.time_verdict) == ("missing", "missing")
    empty = hyper_parameters._row(BY_SYMBOL["c"], EFFORTS[EVENING], [])
    assert (empty.losses, empty.loss_p) == ((None, None, None), None)


@pytest.mark.parametrize(
    ("symbol", "losses", "error", "verdict"),
    [
        ("c", (1.0, 2.0, 3.0), 0.1, "agrees"),  # the paper: 0.5
        ("c", (1.0, 1.28, 3.0), 0.1, "agrees, within noise"),  # 2 x 0.1 x sqrt 2 is 0.283
        ("c", (1.0, 1.29, 3.0), 0.1, "agrees"),
        ("c", (3.0, 1.0, 3.0), 0.1, "differs"),
        ("c", (1.2, 1.0, 3.0), 0.1, "cannot be told"),
        ("n", (1.0, 1.1, 1.1), 0.1, "agrees"),  # the paper: no difference
        ("n", (1.0, 2.0, 2.0), 0.1, "differs"),
        ("u", (1.0, 1.1, 2.0), 0.1, "differs"),  # the best and the second are alike, the last not
        ("u", (1.0, 1.1, 2.0), None, "cannot be told"),
        ("c", (1.0, 2.0, 3.0), None, "agrees, within noise"),  # one seed
        ("c", (2.0, 1.0, 3.0), None, "cannot be told"),
    ],
)
def test_the_smallest_loss(symbol, losses, error, verdict):
    assert row(symbol, losses, (error,) * 3).loss_verdict == verdict


def test_the_verdict_counts_what_the_paper_names_and_what_is_sure():
    """Eight of ten, two of them within noise; guesses: 201 of 59049 have eight or more right."""
    best = {each.symbol: row(each.symbol).paper_best for each in PARAMETERS}
    rows = []
    for number, (symbol, index) in enumerate(best.items()):
        chosen = 1 if index is None else (index + (number < 2)) % 3
        low = 0.9 if number in (2, 3) else 0.0 if index is not None else 1.0
        rows.append(row(symbol, tuple(low if at == chosen else 1.0 for at in range(3))))
    verdict = hyper_parameters._loss_verdict(rows, EFFORTS[EVENING])
    assert "of 10 values that the paper calls best for the loss, 8 have the smallest" in verdict
    assert "too, 6 of them surely; chance alone gives that many with p = 0.0034." in verdict
    assert "The loss depends on I, E, c, rs, ep, bs, lr, d (" in verdict


def test_when_it_is_reproduced():
    def reproduced(rows):
        loss = hyper_parameters._loss_report(rows, EFFORTS[EVENING], True, None)
        times = hyper_parameters._time_report(rows, EFFORTS[EVENING], True)
        return loss.reproduced, times.reproduced

    sound = [row(each.symbol, (1.0, 1.0, 1.0)) for each in PARAMETERS]
    times = {SENSITIVE: (5, 10, 20), FRIENDLY: (10, 10, 10)}
    sound = [each._replace(seconds=times[each.parameter.kind]) for each in sound]
    assert reproduced(sound) == (True, True)
    wrong_time = sound[0]._replace(seconds=(10, 10, 10))
    assert reproduced([wrong_time, *sound[1:]]) == (True, False)
    wrong_loss = sound[4]._replace(losses=(3.0, 1.0, 3.0))  # of c
    assert reproduced([*sound[:4], wrong_loss, *sound[5:]]) == (False, True)


def test_the_time_of_a_trial_is_the_mean_over_its_runs(tmp_path):
    """Two runs: (1 + 2 + 0.5) + (3 + 4 + 0.5) = 11 and 5 + 0 + 0 = 5 seconds."""
    logs = {"a": [(1, 2, 0.5), (3, 4, 0.5)], "b": [(5, 0, 0)]}
    for name, stages in logs.items():
        (tmp_path / name).mkdir()
        lines = [
            {"stage_processor_seconds": dict(zip(("play", "train", "arena"), each, strict=True))}
            for each in stages
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / name / "learner.jsonl").write_text(text)
    runs = tuple(str(tmp_path / name) for name in logs)
    trial = TrialSummary(0, COMPLETE, {}, (1.0,), (0.1,), runs, 2, 99.0, None)
    assert seconds_of(trial) == 8


def test_a_shrunken_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    report, times = compare(TINY, 1, lambda *done: told.append(done), Othello(5, 5), workers=1)
    for each in (report, times):
        assert each.is_complete
        assert [line[0] for line in each.rows] == [each.symbol for each in PARAMETERS]
        assert all(len(line) == len(each.headings) for line in each.rows)
    assert "?" not in "".join(line[2] for line in report.rows)
    assert told[-1][0] == pytest.approx(told[-1][1])
    epochs, *curves = report.charts
    assert len(epochs.curves[0].y) == 4  # two iterations of two epochs
    assert [chart.title.split()[0] for chart in curves] == [each.symbol for each in PARAMETERS]
    lengths = [len(curve.y) for curve in curves[0].curves]
    assert lengths == [1, 2, 3]  # iterations
    assert all(seconds > 0 for each in report.values for seconds in each["seconds"])
    told.clear()
    again, _ = compare(TINY, 1, lambda *done: told.append(done), Othello(5, 5), workers=1)
    assert told == []
    assert again.rows == report.rows
