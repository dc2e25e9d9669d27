"""Where the time of a step went, worked out by hand."""

from typing import Any

import numpy as np

from tests.training.runs.test_journal import CACHE, LOSSES
from zerolab.games.playing.score import Score
from zerolab.training.arena import ArenaResult
from zerolab.training.runs.step_times import Around, time_fields
from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.selfplay.sources import SelfPlayBatch
from zerolab.training.steps import COMPARING, LEARNING, PLAYING, Stages, Step

# Games of four plies: the first two cost 2 s and 20 simulations each, the others 1 s and 4.
TIMES = PlayTimes(np.array([2.0, 2, 1, 1]), np.array([20.0, 20, 4, 4]), np.array([3.0, 3, 3, 3]))


def fields(times: PlayTimes | None = TIMES, stages: Stages | None = None) -> dict[str, Any]:
    games = SelfPlayBatch([], CACHE, np.zeros(2, np.int64), times=times)
    step = Step(1, games, LOSSES, 6.5, 9.0, 8.0, stages, batches=5)
    return time_fields(step, Around(compiling=3.0), length=4, parts=2)


def test_self_play_is_the_sum_of_its_parts() -> None:
    found = fields()["selfplay"]
    parts = [
        {"seconds": 4, "simulations": 40, "per_simulation": 0.1},
        {"seconds": 2, "simulations": 8, "per_simulation": 0.25},
    ]
    whole = {"seconds": 6, "simulations": 48, "per_simulation": 0.125, "moves": 12}
    assert found == {**whole, "parts": parts}
    assert fields(None)["selfplay"] is None


def test_parts_without_moves_have_no_rate() -> None:
    times = PlayTimes(*np.array([[2.0, 0], [4.0, 0], [1.0, 0]]))
    assert fields(times)["selfplay"]["parts"][1]["per_simulation"] is None


def test_the_continuous_loop_learns_all_the_time_after_the_games() -> None:
    found = fields()
    assert found["learning"] == {"seconds": 9, "batches": 5, "per_batch": 1.8}
    assert found["arena"] is None
    assert (found["compiling"], found["checkpoint"]) == (3, None)


def test_the_staged_loop_learns_and_compares() -> None:
    arena = ArenaResult(Score(1, 0, 1), distinct=2, simulations=50)
    seconds = {PLAYING: 6.5, LEARNING: 4.0, COMPARING: 5.0}
    found = fields(stages=Stages([LOSSES], arena, True, [9], seconds, seconds))
    assert found["learning"] == {"seconds": 4, "batches": 5, "per_batch": 0.8}
    assert found["arena"] == {"seconds": 5, "simulations": 50, "per_simulation": 0.1}
    assert fields(stages=Stages([LOSSES], None, True, [9], seconds, seconds))["arena"] is None
