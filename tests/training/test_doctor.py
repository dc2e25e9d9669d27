"""Each warning: seen where it should be, and not in a run that goes well."""

from typing import Any

import pytest

from zerolab.training.doctor import SIGNS, diagnose


def healthy(step: int) -> dict[str, Any]:
    """A line of a run that learns."""
    return {
        "step": step,
        "loss": {"policy": 2 / (1 + step / 10), "value": 0.7 / (1 + step / 20), "sum": 1.0},
        "game_length": {"num": 100, "std_dev": 1.5},
        "outcomes": {"counts": [60, 40, 0]},
        "eval": {"results": [min(1.0, step / 40), None]},
        "actors": 1,
        "restarts": 2,
        "play_seconds": 1.0,
        "learn_seconds": 3.0,
        "learn_processor_seconds": 2.9,
        "distinct_states": 0.9,
    }


ILLNESSES: dict[str, dict[str, Any]] = {
    "numbers": {"loss": {"policy": 1.0, "value": 0.1, "sum": float("nan")}},
    "policy": {"loss": {"policy": 0.01, "value": 0.1, "sum": 1.0}},
    "value": {"loss": {"policy": 1.0, "value": 0.7, "sum": 1.0}},
    "games": {
        "game_length": {"num": 100, "std_dev": 0.0},
        "outcomes": {"counts": [100, 0, 0]},
    },
    "repeats": {"distinct_states": 0.65},
    "busy": {"learn_seconds": 30.0},
    "winner": {"outcomes": {"counts": [100, 1, 0]}},
    "starved": {"play_seconds": 9.0, "learn_seconds": 1.0},
    "evaluation": {"eval": {"results": [0.1, None]}},
}


def test_a_worker_that_died_lately_is_mentioned() -> None:
    lines = [healthy(step) for step in range(1, 60)]
    assert "workers" in diagnose([*lines, healthy(60) | {"restarts": 3}])


def test_every_warning_is_tried() -> None:
    assert {*ILLNESSES, "workers"} == {sign.name for sign in SIGNS}


@pytest.mark.parametrize("name", ILLNESSES)
def test_what_is_wrong_is_said(name: str) -> None:
    lines = [healthy(step) | ILLNESSES[name] for step in range(1, 60)]
    assert name in diagnose(lines)


def test_a_healthy_run_gets_no_warning() -> None:
    for length in range(60):
        assert not diagnose([healthy(step) for step in range(1, length + 1)])


def test_a_learner_that_plays_itself_is_not_starved() -> None:
    lines = [healthy(step) | ILLNESSES["starved"] | {"actors": 0} for step in range(1, 60)]
    assert "starved" not in diagnose(lines)


def test_what_older_runs_did_not_write_is_not_wrong_with_them() -> None:
    lines = [healthy(step) for step in range(1, 60)]
    for line in lines:
        del line["learn_processor_seconds"], line["distinct_states"]
    assert not diagnose(lines)
