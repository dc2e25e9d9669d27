"""The charts of runs, without a browser."""

from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.web.pages.runs_page import (
    MOST_POINTS,
    _apart,
    _sweeps,
    _table_of,
    charts_of,
)
from zerolab.training.runs.logs import RunLog
from zerolab.training.runs.run_list import find_runs


def log(name, steps=3, **more):
    lines = [
        {
            "step": step,
            "time_rel": 60.0 * step,
            "loss": {"sum": 1 / step, "policy": 0.5, "value": None},
            "eval": {"count": 3, "results": [0.9, 0.5, 0.1, None]},
            "game_length": {"num": 2, "avg": 7.0, "min": 5, "max": 9},
            "game_length_hist": [0, 1],
            **more,
        }
        for step in range(1, steps + 1)
    ]
    return RunLog(Path(name), {}, lines)


def named(chart):
    return {each["name"]: each["data"] for each in chart["series"]}


def test_one_run_shows_all_its_series():
    charts = charts_of([log("a")], "step")
    assert set(charts) == {
        "Training loss",
        "Evaluation returns vs MCTS+Solver with x10^(n/2) sims",
        "Game length + stddev + min/max",
    }
    loss = named(charts["Training loss"])
    assert set(loss) == {"sum", "policy"}
    assert loss["sum"] == [[1, 1], [2, 0.5], [3, 1 / 3]]
    assert set(named(charts["Game length + stddev + min/max"])) == {"mean", "least", "greatest"}


def test_of_several_runs_one_series_each():
    charts = charts_of([log("a"), log("b")], "time")
    loss = named(charts["Training loss"])
    assert set(loss) == {"a: sum", "b: sum"}
    assert loss["a: sum"][1] == [2, 0.5]
    ladder = charts["Evaluation returns vs MCTS+Solver with x10^(n/2) sims"]
    assert {data[0][1] for data in named(ladder).values()} == {0.5}  # the middle level
    assert len({each["itemStyle"]["color"] for each in ladder["series"]}) == 2


def test_long_lines_are_thinned_out():
    charts = charts_of([log("a", 5 * MOST_POINTS + 1)], "step")
    assert len(named(charts["Training loss"])["sum"]) <= MOST_POINTS


def test_an_axis_that_is_not_there_gets_a_sentence():
    with pytest.raises(UsageError, match="has no states"):
        charts_of([log("a")], "states")


def test_trials_of_sweeps_stand_with_their_sweep(tmp_path):
    for number in range(4):
        directory = tmp_path / "a&b" / "trials" / f"000{number}-0"
        directory.mkdir(parents=True)
        (directory / "config.json").write_text('{"game": "clobber 4x4"}')
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "config.json").write_text("[]")  # by no means a run
    runs = [run._replace(is_running="0003" in run.name) for run in find_runs(tmp_path)]
    own, trials = _apart(runs, ["a&b"], ["a&b/trials/0001-0"])
    assert {run.name for run in own} == {"alone", "a&b/trials/0001-0", "a&b/trials/0003-0"}
    assert trials == {"a&b": 2}
    assert '<a href="/studies?sweep=a%26b">a&amp;b</a> (2 runs)' in _sweeps(trials)
    assert _sweeps({}) == ""
    table = _table_of(own, [], {})
    assert table.count('data-do="resume"') == 1  # nothing is known of one, another one runs
