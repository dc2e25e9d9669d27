"""The graph of training Elo and tournament Elo is asked what it shows."""

import numpy as np

from tests.interfaces.figures import legend
from zerolab.evaluation.ratings.bayesian_elo import FEW, Estimate, Rated
from zerolab.evaluation.ratings.intervals import Interval
from zerolab.evaluation.ratings.progress_elo import Checkpoint, ProgressElo
from zerolab.interfaces.plots.curves import COLOURS
from zerolab.interfaces.plots.progress_elo_plot import plot_progress

STEPS = (10, 20, 50)
TRAINING, TOURNAMENT = (0.0, 300.0, 700.0), (0.0, 100.0, 150.0)


def rated(rating, spread, *flags):
    interval = Interval(rating - spread, rating + 2 * spread)
    return Rated("x", rating, spread, interval, 5, 0.5, flags)


def drawn(saved, tmp_path, *flags):
    """The last checkpoint by training Elo may have flags."""
    checkpoints = tuple(
        Checkpoint(step, rated(near, 30, *(flags if step == 50 else ())), rated(far, 7))
        for step, near, far in zip(STEPS, TRAINING, TOURNAMENT, strict=True)
    )
    elo = ProgressElo(checkpoints, Estimate(0.0, 0.0), None)
    plot_progress(elo, "demo", [tmp_path / "elo.png"])
    ((axes,),) = [figure.axes for figure in saved]
    return axes


def test_two_curves_against_steps(saved, tmp_path):
    axes = drawn(saved, tmp_path)
    assert [line.get_label().split(":")[0] for line in axes.lines] == [
        *("tournament Elo", "training Elo")
    ]
    for line, y, colour in zip(axes.lines, (TOURNAMENT, TRAINING), COLOURS, strict=False):
        assert list(line.get_xdata()) == list(STEPS)
        assert tuple(line.get_ydata()) == y
        assert line.get_color() == colour
    assert legend(axes) == [
        "tournament Elo: everyone against everyone",
        "training Elo: games between neighbours",
    ]
    assert axes.get_title(loc="left") == "demo"
    assert axes.get_ylabel() == "Elo above the first checkpoint, 95 % intervals"


def test_bands_are_the_intervals(saved, tmp_path):
    axes = drawn(saved, tmp_path)
    for band, y, spread in zip(axes.collections, (TOURNAMENT, TRAINING), (7, 30), strict=True):
        corners = band.get_paths()[0].vertices
        for step, middle in zip(STEPS, y, strict=True):
            there = corners[corners[:, 0] == step][:, 1]
            assert (there.min(), there.max()) == (middle - spread, middle + 2 * spread)
    colours = [tuple(np.round(band.get_facecolor()[0][:3], 3)) for band in axes.collections]
    assert len(set(colours)) == 2


def test_points_that_are_not_to_be_relied_on_are_hollow(saved, tmp_path):
    axes = drawn(saved, tmp_path, FEW)
    hollow = [line for line in axes.lines if line.get_color() == "white"]
    assert [list(line.get_xydata()[0]) for line in hollow] == [[50, 700]]
    assert legend(axes)[-1] == "few games or one-sided: beware"
