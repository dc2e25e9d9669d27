import numpy as np

from zerolab.networks.architectures import NetworkConfig, Recipe
from zerolab.networks.losses import LossConfig
from zerolab.studies.cazenave import batch_speeds


def test_table_i_runs_when_shrunken(monkeypatch):
    tiny = Recipe(NetworkConfig(width=2, depth=1), LossConfig())
    monkeypatch.setattr(batch_speeds, "make_recipe", lambda name: tiny)
    done = []
    report = batch_speeds.speed(32, 1, lambda number, total: done.append((number, total)))
    assert done == [(1, 2), (2, 2)]
    assert report.is_complete
    assert [row[0] for row in report.rows] == ["16", "32"]
    assert all(len(row) == len(report.headings) for row in report.rows)
    assert report.values[0]["paper_ratio"] == 15.88 / 5.72


def test_verdict():
    rows = [batch_speeds.SpeedRow(16, 10.0, 5.0), batch_speeds.SpeedRow(32, 10.0, 20.0)]
    even, faster = (batch_speeds.SpeedRow(16, 10.0, speed) for speed in (10.0, 9.99))
    assert batch_speeds.compare_speeds([even], 1).reproduced is False
    assert batch_speeds.compare_speeds([faster], 1).reproduced is True
    assert batch_speeds.compare_speeds(rows[:1], 1).reproduced
    assert not batch_speeds.compare_speeds(rows[:1], 2).reproduced
    mixed = batch_speeds.compare_speeds(rows, 2)
    assert not mixed.reproduced
    assert "faster at 1 of 2 batch sizes" in mixed.verdict
    assert "stopped after 0 of 2" in batch_speeds.compare_speeds([], 2).verdict
    np.testing.assert_allclose([row.ratio for row in rows], [2.0, 0.5])
