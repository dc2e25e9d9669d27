"""The parts of wang-correlation: which players are trained, intervals, and what figures show."""

import itertools

import numpy as np

from zerolab.experiments.sweeps.objectives import Judging
from zerolab.games.othello import Othello
from zerolab.studies.wang import correlation
from zerolab.studies.wang.correlation import Player, sweep_of
from zerolab.studies.wang.effort import EFFORTS, FULL, QUICK

GAME = Othello(5, 5)


def test_every_combination_is_trained_once_and_without_an_arena():
    effort = EFFORTS[QUICK]
    sweep = sweep_of(effort, 5, GAME)
    assert not sweep.base.arena
    assert sweep.base == effort.base.changed(arena=False)
    assert sweep.plan == [
        dict(zip(effort.correlated, values, strict=True))
        for values in itertools.product(*effort.correlated.values())
    ]
    assert (sweep.game, sweep.size, sweep.repeats, sweep.seed) == (GAME, 81, 1, 5)
    assert sweep.judging == Judging(games=2, simulations=16, seed=5)


def test_intervals_hold_95_of_100_samples():
    """The first sample is the estimate, which need not lie between the others."""
    samples = np.concatenate([[7.0], np.arange(1001.0)])
    assert correlation._interval(samples) == (25.0, 7.0, 975.0)


def players():
    """All of Table 2; Elo and time say which one it is."""
    effort = EFFORTS[FULL].correlated
    return [
        Player(
            dict(zip(effort, values, strict=True)), float(number), 1000.0 + number, 10.0 + number
        )
        for number, values in enumerate(itertools.product(*effort.values()))
    ]


def test_time_against_elo_of_all_and_of_those_with_most_iterations_and_episodes():
    everyone, *most = correlation._times(players(), EFFORTS[FULL])
    assert everyone.curves[0].y == tuple(map(float, range(81)))
    assert everyone.curves[0].x == tuple(1010.0 + 2 * number for number in range(81))
    assert everyone.curves[0].texts == ()
    last = range(72, 81)  # I = 75 and E = 30 are the last nine
    by_kind = {
        "self-play": [1000.0 + number for number in last],
        "training": [10.0 + number for number in last],
        "total": [1010.0 + 2 * number for number in last],
    }
    for chart, (kind, seconds) in zip(most, by_kind.items(), strict=True):
        points, front = chart.curves
        assert f"Elo by {kind} time" in chart.title
        assert list(points.x) == seconds
        assert points.y == tuple(map(float, last))
        assert points.texts[:4] == ("25, 5", "25, 10", "25, 15", "50, 5")
        assert (points.is_line, front.is_line) == (False, True)
        assert front.y == points.y  # who takes longer is better here: all are on the front


def test_a_grid_for_each_number_of_iterations_and_episodes():
    """Columns are simulations, rows are epochs (Figure 4)."""
    grids = correlation._grids(players(), EFFORTS[FULL])
    assert [grid.title for grid in grids][:4] == [
        *("Elo, I=25, E=10", "Elo, I=25, E=20", "Elo, I=25, E=30", "Elo, I=50, E=10"),
    ]
    assert (grids[0].columns, grids[0].rows) == (("25", "50", "75"), ("5", "10", "15"))
    assert grids[1].values == ((9, 12, 15), (10, 13, 16), (11, 14, 17))
