"""What `zerolab plot` does: the graphs of runs in one figure, written to files."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.interfaces.plots.curves import GREY, Numbers, Shown, colours, plain
from zerolab.interfaces.plots.figures import check_plot_path, pyplot
from zerolab.interfaces.plots.run_graphs import GRAPHS, Graph, graphs_of
from zerolab.interfaces.views.output import Output
from zerolab.training.runs.logs import RunLog, open_log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

XAxis = Literal["step", "time", "states"]
X_LABELS = {"step": "step", "time": "minutes", "states": "states"}
WIDE = 4  # graphs side by side
LOOK = {
    "font.size": 9,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "svg.hashsalt": "zerolab",
}
NO_DATE = {".svg": "Date", ".pdf": "CreationDate"}  # the same log gives the same file


def show_plots(
    out: Output,
    runs: Sequence[Path],
    x: XAxis,
    target: Path | None,
    titles: Sequence[str] = (),
) -> None:
    """Draw runs to files and report them."""
    graphs = choose_graphs(titles, graphs_of([open_log(run) for run in runs]))
    files, empty = write_plots(runs, x, target, graphs)
    for path in files:
        out.line(f"{len(graphs) - len(empty)} graphs are in {path}")
    if empty:
        out.line(f"without data: {', '.join(empty)}")
    out.result(
        {
            "runs": [str(run) for run in runs],
            "files": [str(path) for path in files],
            "graphs": len(graphs),
            "without_data": empty,
        }
    )


def choose_graphs(titles: Sequence[str], among: Sequence[Graph] = GRAPHS) -> Sequence[Graph]:
    """The graphs whose titles contain these parts, in that order; all if none is given."""
    if not titles:
        return among
    chosen: list[Graph] = []
    for part in titles:
        found = [graph for graph in among if part.lower() in graph.title.lower()]
        if not found:
            names = ", ".join(f"'{graph.title}'" for graph in among)
            raise UsageError(f"no graph has '{part}' in its title; there are {names}")
        chosen += [graph for graph in found if graph not in chosen]
    return chosen


def write_plots(
    runs: Sequence[Path],
    x: XAxis = "step",
    target: Path | None = None,
    graphs: Sequence[Graph] | None = None,
) -> tuple[list[Path], list[str]]:
    """Draw runs, all graphs if none are chosen; return the files, and the graphs without data."""
    logs = [open_log(run) for run in runs]
    shown = _shown(logs, x)
    files = plot_files(target, runs[0], "plots")
    with pyplot().rc_context(LOOK):
        figure, empty = draw_runs(shown, x, graphs or graphs_of(logs))
        save_figure(figure, files)
    return files, empty


def save_figure(figure: "Figure", files: Sequence[Path]) -> None:
    """Write a figure to files and close it."""
    for path in files:
        metadata = {NO_DATE[path.suffix]: None} if path.suffix in NO_DATE else None
        with replacing(path) as file:
            figure.savefig(file, format=path.suffix[1:], dpi=120, metadata=metadata)
    pyplot().close(figure)


def draw_curves(out: Output, run: Path) -> None:
    """Draw a run that has ended; an error here must not lose its results."""
    try:
        for path in write_plots([run])[0]:
            out.line(f"curves: {path}")
    except UsageError as error:
        out.note(f"no curves: {error}")


def draw_runs(
    runs: Sequence[Shown], x: XAxis, graphs: Sequence[Graph] = GRAPHS
) -> "tuple[Figure, list[str]]":
    """The graphs in a figure, and the titles of those without data."""
    library = pyplot()
    empty = []
    wide = min(WIDE, len(graphs))
    high = math.ceil(len(graphs) / wide)
    figure = library.figure(figsize=(5.6 * wide, 3.5 * high), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
    places = figure.subplots(high, wide, squeeze=False).flat
    for axes in places[len(graphs) :]:
        axes.remove()
    for graph, axes in zip(graphs, places, strict=False):
        if not _draw_graph(graph, axes, runs, X_LABELS[x]):
            empty.append(graph.title)
    figure.align_ylabels()
    if len(runs) == 1:
        figure.suptitle(_title(runs), fontsize=15)
    else:
        figure.legend(
            [library.Line2D([], [], color=run.colour, lw=3) for run in runs],
            [plain(run.name) for run in runs],
            title=_title(runs),
            title_fontsize=15,
            loc="outside upper center",
            ncols=min(len(runs), 3 * wide // 2 or 1),
            fontsize=11,
            frameon=False,
        )
    return figure, empty


def _draw_graph(graph: Graph, axes: "Axes", runs: Sequence[Shown], x_label: str) -> bool:
    only = f" ({plain(runs[0].name)} only)" if graph.of_first and len(runs) > 1 else ""
    axes.set_title(graph.title + only, loc="left", y=1, pad=21)
    axes.grid(color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.015)
    axes.spines[["top", "right"]].set_visible(False)
    drawn = graph.draw(axes, runs)
    if not drawn:
        axes.set(xticks=[], yticks=[])
        axes.text(
            *(0.5, 0.5, "no data"), transform=axes.transAxes, ha="center", va="center", color=GREY
        )
        return False
    low, high = graph.limits
    room = 0.03 * (high - low) if high is not None and low is not None else 0  # for the line itself
    axes.set_ylim(low if low is None else low - room, high if high is None else high + room)
    axes.set_xlabel(x_label)
    axes.set_ylabel(graph.unit)
    axes.xaxis.set_major_formatter(_short)
    axes.yaxis.set_major_formatter(_percent if graph.unit == "share" else _short)
    return True


def _shown(logs: list[RunLog], x: XAxis) -> list[Shown]:
    names = [log.directory.resolve().name for log in logs]
    if len(set(names)) < len(names):
        names = [str(log.directory) for log in logs]
    runs = []
    for log, name, colour in zip(logs, names, colours(len(logs)), strict=False):
        places = x_of(log, x)
        known = np.isfinite(places)
        told = [line for line, is_known in zip(log.lines, known, strict=True) if is_known]
        runs.append(Shown(log._replace(lines=told), places[known], name, colour))
    return runs


def x_of(log: RunLog, x: XAxis) -> Numbers:
    """The horizontal position of each line of a log."""
    if x == "step":
        steps = log.numbers("step")
        return np.where(np.isfinite(steps), steps, np.arange(1, len(steps) + 1))
    found = log.numbers("time_rel") / 60 if x == "time" else log.numbers("total_states")
    if not np.isfinite(found).any():
        raise UsageError(f"the log of {log.directory} has no {x}; choose another --x")
    return found


def plot_files(target: Path | None, run: Path, name: str) -> list[Path]:
    """The files to write; a directory gets a PNG and an SVG."""
    directory = run if target is None else target
    if directory.is_dir():
        files = [directory / f"{name}.png", directory / f"{name}.svg"]
    else:
        files = [directory]
        if not directory.suffix:
            raise UsageError(
                f"there is no directory '{target}', and a file's name ends in .png, .svg or .pdf"
            )
    for path in files:
        check_plot_path(path)
    return files


def _title(runs: Sequence[Shown]) -> str:
    """Game, network and run; of several runs what they have in common."""
    abouts = [_about(run.log.config) for run in runs]
    parts = [each for each in abouts[0] if all(each in about for about in abouts)]
    if len(runs) == 1:
        parts.append(runs[0].name)
    return "   ·   ".join(plain(part) for part in parts) or "Training runs"


def _about(config: dict[str, Any]) -> list[str]:
    """Game and network, such as `clobber 5x5` and `resnet 128x6`, if the run has them."""
    size = [str(config[key]) for key in ("nn_width", "nn_depth") if config.get(key)]
    network = " ".join([str(config.get("nn_model") or ""), "x".join(size)]).strip()
    return [part for part in (str(config.get("game") or ""), network) if part]


def _short(value: float, _: object = None) -> str:
    """1500 as 1.5k."""
    for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.4g}{suffix}"
    return f"{value:.4g}"


def _percent(value: float, _: object = None) -> str:
    return f"{value:.0%}"
