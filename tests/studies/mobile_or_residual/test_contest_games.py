"""Tournaments of the contest: names of players, and scores of games that are invented."""

from pathlib import Path

import pytest

from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.ratings.intervals import wilson_interval
from zerolab.studies.mobile_or_residual.contest_games import (
    budgets_of,
    paired_score,
    player_of,
    standing_of,
)
from zerolab.studies.mobile_or_residual.contest_scales import EVENING, SCALES
from zerolab.studies.mobile_or_residual.contestants import (
    EQUAL_STEPS,
    EQUAL_TIME,
    MOBILE,
    RESIDUAL,
    Contestant,
)


def played(pair: int, first: str, second: str, result: int | None, seconds: float = 1.0) -> Played:
    failed = "somebody: failed" if result is None else None
    return Played(pair, first, second, result, 8, "", "", 0, (seconds, 2.0), (10, 10), None, failed)


def test_budgets_of_a_move() -> None:
    simulations, time = budgets_of(SCALES[EVENING])
    assert (simulations.strength, simulations.words) == ("100", "100 simulations")
    assert (time.strength, time.words) == ("30ms", "30 ms")
    assert time.threads == 1  # side by side, games would take time from each other
    assert simulations.threads is None
    each = Contestant(MOBILE, EQUAL_TIME, 1, Path("runs/x"), 7, 1.0, 1, 1.0, 0.0)
    assert player_of(each, simulations) == "az:runs/x#7@100"
    assert player_of(each, time) == "az:runs/x#7@30ms"


def test_the_score_is_that_of_one_side_over_pairs() -> None:
    games = [
        *(played(0, "m1", "r1", 1), played(0, "r1", "m1", -1)),  # both won
        *(played(1, "m1", "r1", 1), played(1, "r1", "m1", 1)),  # one each
        *(played(0, "m2", "r1", -1), played(0, "r1", "m2", 0)),  # lost and drawn
        *(played(1, "m2", "r1", None), played(0, "m1", "m2", -1), played(0, "r1", "else", 1)),
    ]
    found = paired_score({"m1", "m2"}, {"r1"}, games)
    assert found.pairs == 3
    assert found.score == pytest.approx((1 + 0.5 + 0.25) / 3)
    assert found.interval == wilson_interval(1.75, 3)
    other = paired_score({"r1"}, {"m1", "m2"}, games)
    assert other.score == pytest.approx(1 - found.score)


def test_a_standing_has_the_networks_of_its_way_by_seed() -> None:
    players = {
        name: Contestant(network, way, seed, Path(name), 1, 1.0, 1, 1.0, 0.0)
        for name, network, way, seed in (
            *(("r2", RESIDUAL, EQUAL_TIME, 2), ("r1", RESIDUAL, EQUAL_TIME, 1)),
            *(("m1", MOBILE, EQUAL_TIME, 1), ("m2", MOBILE, EQUAL_TIME, 2)),
            *(("R1", RESIDUAL, EQUAL_STEPS, 1), ("M1", MOBILE, EQUAL_STEPS, 1)),
        )
    }
    order = ["m2", "m1", "r2", "r1", "R1", "M1"]  # each beats those after it, with either colour
    games = [
        game
        for place, name in enumerate(order)
        for other in order[place + 1 :]
        for game in (played(0, name, other, 1), played(0, other, name, -1))
    ]
    budget = budgets_of(SCALES[EVENING])[1]
    found = standing_of(players, EQUAL_TIME, budget, games)
    assert (found.way, found.budget) == (EQUAL_TIME, "30 ms")
    (r1, r2), (m1, m2) = found.elo[RESIDUAL], found.elo[MOBILE]
    assert r1 < r2 < m1 < m2
    assert (found.paired.score, found.paired.pairs) == (1, 4)
    assert found.seconds == pytest.approx({RESIDUAL: 0.15, MOBILE: 0.15})
    steps = standing_of(players, EQUAL_STEPS, budget, games)
    assert steps.paired.score == 0
    assert steps.elo[RESIDUAL][0] > steps.elo[MOBILE][0]
    every = [*found.elo[RESIDUAL], *found.elo[MOBILE], *steps.elo[RESIDUAL], *steps.elo[MOBILE]]
    assert sum(every) == pytest.approx(0, abs=1e-6)
