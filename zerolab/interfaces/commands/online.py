"""zerolab online: the small network of damhuis, which learns after every game."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import Count, GameArguments, Seed
from zerolab.interfaces.views.output import Output


def online(
    board: GameArguments = GameArguments("clobber"),  # noqa: B008 (a frozen record: no call can change it)
    save: Annotated[Path, tyro.conf.arg(metavar="FILE")] = Path("mlp.npz"),
    games: Count = 1_000_000,
    hidden: Annotated[tuple[int, ...], tyro.conf.arg(metavar="NODES [NODES ...]")] = (20,),
    leaky: bool = False,
    alpha: float = 2e-5,
    target: float = 150.0,
    tau: float = 0.0,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train the small network of damhuis: it plays Random and learns after every game.

    Example, which takes seconds: zerolab online clobber --size 4x4 --save small.npz;
    then zerolab match clobber --size 4x4 --black mlp:small.npz --white mc:5

    Args:
        save: Where to write the network (.npz).
        games: Number of games to learn from.
        hidden: Nodes of each hidden layer.
        leaky: Leaky ReLU, which does not die (but may diverge), instead of ReLU.
        alpha: Learning rate.
        target: Target score of positions of won games; minus that for lost games.
        tau: Share by which the learning rate grows after every position of a game.
        seed: The same seed gives the same network.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views.training.online_view import show_online
    from zerolab.networks.mlp.mlp import LEAKY_SLOPE

    settings: dict[str, object] = {
        "hidden": hidden,
        "slope": LEAKY_SLOPE if leaky else 0.0,
        "alpha": alpha,
        "target": target,
        "tau": tau,
    }
    show_online(Output(json), board.make(), settings, games, seed, save)
