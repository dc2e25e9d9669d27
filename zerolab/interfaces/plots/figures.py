"""Plots. Matplotlib is loaded only when one is drawn."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerolab.errors import UsageError

if TYPE_CHECKING:
    from zerolab.benchmarks.inference_speed import InferenceBench


def check_plot_path(path: Path) -> None:
    """Fail before the work is done, not after."""
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise UsageError(
            f"'{path}' cannot be drawn; expected a name that ends in .png, .svg or .pdf"
        )
    if not path.parent.is_dir():
        raise UsageError(f"there is no directory '{path.parent}'")
    pyplot()


def plot_growth(growth: list[tuple[int, float]], path: Path) -> None:
    """Cost of a simulation against the size of the tree, logarithmic in the size."""
    figure, axes = pyplot().subplots(figsize=(6, 4), layout="constrained")
    axes.plot(*zip(*growth, strict=True), marker="o")
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("simulations")
    axes.set_ylabel("microseconds per simulation")
    axes.set_title("UCT on Clobber 5x5, one core")
    axes.grid(alpha=0.3)
    figure.savefig(path)


def plot_inference(bench: "InferenceBench", path: Path) -> None:
    """Positions a second against the batch size, a colour for each network."""
    figure, axes = pyplot().subplots(figsize=(8, 5), layout="constrained")
    names = list(dict.fromkeys(speed.network for speed in bench.speeds))
    for number, name in enumerate(names):
        speeds = [speed for speed in bench.speeds if speed.network == name]
        batches = [speed.batch for speed in speeds]
        colour = f"C{number}"
        axes.plot(batches, [each.onnx for each in speeds], "o-", color=colour, label=name)
        axes.plot(batches, [each.int8 for each in speeds], "^--", color=colour, alpha=0.7)
        axes.plot(batches, [each.torch for each in speeds], "x:", color=colour, alpha=0.7)
    axes.plot([], [], "o-", color="grey", label="ONNX Runtime")
    axes.plot([], [], "^--", color="grey", label="ONNX Runtime, 8 bits")
    axes.plot([], [], "x:", color="grey", label="PyTorch eager")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(batches, [str(batch) for batch in batches])
    axes.set_xlabel("batch")
    axes.set_ylabel("positions a second")
    axes.set_title("Networks on Clobber 5x5, one core")
    axes.grid(alpha=0.3, which="both")
    figure.legend(loc="outside right center", fontsize="small")
    figure.savefig(path)


def pyplot() -> Any:
    """Matplotlib, drawing to files."""
    try:
        import matplotlib
    except ImportError:
        message = "plots need Matplotlib; install it with pip install 'zerolab[train]'"
        raise UsageError(message) from None
    matplotlib.use("agg")
    import matplotlib.pyplot

    return matplotlib.pyplot
