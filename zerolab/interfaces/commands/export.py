"""zerolab export: a network as an ONNX model."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import Options, Size
from zerolab.interfaces.views.output import Output


def export(
    network: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="NETWORK")],
    model: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="MODEL")],
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None,
    size: Size = None,
    options: Options = (),
    any_size: bool = False,
    int8: bool = False,
    json: bool = False,
) -> None:
    """Write a network as an ONNX model, which other programs can use without zerolab.

    Examples: zerolab export runs/demo model.onnx;
    zerolab export net.safetensors model.onnx --size 6x6

    Args:
        network: A network of zerolab (.safetensors), or the directory of a run for its last one.
        model: Where to write the model (.onnx).
        game: The file of rules, if the game is not one of zerolab's.
        size: Another size of the board, for networks that fit any size.
        options: Other parameters of the game, if size or game is given.
        any_size: A model for boards of any size, if the network fits them: it rates all places of
            the board, and the program that uses it picks out the actions, as zerolab does.
        int8: Round to 8 bits, which makes the file four times as small and residual networks two
            to three times as fast.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import network_view as networks

    board = networks.Board(game, size, options)
    networks.export(Output(json), network, model, board, any_size, int8)
