"""The table of layers that `zerolab network` shows."""

from zerolab.interfaces.views import network_view
from zerolab.networks.summary import Layer


def test_layers_with_and_without_multiplications():
    conv = Layer("stem.conv", "Conv2d", (8, 5, 5), 1200, 54321)
    norm = Layer("stem.norm", "BatchNorm2d", (8, 5, 5), 32, 0)
    assert network_view._row(("", [conv])) == ("stem", "Conv2d", "8x5x5", "1,200", "54,321")
    assert network_view._row(("", [norm])) == ("stem", "BatchNorm2d", "8x5x5", "32", "-")


def test_alike_layers_share_a_row():
    layers = [Layer(f"trunk.{n}.conv", "Conv2d", (8, 5, 5), 100, 2000) for n in (2, 3, 4)]
    assert network_view._row(("", layers)) == (
        *("trunk.2-4", "Conv2d", "8x5x5"),
        *("3 x 100", "3 x 2,000"),
    )
