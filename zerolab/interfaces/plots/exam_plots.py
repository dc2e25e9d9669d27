"""A plot of players compared with perfect play: moves that keep the value, and regret."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerolab.evaluation.perfect.accuracy import Share
from zerolab.evaluation.perfect.exam_positions import STAGES
from zerolab.evaluation.perfect.examination import Examined
from zerolab.evaluation.ratings.intervals import Z_95
from zerolab.files import replacing
from zerolab.interfaces.plots.curves import colours, dress, plain
from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.run_plots import LOOK, NO_DATE
from zerolab.interfaces.plots.tournament_plots import short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPREAD = 0.5  # of the way to the next stage, over which players stand side by side


def plot_exam(title: str, results: Sequence[Examined], path: Path) -> None:
    """Random positions, self-play and regret beside each other, with 95 % intervals."""
    with pyplot().rc_context(LOOK):
        figure, (random, selfplay, regret) = pyplot().subplots(
            1, 3, figsize=(15, 4.6), layout="constrained"
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
        figure.suptitle(plain(f"{title}: beside perfect play, 95 % intervals"), fontsize=13)
        draw_shares(
            random,
            "Value kept in critical positions of random games",
            [result.random.stages if result.random else {} for result in results],
        )
        draw_shares(
            selfplay,
            "Value kept in critical positions of its own games",
            [
                {name: each.critical for name, each in result.selfplay.stages.items()}
                for result in results
            ],
        )
        draw_regret(regret, results)
        names = [short_name(result.name) for result in results]
        figure.legend(
            regret.containers[: len(names)],
            names,
            loc="outside lower center",
            ncols=min(len(names), 6),
            frameon=False,
        )
        metadata = {NO_DATE[path.suffix]: None} if path.suffix in NO_DATE else None
        with replacing(path) as file:
            figure.savefig(file, format=path.suffix[1:], dpi=120, metadata=metadata)
        pyplot().close(figure)


def draw_shares(axes: "Axes", title: str, players: Sequence[dict[str, Share]]) -> None:
    """Shares by stage, a colour for each player; those without positions are left out."""
    for place, colour, stages in zip(
        _places(len(players)), colours(len(players)), players, strict=False
    ):
        known = [(x, stages[name]) for x, name in enumerate(STAGES) if _is_known(stages.get(name))]
        axes.errorbar(
            [x + place for x, _ in known],
            [share.right for _, share in known],
            yerr=_within([share for _, share in known]),
            fmt="o-",
            color=colour,
            capsize=3,
            lw=1.2,
        )
    _dress_stages(axes, title)
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")


def draw_regret(axes: "Axes", results: Sequence[Examined]) -> None:
    """Value given away in each stage of a game."""
    for place, colour, result in zip(
        _places(len(results)), colours(len(results)), results, strict=False
    ):
        known = [
            (x, result.selfplay.stages[name])
            for x, name in enumerate(STAGES)
            if name in result.selfplay.stages
        ]
        errors = [Z_95 * (each.regret_error or 0.0) for _, each in known]
        regrets = [each.regret for _, each in known]
        axes.errorbar(
            [x + place for x, _ in known],
            regrets,
            yerr=[list(map(min, regrets, errors)), errors],  # there is no regret below 0
            fmt="o",
            color=colour,
            capsize=3,
        )
    _dress_stages(axes, "Regret per game against itself (win 1, loss -1)")
    axes.set_ylim(bottom=min(0.0, -0.03 * axes.get_ylim()[1]))


def _places(players: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Positions of the players' bars around a stage."""
    return (np.arange(players) - (players - 1) / 2) * SPREAD / max(players, 3)


def _within(shares: Sequence[Share]) -> list[list[float]]:
    """Errors clipped to the range of a share."""
    below = [min(share.right, Z_95 * share.error) for share in shares]
    above = [min(1 - share.right, Z_95 * share.error) for share in shares]
    return [below, above]


def _is_known(share: Share | None) -> bool:
    return share is not None and share.positions > 0


def _dress_stages(axes: "Axes", title: str) -> None:
    dress(axes, title)
    axes.set_xticks(range(len(STAGES)), STAGES)
    axes.set_xlim(-0.5, len(STAGES) - 0.5)
