"""zerolab exam: players compared with perfect play."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import Count, GameArguments, Seed
from zerolab.interfaces.views.output import Output


def exam(
    board: GameArguments,
    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER ...")] = (),
    positions: Count = 300,
    games: Count = 20,
    nodes: Count = 1_000_000,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Compare players with perfect play: moves that keep the value, regret, signs of values.

    Example, which takes less than a minute: zerolab exam clobber --size 4x4
    --players random mcts:100 mcts:1000 solver --plot exam.png

    Args:
        players: Players to examine: random, mcts:100, az:runs/demo@100, ... (see zerolab games).
        positions: Number of positions of random games in which one move keeps the value and
            another does not, and as many again to judge values by.
        games: Games of each player against itself, after two random moves.
        nodes: The solver's budget for a position. Positions that need more are skipped and
            counted.
        plot: Plot shares and regret by stage of the game to this file, .png, .svg or .pdf.
        seed: The same seed gives the same positions and games.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.perfect.judge import Judge
    from zerolab.interfaces.views.results.exam_view import show_exam

    record = board.make()
    show_exam(Output(json), record, players, (positions, games), Judge(record, nodes), seed, plot)
