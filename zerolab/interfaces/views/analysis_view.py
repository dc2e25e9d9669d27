"""What `zerolab analyze` shows: candidate moves of a search, the best first."""

from zerolab.errors import UsageError
from zerolab.games.catalogue import describe
from zerolab.games.position import Position
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.terminal import draw_board
from zerolab.search.analysis import Analysis


def show_analysis(out: Output, position: Position, player: str, analysis: Analysis) -> None:
    """Candidate moves, the best first."""
    game = position.game
    if not analysis.candidates:
        raise UsageError("there is nothing to analyse: the game is over in this position")
    mover = position.turn
    if not out.json:
        out.console.print(draw_board(game, position.words))
    verdict = "proven" if analysis.proven else "estimated"
    out.table(
        f"{describe(game)}, {mover} to move: value {analysis.value:+.3f} ({verdict}) after "
        f"{analysis.simulations:,} simulations of {player}, {analysis.nodes:,} nodes",
        ("move", "visits", "share", "value", "", "prior", "how play goes on"),
        [
            (
                *(position.text_of(each.action), f"{each.visits:,}", f"{each.share:.1%}"),
                *(f"{each.value:+.3f}", "proven" if each.proven else "", f"{each.prior:.3f}"),
                " ".join(position.texts_of(each.line[:8])),
            )
            for each in analysis.candidates
        ],
    )
    out.result(
        {
            "game": describe(game),
            "position": position.text,
            "first": mover,
            "player": player,
            "simulations": analysis.simulations,
            "nodes": analysis.nodes,
            "value": analysis.value,
            "proven": analysis.proven,
            "candidates": [
                {
                    **{**each._asdict(), "action": int(each.action)},
                    "move": position.text_of(each.action),
                    "line": list(position.texts_of(each.line)),
                }
                for each in analysis.candidates
            ],
        }
    )
