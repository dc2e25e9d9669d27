"""The solver for a game, the values of moves, and the line of best play."""

from pathlib import Path
from typing import Protocol

from zerolab.games.base import NO_ACTION, Game, State, player_to_move, step
from zerolab.games.notation import legal_list
from zerolab.solver.alphabeta import Solver
from zerolab.solver.clobber.splitting import can_be_split
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.progress import OnProgress

LINE_NODES = 5_000_000


class ExactSolver(Protocol):
    """Anything that finds exact values."""

    game: Game
    nodes: int
    """Positions searched so far."""

    def compile(self) -> None:
        """Compile the kernels, which would otherwise happen at first use."""

    def value(
        self, state: State, on_progress: OnProgress | None = None, max_nodes: int | None = None
    ) -> int | None:
        """For the player to move, or None if `max_nodes` did not suffice."""


def make_solver(
    game: Game,
    state: State,
    memory: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    database: Path | None = None,
    **methods: int,
) -> ExactSolver:
    """Sums of components for Clobber, alpha-beta for any other two-player game.

    Alpha-beta ignores the arguments after `memory`.
    """
    if can_be_split(game, state):
        return SumSolver(game, memory, threads, seed, database, **methods)
    return Solver(game, memory)


def is_suitable(solver: ExactSolver, game: Game, state: State) -> bool:
    """Whether a solver made for one position is right for another."""
    same = type(solver.game) is type(game) and solver.game == game
    return same and can_be_split(game, state) == isinstance(solver, SumSolver)


def move_value(
    solver: ExactSolver,
    state: State,
    action: int,
    on_progress: OnProgress | None = None,
    max_nodes: int | None = None,
) -> int | None:
    """The value of an action for the player to move, or None if `max_nodes` did not suffice."""
    after = state.copy()
    step(solver.game, after, action)
    value = solver.value(after, on_progress, max_nodes)
    return None if value is None else value * _sign(state, after)


def move_values(
    solver: ExactSolver, state: State, on_progress: OnProgress | None = None
) -> dict[int, int]:
    """The value of each legal action, for the player to move."""
    values = {}
    for action in legal_list(solver.game, state):
        value = move_value(solver, state, action, on_progress)
        assert value is not None
        values[action] = value
    return values


def _sign(before: State, after: State) -> int:
    """What a value is multiplied with between two positions: -1 if the turn has passed."""
    return 1 if player_to_move(before) == player_to_move(after) else -1


def principal_line(
    solver: ExactSolver, state: State, on_progress: OnProgress | None = None
) -> list[int]:
    """Best play from a position: each player takes a move that keeps the value.

    The line ends early where finding such a move takes more than LINE_NODES, as it may when the
    table is full and has dropped entries.
    """
    state = state.copy()
    line: list[int] = []
    value = solver.value(state, on_progress)
    while actions := legal_list(solver.game, state):
        action = _keeping_move(solver, state, actions, value, on_progress)
        if action == NO_ACTION:
            break
        line.append(action)
        before = state.copy()
        step(solver.game, state, action)
        value = None if value is None else value * _sign(before, state)
    return line


def _keeping_move(
    solver: ExactSolver,
    state: State,
    actions: list[int],
    value: int | None,
    on_progress: OnProgress | None,
) -> int:
    # A move that is known to be good saves proving that the moves before it are not.
    for budget in (0, LINE_NODES):
        end = solver.nodes + budget
        for action in actions:
            found = move_value(solver, state, action, on_progress, max(0, end - solver.nodes))
            if found is not None and found == value:
                return action
    return NO_ACTION
