"""Kinds of graphs of runs: lines with their running mean, a spread around a mean, a heat map.

One run shows all its series, a colour each. Several runs have a colour each and show their main
series, which differ in line style. Each kind makes a function that draws and returns whether
there was anything to draw.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerolab.training.runs.logs import RunLog

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which the colour-blind can distinguish, without the yellow.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
GREY = "#777777"
STYLES = ("-", "--", ":")
MARKED = 30  # lines of at most 30 points show each of them
SMOOTHED = 30  # the running mean reaches a thirtieth of the line to either side
COLUMNS = 400  # of a heat map; a longer run has several steps in one

Numbers = NDArray[np.float64]


class Shown(NamedTuple):
    """A run in a figure."""

    log: RunLog
    x: Numbers  # [steps], where each line of the log stands
    name: str
    colour: str


class Series(NamedTuple):
    """A line of a graph."""

    label: str
    y: Numbers  # [steps], NaN where there is nothing


Find = Callable[[RunLog], list[Series]]


class Draw(NamedTuple):
    """How a graph is drawn here, and its series, for whoever draws in another way."""

    draw: Callable[["Axes", Sequence[Shown]], bool]
    find: Find
    """No series if the graph has none, as a heat map."""
    ordered: bool = False
    """Whether the series are in an order, so that the middle one stands for all."""

    def __call__(self, axes: "Axes", runs: Sequence[Shown]) -> bool:
        """Draw runs; return whether there was anything to draw."""
        return self.draw(axes, runs)


def lines(find: Find, main: int = 1, ordered: bool = False) -> Draw:
    """The series of a run; `ordered` ones go from dark to light, and first, middle, last are main.

    Otherwise the first `main` ones are.
    """

    def draw(axes: "Axes", runs: Sequence[Shown]) -> bool:
        found = [{series.label: series.y for series in find(run.log)} for run in runs]
        everything = max((list(each) for each in found), key=len)
        labels = [each for each in everything if any(_has_data(run.get(each)) for run in found)]
        if not labels:
            return False
        if len(runs) == 1:
            palette = shades(len(everything)) if ordered else colours(len(everything))
            looks = {each: ("-", palette[everything.index(each)]) for each in labels}
        elif ordered:
            looks = {each: (style, GREY) for each, style in _ends_and_middle(labels).items()}
        else:
            looks = {
                each: (style, GREY) for each, style in zip(labels[:main], STYLES, strict=False)
            }
        for run, series in zip(runs, found, strict=True):
            for label, (style, colour) in looks.items():
                if _has_data(series.get(label)):
                    colour = colour if len(runs) == 1 else run.colour
                    _line(axes, run.x, series[label], style, colour)
        if len(everything) > 1:
            legend(axes, [(label, _sample(*look)) for label, look in looks.items()])
        return True

    return Draw(draw, find, ordered)


def spread(*path: str) -> Draw:
    """A mean with its standard deviation, least and greatest; of several runs the means."""

    def draw(axes: "Axes", runs: Sequence[Shown]) -> bool:
        drawn = [run for run in runs if _has_data(average(run.log, *path))]
        for run in drawn:
            mean = average(run.log, *path)
            _line(axes, run.x, mean, "-", run.colour)
            if len(runs) == 1:
                deviation = run.log.numbers(*path, "std_dev")
                axes.fill_between(
                    run.x, mean - deviation, mean + deviation, color=run.colour, alpha=0.2, lw=0
                )
                for extreme in ("min", "max"):
                    y = np.where(np.isfinite(mean), run.log.numbers(*path, extreme), np.nan)
                    axes.plot(run.x, y, ":", color=run.colour, lw=1)
        if drawn:
            colour = GREY if len(runs) > 1 else drawn[0].colour
            entries: list[tuple[str, Artist]] = [("mean", _sample("-", colour))]
            if len(runs) == 1:
                band = axes.fill_between([], [], color=colour, alpha=0.2, lw=0)
                entries += [("± standard deviation", band)]
                entries += [("least, greatest", _sample(":", colour))]
            legend(axes, entries)
        return bool(drawn)

    def find(log: RunLog) -> list[Series]:
        mean = average(log, *path)
        extremes = {"least": "min", "greatest": "max"}
        return [
            Series("mean", mean),
            *(Series(name, log.numbers(*path, field)) for name, field in extremes.items()),
        ]

    return Draw(draw, find)


def heat_map(*path: str, of: str) -> Draw:
    """The histograms of the first run, step by step."""

    def draw(axes: "Axes", runs: Sequence[Shown]) -> bool:
        from matplotlib.colors import LogNorm
        from matplotlib.ticker import MaxNLocator

        counts, x = runs[0].log.rows(*path), runs[0].x
        kept = np.nansum(counts, axis=1) > 0
        if not kept.any():
            return False
        counts, x = np.nan_to_num(counts[kept]), x[kept]
        starts = np.arange(0, len(x), -(-len(x) // COLUMNS))
        counts = np.add.reduceat(counts, starts, axis=0)
        used = np.flatnonzero(counts.sum(axis=0))
        first, last = used[0], used[-1] + 1
        shares = counts[:, first:last] / counts.sum(axis=1, keepdims=True)
        least = min(1e-3, shares[shares > 0].min())
        mesh = axes.pcolormesh(
            _edges(x[starts]),
            np.arange(first, last + 1) - 0.5,
            np.ma.masked_less_equal(shares.T, 0),
            norm=LogNorm(least, 1),
            cmap="viridis",
            rasterized=True,  # an SVG would have a path for each cell
        )
        axes.grid(visible=False)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        bar = axes.inset_axes((0.55, 1.03, 0.37, 0.05))
        axes.figure.colorbar(mesh, cax=bar, orientation="horizontal", ticks=[])
        bar.minorticks_off()
        for place, side, text in ((-0.02, "right", f"{of}:  {least:.1%}"), (1.02, "left", "100%")):
            bar.text(place, 0.5, text, transform=bar.transAxes, ha=side, va="center", size="small")
        return True

    return Draw(draw, lambda log: [])


def colours(number: int) -> Sequence[str]:
    """Colours for lines without an order."""
    return COLOURS if number <= len(COLOURS) else shades(number)


def shades(number: int) -> list[str]:
    """Colours with a visible order, without the yellow end, which is hard to see on white."""
    import matplotlib
    from matplotlib.colors import to_hex

    return [to_hex(each) for each in matplotlib.colormaps["viridis"](np.linspace(0, 0.85, number))]


def average(log: RunLog, *path: str | int) -> Numbers:
    """The mean of a statistic in a line; NaN where there are no values."""
    return np.where(log.numbers(*path, "num") == 0, np.nan, log.numbers(*path, "avg"))


def running_mean(y: Numbers, window: int) -> Numbers:
    """The mean of each number and its neighbours, `window` in total; fewer at the ends."""
    ones = np.ones(window)
    return np.convolve(y, ones, "same") / np.convolve(np.ones(len(y)), ones, "same")


def legend(axes: "Axes", entries: Sequence[tuple[str, "Artist"]]) -> None:
    """A row above the axes, where it hides nothing."""
    axes.legend(
        [handle for _, handle in entries],
        [plain(label) for label, _ in entries],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=len(entries),
        fontsize="small",
        frameon=False,
        handlelength=1.5,
        handletextpad=0.4,
        columnspacing=1.0,
        borderaxespad=0.1,
        borderpad=0.1,
    )


def dress(axes: "Axes", title: str) -> None:
    """A title, a faint grid, and no frame where there is no scale."""
    axes.set_title(title, loc="left")
    axes.grid(color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def plain(text: str) -> str:
    """Text that Matplotlib neither reads as a formula nor hides."""
    text = text.replace("$", r"\$")
    return f"./{text}" if text.startswith("_") else text


def _line(axes: "Axes", x: Numbers, y: Numbers, style: str, colour: str) -> None:
    """A line through the points, and where they are many, its running mean."""
    kept = np.isfinite(y)
    x, y = x[kept], y[kept]
    window = 1 + 2 * (len(y) // SMOOTHED)
    if window > 1:
        axes.plot(x, y, "-", color=colour, alpha=0.25, lw=0.8)
    marker = "." if len(y) <= MARKED else ""
    axes.plot(x, running_mean(y, window), style, color=colour, lw=1.7, marker=marker)


def _sample(style: str, colour: str) -> "Artist":
    """A line for the legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], ls=style, color=colour, lw=1.7)


def _has_data(y: Numbers | None) -> bool:
    return y is not None and bool(np.isfinite(y).any())


def _ends_and_middle(labels: list[str]) -> dict[str, str]:
    """The labels of these with their styles; the last one is solid."""
    chosen = dict.fromkeys([labels[0], labels[len(labels) // 2], labels[-1]])
    return dict(zip(chosen, reversed(STYLES[: len(chosen)]), strict=True))


def _edges(x: Numbers) -> Numbers:
    """The edges of the columns at `x`."""
    if len(x) == 1:
        return np.array([x[0] - 0.5, x[0] + 0.5])
    middles = (x[1:] + x[:-1]) / 2
    return np.concatenate([[2 * x[0] - middles[0]], middles, [2 * x[-1] - middles[-1]]])
