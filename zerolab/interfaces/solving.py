"""What `zerolab solve` shows."""

import time

from zerolab.games.base import Game, GameError, State, player_to_move
from zerolab.games.board import initial_state
from zerolab.games.catalogue import describe
from zerolab.games.notation import COLOUR_NAMES, format_move, format_position, parse_position
from zerolab.games.rng import stream
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.output import Output
from zerolab.solver.alphabeta import Solver
from zerolab.solver.solitaire import solve_solitaire

VERDICTS = {1: "wins", 0: "draws", -1: "loses"}


def show_solution(
    out: Output, game: Game, state: State, both: bool, moves: bool, memory: int
) -> None:
    """Who wins, with both players first where `both` is asked and possible."""
    solver = Solver(game, memory)
    with out.compiling():
        solver.value(state, max_nodes=1)
    mover = player_to_move(state)
    starts = {mover: state}
    other = _other_first(game, state) if both else None
    if other is not None:
        starts[1 - mover] = other
    started = time.perf_counter()
    values: dict[int, int] = {}
    move_values: dict[int, int] = {}
    with out.progress("solving", None, "nodes") as advance_to:
        for player, start in starts.items():
            value = solver.value(start, advance_to)
            assert value is not None
            values[player] = value
        if moves:
            move_values = solver.moves(state, advance_to)
    seconds = time.perf_counter() - started
    outcome = outcome_class(values)
    result = f", outcome {outcome}" if outcome else ""
    out.table(
        f"{describe(game)}{result}: {solver.nodes:,} nodes in {seconds:.2f} s",
        ("first to move", "result"),
        [(COLOUR_NAMES[player], VERDICTS[value]) for player, value in values.items()],
    )
    if moves:
        best_first = sorted(move_values.items(), key=lambda item: -item[1])
        out.table(
            f"moves of {COLOUR_NAMES[mover]}",
            ("move", "result"),
            [(format_move(game, action), VERDICTS[value]) for action, value in best_first],
        )
    value = values[mover]
    report = {
        "game": describe(game),
        "position": format_position(game, state),
        "first": COLOUR_NAMES[mover],
        "winner": "draw" if value == 0 else COLOUR_NAMES[mover if value > 0 else 1 - mover],
        "nodes": solver.nodes,
        "seconds": seconds,
    }
    if outcome:
        report["outcome"] = outcome
    if moves:
        report["moves"] = {format_move(game, action): v for action, v in move_values.items()}
    out.result(report)


def outcome_class(values: dict[int, int]) -> str | None:
    """N, P, L (Black always wins) or R (White does), from the value for each first player."""
    if set(values) != {0, 1} or 0 in values.values():
        return None
    return {(1, 1): "N", (-1, -1): "P", (1, -1): "L", (-1, 1): "R"}[values[0], values[1]]


def _other_first(game: Game, state: State) -> State | None:
    """The same stones with the other player to move, where the rules allow it."""
    try:
        return parse_position(game, format_position(game, state), 1 - player_to_move(state))
    except GameError:
        return None


def show_solitaire(out: Output, game: Solitaire, state: State) -> None:
    """The fewest stones that can be left, and how."""
    with out.compiling():
        solve_solitaire(Solitaire(1, 2), initial_state(Solitaire(1, 2), stream(0)))
    started = time.perf_counter()
    with out.progress("positions", None, "positions") as advance_to:
        solution = solve_solitaire(game, state, advance_to)
    seconds = time.perf_counter() - started
    line = [format_move(game, action) for action in solution.line]
    out.table(
        f"{describe(game)}: {solution.positions:,} positions in {seconds:.2f} s",
        ("fewest stones left", "how"),
        [(str(solution.stones), " ".join(line))],
    )
    out.result(
        {
            "game": describe(game),
            "stones": solution.stones,
            "line": line,
            "nodes": solution.positions,
            "seconds": seconds,
        }
    )
