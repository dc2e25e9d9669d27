"""zerolab gtp: a player as an engine for Go programs and their like."""

from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import GameArguments, Options, PlayerName, Seed, Size
from zerolab.interfaces.views.output import Output


def gtp(
    player: Annotated[PlayerName, tyro.conf.Positional],
    game: Annotated[str, tyro.conf.arg(metavar="GAME")] = "go",
    size: Size = None,
    options: Options = (),
    seed: Seed = 0,
) -> None:
    """Be an engine that speaks GTP on standard input and output, until quit.

    Example: zerolab gtp mcts:10000 --game go --size 9x9

    Args:
        player: Who chooses the moves: mcts:10000, mcts:500ms, az:runs/demo@100, ...
        game: A game (see zerolab games), a file of rules, such as mygame.py, or openspiel:NAME.
        size: Size of the board; the other program may change it.
        options: Other parameters of the game, such as komi=5.5.
        seed: The same seed gives the same moves, unless time limits them.
    """
    from zerolab.evaluation.players.players import make_player
    from zerolab.interfaces.engines.serving import serve_gtp

    record = GameArguments(game, size, options).make()
    serve_gtp(Output(json=True), record, make_player(player), seed)
