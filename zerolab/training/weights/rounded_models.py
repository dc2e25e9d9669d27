"""Networks as models for play: in floating point, or rounded to 8 bits, which is faster."""

from zerolab.encodings.views import View
from zerolab.games.base import Game
from zerolab.networks.quantisation import quantise
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.records.samples import Samples

CALIBRATION = 512  # positions that calibrate the ranges of 8-bit numbers


def model_of(network: Network, game: Game, view: View, seen: Samples | None) -> bytes:
    """The network as an ONNX model, in 8 bits if positions are given that it has to do with."""
    model = network.to_onnx()
    if seen is None or seen.size == 0:
        return model
    return quantise(model, make_batch(game, view, seen.take(slice(CALIBRATION))).planes)
