"""Plots. Matplotlib is loaded only when one is drawn."""

from pathlib import Path
from typing import Any

from zerolab.errors import UsageError


def check_plot_path(path: Path) -> None:
    """Fail before the work is done, not after."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise UsageError(
            f"'{path}' cannot be drawn; expected a name that ends in .png, .svg or .pdf"
        )
    if not path.parent.is_dir():
        raise UsageError(f"there is no directory '{path.parent}'")
    _pyplot()


def plot_growth(growth: list[tuple[int, float]], path: Path) -> None:
    """Cost of a simulation against the size of the tree, logarithmic in the size."""
    figure, axes = _pyplot().subplots(figsize=(6, 4), layout="constrained")
    axes.plot(*zip(*growth, strict=True), marker="o")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("simulations")
    axes.set_ylabel("microseconds per simulation")
    axes.set_title("UCT on Clobber 5x5, one core")
    axes.grid(alpha=0.3)
    figure.savefig(path)


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        message = "plots need Matplotlib; install it with pip install 'zerolab[train]'"
        raise UsageError(message) from None
    matplotlib.use("agg")
    import matplotlib.pyplot

    return matplotlib.pyplot
