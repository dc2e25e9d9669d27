"""zerolab uci: a player as an engine for programs that play chess variants."""

from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import PlayerName, Seed
from zerolab.interfaces.views.output import Output


def uci(player: Annotated[PlayerName, tyro.conf.Positional], seed: Seed = 0) -> None:
    """Be an engine that speaks UCI on standard input and output, until quit.

    It plays Clobber as Fairy-Stockfish does, as the variants clobber (6x5) and clobber10 (10x10).

    Example: zerolab uci mcts:10000

    Args:
        player: Who chooses the moves: mcts:10000, mcts:500ms, az:runs/demo@100, ...
        seed: The same seed gives the same moves, unless time limits them.
    """
    from zerolab.evaluation.players.players import make_player
    from zerolab.interfaces.engines.serving import serve_uci

    serve_uci(Output(json=True), make_player(player), seed)
