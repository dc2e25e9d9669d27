"""The speed of solving Clobber, the contribution of each method, and the same boards on MCGS.

MCGS is the solver of Martin Mueller's group (C++). It is used if a command of that name is found,
without a database, with a table of its default kind; it gets the same position and first
player, and reports its own time. Each program is stopped at a time limit: a board that it did not
solve counts as taking at least that long.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.base import BLACK
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.mcgs_notation import format_mcgs
from zerolab.games.notation import format_position
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.position_table import BYTES_PER_ENTRY
from zerolab.solver.clobber.sum_solver import WITHOUT, SumSolver

BOARDS = ((4, 5), (3, 8), (2, 14), (4, 6), (5, 5), (3, 9), (4, 7))
ABLATED = ((4, 6), (2, 14))
MCGS = "MCGS"
MCGS_BITS = 24  # the logarithm of the size of its table


class Solved(NamedTuple):
    """A board, solved."""

    name: str
    value: int
    nodes: int
    seconds: float
    megabytes: float
    """Of the table."""


class Board(NamedTuple):
    """A board on one thread, on two, and on MCGS."""

    one: Solved
    two: Solved
    peer_seconds: float | None
    peer_finished: bool

    @property
    def ratio(self) -> float | None:
        """How many times as long as one thread of ours MCGS took."""
        return None if self.peer_seconds is None else self.peer_seconds / self.one.seconds


class SolverBench(NamedTuple):
    """All that is measured."""

    boards: list[Board]
    ablation: list[tuple[str, list[Solved]]]
    """The same boards with all methods, and without each."""


def bench_solver(
    peers: bool,
    patience: float,
    on_progress: Callable[[int], None],
    boards: Sequence[tuple[int, int]] = BOARDS,
    ablated: Sequence[tuple[int, int]] = ABLATED,
) -> SolverBench:
    """`patience` in seconds for each board on MCGS; the progress is in boards solved."""
    command = shutil.which(MCGS)
    if peers and command is None:
        raise UsageError(f"--peers needs the program {MCGS} on the PATH")
    SumSolver(Clobber(2, 2), 10**6, threads=1).compile()
    measured: list[Board] = []
    for size in boards:
        game = Clobber(*size)
        peer: tuple[float | None, bool] = None, True
        one, two = _solve(game, 1), _solve(game, 2)
        if peers:
            peer = _time_mcgs(str(command), game, one.value, patience)
        measured.append(Board(one, two, *peer))
        on_progress(len(measured))
    ablation = [("all methods", [_solve(Clobber(*size), 1) for size in ablated])]
    for method, switches in WITHOUT.items():
        if not switches:  # the database, which is of use from the second time on
            continue
        solved = [_solve(Clobber(*size), 1, **switches) for size in ablated]
        ablation.append((f"without {method}", solved))
        on_progress(len(measured) + len(ablation))
    return SolverBench(measured, ablation)


def _solve(game: Clobber, threads: int, **methods: int) -> Solved:
    solver = SumSolver(game, None, threads, 0, None, **methods)
    started = time.perf_counter()
    value = solver.value(initial_state(game, stream(0)))
    seconds = time.perf_counter() - started
    assert value is not None
    megabytes = len(solver.table.entries) * BYTES_PER_ENTRY / 1e6
    return Solved(f"{game.rows}x{game.cols}", value, solver.nodes, seconds, megabytes)


def _time_mcgs(
    command: str, game: Clobber, value: int, patience: float
) -> tuple[float | None, bool]:
    position = format_position(game, initial_state(game, stream(0)))
    arguments = ["--no-use-db", "--clear-tt", "--tt-sumgame-idx-bits", str(MCGS_BITS)]
    try:
        done = subprocess.run(
            [command, *arguments, format_mcgs(position, [BLACK])],
            capture_output=True,
            text=True,
            timeout=patience,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return patience, False
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"{command} failed: {error}") from None
    verdict = "Win" if value > 0 else "Loss"
    if f"Got: {verdict}" not in done.stdout:
        raise UsageError(f"{command} does not find that {position} is a {verdict} for Black")
    match = re.search(r"Time \(ms\): ([\d.]+)", done.stdout)
    if match is None:
        raise UsageError(f"{command} printed no time that can be read")
    return float(match[1]) / 1000, True
