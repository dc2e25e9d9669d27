"""zerolab plot: how training went."""

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
    """Draw how training went: losses, strength, values, games, speed. Several runs are overlaid.

    Examples: zerolab plot runs/demo; zerolab plot runs/one runs/two --x time --out both.png;
    zerolab plot runs/demo --graphs loss "evaluation returns" --out small.svg

    Args:
        runs: Directories of runs, ours or OpenSpiel's.
        x: Against steps of learning, minutes, or states played.
        out: A file (.png, .svg or .pdf), or a directory for plots.png and plots.svg; the first
            run's, if none is named.
        graphs: Only those with one of these in their titles; without it, all.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.plots.run_plots import show_plots

    if not runs:
        raise UsageError("which run? Name its directory, such as runs/demo")
    show_plots(Output(json), runs, x, out, graphs)
