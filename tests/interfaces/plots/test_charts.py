"""The charts of a report are asked what they show."""

import pytest

from zerolab.interfaces.plots import charts
from zerolab.interfaces.plots.figures import pyplot
from zerolab.studies.report import Chart, ColourGrid, Curve, HeatMap, Report

CHART = Chart(
    "Elo",
    ("seconds", "rating"),
    (
        Curve("all", (1.0, 2.0), (10.0, 30.0), is_line=False, texts=("a", "b")),
        Curve("front", (1.0, 3.0), (10.0, 40.0), errors=(1.0, 2.0)),
    ),
)
GRID = ColourGrid("I=1", ("m", "ep"), ("25", "50"), ("5", "10"), ((1.0, 2.0), (3.0, 4.0)))


@pytest.fixture
def axes():
    figure, axes = pyplot().subplots()
    yield axes
    pyplot().close(figure)


def test_curves(axes):
    charts.draw_chart(axes, CHART)
    points, line = (container.lines[0] for container in axes.containers)
    assert points.get_xydata().tolist() == [[1, 10], [2, 30]]
    assert (points.get_linestyle(), line.get_linestyle()) == ("None", "-")
    assert axes.containers[1].has_yerr
    assert not axes.containers[0].has_yerr
    assert [text.get_text() for text in axes.texts] == ["a", "b"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("seconds", "rating")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["all", "front"]


def test_names_on_the_axis(axes):
    charts.draw_chart(axes, CHART._replace(ticks=("lp", "lv", "sum")))
    assert [label.get_text() for label in axes.get_xticklabels()] == ["lp", "lv", "sum"]
    assert axes.get_xticks().tolist() == [0, 1, 2]


def test_grids(axes):
    charts.draw_grid(axes, GRID, charts._scale([GRID]))
    assert axes.images[0].get_array().tolist() == [[1, 2], [3, 4]]
    assert [(text.get_position(), text.get_text()) for text in axes.texts] == [
        ((0, 0), "1"),
        ((1, 0), "2"),
        ((0, 1), "3"),
        ((1, 1), "4"),
    ]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["5", "10"]
    bottom, top = axes.get_ylim()
    assert bottom < top  # the first row is at the bottom


def test_grids_share_a_scale():
    other = GRID._replace(values=((-5.0, 0.0), (0.0, 9.0)))
    scale = charts._scale([GRID, other])
    assert (scale.vmin, scale.vmax) == (-5, 9)


def test_a_report_is_drawn_if_it_has_something(tmp_path):
    empty = Report("x", (), [], [], "", True)
    assert not charts.draw_report(empty, tmp_path / "none.svg")
    assert charts.draw_report(empty._replace(charts=(CHART, GRID)), tmp_path / "charts.svg")
    table = HeatMap(("1",), ("2",), ("a", "b"), ((0.5,),), ((0.6,),), (("",),))
    assert charts.draw_report(empty._replace(heat_map=table), tmp_path / "map.svg")
    assert {path.name for path in tmp_path.iterdir()} == {"charts.svg", "map.svg"}
