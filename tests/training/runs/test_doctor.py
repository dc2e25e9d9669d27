"""Each warning: seen where it should be, and not in a run that goes well."""

from typing import Any

import pytest

from zerolab.training.runs.doctor import SIGNS, diagnose


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


# For each warning what is just ill, and what is just well.
ILLNESSES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "numbers": ({"loss": {"sum": float("nan")}}, {"loss": {"sum": 1e9}}),
    "policy": ({"loss": {"policy": 0.019}}, {"loss": {"policy": 0.021}}),
    # It began with (0.7 / 1.05 + 0.7 / 1.1) / 2 = 0.6515, of which 97 % are 0.63197.
    "value": ({"loss": {"value": 0.633}}, {"loss": {"value": 0.631}}),
    "games": (
        {"game_length": {"num": 20, "std_dev": 0.0}, "outcomes": {"counts": [0, 20, 0]}},
        {"game_length": {"num": 20, "std_dev": 0.0}, "outcomes": {"counts": [1, 19, 0]}},
    ),
    "repeats": ({"distinct_states": 0.69}, {"distinct_states": 0.71}),
    "busy": ({"learn_processor_seconds": 1.79}, {"learn_processor_seconds": 1.81}),  # of 3 seconds
    "winner": ({"outcomes": {"counts": [99, 1, 0]}}, {"outcomes": {"counts": [98, 2, 0]}}),
    "starved": (
        {"play_seconds": 9.1},
        {"play_seconds": 9.0},  # beside 3 seconds of learning: three quarters of the time
    ),
    "evaluation": ({"eval": {"results": [0.48, None]}}, {"eval": {"results": [0.5, None]}}),
}


def lines_with(change: dict[str, Any], count: int = 60) -> list[dict[str, Any]]:
    """A run that begins well, and is otherwise from its third line on."""
    lines = [healthy(step) for step in range(1, count + 1)]
    for line in lines[2:]:
        for key, value in change.items():
            line[key] = line[key] | value if isinstance(value, dict) else value
    return lines


def test_a_worker_that_died_lately_is_mentioned() -> None:
    lines = [healthy(step) for step in range(1, 61)]
    lines[-1]["restarts"] = 3
    assert set(diagnose(lines)) == {"workers"}
    lines[-5:-1] = [line | {"restarts": 3} for line in lines[-5:-1]]  # five lines ago already
    assert not diagnose(lines)


def test_every_warning_is_tried() -> None:
    assert {*ILLNESSES, "workers"} == {sign.name for sign in SIGNS}


@pytest.mark.parametrize("name", ILLNESSES)
def test_what_is_wrong_is_said_and_nothing_else(name: str) -> None:
    ill, well = (set(diagnose(lines_with(change))) for change in ILLNESSES[name])
    assert (ill, well) == ({name}, set())


def test_games_that_are_alike_have_one_winner_too() -> None:
    change = {"game_length": {"std_dev": 0.0}, "outcomes": {"counts": [100, 0, 0]}}
    assert set(diagnose(lines_with(change))) == {"games", "winner"}


@pytest.mark.parametrize(("games", "is_told"), [(19, False), (20, True)])
def test_a_few_games_may_be_alike(games: int, is_told: bool) -> None:
    change = {
        "game_length": {"num": games, "std_dev": 0.0},
        "outcomes": {"counts": [games, 0, 0]},
    }
    assert ("games" in diagnose(lines_with(change))) == is_told


@pytest.mark.parametrize(("result", "is_flat"), [(0.419, True), (0.421, False)])
def test_results_that_hardly_grow_are_flat(result: float, is_flat: bool) -> None:
    """0.4 a third of the run ago; 0.02 more is an improvement."""
    lines = lines_with({"eval": {"results": [0.4, None]}})
    lines[-1]["eval"] = {"results": [result, None]}
    assert ("evaluation" in diagnose(lines)) == is_flat


@pytest.mark.parametrize(
    ("name", "lines"), [("policy", 5 + 2), ("value", 15), ("evaluation", 45), ("numbers", 5)]
)
def test_a_young_run_is_left_alone(name: str, lines: int) -> None:
    """Seven lines, since the first two are well: the last five count."""
    ill, _ = ILLNESSES[name]
    assert name in diagnose(lines_with(ill, lines))
    assert name not in diagnose(lines_with(ill, lines - 1))


def test_what_is_over_is_not_said() -> None:
    ill, _ = ILLNESSES["policy"]
    assert not diagnose([*lines_with(ill, 30), *(healthy(step) for step in range(31, 36))])


def test_a_healthy_run_gets_no_warning() -> None:
    for length in range(60):
        assert not diagnose([healthy(step) for step in range(1, length + 1)])


def test_a_learner_that_plays_itself_is_not_starved() -> None:
    ill, _ = ILLNESSES["starved"]
    assert "starved" not in diagnose(lines_with(ill | {"actors": 0}))


def test_what_older_runs_did_not_write_is_not_wrong_with_them() -> None:
    lines = [healthy(step) for step in range(1, 60)]
    for line in lines:
        del line["learn_processor_seconds"], line["distinct_states"]
    assert not diagnose(lines)
