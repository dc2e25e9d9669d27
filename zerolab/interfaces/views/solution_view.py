"""What `zerolab solve` shows."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.games.base import Game, GameError, State, player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import describe
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.mcgs_notation import format_mcgs
from zerolab.games.notation import (
    COLOUR_NAMES,
    format_move,
    format_position,
    line_texts,
    move_text,
    parse_position,
)
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.views.output import Output
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.sum_solver import MAX_VALUED, WITHOUT, SumSolver
from zerolab.solver.fewest_stones import solve_solitaire
from zerolab.solver.long_proof import Campaign, Report
from zerolab.solver.progress import OnProgress, Progress
from zerolab.solver.solvers import ExactSolver, make_solver, move_values, principal_line
from zerolab.solver.values.database import database_directory

VERDICTS = {1: "wins", 0: "draws", -1: "loses"}


class Wanted(NamedTuple):
    """What to show of a position."""

    both: bool
    """With White moving first too, where the rules allow it."""
    moves: bool
    value: bool


def set_up(
    out: Output,
    game: Game,
    state: State,
    memory: int | None,
    threads: int | None,
    seed: int,
    without: Sequence[str],
) -> ExactSolver:
    """The solver for a game, compiled."""
    size = None if memory is None else memory * 10**6
    methods: dict[str, int] = {}
    for method in without:
        methods.update(WITHOUT[method])
    database = None if "database" in without else database_directory()
    with out.compiling():
        solver = make_solver(game, state, size, threads, seed, database, **methods)
        solver.compile()
    given = {"--without": without, "--seed": seed, "--threads": threads}
    for option, value in given.items():
        if value:
            _only_clobber(solver, option)
    return solver


def show_solution(
    out: Output, solver: ExactSolver, state: State, wanted: Wanted, table: Path | None
) -> None:
    """Show who wins, and what else is asked for."""
    game, mover = solver.game, player_to_move(state)
    if wanted.value or table is not None:
        _only_clobber(solver, "--value" if wanted.value else "--table")
    if table is not None and table.exists():
        assert isinstance(solver, SumSolver)
        solver.load(table)
    elif table is not None and not table.parent.is_dir():
        raise UsageError(f"{table.parent} is not a directory; the table needs one")
    starts = {mover: state}
    other = _other_first(game, state) if wanted.both else None
    if other is not None:
        starts[1 - mover] = other
    started = time.perf_counter()
    values: dict[int, int] = {}
    values_of_moves: dict[int, int] = {}
    try:
        with _progress(out) as on_progress:
            for player, start in starts.items():
                found = solver.value(start, on_progress)
                assert found is not None
                values[player] = found
        nodes, seconds = solver.nodes, time.perf_counter() - started
        outcome = outcome_class(values)
        result = f", outcome {outcome}" if outcome else ""
        out.table(
            f"{describe(game)}{result}: {nodes:,} nodes in {seconds:.2f} s",
            ("first to move", "result"),
            [(COLOUR_NAMES[player], VERDICTS[value]) for player, value in values.items()],
        )
        with _progress(out) as on_progress:
            line = principal_line(solver, state, on_progress)
            if wanted.moves:
                values_of_moves = move_values(solver, state, on_progress)
    finally:
        if table is not None and isinstance(solver, SumSolver):
            solver.save(table)
            out.note(f"solved positions kept in {table}")
    out.line(f"best play: {' '.join(line_texts(game, state, line))}")
    value = values[mover]
    report: dict[str, Any] = {
        "game": describe(game),
        "position": format_position(game, state),
        "first": COLOUR_NAMES[mover],
        "winner": _winner(mover, value),
        "winners": {COLOUR_NAMES[first]: _winner(first, v) for first, v in values.items()},
        "nodes": nodes,
        "seconds": seconds,
        "line": line_texts(game, state, line),
    }
    if outcome:
        report["outcome"] = outcome
    if isinstance(solver, SumSolver):
        report["table_mb"] = solver.table.entries.nbytes / 1e6
    if isinstance(game, Clobber) and game.variant == NORMAL:
        report["mcgs"] = format_mcgs(report["position"], list(values))
    if wanted.moves:
        report["moves"] = {
            move_text(game, state, action): v for action, v in values_of_moves.items()
        }
        _show_moves(out, mover, report["moves"])
    if wanted.value:
        report.update(_show_value(out, solver, state))
    out.result(report)


def _only_clobber(solver: ExactSolver, option: str) -> None:
    if not isinstance(solver, SumSolver):
        raise UsageError(f"{option} is for clobber and graph-clobber, not for this game or board")


def _show_moves(out: Output, mover: int, values: dict[str, int]) -> None:
    best_first = sorted(values.items(), key=lambda item: -item[1])
    out.table(
        f"moves of {COLOUR_NAMES[mover]}",
        ("move", "result"),
        [(move, VERDICTS[value]) for move, value in best_first],
    )


def _winner(first: int, value: int) -> str:
    return "draw" if value == 0 else COLOUR_NAMES[first if value > 0 else 1 - first]


def _show_value(out: Output, solver: ExactSolver, state: State) -> dict[str, Any]:
    assert isinstance(solver, SumSolver)
    found = solver.canonical_value(state)
    if found is None:
        raise UsageError(
            f"the value is too complicated; --value is for parts of at most {MAX_VALUED} stones"
        )
    weight = str(found.atomic_weight) if found.is_all_small else "none"
    out.table(
        "as a combinatorial game",
        ("value", "outcome", "birthday", "atomic weight"),
        [(str(found), found.outcome, str(found.birthday), weight)],
    )
    report: dict[str, Any] = {"value": found.text(ascii=True), "birthday": found.birthday}
    if found.is_all_small:
        report["atomic_weight"] = found.atomic_weight.text(ascii=True)
    if found.nim_value is not None:
        report["nim_value"] = found.nim_value
    return report


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


@contextmanager
def _progress(out: Output) -> Iterator[OnProgress]:
    """A line with the progress of a solver."""
    started = time.monotonic()
    with out.status() as show:

        def on_progress(progress: Progress) -> None:
            seconds = time.monotonic() - started
            show(_progress_text(progress, seconds))

        yield on_progress


def _progress_text(progress: Progress, seconds: float) -> str:
    speed = progress.nodes / max(seconds, 1e-9)
    return (
        f"{progress.nodes:,} nodes, {speed / 1e6:.2f} million/s, table {progress.fill:.0%} full, "
        f"move {progress.moves_done + 1} of {progress.moves} at the root, {seconds:.0f} s"
    )


def show_campaign(
    out: Output, solver: ExactSolver, state: State, path: Path, minutes: float, budget: int
) -> None:
    """Continue a proof in parts."""
    _only_clobber(solver, "--proof")
    assert isinstance(solver, SumSolver)
    if not 0 < minutes <= 60 * 24 * 365:
        raise UsageError(f"--minutes {minutes} is not possible; expected more than 0, up to a year")
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a directory; the proof needs one")
    started = time.monotonic()
    with Campaign(solver.game, state, path, solver, budget) as campaign, out.status() as show:
        solved_before = campaign.report("", None).solved

        def on_report(report: Report) -> None:
            if report.progress is not None:
                seconds = time.monotonic() - started
                show(
                    f"{report.solved} subproblems solved, {report.left_to_win:.1e} nodes left to "
                    f"prove a win, {report.left_to_lose:.1e} a loss; "
                    f"{report.doing}: {_progress_text(report.progress, seconds)}"
                )

        try:
            report = campaign.run(60 * minutes, on_report)
        except KeyboardInterrupt:
            report = campaign.report("", None)
    verdict = "open" if report.value is None else VERDICTS[report.value]
    speed = report.nodes / max(report.seconds, 1e-9)
    hours = [left / max(speed, 1) / 3600 for left in (report.left_to_win, report.left_to_lose)]
    out.table(
        f"{describe(solver.game)}: {COLOUR_NAMES[player_to_move(state)]}, first to move: {verdict}",
        (
            *("subproblems solved", "of these now", "nodes", "hours so far"),
            *("hours left if it wins", "if it loses"),
        ),
        [
            (
                f"{report.solved:,}",
                f"{report.solved - solved_before:,}",
                f"{report.nodes:,}",
                f"{report.seconds / 3600:.2f}",
                *(f"{each:.1f}" for each in hours),
            )
        ],
        note=f"{report.settled:,} settled positions in {path}; hours left are an estimate, should "
        f"the moves that look best be the best",
    )
    out.result(
        {
            "game": describe(solver.game),
            "value": report.value,
            "settled": report.settled,
            "solved": report.solved,
            "nodes": report.nodes,
            "seconds": report.seconds,
            "nodes_left_to_win": report.left_to_win,
            "nodes_left_to_lose": report.left_to_lose,
        }
    )


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
