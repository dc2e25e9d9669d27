"""The exact solver as a player."""

from zerolab.games.base import Game, State
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.solver.solvers import ExactSolver, is_suitable, make_solver, move_value

SOLVER_MEMORY = 2**29  # bytes


class SolverPlayer:
    """Plays perfectly where its budget suffices; else a move that it cannot show to be bad."""

    def __init__(self, name: str, nodes: int) -> None:
        self.name = name
        self.nodes = nodes
        self.doubtful_moves = 0
        """Moves chosen that were not shown to keep the value of the position."""
        self._solver: ExactSolver | None = None

    def choose(self, position: Position, rng: Stream) -> int:
        """The first winning move, else one that may win, else one that draws or loses."""
        game, state = position.game, position.state
        solver = self._ready(game, state)
        started = solver.nodes
        values: dict[int, int | None] = {}
        for action in position.legal_actions:
            left = self.nodes - (solver.nodes - started)
            values[action] = move_value(solver, state, action, max_nodes=max(0, left))
            if values[action] == 1:
                break
        best = max(values, key=lambda action: _hope(values[action]))
        self.doubtful_moves += values[best] != 1 and None in values.values()
        return best

    def warm_up(self, position: Position, count: int) -> None:
        """Compile."""
        self._ready(position.game, position.state).value(position.state, max_nodes=1)

    def _ready(self, game: Game, state: State) -> ExactSolver:
        if self._solver is None or not is_suitable(self._solver, game, state):
            self._solver = make_solver(game, state, SOLVER_MEMORY, threads=1)
        return self._solver


def _hope(value: int | None) -> float:
    """A move of unknown value may win; a draw is better than that, and a loss is worse."""
    return 0.5 if value is None else value + (value == 0) * 0.75
