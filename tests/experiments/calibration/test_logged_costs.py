"""Costs from invented logs, and that a prediction from them is what the log says."""

from typing import Any

import pytest

from tests.experiments.test_prediction import CONTINUOUS, STAGED
from zerolab.experiments.calibration.logged_costs import done_of, logged_costs
from zerolab.experiments.prediction import Done, move_seconds, predict
from zerolab.training.loop import Limits


def staged_log(steps: int) -> list[dict[str, Any]]:
    """Iterations of 5 games and 40 examples, which take 50 + 24 or 48 + 21 + 2 seconds."""
    log: list[dict[str, Any]] = []
    seconds = 0.0
    for step in range(1, steps + 1):
        window = [40] * min(step, 2)
        stages = {"play": 50.0, "train": 24.0 * len(window), "arena": 21.0}
        seconds += sum(stages.values()) + (2 if step > 1 else 0)
        log.append(
            {
                **{"step": step, "total_states": 40 * step, "total_trajectories": 5 * step},
                **{"window": window, "stage_seconds": stages, "time_rel": seconds},
                **{"play_seconds": 50.0, "learn_seconds": stages["train"] + 21},
            }
        )
    return log


def continuous_log(steps: int) -> list[dict[str, Any]]:
    """Steps of 16 states in 2 games: 8 s of play, 2 s a batch, 3 s in between."""
    log: list[dict[str, Any]] = []
    seconds = 0.0
    for step in range(1, steps + 1):
        learning = 2.0 * min(8, 2 * step)
        seconds += 8 + learning + (3 if step > 1 else 0)
        counts = {"step": step, "total_states": 16 * step, "total_trajectories": 2 * step}
        times = {"play_seconds": 8.0, "learn_seconds": learning, "time_rel": seconds}
        log.append(counts | times)
    return log


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_a_staged_run_goes_on_as_before(steps: int) -> None:
    log = staged_log(steps)
    costs, done = logged_costs(STAGED, log), done_of(log)
    assert (costs.moves, done.window) == (8, (40,) * min(steps, 2))
    rest = predict(STAGED, Limits(steps=5), costs, done)
    between = 0 if steps > 1 else 2 * 4  # of which one line says nothing
    whole = staged_log(5)[-1]["time_rel"] - between
    assert done.seconds + rest.training == pytest.approx(whole)
    assert rest.spent.arena == 21 * (5 - steps)


@pytest.mark.parametrize("steps", [1, 3, 20])
def test_a_continuous_run_goes_on_as_before(steps: int) -> None:
    log = continuous_log(steps)
    costs, done = logged_costs(CONTINUOUS, log), done_of(log)
    assert costs.moves == pytest.approx(8)
    assert costs.batch == pytest.approx(2)
    assert move_seconds(costs.learnt_parts) == pytest.approx(0.5)
    rest = predict(CONTINUOUS, Limits(steps=steps + 2), costs, done)
    begun = 0.5 * 8  # games begin again
    longer = continuous_log(steps + 2)[-1]["time_rel"] - log[-1]["time_rel"]
    missing = 6 if steps == 1 else 0  # what lies between steps, of which one line says nothing
    assert rest.training == pytest.approx(longer + begun - missing)


def test_actors_play_all_the_time() -> None:
    """In the last steps they took 8 + 16 s for 16 moves, and there are two of them.

    At that rate the first step, of 16 moves and 16 more of games under way, takes 32 * 1.5 = 48 s;
    it took 8 + 4 and 50 to start.
    """
    config, log = CONTINUOUS.changed(actors=2), continuous_log(20)
    costs = logged_costs(config, log)
    assert move_seconds(costs.learnt_parts) == pytest.approx(24 * 2 / 16)
    assert costs.starting == 0
    log[0]["play_seconds"] += 50
    assert logged_costs(config, log).starting == pytest.approx(50 + 8 + 4 - 48)
    assert logged_costs(CONTINUOUS, log).starting == 0


def test_the_first_step_is_left_out_where_there_are_others() -> None:
    log = continuous_log(3)
    log[0]["play_seconds"] += 50
    assert move_seconds(logged_costs(CONTINUOUS, log).parts) == pytest.approx(0.5)
    assert move_seconds(logged_costs(CONTINUOUS, log[:1]).parts) == pytest.approx(58 / 16)


def test_short_searches_are_moves_too() -> None:
    config = CONTINUOUS.changed(fast_simulations=2, full_share=0.25)
    costs = logged_costs(config, continuous_log(20))
    assert costs.moves == pytest.approx(8 * 4)
    assert move_seconds(costs.parts) == pytest.approx(0.5 / 4)


def test_compiling_took_what_the_log_says() -> None:
    log = continuous_log(3)
    assert logged_costs(CONTINUOUS, log).compiling == 0  # from before it was written
    for line, seconds in zip(log, (9.5, None, None), strict=True):
        line["time"] = {"compiling": seconds}
    assert logged_costs(CONTINUOUS, log).compiling == 9.5


def test_nothing_is_behind_a_run_without_steps() -> None:
    assert done_of([]) == Done()
