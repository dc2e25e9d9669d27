"""A paper's table and ours side by side, as colours."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.run_plots import LOOK, save_figure
from zerolab.studies.report import HeatMap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = "viridis"
DARK = 0.6  # shares below this have white figures on them


def draw_heat_map(title: str, heat_map: HeatMap, path: Path) -> None:
    """Write a picture of both."""
    height = 1.6 + 0.45 * len(heat_map.rows)
    with pyplot().rc_context(LOOK):
        figure, (paper, ours) = pyplot().subplots(
            1, 2, figsize=(13.5, height), sharey=True, layout="constrained"
        )
        figure.suptitle(title, fontsize=13)
        none = [[""] * len(heat_map.columns)] * len(heat_map.rows)
        both = [share for row in (*heat_map.paper, *heat_map.ours) for share in row]
        least = min(0.3, *(share for share in both if share is not None))
        _draw(paper, "paper", heat_map, heat_map.paper, none, least)
        image = _draw(ours, "ours", heat_map, heat_map.ours, heat_map.marks, least)
        paper.set_ylabel(heat_map.axes[0])
        figure.colorbar(image, ax=(paper, ours), label="games won", format="{x:.0%}", pad=0.01)
        save_figure(figure, [path])


def _draw(
    axes: "Axes",
    title: str,
    heat_map: HeatMap,
    shares: Sequence[Sequence[float | None]],
    marks: Sequence[Sequence[str]],
    least: float,
) -> "object":
    values = np.array([[np.nan if share is None else share for share in row] for row in shares])
    axes.set_facecolor("#eeeeee")  # where a cell is missing
    image = axes.imshow(values, cmap=COLOURS, vmin=least, vmax=1, aspect="auto")
    for (row, column), share in np.ndenumerate(values):
        if not np.isnan(share):
            mark = marks[row][column]
            axes.text(
                *(column, row, f"{100 * share:.1f}" + (f"\n{mark}" if mark else "")),
                ha="center",
                va="center",
                fontsize=8,
                color="white" if share < DARK else "black",
            )
    axes.set_title(title)
    axes.set_xticks(range(len(heat_map.columns)), heat_map.columns)
    axes.set_yticks(range(len(heat_map.rows)), heat_map.rows)
    axes.set_xlabel(heat_map.axes[1])
    axes.grid(visible=False)
    axes.tick_params(length=0)
    return image
