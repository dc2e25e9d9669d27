"""What `zerolab bench` shows of games: playouts, search, the solver, records, cold starts."""

from pathlib import Path
from typing import TYPE_CHECKING

from zerolab.interfaces.views.output import Output

if TYPE_CHECKING:
    from zerolab.benchmarks.solver_speed import Board


def show_playouts(out: Output, peers: bool, seconds: float) -> None:
    """Random games a second, ours compared with others."""
    from zerolab.benchmarks.playout_speed import PLAYOUTS, bench_playouts

    with out.progress("playouts", len(PLAYOUTS), "games") as advance_to:
        speeds = bench_playouts(peers, seconds, lambda done, total: advance_to(done))
    out.table(
        "Random games a second, one core",
        ("game", "zerolab", "OpenSpiel from Python", "ratio", "by hand", "share of that"),
        [
            (
                *(speed.game, f"{speed.ours:,.0f}"),
                *(
                    (f"{speed.peer:,.0f}", f"{speed.ours / speed.peer:.0f}x")
                    if speed.peer
                    else "--"
                ),
                *(
                    (f"{speed.limit:,.0f}", f"{speed.ours / speed.limit:.0%}")
                    if speed.limit
                    else "--"
                ),
            )
            for speed in speeds
        ],
    )
    out.result(
        {
            "ratios": {speed.game: speed.ours / speed.peer for speed in speeds if speed.peer},
            "limits": {speed.game: speed.ours / speed.limit for speed in speeds if speed.limit},
            "games_per_second": {speed.game: speed._asdict() for speed in speeds},
        }
    )


def show_search_speed(out: Output, peers: bool, seconds: float, plot: Path | None) -> None:
    """Simulations a second, ours beside OpenSpiel's."""
    from zerolab.benchmarks.search_speed import bench_search

    if plot is not None:
        from zerolab.interfaces.plots.figures import check_plot_path

        check_plot_path(plot)
    with out.progress("search", None, "steps") as advance_to:
        bench = bench_search(peers, seconds, lambda done, total: advance_to(done))
    out.table(
        "UCT with 1,000 simulations, one core: simulations a second",
        ("position", "zerolab", "OpenSpiel (C++)", "ratio"),
        [
            (
                *(speed.name, f"{speed.ours:,.0f}"),
                *(
                    (f"{speed.peer:,.0f}", f"{speed.ours / speed.peer:.1f}x")
                    if speed.peer
                    else "--"
                ),
            )
            for speed in bench.uct
        ],
        f"Batched PUCT, Clobber 5x5, 64 trees, free evaluator: {bench.puct:,.0f} a second",
    )
    out.table(
        "How the cost of a simulation grows: UCT on Clobber 5x5",
        ("simulations", "microseconds each"),
        [(f"{size:,}", f"{cost:.2f}") for size, cost in bench.growth],
    )
    if plot is not None:
        from zerolab.interfaces.plots.figures import plot_growth

        plot_growth(bench.growth, plot)
        out.note(f"plotted to {plot}")
    out.result(
        {
            "ratios": {speed.name: speed.ours / speed.peer for speed in bench.uct if speed.peer},
            "simulations_per_second": {speed.name: speed._asdict() for speed in bench.uct},
            "puct_simulations_per_second": bench.puct,
            "microseconds_by_tree_size": dict(bench.growth),
        }
    )


def show_solver_speed(out: Output, peers: bool, seconds: float) -> None:
    """Solving times of boards, with all methods and without each."""
    from zerolab.benchmarks.solver_speed import bench_solver

    with out.progress("solver", None, "boards") as advance_to:
        bench = bench_solver(peers, seconds, advance_to)
    out.table(
        "Clobber, chequered, Black first; seconds on one thread, on two, and MCGS's",
        ("board", "result", "nodes", "one", "two", "nodes/s", "MB", "MCGS", "ratio"),
        [
            (
                board.one.name,
                "wins" if board.one.value > 0 else "loses",
                f"{board.one.nodes:,}",
                f"{board.one.seconds:.2f}",
                f"{board.two.seconds:.2f}",
                f"{board.one.nodes / board.one.seconds:,.0f}",
                f"{board.one.megabytes:,.0f}",
                *_peer_columns(board),
            )
            for board in bench.boards
        ],
    )
    names = [solved.name for solved in bench.ablation[0][1]]
    out.table(
        "What each method is worth, on one thread",
        ("method", *(f"{name}, {what}" for name in names for what in ("nodes", "seconds"))),
        [
            (
                method,
                *(text for each in solved for text in (f"{each.nodes:,}", f"{each.seconds:.2f}")),
            )
            for method, solved in bench.ablation
        ],
    )
    out.result(
        {
            "ratios": {f"{board.one.name} MCGS": board.ratio for board in bench.boards if peers},
            "boards": [
                {
                    **board.one._asdict(),
                    "seconds_two_threads": board.two.seconds,
                    "mcgs_seconds": board.peer_seconds,
                    "mcgs_finished": board.peer_finished,
                }
                for board in bench.boards
            ],
            "ablation": {
                method: [each._asdict() for each in solved] for method, solved in bench.ablation
            },
        }
    )


def _peer_columns(board: "Board") -> tuple[str, str]:
    if board.peer_seconds is None or board.ratio is None:
        return "-", "-"
    sign = "" if board.peer_finished else ">"
    return f"{sign}{board.peer_seconds:.1f}", f"{sign}{board.ratio:.0f}x"


def show_records_speed(out: Output, seconds: float) -> None:
    """Positions of packed games a second, as states and as batches, beside plain Python."""
    from zerolab.benchmarks.records_speed import BATCH, CONTESTS, bench_records
    from zerolab.records.sampling import PER_GAME

    with out.progress("records", len(CONTESTS), "games") as advance_to:
        speeds = bench_records(seconds, lambda done, total: advance_to(done))
    out.table(
        f"Positions of packed games a second, all cores, batches of {BATCH}",
        ("game", "what", "zerolab", "plain Python", "ratio"),
        [
            (
                *(speed.game, speed.what, f"{speed.ours:,.0f}"),
                *(f"{speed.peer:,.0f}", f"{speed.ratio:,.0f}x"),
            )
            for speed in speeds
        ],
        f"random games, {PER_GAME} positions of each; plain Python replays them on one core",
    )
    out.result(
        {
            "ratios": {f"{speed.game}, {speed.what}": speed.ratio for speed in speeds},
            "positions_per_second": [speed._asdict() for speed in speeds],
        }
    )


def show_cold_starts(out: Output) -> None:
    """The first use of each command, and the second."""
    from zerolab.benchmarks.cold_starts import COMMANDS, bench_cold

    with out.progress("cold starts", len(COMMANDS), "commands") as advance_to:
        starts = bench_cold(lambda done, total: advance_to(done))
    out.table(
        "Seconds that a command takes, 4x4 boards and next to nothing to do",
        ("command", "first use", "processor time", "second use"),
        [(each.name, *(f"{seconds:.1f}" for seconds in each[1:])) for each in starts],
        "the first use compiles, once after an installation or an update",
    )
    out.result({"starts": {each.name: each._asdict() for each in starts}})
