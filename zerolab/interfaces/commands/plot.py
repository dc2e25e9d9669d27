"""zerolab plot: the curves of training runs."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.views.output import Output


def plot(
    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN [RUN ...]")],
    x: Literal["step", "time", "states"] = "step",
    out: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    graphs: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TITLE ...")] = (),
    json: bool = False,
) -> None:
    """Plot the curves of a run: losses, strength, values, games, speed. Several runs are overlaid.

    Examples: zerolab plot runs/demo; zerolab plot runs/one runs/two --x time --out both.png;
    zerolab plot runs/demo --graphs loss "evaluation returns" --out small.svg

    Args:
        runs: Directories of runs, ours or OpenSpiel's.
        x: Horizontal axis: steps of learning, minutes, or states played.
        out: A file (.png, .svg or .pdf), or a directory for plots.png and plots.svg; default the
            directory of the first run.
        graphs: Draw only graphs whose titles contain one of these; default all.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.plots.run_plots import show_plots

    if not runs:
        raise UsageError("no run is named; name its directory, such as runs/demo")
    show_plots(Output(json), runs, x, out, graphs)
