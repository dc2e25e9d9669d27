"""A paper's table and ours are asked what they show."""

import numpy as np
import pytest

from tests.interfaces.figures import ticks, written
from zerolab.interfaces.plots.heat_maps import draw_heat_map
from zerolab.studies.report import HeatMap

TABLE = HeatMap(
    rows=("2e-5", "2e-6"),
    columns=("1", "10", "100"),
    axes=("learning rate", "target"),
    paper=((0.34, 0.5, 0.61), (0.7, 0.8, 0.999)),
    ours=((0.2, None, 0.6), (0.59, 0.9, 1.0)),
    marks=(("dead", "", ""), ("", "1 of 2 dead", "")),
)


@pytest.fixture(name="both")
def _both(saved, tmp_path):
    draw_heat_map("Table 5.4", TABLE, tmp_path / "map.png")
    (figure,) = saved
    assert figure.get_suptitle() == "Table 5.4"
    return figure.axes[:2]


def test_the_paper_on_the_left_and_ours_on_the_right(both):
    paper, ours = both
    assert [axes.get_title() for axes in both] == ["paper", "ours"]
    assert np.array_equal(paper.images[0].get_array(), TABLE.paper)
    values = np.ma.filled(ours.images[0].get_array(), np.nan)
    np.testing.assert_array_equal(values, [[0.2, np.nan, 0.6], [0.59, 0.9, 1.0]])
    # By column and row.
    assert written(paper) == {
        **{(0, 0): "34.0", (1, 0): "50.0", (2, 0): "61.0"},
        **{(0, 1): "70.0", (1, 1): "80.0", (2, 1): "99.9"},
    }
    assert written(ours) == {
        **{(0, 0): "20.0\ndead", (2, 0): "60.0"},  # one is missing
        **{(0, 1): "59.0", (1, 1): "90.0\n1 of 2 dead", (2, 1): "100.0"},
    }


def test_rows_and_columns_have_their_headings(both):
    paper = both[0]
    for axes in both:
        assert ticks(axes, "x") == ["1", "10", "100"]
        assert axes.get_xlabel() == "target"
        low, high = axes.get_ylim()
        assert low > high  # the first row on top
    assert ticks(paper, "y") == ["2e-5", "2e-6"]
    assert paper.get_ylabel() == "learning rate"


def test_colours_mean_the_same_in_both(both):
    """There is one bar of colours: from 30 %, or the least share of either table, to all."""
    ranges = [(axes.images[0].norm.vmin, axes.images[0].norm.vmax) for axes in both]
    assert ranges == [(0.2, 1), (0.2, 1)]


def test_figures_can_be_read_on_their_colours(both):
    colours = {text.get_text(): text.get_color() for axes in both for text in axes.texts}
    assert {text for text, colour in colours.items() if colour == "white"} == {
        *("34.0", "50.0", "20.0\ndead", "59.0")
    }
