"""Both engines play by turns, on a board that is quick."""

import pytest

from tests.experiments.engines.test_ray_crew import GAME, SMALL
from zerolab.benchmarks import ray_speed
from zerolab.benchmarks.ray_speed import bench_ray
from zerolab.experiments.engines.engine import LOCAL, RAY
from zerolab.training.settings.continuous_config import TrainingConfig


@pytest.mark.slow
def test_both_engines_play_and_all_pieces_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_speed, "TURN", 1.0)
    monkeypatch.setattr(ray_speed, "ECHOES", 2)
    done: list[tuple[int, int]] = []
    bench = bench_ray(1.0, lambda *each: done.append(each), GAME, TrainingConfig().changed(**SMALL))
    assert done == [(1, 3), (2, 3), (3, 3)]
    assert [each.name for each in bench.speeds] == [LOCAL, RAY]
    assert all(each.states > 0 and each.seconds > 0 and each.actors > 0 for each in bench.speeds)
    assert len(bench.turns) == 2
    assert all(value >= 0 for value in bench.costs)
    assert bench.costs.states_per_step == 128
    assert bench.costs.batches_per_step == 16
