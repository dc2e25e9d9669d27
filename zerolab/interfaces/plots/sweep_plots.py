"""Plots of a sweep: loss curves, importances, parallel coordinates, and the Pareto front."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerolab.experiments.sweeps.axes import Axis, Range
from zerolab.experiments.sweeps.findings import SweepSummary, TrialSummary
from zerolab.interfaces.plots.curves import COLOURS, GREY, dress, plain
from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.run_plots import LOOK, save_figure
from zerolab.training.runs.logs import read_log

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAP = "viridis"
LABELLED = 12  # points of a Pareto front with their settings beside them


def plot_sweep(summary: SweepSummary, path: Path) -> None:
    """All that there is something to draw for, in one figure."""
    graphs: list[Callable[[Axes, SweepSummary], None]] = [draw_curves]
    if summary.importances:
        graphs.append(draw_importances)
    graphs.append(draw_coordinates)
    if len(summary.sweep.objectives) > 1:
        graphs.append(draw_front)
    with pyplot().rc_context(LOOK):
        rows = math.ceil(len(graphs) / 2)
        figure, places = pyplot().subplots(
            rows, 2, figsize=(12, 4.4 * rows), layout="constrained", squeeze=False
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
        for place, draw in zip(places.flat, graphs, strict=False):
            draw(place, summary)
        for place in places.flat[len(graphs) :]:
            place.set_axis_off()
        save_figure(figure, [path])


def draw_curves(axes: "Axes", summary: SweepSummary) -> None:
    """The loss of every run over its steps, coloured by the first objective."""
    shades = _shades(summary)
    for trial in summary.complete:
        for run in trial.runs:
            losses = [line["loss"]["sum"] for line in read_log(Path(run))]
            axes.plot(range(1, len(losses) + 1), losses, lw=1, color=shades(trial))
    dress(axes, "Loss of the runs")
    axes.set_xlabel("step")
    axes.locator_params(axis="x", integer=True)
    _colour_bar(axes, summary)


def draw_importances(axes: "Axes", summary: SweepSummary) -> None:
    """How much of the variation each setting explains, a colour for each objective."""
    names = [axis.name for axis in summary.sweep.axes]
    height = 0.8 / len(summary.importances)
    for number, each in enumerate(summary.importances):
        places = np.arange(len(names)) + (number + 0.5) * height - 0.4
        shares = [each.shares.get(name, 0.0) for name in names]
        axes.barh(places, shares, height, label=each.objective, color=COLOURS[number])
    axes.set_yticks(range(len(names)), [plain(name) for name in names])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    dress(axes, "Share of the variation explained (fANOVA)")
    axes.legend(loc="lower right", fontsize="small")


def draw_coordinates(axes: "Axes", summary: SweepSummary) -> None:
    """A line for each trial through its settings to its first objective."""
    shades, sweep = _shades(summary), summary.sweep
    columns = [*(axis.name for axis in sweep.axes), sweep.objectives[0]]
    values = [trial.values[0] for trial in summary.complete if trial.values is not None]
    low, high = min(values), max(values)
    for trial, value in zip(summary.complete, values, strict=True):
        heights = [_height(axis, summary, trial.parameters[axis.name]) for axis in sweep.axes]
        heights.append(0.5 if high == low else (value - low) / (high - low))
        is_best = trial.number in summary.best
        axes.plot(heights, lw=2.5 if is_best else 1, color=shades(trial), zorder=2 + is_best)
    for place, axis in enumerate(sweep.axes):
        axes.axvline(place, color="#cccccc", lw=0.8, zorder=1)
        for value in _ticks(axis, summary):
            height = _height(axis, summary, value)
            _label(axes, value, place, height)
    for height, value in ((0, low), (1, high)):
        _label(axes, value, len(columns) - 1, height)
    axes.set_xticks(range(len(columns)), [plain(name) for name in columns])
    axes.set_xlim(-0.2, len(columns) - 0.6)
    axes.set_yticks([])
    dress(axes, "Settings of each trial, the best drawn thick")
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def draw_front(axes: "Axes", summary: SweepSummary) -> None:
    """The first objective against the second, and the trials that none beats in both."""
    first, second = summary.sweep.objectives[:2]
    done = [(trial, trial.values) for trial in summary.complete if trial.values is not None]
    on_front = sorted((t for t in done if t[0].number in summary.best), key=lambda t: t[1][1])
    axes.plot(*_columns(done), "o", color=GREY, markersize=4)
    axes.plot(*_columns(on_front), "o-", color=COLOURS[1], label="none beats it in both")
    if len(on_front) <= LABELLED:
        for trial, values in on_front:
            label = ", ".join(_text(value) for value in trial.parameters.values())
            at = values[1], values[0]
            axes.annotate(plain(label), at, (5, 4), textcoords="offset points", fontsize=8)
    dress(axes, "Pareto front")
    axes.set_xlabel(second)
    axes.set_ylabel(first)
    axes.legend(fontsize="small")


def _columns(done: Sequence[tuple[TrialSummary, tuple[float, ...]]]) -> tuple[list[float], ...]:
    return [values[1] for _, values in done], [values[0] for _, values in done]


def _height(axis: Axis, summary: SweepSummary, value: Any) -> float:
    """Where a value stands on its axis, from 0 to 1."""
    if not isinstance(axis, Range):
        order = _ticks(axis, summary)
        return 0.5 if len(order) == 1 else order.index(value) / (len(order) - 1)
    if axis.is_logarithmic:
        return math.log(value / axis.low) / math.log(axis.high / axis.low)
    return float((value - axis.low) / (axis.high - axis.low))


def _ticks(axis: Axis, summary: SweepSummary) -> list[Any]:
    if isinstance(axis, Range):
        return [axis.low, axis.high]
    return list(axis.values)


def _shades(summary: SweepSummary) -> Callable[[TrialSummary], Any]:
    """A colour for each trial by its first objective."""
    norm, colours = _norm(summary), pyplot().get_cmap(MAP)
    return lambda trial: colours(norm(trial.values[0])) if trial.values else GREY


def _norm(summary: SweepSummary) -> Any:
    from matplotlib.colors import Normalize

    values = [trial.values[0] for trial in summary.complete if trial.values is not None]
    return Normalize(min(values), max(values))


def _colour_bar(axes: "Axes", summary: SweepSummary) -> None:
    mappable = pyplot().cm.ScalarMappable(_norm(summary), MAP)
    axes.figure.colorbar(mappable, ax=axes, label=summary.sweep.objectives[0])


def _label(axes: "Axes", value: Any, place: int, height: float) -> None:
    """A value beside its place on an axis, readable over lines."""
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6}
    axes.annotate(
        plain(_text(value)), (place, height), (5, -3), textcoords="offset points", bbox=behind
    )


def _text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
