"""A game judged move by move: exactly where the solver reaches, by search elsewhere.

judged = [judge(position) for position in game.history]
find_mistakes(game.history, judged)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.evaluation.players.players import UctLimits, UctPlayer
from zerolab.games.base import num_players
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.search.uct import UctSettings
from zerolab.solver.alphabeta import Solver
from zerolab.solver.progress import Progress
from zerolab.solver.solvers import ExactSolver, is_suitable, make_solver, move_value

SOLVER_NODES = 300_000  # a second or so
MOST_MOVES = 30  # of a position that alpha-beta may solve within a second
SIMULATIONS = 4_000
SOLVER_MEMORY = 2**28  # bytes
MISTAKE = 0.5
"""A move that costs this much by search is a mistake; by exact values any loss is."""


class Judged(NamedTuple):
    """What a position is worth."""

    value: float
    """For the player to move."""
    is_exact: bool
    best: tuple[int, ...]
    """Moves that keep the value, as far as they are known; none when the game is over."""


class Judge:
    """Judges positions one after another; what the solver has learnt is kept."""

    def __init__(self, nodes: int = SOLVER_NODES, simulations: int = SIMULATIONS) -> None:
        self.nodes = nodes
        self.simulations = simulations
        self._solver: ExactSolver | None = None

    def judge(
        self, position: Position, on_progress: Callable[[Progress], None] | None = None
    ) -> Judged:
        """Solve the position within the budget, or else search it."""
        outcome = position.outcome()
        is_contest = num_players(position.game) == 2
        if outcome is not None:
            sign = -1 if is_contest and position.turn == "white" else 1
            return Judged(sign * outcome.value, True, ())
        if is_contest:
            exact = self._solve(position, on_progress)
            if exact is not None:
                return exact
        settings, limits = UctSettings(self.simulations), UctLimits(self.simulations)
        player = UctPlayer(f"mcts:{self.simulations}", settings, limits, reuse=False)
        found = player.look(position, stream(0)).analyse()
        return Judged(found.value, found.proven, (found.candidates[0].action,))

    def _solve(
        self, position: Position, on_progress: Callable[[Progress], None] | None
    ) -> Judged | None:
        game, state = position.game, position.state
        if self._solver is None or not is_suitable(self._solver, game, state):
            self._solver = make_solver(game, state, SOLVER_MEMORY, threads=1)
        solver = self._solver
        if isinstance(solver, Solver) and len(position.legal_actions) > MOST_MOVES:
            return None
        end = solver.nodes + self.nodes
        value = solver.value(state, on_progress, self.nodes)
        if value is None:
            return None
        best = []
        for action in position.legal_actions:
            left = max(0, end - solver.nodes)
            if move_value(solver, state, action, on_progress, left) == value:
                best.append(action)
        return Judged(float(value), True, tuple(best))


class Mistake(NamedTuple):
    """A move that gave value away."""

    ply: int
    """Its place in the game, from 0."""
    loss: float
    """From 0 to 2: a win that became a loss is 2."""
    is_exact: bool


def find_mistakes(positions: Sequence[Position], judged: Sequence[Judged | None]) -> list[Mistake]:
    """The moves between positions that were mistakes; None stands for what was not judged."""
    mistakes = []
    for ply in range(len(positions) - 1):
        before, after = judged[ply], judged[ply + 1]
        if before is None or after is None:
            continue
        same = positions[ply].player == positions[ply + 1].player
        loss = before.value - (after.value if same else -after.value)
        is_exact = before.is_exact and after.is_exact
        if loss >= (MISTAKE if not is_exact else 1e-9):
            mistakes.append(Mistake(ply, loss, is_exact))
    return mistakes


def value_for_black(position: Position, judged: Judged) -> float:
    """The value from Black's view, in which a graph of a whole game is drawn."""
    is_whites = num_players(position.game) == 2 and position.turn == "white"
    return -judged.value if is_whites else judged.value
