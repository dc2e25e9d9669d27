"""Exact values of moves, from the solver, for many positions of one game.

One solver with one table serves all of them, so that each position profits from earlier ones.
"""

from zerolab.errors import UsageError
from zerolab.games.base import Game, State, num_players
from zerolab.games.notation import legal_list
from zerolab.solver.solvers import ExactSolver, is_suitable, make_solver, move_value

MEMORY = 2**28  # bytes, for the solver's table
MAX_NODES = (
    1_000_000  # for one position; Clobber 5x5 after two moves takes 80,000 with a warm table
)


class Judge:
    """Exact values of positions and moves, within a budget."""

    def __init__(self, game: Game, max_nodes: int = MAX_NODES, memory: int = MEMORY) -> None:
        """`max_nodes` limits the cost of one question, about a position or all its moves."""
        if num_players(game) != 2:
            raise UsageError("perfect play can be measured only in two-player games")
        self.game = game
        self.max_nodes = max_nodes
        self.memory = memory
        self._solver: ExactSolver | None = None

    def value(self, state: State) -> int | None:
        """1, 0 or -1 for the player to move, or None if the budget does not suffice."""
        return self._suitable_solver(state).value(state, max_nodes=self.max_nodes)

    def move_values(self, state: State) -> dict[int, int] | None:
        """The value of each legal action for the player to move, or None as above."""
        solver = self._suitable_solver(state)
        end = solver.nodes + self.max_nodes
        values = {}
        for action in legal_list(self.game, state):
            value = move_value(solver, state, action, max_nodes=max(0, end - solver.nodes))
            if value is None:
                return None
            values[action] = value
        return values

    def _suitable_solver(self, state: State) -> ExactSolver:
        # Late on a large board of Clobber the solver of sums can take over.
        if self._solver is None or not is_suitable(self._solver, self.game, state):
            self._solver = make_solver(self.game, state, self.memory, threads=1)
        return self._solver


def keeping_moves(values: dict[int, int]) -> list[int]:
    """The moves that keep the value of the position."""
    best = max(values.values())
    return [action for action, value in values.items() if value == best]
