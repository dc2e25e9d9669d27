import numpy as np

from zerolab.networks.architectures import NetworkConfig, Recipe
from zerolab.networks.losses import LossConfig
from zerolab.studies import cazenave


def test_table_i_runs_when_shrunken(monkeypatch):
    tiny = Recipe(NetworkConfig(width=2, depth=1), LossConfig())
    monkeypatch.setattr(cazenave, "make_recipe", lambda name: tiny)
    done = []
    report = cazenave.speed(32, 1, lambda number, total: done.append((number, total)))
    assert done == [(1, 2), (2, 2)]
    assert report.is_complete
    assert [row[0] for row in report.rows] == ["16", "32"]
    assert all(len(row) == len(report.headings) for row in report.rows)
    assert report.values[0]["paper_ratio"] == 15.88 / 5.72


def test_verdict():
    rows = [cazenave.SpeedRow(16, 10.0, 5.0), cazenave.SpeedRow(32, 10.0, 20.0)]
    even, faster = (cazenave.SpeedRow(16, 10.0, speed) for speed in (10.0, 9.99))
    assert cazenave.compare_speeds([even], 1).reproduced is False
    assert cazenave.compare_speeds([faster], 1).reproduced is True
    assert cazenave.compare_speeds(rows[:1], 1).reproduced
    assert not cazenave.compare_speeds(rows[:1], 2).reproduced
    mixed = cazenave.compare_speeds(rows, 2)
    assert not mixed.reproduced
    assert "faster at 1 of 2 batch sizes" in mixed.verdict
    assert "stopped after 0 of 2" in cazenave.compare_speeds([], 2).verdict
    np.testing.assert_allclose([row.ratio for row in rows], [2.0, 0.5])
