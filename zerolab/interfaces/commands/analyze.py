"""zerolab analyze: how a search evaluates a position."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import Colour, Count, GameArguments, PlayerName, Seed
from zerolab.interfaces.views.output import Output


def analyze(
    board: GameArguments,
    position: str | None = None,
    first: Colour = "black",
    player: PlayerName = "mcts:10000",
    seed: Seed = 0,
    tree: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    tree_depth: Count = 3,
    tree_width: Count = 3,
    json: bool = False,
) -> None:
    """Show how a search evaluates a position: candidate moves, visits, values, expected play.

    Example: zerolab analyze clobber --position "xoxo|oxox|xo.." --player mcts:10000

    Args:
        position: Analyze this position instead of the start, such as "xoxo|ox..".
        first: Who is to move in that position.
        player: The search: mcts:N, mcts:500ms (limited by time), or a network, az:runs/demo@100 or
            az:runs/demo@500ms.
        seed: The same seed gives the same search.
        tree: Draw the search tree to this file, .svg or .dot.
        tree_depth: How many moves deep to draw.
        tree_width: How many moves of each position to draw, the most visited first.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.players.players import make_player, search_for
    from zerolab.interfaces.plots import tree_picture
    from zerolab.interfaces.views.analysis_view import show_analysis
    from zerolab.kernels.rng import stream

    if tree is not None:
        tree_picture.check_path(tree)
    out = Output(json)
    wanted = board.set_up(position, first, seed)
    with out.compiling():
        search = search_for(make_player(player), wanted, stream(seed))
    show_analysis(out, wanted, player, search.analyse())
    if tree is not None:
        tree_picture.write(tree, wanted.game, search.outline(tree_depth, tree_width))
        out.note(f"search tree drawn to {tree}")
