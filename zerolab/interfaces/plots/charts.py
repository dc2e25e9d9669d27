"""The charts of a report, side by side in one figure."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zerolab.interfaces.plots.curves import colours, dress, plain
from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.heat_maps import draw_heat_map
from zerolab.interfaces.plots.run_plots import LOOK, save_figure
from zerolab.studies.report import Chart, ColourGrid, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
MAP = "viridis"


def draw_report(report: Report, path: Path) -> bool:
    """Draw the heat map or the charts of a report; return whether it has any."""
    if report.heat_map is not None:
        draw_heat_map(report.title, report.heat_map, path)
    elif report.charts:
        draw_charts(report.title, report.charts, path)
    return report.heat_map is not None or bool(report.charts)


def draw_charts(title: str, charts: Sequence[Chart | ColourGrid], path: Path) -> None:
    """Write a picture of all of them."""
    columns = min(COLUMNS, len(charts))
    rows = math.ceil(len(charts) / columns)
    with pyplot().rc_context(LOOK):
        figure, places = pyplot().subplots(
            rows, columns, figsize=(4.6 * columns, 3.6 * rows), layout="constrained", squeeze=False
        )
        figure.suptitle(plain(title), fontsize=13)
        scale = _scale([chart for chart in charts if isinstance(chart, ColourGrid)])
        for axes, chart in zip(places.flat, charts, strict=False):
            if isinstance(chart, ColourGrid):
                draw_grid(axes, chart, scale)
            else:
                draw_chart(axes, chart)
        for axes in places.flat[len(charts) :]:
            axes.set_axis_off()
        save_figure(figure, [path])


def draw_chart(axes: "Axes", chart: Chart) -> None:
    """Curves and points with their errors."""
    palette = colours(len(chart.curves))
    for curve, colour in zip(chart.curves, palette, strict=False):
        axes.errorbar(
            curve.x,
            curve.y,
            yerr=curve.errors or None,
            fmt="o-" if curve.is_line else "o",
            markersize=3,
            capsize=2,
            lw=1.4,
            color=colour,
            label=plain(curve.label),
        )
        for x, y, text in zip(curve.x, curve.y, curve.texts, strict=False):
            axes.annotate(plain(text), (x, y), (4, 3), textcoords="offset points", fontsize=7)
    dress(axes, plain(chart.title))
    axes.set_xlabel(chart.axes[0])
    axes.set_ylabel(chart.axes[1])
    if chart.ticks:
        axes.set_xticks(range(len(chart.ticks)), chart.ticks)
        axes.margins(x=0.15)
    if len(chart.curves) > 1:
        axes.legend(fontsize="small")


def draw_grid(axes: "Axes", grid: ColourGrid, scale: Any) -> None:
    """A colour and a figure for each cell; grids of one figure share the colours."""
    values = np.array(grid.values)
    axes.imshow(values, cmap=MAP, norm=scale, aspect="auto", origin="lower")
    for (row, column), value in np.ndenumerate(values):
        colour = "white" if scale(value) < 0.6 else "black"
        axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour)
    dress(axes, plain(grid.title))
    axes.grid(visible=False)
    axes.set_xticks(range(len(grid.columns)), grid.columns)
    axes.set_yticks(range(len(grid.rows)), grid.rows)
    axes.set_xlabel(grid.axes[0])
    axes.set_ylabel(grid.axes[1])


def _scale(grids: Sequence[ColourGrid]) -> Any:
    from matplotlib.colors import Normalize

    values = [value for grid in grids for row in grid.values for value in row]
    return Normalize(min(values), max(values)) if values else None
