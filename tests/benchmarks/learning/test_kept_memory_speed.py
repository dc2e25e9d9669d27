"""What keeping memory gains, shrunken: no speed is asserted, only what is measured."""

import pytest

from zerolab.benchmarks.learning import kept_memory_speed
from zerolab.benchmarks.learning.kept_memory_speed import (
    NETWORKS,
    bench_kept_memory,
    learning_speed,
)


def test_a_batch_is_learnt() -> None:
    assert learning_speed("a0.tiny", 0.0) > 0


def test_both_ways_take_turns_and_the_best_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def measure(module: str, arguments: tuple[str, ...], environment: dict[str, str]) -> float:
        asked.append((module, arguments, environment.get("MALLOC_PERTURB_")))
        assert "MALLOC_ARENA_MAX" not in environment
        return 30.0 + len(asked) if asked[-1][2] is None else 10.0 + len(asked)

    monkeypatch.setenv("MALLOC_ARENA_MAX", "2")
    monkeypatch.setattr(kept_memory_speed, "measure_apart", measure)
    seen = []
    speeds = bench_kept_memory(2.0, lambda done, total: seen.append((done, total)))
    module = "zerolab.benchmarks.learning.kept_memory_speed"
    turn = [(module, (NETWORKS[0], "2.0"), each) for each in (None, "0")]
    assert asked[:6] == turn * 3
    assert [(speed.network, speed.kept, speed.returned) for speed in speeds] == [
        (NETWORKS[0], 35.0, 16.0),
        (NETWORKS[1], 41.0, 22.0),
    ]
    assert speeds[0].ratio == 35 / 16
    assert seen == [(turn, 6) for turn in range(1, 7)]
