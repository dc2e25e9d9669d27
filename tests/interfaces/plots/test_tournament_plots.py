"""The graphs of a tournament are asked what they show."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.interfaces.figures import (
    legend,
    marked,
    ticks,
    written,
)
from zerolab.evaluation.ratings.bayesian_elo import FEW, Rated
from zerolab.evaluation.ratings.intervals import Interval
from zerolab.games.playing.score import Score
from zerolab.interfaces.plots.curves import COLOURS, GREY
from zerolab.interfaces.plots.tournament_plots import (
    draw_costs,
    draw_cross_table,
    draw_ratings,
    plot_standings,
)
from zerolab.interfaces.views.results.tournament_view import Standings


def rated(name, rating, error, *flags):
    return Rated(name, rating, error, Interval(-1.0, 1.0), 10, 0.5, flags)


# The strongest first. The second is slower than the third and weaker than the first, which is
# slower still; nobody has met the last but the first.
PLAYERS = (
    rated("best", 200.0, 30.0),
    rated("slow", 50.0, 20.0, FEW),
    rated("fast", 80.0 - 60.0, 10.0),
    rated("idle", -100.0, 5.0),
)
TABLE = {
    ("best", "slow"): Score(3, 0, 1),
    ("slow", "best"): Score(1, 0, 3),
    ("best", "fast"): Score(4, 0, 0),
    ("fast", "best"): Score(0, 0, 4),
    ("slow", "fast"): Score(1, 2, 1),
    ("fast", "slow"): Score(1, 2, 1),
    ("best", "idle"): Score(5, 0, 5),
    ("idle", "best"): Score(5, 0, 5),
}
SECONDS = {"best": 1.0, "slow": 2.0, "fast": 0.1}
STANDINGS = Standings("demo", SimpleNamespace(players=PLAYERS), TABLE, SECONDS)


def test_ratings_have_intervals_of_95_percent(axes):
    draw_ratings(axes, STANDINGS)
    found = marked(axes, "x")
    assert [each.points for each in found] == [[(200, 0)], [(50, 1)], [(20, 2)], [(-100, 3)]]
    # 1.96 errors to either side.
    for each, (low, high) in zip(
        found, [(141.2, 258.8), (10.8, 89.2), (0.4, 39.6), (-109.8, -90.2)], strict=True
    ):
        assert each.bars[0] == pytest.approx((low, high), abs=0.01)
    assert [each.colour for each in found] == [
        *(COLOURS[0].upper(), GREY.upper()),  # grey: beware
        *(COLOURS[0].upper(), COLOURS[0].upper()),
    ]
    assert ticks(axes, "y") == ["best  1", "slow  2", "fast  3", "idle  4"]
    assert axes.get_ylim() == (3.5, -0.5)  # the strongest on top
    assert legend(axes) == ["few games or one-sided: beware"]


def test_without_flags_nobody_has_to_beware(axes):
    sure = SimpleNamespace(players=PLAYERS[:1] + PLAYERS[2:])
    draw_ratings(axes, STANDINGS._replace(ratings=sure))
    assert legend(axes) == []


def test_the_cross_table_has_scores_of_rows_against_columns(axes):
    draw_cross_table(axes, STANDINGS)
    (image,) = axes.images
    none = np.nan
    np.testing.assert_array_equal(
        np.ma.filled(image.get_array(), none),
        [
            [none, 0.75, 1.0, 0.5],
            [0.25, none, 0.5, none],
            [0.0, 0.5, none, none],
            [0.5, none, none, none],
        ],
    )
    assert (image.norm.vmin, image.norm.vmax, image.get_cmap().name) == (0, 1, "RdBu")
    # By column and row.
    assert written(axes) == {
        **{(1, 0): "75", (2, 0): "100", (3, 0): "50"},
        **{(0, 1): "25", (2, 1): "50"},
        **{(0, 2): "0", (1, 2): "50"},
        (0, 3): "50",
    }
    low, high = axes.get_ylim()
    assert low > high  # the first row on top
    assert ticks(axes, "x") == ticks(axes, "y") == ["1", "2", "3", "4"]
    assert axes.get_title(loc="left") == "Score in percent, row against column"


def test_colours_do_not_depend_on_the_scores_there_are(axes):
    close = {("best", "slow"): Score(3, 0, 2), ("slow", "best"): Score(2, 0, 3)}
    draw_cross_table(axes, STANDINGS._replace(table=close))
    (image,) = axes.images
    assert (image.norm.vmin, image.norm.vmax) == (0, 1)


def test_figures_can_be_read_on_their_colours(axes):
    draw_cross_table(axes, STANDINGS)
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert colours == {"100": "white", "75": "black", "50": "black", "25": "black", "0": "white"}


def test_costs_have_errors_and_a_front(axes):
    draw_costs(axes, STANDINGS)
    found = marked(axes, "y")
    # Whoever has chosen no move is left out.
    assert [each.points for each in found] == [[(1.0, 200)], [(2.0, 50)], [(0.1, 20)]]
    for each, (low, high) in zip(found, [(141.2, 258.8), (10.8, 89.2), (0.4, 39.6)], strict=True):
        assert each.bars[0] == pytest.approx((low, high), abs=0.01)
    front = COLOURS[1].upper()
    assert [each.colour for each in found] == [front, GREY.upper(), front]
    (line,) = [each for each in axes.lines if each.get_label() == "Pareto front"]
    assert list(line.get_xdata()) == [0.1, 1.0]  # the cheapest first
    assert list(line.get_ydata()) == [20, 200]
    assert line.get_drawstyle() == "steps-post"
    assert {text.get_text(): tuple(text.xy) for text in axes.texts} == {
        **{"best": (1.0, 200), "slow": (2.0, 50), "fast": (0.1, 20)}
    }
    assert axes.get_xscale() == "log"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("thinking for a move", "Elo")


def test_many_players_have_the_numbers_of_the_ratings(axes):
    players = tuple(rated(f"p{n}", -float(n), 1.0) for n in range(12))
    seconds = {f"p{n}": 1.0 + n for n in range(1, 12)}  # the first has chosen no move
    draw_costs(axes, Standings("demo", SimpleNamespace(players=players), {}, seconds))
    numbers = {text.get_text(): text.xy[1] for text in axes.texts}
    assert numbers == {str(n + 1): -n for n in range(1, 12)}


def test_nobody_has_chosen_a_move(axes):
    draw_costs(axes, STANDINGS._replace(seconds={}))
    assert list(axes.containers) == []


def test_all_three_in_one_figure(saved, tmp_path):
    plot_standings(STANDINGS, tmp_path / "elo.png")
    (figure,) = saved
    assert figure.get_suptitle() == "demo"
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "Elo, 95 % intervals",
        "Score in percent, row against column",
        "Elo and what it costs",
    ]
    assert [len(axes.containers) for axes in figure.axes] == [4, 0, 3]
