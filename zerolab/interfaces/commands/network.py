"""zerolab network: the layers of a network."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.interfaces.commands.arguments import OptionalCount, Options, Seed, Size
from zerolab.interfaces.views.output import Output


def network(
    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")],
    game: Annotated[str, tyro.conf.arg(metavar="GAME")] = "clobber",
    size: Size = None,
    options: Options = (),
    width: OptionalCount = None,
    depth: OptionalCount = None,
    encoding: Literal["colours", "own", "components", "golois"] | None = None,
    save: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Describe a network: its layers, parameters, and multiply-adds per position.

    Examples: zerolab network resnet --size 5x5 --width 64 --depth 6;
    zerolab network mobile.small.conv.bin --game go --size 19x19

    Args:
        name: mlp, conv2d, resnet (jans); wang; a0.small, mobile.small, a0.20, mobile.conv.bin.40
            and others of cazenave; .val4 after conv.bin makes the value loss count four times.
        game: A game (see zerolab games) or a file of rules. Networks for go, without --encoding and
            --options, are those of cazenave: 21 planes, and no pass.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        width: Number of channels, or of units of an mlp; default that of the paper.
        depth: Number of blocks; default that of the paper.
        encoding: Input of the network: black and white stones; own stones and the opponent's, which
            is the default; also who wins small components (Clobber); or golois, the liberties,
            ladders and last five boards of cazenave (Go, and its default).
        save: Write the network, with random weights, to this file (.safetensors).
        seed: The same seed gives the same weights.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import network_view as networks

    board = game, size, options
    networks.show_network(Output(json), name, (width, depth), board, encoding, save, seed)
