"""What `zerolab analyze` shows: candidate moves of a search, the best first."""

from zerolab.errors import UsageError
from zerolab.games.base import Game, State, player_to_move
from zerolab.games.catalogue import describe
from zerolab.games.notation import COLOUR_NAMES, format_move, format_position
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.terminal import draw_board
from zerolab.search.analysis import Analysis


def show_analysis(out: Output, game: Game, state: State, player: str, analysis: Analysis) -> None:
    """Candidate moves, the best first."""

    def moves(actions: tuple[int, ...]) -> list[str]:
        return [format_move(game, action) for action in actions]

    if not analysis.candidates:
        raise UsageError("there is nothing to analyse: the game is over in this position")
    mover = COLOUR_NAMES[player_to_move(state)]
    if not out.json:
        out.console.print(draw_board(game, state))
    verdict = "proven" if analysis.proven else "estimated"
    out.table(
        f"{describe(game)}, {mover} to move: value {analysis.value:+.3f} ({verdict}) after "
        f"{analysis.simulations:,} simulations of {player}, {analysis.nodes:,} nodes",
        ("move", "visits", "share", "value", "", "prior", "how play goes on"),
        [
            (
                *(format_move(game, each.action), f"{each.visits:,}", f"{each.share:.1%}"),
                *(f"{each.value:+.3f}", "proven" if each.proven else "", f"{each.prior:.3f}"),
                " ".join(moves(each.line[:8])),
            )
            for each in analysis.candidates
        ],
    )
    out.result(
        {
            "game": describe(game),
            "position": format_position(game, state),
            "first": mover,
            "player": player,
            "simulations": analysis.simulations,
            "nodes": analysis.nodes,
            "value": analysis.value,
            "proven": analysis.proven,
            "candidates": [
                {
                    **{**each._asdict(), "action": int(each.action)},
                    "move": format_move(game, each.action),
                    "line": moves(each.line),
                }
                for each in analysis.candidates
            ],
        }
    )
