"""The graphs of a sweep are asked what they show."""

import json

import pytest

from tests.experiments.sweeps.small import small_sweep
from zerolab.experiments.sweeps.axes import Range
from zerolab.experiments.sweeps.findings import Importance, SweepSummary, TrialSummary
from zerolab.interfaces.plots import sweep_plots
from zerolab.interfaces.plots.figures import pyplot


@pytest.fixture
def axes():
    figure, axes = pyplot().subplots()
    yield axes
    pyplot().close(figure)


@pytest.fixture
def summary(tmp_path):
    trials = []
    for number, (m, c, elo, time) in enumerate(
        [(2, 0.5, 10.0, 4.0), (2, 1.0, 30.0, 9.0), (3, 0.5, 5.0, 8.0), (3, 1.0, 20.0, 5.0)]
    ):
        run = tmp_path / str(number)
        run.mkdir()
        lines = [{"loss": {"sum": 3.0 - step - number / 10}} for step in range(2)]
        (run / "learner.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        parameters = {"max_simulations": m, "uct_c": c}
        trials.append(
            TrialSummary(
                number, "complete", parameters, (elo, time), (None, None), (str(run),), 2, 9.0, None
            )
        )
    trials.append(TrialSummary(4, "failed", {}, None, (None, None), (), None, None, "why"))
    sweep = small_sweep(objectives=("elo", "time"))
    shares = {"uct_c": 0.75, "max_simulations": 0.25}
    importances = (Importance("elo", shares), Importance("time", {"max_simulations": 1.0}))
    return SweepSummary(sweep, tuple(trials), (0, 1, 3), importances)


def points(line):
    return [tuple(point) for point in line.get_xydata().tolist()]


def test_loss_curves(axes, summary):
    sweep_plots.draw_curves(axes, summary)
    assert [points(line) for line in axes.lines] == [
        [(1, pytest.approx(3 - n / 10)), (2, pytest.approx(2 - n / 10))] for n in range(4)
    ]
    colours = [line.get_color() for line in axes.lines]
    shade = pyplot().get_cmap("viridis")
    assert colours[1] == shade(1.0)  # the largest Elo
    assert colours[2] == shade(0.0)
    assert axes.figure.axes[1].get_ylabel() == "elo"


def test_importances(axes, summary):
    sweep_plots.draw_importances(axes, summary)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["max_simulations", "uct_c"]
    bars = [[bar.get_width() for bar in group] for group in axes.containers]
    assert bars == [[0.25, 0.75], [1.0, 0.0]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["elo", "time"]
    assert axes.yaxis.get_inverted()  # the first setting is on top, as in tables
    # Bars of a setting stand side by side around its place, the first objective above the second.
    middles = [[bar.get_y() + bar.get_height() / 2 for bar in group] for group in axes.containers]
    assert middles == [pytest.approx([-0.2, 0.8]), pytest.approx([0.2, 1.2])]
    assert axes.get_xlim() == (0, 1)


def test_parallel_coordinates(axes, summary):
    sweep_plots.draw_coordinates(axes, summary)
    trials = [line for line in axes.lines if len(line.get_xdata()) == 3]
    assert [[y for _, y in points(line)] for line in trials] == [
        [0, 0, pytest.approx(0.2)],
        [0, 1, 1],
        [1, 0, 0],
        [1, 1, pytest.approx(0.6)],
    ]
    assert [line.get_linewidth() > 2 for line in trials] == [True, True, False, True]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        "max_simulations",
        "uct_c",
        "elo",
    ]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["2", "3", "0.5", "1", "5", "30"]
    # Each value beside its place: the axis, and the height from least to greatest.
    assert [text.xy for text in axes.texts] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_ranges_by_orders_of_magnitude(summary):
    assert sweep_plots._height(Range("x", 1e-4, 1e-2), summary, 1e-3) == pytest.approx(0.5)
    assert sweep_plots._height(Range("x", 1.0, 3.0), summary, 1.5) == pytest.approx(0.25)


def test_the_front(axes, summary):
    sweep_plots.draw_front(axes, summary)
    everyone, front = axes.lines
    assert points(everyone) == [(4, 10), (9, 30), (8, 5), (5, 20)]
    assert points(front) == [(4, 10), (5, 20), (9, 30)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time", "elo")
    labels = {text.xy: text.get_text() for text in axes.texts}
    assert labels == {(4, 10): "2, 0.5", (5, 20): "3, 1", (9, 30): "2, 1"}


def test_a_figure_has_what_there_is(summary, tmp_path, monkeypatch):
    saved = []
    monkeypatch.setattr(
        sweep_plots, "save_figure", lambda figure, files: saved.append((figure, files))
    )
    sweep_plots.plot_sweep(summary, tmp_path / "all.svg")
    one = summary._replace(
        sweep=summary.sweep._replace(objectives=("elo",)),
        importances=(),
        trials=tuple(
            each._replace(values=each.values and each.values[:1], errors=(None,))
            for each in summary.trials
        ),
    )
    sweep_plots.plot_sweep(one, tmp_path / "one.svg")
    titles = [
        [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
        for figure, _ in saved
    ]
    assert [len(each) for each in titles] == [4, 2]
    assert titles[1] == ["Loss of the runs", "Settings of each trial, the best drawn thick"]
    for figure, _ in saved:
        pyplot().close(figure)
