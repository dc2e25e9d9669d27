"""The numbers of the log, worked out by hand from a record of three games."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from zerolab.search.batched.cache import CacheStatistics
from zerolab.training.learner import LossValues
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN, Evaluations, Measured
from zerolab.training.runs.journal import entry
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import SelfPlayBatch
from zerolab.training.steps import Step

PLAY_SECONDS, LEARN_SECONDS, PROCESSOR_SECONDS = 2.0, 6.0, 5.5
LOSSES = LossValues(total=1.75, policy=1.0, value=0.5, l2=0.25)
# Positions were asked for 40 times; 30 of the answers were known.
CACHE = CacheStatistics(
    size=10, max_size=64, usage=10 / 64, requests=40, hits=30, misses=10, hit_rate=0.75
)
BATCHES = [0, 2, 0, 1, 3]  # the network rated 1 position twice, 3 once, and 4 three times


def game(values: list[float], black: float, proven: int = 0, opening: int = 0) -> GameRecord:
    """A game that ended so for Black; its last positions were proven.

    Black moves first, and after an opening of even length.
    """
    plies = np.arange(len(values))
    turns = (opening + plies) % 2
    return GameRecord(
        states=np.array([[turn, 7, 8] for turn in turns], np.uint64),
        policies=np.eye(len(values), 36, dtype=np.float32),
        values=np.array(values, np.float32),
        proven=plies >= len(values) - proven,
        full=plies % 3 != 2,  # what is not learnt was played nevertheless
        actions=plies,
        results=np.where(turns == 0, black, -black).astype(np.float32),
        opening=opening,
    )


# Seven plies: each is a stage. Black wins, so that the results are + - + - + - +, and the second
# and the third value have the wrong sign.
SEVEN = game([0.5, 0.25, -0.75, -0.5, 1, -1, 1], black=1, proven=3)
# Four plies: stage s is ply 3 s // 6, that is 0 0 1 1 2 2 3. White wins: - + - +. The first and
# the third value are wrong; 0 is right where the game was won.
FOUR = game([0.25, 0.0, 0.5, 1.0], black=-1, proven=1)
# Two plies: the first at all stages but the last. In a draw a value below 0 is wrong.
TWO = game([-0.25, 0.75], black=0)
GAMES = [SEVEN, FOUR, TWO]


def trainer_like() -> Any:
    """As much of a trainer as the log looks at."""
    evaluations = {EVAL: Evaluations(3, 2), EVAL_PLAIN: Evaluations(3, 2)}
    for result in (-1.0, 1.0, 0.5):
        evaluations[EVAL].add(1, result)
    evaluations[EVAL_PLAIN].add(0, -1.0)
    measured = Measured({"keeps": 0.875})
    replay = SimpleNamespace(added=1234)
    return SimpleNamespace(replay=replay, evaluations=evaluations, measured=measured)


def logged(
    actors: int = 0, records: list[GameRecord] = GAMES, batches: list[int] = BATCHES
) -> dict[str, Any]:
    games = SelfPlayBatch(records, CACHE, np.array(batches), waiting=5, actors=actors, restarts=2)
    step = Step(9, games, LOSSES, PLAY_SECONDS, LEARN_SECONDS, PROCESSOR_SECONDS)
    return entry(trainer_like(), step, trajectories=77, seconds=456.0)


def test_what_is_handed_on_stands_under_its_name() -> None:
    line = logged(actors=4)
    expected = {
        "step": 9,
        "total_states": 1234,
        "total_trajectories": 77,
        "queue_size": 5,
        "restarts": 2,
        "actors": 4,
        "play_seconds": 2.0,
        "learn_seconds": 6.0,
        "learn_processor_seconds": 5.5,
        "time_rel": 456.0,
        "loss": {"policy": 1.0, "value": 0.5, "l2reg": 0.25, "sum": 1.75},
        # Two results are kept for a level: 1 and 0.5 of the three at level 1.
        "eval": {"count": 3, "results": [None, 0.75, None]},
        "eval_plain": {"count": 1, "results": [-1.0, None, None]},
        "perfect": {"keeps": 0.875},
    }
    assert {key: line[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("actors", "states_per_s_actor"),
    [
        (0, 13 / 2),  # the learner plays itself, for 2 of the 8 seconds
        (1, 13 / 8),  # an actor plays all the time
        (4, 13 / 8 / 4),
    ],
)
def test_speeds(actors: int, states_per_s_actor: float) -> None:
    """7 + 4 + 2 = 13 positions in 3 games; 2 + 6 = 8 seconds."""
    line = logged(actors)
    assert line["states_per_s"] == pytest.approx(13 / 8)
    assert line["trajectories_per_s"] == pytest.approx(3 / 8)
    assert line["states_per_s_actor"] == pytest.approx(states_per_s_actor)


def test_lengths_of_games() -> None:
    """The mean of 7, 4 and 2 is 13/3; that of their squares 69/3, so the variance is 38/9.

    The moves of an opening are part of a game.
    """
    line = logged()
    found = line["game_length"]
    assert (found["num"], found["min"], found["max"]) == (3, 2, 7)
    assert found["avg"] == pytest.approx(13 / 3)
    assert found["std_dev"] == pytest.approx(38**0.5 / 3)
    histogram = [0] * 100
    histogram[2] = histogram[4] = histogram[7] = 1
    assert line["game_length_hist"] == histogram
    opened = logged(records=[game([0.0, 0.0, 0.0], black=1, opening=5)])
    assert opened["game_length"]["avg"] == 5 + 3
    assert opened["game_length_hist"][8] == 1


def test_who_has_won() -> None:
    """Player1 is Black, however many plies the game has and whoever moves after the opening."""
    won = (2, 3), (4, 0), (6, 0)  # plies, and those of the opening
    lost = (3, 0), (6, 2)
    black = [game([0.0] * plies, black=1, opening=opening) for plies, opening in won]
    white = [game([0.0] * plies, black=-1, opening=opening) for plies, opening in lost]
    drawn = [game([0.0, 0.0], black=0)]
    found = logged(records=[*white, *drawn, *black])["outcomes"]
    assert found == {"counts": [3, 2, 1], "names": ["Player1", "Player2", "Draw"]}


def test_values_by_stage() -> None:
    line = logged()
    # Stage by stage: right or not in the games of 7, 4 and 2 plies.
    right = [(1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0), (1, 0, 0), (1, 1, 1)]
    # And how firm the value was.
    firm = [
        (0.5, 0.25, 0.25),
        (0.25, 0.25, 0.25),
        (0.75, 0, 0.25),
        (0.5, 0, 0.25),
        (1, 0.5, 0.25),
        (1, 0.5, 0.25),
        (1, 1, 0.75),
    ]
    for key, expected in (("value_accuracy", right), ("value_prediction", firm)):
        assert len(line[key]) == len(expected)
        for found, numbers in zip(line[key], expected, strict=True):
            assert found["num"] == 3
            assert (found["min"], found["max"]) == (min(numbers), max(numbers))
            assert found["avg"] == pytest.approx(sum(numbers) / 3)
    # One of three is right at the first stage: the variance is 1/3 x 2/3.
    assert line["value_accuracy"][0]["std_dev"] == pytest.approx(2**0.5 / 3)


def test_the_share_of_proven_positions() -> None:
    """3 of 7, 1 of 4 and 0 of 2: 4 of 13 positions, whichever game they are of."""
    assert logged()["proven"] == pytest.approx(4 / 13)


def test_the_share_of_distinct_positions() -> None:
    """All games have the same stones: with Black to move and with White, 2 of 13 positions."""
    assert logged()["distinct_states"] == pytest.approx(2 / 13)
    different = FOUR._replace(states=np.arange(12, dtype=np.uint64).reshape(4, 3))
    assert logged(records=[different])["distinct_states"] == 1
    # The five other positions are two.
    mixed = logged(records=[different, game([0.0] * 5, black=1)])
    assert mixed["distinct_states"] == pytest.approx(6 / 9)


def test_sizes_of_batches() -> None:
    """2 x 1 + 1 x 3 + 3 x 4 = 17 in 6 calls; squares 2 + 9 + 48 = 59: variance 59/6 - (17/6)^2."""
    line = logged()
    found = line["batch_size"]
    assert (found["num"], found["min"], found["max"]) == (6, 1, 4)
    assert found["avg"] == pytest.approx(17 / 6)
    assert found["std_dev"] == pytest.approx(65**0.5 / 6)
    assert line["batch_size_hist"] == BATCHES


def test_a_step_that_never_asked_the_network() -> None:
    found = logged(batches=[0, 0, 0])["batch_size"]
    assert found == {"num": 0, "min": 0, "max": 0, "avg": 0, "std_dev": 0}


def test_rates_of_the_cache() -> None:
    """40 requests and 10 misses in 8 seconds."""
    found = logged()["cache"]
    assert found == CACHE._asdict() | {"requests_per_s": 5.0, "misses_per_s": 1.25}
