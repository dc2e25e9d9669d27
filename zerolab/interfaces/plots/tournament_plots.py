"""Plots of a tournament: Elo with errors, the cross table, and the cost of strength.

The last is the kind of graph in Figs. 5 and 6 of wang: Elo against time, with the Pareto front of
players that no other player beats in both.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zerolab.evaluation.ratings.intervals import Z_95
from zerolab.evaluation.ratings.pareto import pareto_front
from zerolab.interfaces.plots.curves import COLOURS, GREY, dress, plain
from zerolab.interfaces.plots.figures import pyplot
from zerolab.interfaces.plots.run_plots import LOOK, save_figure
from zerolab.interfaces.views.results.tournament_view import Standings, short_time

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = 10  # more players have numbers in the graph of costs, those of the graph of ratings
LETTERS = 28  # of a name; of a longer one the end, which tells networks of one run apart


def plot_standings(standings: Standings, path: Path) -> None:
    """All three in one figure."""
    count = len(standings.names)
    height = max(4.2, 1.6 + 0.34 * count)
    with pyplot().rc_context(LOOK):
        figure, (ratings, cross, costs) = pyplot().subplots(
            1,
            3,
            figsize=(10.5 + height, height),
            width_ratios=(5, height - 0.8, 5),
            layout="constrained",
        )
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08)
        figure.suptitle(plain(standings.title), fontsize=13)
        draw_ratings(ratings, standings)
        draw_cross_table(cross, standings)
        draw_costs(costs, standings)
        save_figure(figure, [path])


def draw_ratings(axes: "Axes", standings: Standings) -> None:
    """Elo with 95 % intervals, the strongest on top; grey where the table says beware."""
    for place, player in enumerate(standings.ratings.players):
        colour = GREY if player.flags else COLOURS[0]
        axes.errorbar(
            *(player.rating, place), xerr=Z_95 * player.error, fmt="o", color=colour, capsize=3
        )
    dress(axes, "Elo, 95 % intervals")
    labels = [f"{short_name(name)}  {place}" for place, name in enumerate(standings.names, 1)]
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(standings.names) - 0.5, -0.5)
    axes.set_xlabel("Elo")
    if any(player.flags for player in standings.ratings.players):
        axes.plot([], [], "o", color=GREY, label="few games or one-sided: beware")
        axes.legend(loc="upper left", fontsize="small", framealpha=0.8)


def draw_cross_table(axes: "Axes", standings: Standings) -> None:
    """Scores of players in rows against those in columns."""
    names = standings.names
    shares = np.full((len(names), len(names)), np.nan)
    for (one, other), score in standings.table.items():
        shares[names.index(one), names.index(other)] = score.share
    axes.set_facecolor("#eeeeee")  # where nobody met; white is an even score
    axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1, aspect="equal")
    size = max(4.0, min(9.0, 90 / len(names)))
    for row, col in np.argwhere(np.isfinite(shares)):
        share = shares[row, col]
        colour = "white" if abs(share - 0.5) > 0.3 else "black"
        text = f"{100 * share:.0f}"
        axes.text(col, row, text, ha="center", va="center", color=colour, fontsize=size)
    axes.set_title("Score in percent, row against column", loc="left")
    places = [str(place) for place in range(1, len(names) + 1)]
    axes.set_xticks(range(len(names)), places)
    axes.set_yticks(range(len(names)), places)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_costs(axes: "Axes", standings: Standings) -> None:
    """Elo against thinking time, with the Pareto front."""
    from matplotlib.ticker import LogLocator

    dress(axes, "Elo and what it costs")
    places = [place for place, name in enumerate(standings.names) if name in standings.seconds]
    if not places:  # nobody has chosen a move
        return
    players = [standings.ratings.players[place] for place in places]
    seconds = [standings.seconds[player.name] for player in players]
    ratings = [player.rating for player in players]
    errors = [Z_95 * player.error for player in players]
    front = pareto_front(seconds, ratings)
    for place, (x, y) in enumerate(zip(seconds, ratings, strict=True)):
        colour = COLOURS[1] if place in front else GREY
        axes.errorbar(x, y, yerr=errors[place], fmt="o", color=colour, capsize=2, elinewidth=0.8)
        label = short_name(players[place].name) if len(seconds) <= NAMED else str(places[place] + 1)
        is_left = np.log(x) * 2 < np.log(min(seconds)) + np.log(max(seconds))
        axes.annotate(
            label,
            (x, y),
            (6 if is_left else -6, 4),
            textcoords="offset points",
            ha="left" if is_left else "right",
            fontsize=8,
            color=colour,
        )
    axes.step(
        [seconds[place] for place in front],
        [ratings[place] for place in front],
        where="post",
        color=COLOURS[1],
        lw=1.5,
        label="Pareto front",
    )
    axes.set_xscale("log")
    axes.margins(x=0.1)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if _is_narrow(seconds) else (1,)))
    axes.xaxis.set_major_formatter(lambda value, _: short_time(value))
    axes.xaxis.set_minor_formatter("")
    axes.set_xlabel("thinking for a move")
    axes.set_ylabel("Elo")
    axes.legend(loc="lower right", fontsize="small", framealpha=0.8)


def short_name(name: str) -> str:
    """A name that leaves room for the graph."""
    return plain(name if len(name) <= LETTERS else f"...{name[-LETTERS:]}")


def _is_narrow(seconds: list[float]) -> bool:
    """Whether the range may have too few powers of ten for a readable axis."""
    return max(seconds) < 100 * min(seconds)
