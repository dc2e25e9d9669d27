"""How fast Clobber is solved, what each method is worth, and the same boards on MCGS.

MCGS is the solver of Martin Mueller's group (C++). It is used if a command of that name is found,
without a database, with a table of its default kind; it is given the same position and first
player, and its own clock is read. Each program is stopped after a while: what it did not solve then
counts as taking that long at least.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.base import BLACK
from zerolab.games.board import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.mcgs import format_mcgs
from zerolab.games.notation import format_position
from zerolab.games.rng import stream
from zerolab.solver.alphabeta import Solver
from zerolab.solver.clobber import WITHOUT, SumSolver
from zerolab.solver.table import BYTES_PER_ENTRY

BOARDS = ((4, 5), (3, 8), (2, 14), (4, 6), (5, 5), (3, 9), (4, 7))
ABLATED = (4, 6)
MCGS = "MCGS"
MCGS_BITS = 24  # of the index of its table, as logarithm


class Solved(NamedTuple):
    """A board, solved."""

    name: str
    value: int
    nodes: int
    seconds: float
    threads: int
    megabytes: float
    """Of the table."""
    peer_seconds: float | None = None
    """MCGS's time."""
    peer_finished: bool = True

    @property
    def ratio(self) -> float | None:
        """How many times as long MCGS took."""
        return None if self.peer_seconds is None else self.peer_seconds / self.seconds


class SolverBench(NamedTuple):
    """All that is measured."""

    boards: list[Solved]
    ablation: list[Solved]
    """The same board without a method, and at the end without any of them."""


def bench_solver(
    peers: bool,
    patience: float,
    on_progress: Callable[[int, int], None],
    boards: tuple[tuple[int, int], ...] = BOARDS,
    ablated: tuple[int, int] = ABLATED,
) -> SolverBench:
    """`patience` in seconds for each board on MCGS."""
    command = shutil.which(MCGS)
    if peers and command is None:
        raise UsageError(f"--peers needs the program {MCGS} on the path")
    SumSolver(Clobber(2, 2), 10**6, threads=1).compile()
    total = 2 * len(boards) + len(WITHOUT) + 2
    solved: list[Solved] = []
    for rows, cols in boards:
        for threads in (1, 2):
            found = _solve(f"{rows}x{cols}", Clobber(rows, cols), threads)
            if peers and threads == 1:
                assert command is not None
                seconds, finished = _time_mcgs(command, Clobber(rows, cols), patience)
                found = found._replace(peer_seconds=seconds, peer_finished=finished)
            solved.append(found)
            on_progress(len(solved), total)
    ablation = [_solve("all methods", Clobber(*ablated), 1)]
    for method in WITHOUT:
        ablation.append(_solve(f"without {method}", Clobber(*ablated), 1, **WITHOUT[method]))
        on_progress(len(solved) + len(ablation), total)
    ablation.append(_plain_alpha_beta(Clobber(*ablated)))
    on_progress(total, total)
    return SolverBench(solved, ablation)


def _solve(name: str, game: Clobber, threads: int, **methods: int) -> Solved:
    solver = SumSolver(game, threads=threads, **methods)
    started = time.perf_counter()
    value = solver.value(initial_state(game, stream(0)))
    seconds = time.perf_counter() - started
    assert value is not None
    megabytes = len(solver.table.entries) * BYTES_PER_ENTRY / 1e6
    return Solved(name, value, solver.nodes, seconds, threads, megabytes)


def _plain_alpha_beta(game: Clobber) -> Solved:
    solver = Solver(game, memory=2**30)
    solver.compile()
    started = time.perf_counter()
    value = solver.value(initial_state(game, stream(0)))
    seconds = time.perf_counter() - started
    assert value is not None
    return Solved("alpha-beta, as for any game", value, solver.nodes, seconds, 1, 2**30 / 1e6)


def _time_mcgs(command: str, game: Clobber, patience: float) -> tuple[float, bool]:
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
    match = re.search(r"Time \(ms\): ([\d.]+)", done.stdout)
    if match is None:
        raise UsageError(f"{command} printed no time that can be read")
    return float(match[1]) / 1000, True
