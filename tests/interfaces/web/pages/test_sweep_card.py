"""How a sweep is shown, without a browser."""

from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.web.pages.sweep_card import _importances, _table, _touched, sweep_chart
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.sweep_task import SeenSweep, SeenTrial

RUN = "/runs/sweeps/one/trials/0001-0"


def trial(number, values, is_best=False, state="complete", runs=()):
    texts = tuple(map(str, values))
    return SeenTrial(number, (f"<{number}>",), texts, values, is_best, state, 3.14, runs)


SWEEP = SeenSweep(
    "clobber 4x4, grid",
    ("uct_c",),
    ("elo", "time"),
    ("Elo, more is better", "seconds, less is better"),
    (
        trial(1, (300.0, 9.0), True, runs=(RUN, "/elsewhere/0001-1")),
        trial(3, (200.0, 8.0)),
        trial(0, (100.0, 2.0), True),
        trial(2, (), state="failed: <diverged>"),
    ),
    {"elo": {"uct_c": 0.75}},
    None,
)


def test_the_front_runs_from_the_cheap_to_the_good():
    front, points = sweep_chart(SWEEP)["series"]
    assert front["data"] == [[2.0, 100.0], [9.0, 300.0]]
    assert front["step"] is False
    assert [each["value"] for each in points["data"]] == [[9.0, 300.0], [8.0, 200.0], [2.0, 100.0]]
    assert [each["symbol"] for each in points["data"]] == ["circle", "diamond", "circle"]


def test_trials_are_rows_with_their_curves(tmp_path):
    rows = _table(SWEEP, Rules(tmp_path).runs).split("<tr>")[2:]
    assert len(rows) == 4
    assert "&lt;1&gt;" in rows[0]
    assert "best" in rows[0]
    assert "failed: &lt;diverged&gt;" in rows[3]
    assert rows[3].count("<td>") == rows[0].count("<td>") == 7
    assert "href" not in "".join(rows)  # runs that are elsewhere
    linked = _table(SWEEP, Path("/runs"))
    assert linked.count("href") == 1
    assert 'href="/runs?show=sweeps%2Fone%2Ftrials%2F0001-0"' in linked


def test_importances_are_bars():
    assert "width:75%" in _importances(SWEEP)
    assert _importances(SWEEP._replace(importances={})) == ""


def test_files_that_lead_outside_are_refused(tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "sweep.db").touch()
    (tmp_path / "one").mkdir()
    assert _touched(Rules(tmp_path), "one") == [0.0, 0.0]
    (tmp_path / "one" / "sweep.db").symlink_to(outside / "sweep.db")
    with pytest.raises(UsageError, match="not below"):
        _touched(Rules(tmp_path), "one")
