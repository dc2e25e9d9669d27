"""zerolab solve: who wins with perfect play."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import Colour, GameArguments, OptionalCount, Seed
from zerolab.interfaces.views.output import Output


def solve(
    board: GameArguments,
    position: str | None = None,
    first: Literal["black", "white", "both"] | None = None,
    moves: bool = False,
    value: bool = False,
    memory: Annotated[OptionalCount, tyro.conf.arg(metavar="MB")] = None,
    threads: OptionalCount = None,
    table: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    proof: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    budget: Annotated[OptionalCount, tyro.conf.arg(metavar="NODES")] = None,
    minutes: float = 60.0,
    seed: Seed = 0,
    without: tuple[
        Literal["values", "cancelling", "ordering", "outlook", "close-look", "database"], ...
    ] = (),
    json: bool = False,
) -> None:
    """Solve a position exactly: who wins with perfect play; for solitaire, the fewest stones left.

    Examples: zerolab solve clobber --size 4x6;
    zerolab solve clobber --position "xxo|o.x" --moves --value

    Args:
        position: Solve this position instead of the start, such as "xoxo|ox..", or in MCGS's
            notation, such as "[clobber] XOX|OXO X.O {B}" for the sum of two boards.
        first: Who moves first. By default Black, and also White where the position allows it;
            both together give the outcome class N, P, L or R.
        moves: Show the value of each move.
        value: Show the value as a combinatorial game, and its atomic weight (Clobber).
        memory: Megabytes for the table of positions; default half of the free memory.
        threads: Threads that search together (Clobber); default one per core.
        table: Keep the table of solved positions in this file, and continue from it if it exists
            (Clobber). Ctrl-C keeps it too.
        proof: For proofs that take days: solve the position in parts and append each to this file,
            which a later run reads, on this machine or another (Clobber).
        budget: Nodes that a part of the --proof should take at most (100 million); what looks
            larger, or takes four times as many, is divided.
        minutes: How long to work on the --proof.
        seed: Changes the hash keys of positions, to verify a result; with a seed other than 0
            results of earlier solves are not used.
        without: Disable methods of the Clobber solver, to verify a result independently;
            `database` holds results of earlier solves of boards of 24 to 28 cells.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.mcgs_notation import is_mcgs, parse_mcgs
    from zerolab.games.solitaire import Solitaire
    from zerolab.interfaces.views import solution_view as solving
    from zerolab.solver.long_proof import DEFAULT_BUDGET

    out = Output(json)
    if position is not None and is_mcgs(position):
        position, player = parse_mcgs(position)
        first = first or player
    mover: Colour = "white" if first == "white" else "black"
    start = board.set_up(position, mover, seed=0)
    record, state = start.game, start.state
    if isinstance(record, Solitaire):
        solving.show_solitaire(out, record, state)
        return
    if budget is not None and proof is None:
        raise UsageError("--budget is for a --proof")
    solver = solving.set_up(out, record, state, memory, threads, seed, without)
    if proof is not None:
        if moves or value or table is not None or first == "both":
            raise UsageError(
                "--proof cannot be combined with --moves, --value, --table or --first both"
            )
        solving.show_campaign(out, solver, state, proof, minutes, budget or DEFAULT_BUDGET)
    else:
        wanted = solving.Wanted(first in (None, "both"), moves, value)
        solving.show_solution(out, solver, state, wanted, table)
