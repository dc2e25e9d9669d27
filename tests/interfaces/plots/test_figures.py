"""The graphs of benchmarks are asked what they show."""

from types import SimpleNamespace

from tests.interfaces.figures import ticks
from zerolab.benchmarks.inference_speed import InferenceSpeed
from zerolab.interfaces.plots.figures import plot_growth, plot_inference


def series(axes):
    """Lines with data: x, y, style and colour."""
    return [
        (list(each.get_xdata()), list(each.get_ydata()), each.get_linestyle(), each.get_color())
        for each in axes.lines
        if len(each.get_xdata())
    ]


def test_speeds_of_networks_against_the_batch(saved, tmp_path):
    """ONNX Runtime solid, 8 bits dashed, PyTorch dotted; a colour for each network."""
    speeds = [
        InferenceSpeed(name, batch, 1, torch=speed, onnx=2 * speed, int8=3 * speed)
        for name, slowest in (("small", 100), ("large", 10))
        for batch in (1, 8)
        for speed in [slowest * batch]
    ]
    plot_inference(SimpleNamespace(speeds=speeds), tmp_path / "speed.png")
    ((axes,),) = [figure.axes for figure in saved]
    assert series(axes) == [
        ([1, 8], [200, 1600], "-", "C0"),
        ([1, 8], [300, 2400], "--", "C0"),
        ([1, 8], [100, 800], ":", "C0"),
        ([1, 8], [20, 160], "-", "C1"),
        ([1, 8], [30, 240], "--", "C1"),
        ([1, 8], [10, 80], ":", "C1"),
    ]
    (names,) = saved[0].legends
    assert {
        text.get_text(): handle.get_linestyle()
        for text, handle in zip(names.get_texts(), names.legend_handles, strict=True)
    } == {
        **{"small": "-", "large": "-", "ONNX Runtime": "-"},
        **{"ONNX Runtime, 8 bits": "--", "PyTorch eager": ":"},
    }
    assert ticks(axes, "x") == ["1", "8"]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_the_cost_of_a_simulation_against_the_size_of_the_tree(saved, tmp_path):
    plot_growth([(10, 2.0), (1000, 3.5)], tmp_path / "growth.png")
    ((axes,),) = [figure.axes for figure in saved]
    assert [each[:2] for each in series(axes)] == [([10, 1000], [2.0, 3.5])]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    assert axes.get_ylim()[0] == 0
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("simulations", "microseconds per simulation")
