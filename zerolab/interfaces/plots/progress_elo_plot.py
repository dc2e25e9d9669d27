"""The plot of `zerolab elo`: training Elo and tournament Elo of a run against its steps."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerolab.evaluation.ratings.bayesian_elo import Rated
from zerolab.evaluation.ratings.progress_elo import ProgressElo
from zerolab.interfaces.plots.curves import COLOURS, GREY, plain
from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.run_plots import LOOK, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_progress(elo: ProgressElo, title: str, files: Sequence[Path]) -> None:
    """Both curves with bands of 95 %; hollow points where the table says beware."""
    steps = [each.step for each in elo.checkpoints]
    curves = {
        "tournament Elo: everyone against everyone": [each.tournament for each in elo.checkpoints],
        "training Elo: games between neighbours": [each.training for each in elo.checkpoints],
    }
    with pyplot().rc_context(LOOK):
        figure, axes = pyplot().subplots(figsize=(8, 5), layout="constrained")
        for (label, rated), colour, marker in zip(curves.items(), COLOURS, "os", strict=False):
            low, high = np.transpose([each.interval for each in rated])
            axes.fill_between(steps, low, high, color=colour, alpha=0.18, lw=0)
            ratings = [each.rating for each in rated]
            axes.plot(steps, ratings, "-", marker=marker, color=colour, lw=1.7, label=label)
            _hollow(axes, steps, rated, marker)
        if any(each.training.flags or each.tournament.flags for each in elo.checkpoints):
            label = "few games or one-sided: beware"
            axes.plot([], [], "o", color=GREY, mfc="white", label=label)
        axes.set_title(plain(title), loc="left")
        axes.grid(color="#dddddd", lw=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("step")
        axes.set_ylabel("Elo above the first checkpoint, 95 % intervals")
        axes.legend(loc="upper left", fontsize="small", framealpha=0.8)
        save_figure(figure, files)


def _hollow(axes: "Axes", steps: Sequence[int], rated: Sequence[Rated], marker: str) -> None:
    """Draw white over unreliable points."""
    flagged = [(step, each.rating) for step, each in zip(steps, rated, strict=True) if each.flags]
    if flagged:
        axes.plot(*np.transpose(flagged), marker, color="white", ms=3, zorder=4)
