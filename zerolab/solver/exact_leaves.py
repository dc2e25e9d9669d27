"""Exact values for the leaves of a search, in compiled code.

A search kernel takes an oracle and asks it with `settle`. `NoOracle` knows nothing and costs
nothing; an `ExactLeaves` solves positions of Clobber that are not too hard.

The hardness of a position is measured in stones: that of a single component is its number of
stones. Further components add their stones beyond the size whose values are looked up (8 stones, on
most boards), so that small components, however many, add nothing. The nodes of a solve grow by
about 1.4 with each stone counted this way, whatever the number of components (zerolab study
leaf-hardness).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import Game, State, States, player_to_move
from zerolab.games.boards.stones import EMPTY, board_words, stone_at
from zerolab.games.clobber import Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.kernels.bits import U1, popcount
from zerolab.kernels.compiling import generic, jitable, kernel, lean, rule, subroutine
from zerolab.solver.clobber.position_table import BYTES_PER_ENTRY, WON, Table, make_table
from zerolab.solver.clobber.shapes import (
    MAX_CELLS,
    ComponentTable,
    Topology,
    box_component,
    boxed,
    connected,
    find_component,
    is_dead,
)
from zerolab.solver.clobber.sum_positions import (
    DONE,
    MAX_STONES,
    MODE,
    MOVER,
    NODES,
    RESULT,
    ROOTS,
    SET_UP,
    Stack,
)
from zerolab.solver.clobber.sum_search import search
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.values.store import Values

UNSETTLED = 2.0  # no value
TOO_LARGE = -1
STEPS = 64
MOST_NODES = 10_000
# How many nodes a leaf takes: GROWTH to the power of its stones beyond EASY, by the medians of
# zerolab study leaf-hardness. (Its line has a smaller growth: it leaves out what was not solved.)
# A leaf is abandoned after SLACK times that.
EASY, GROWTH, SLACK = 8, 1.5, 5


class NoOracle(NamedTuple):
    """An oracle that knows nothing."""

    nothing: int = 0


class ExactLeaves(NamedTuple):
    """Solves positions of Clobber within a budget. Threads must not share it."""

    topology: Topology
    components: ComponentTable
    values: Values
    stack: Stack
    table: Table
    # [3]: how hard a leaf may be, positions looked at for one, and steps between looks at that;
    # a constant would be a type of its own, for which the whole search is compiled again
    limits: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]  # [2, R * C], scratch: cells seen, and those of a component


Oracle = NoOracle | ExactLeaves
NO_ORACLE = NoOracle()


class LeafBudget(NamedTuple):
    """Which leaves are solved."""

    stones: int
    """The size of a single component that is as hard as the hardest of them; 0 for no leaves."""
    nodes: int = MOST_NODES
    """Positions searched for one leaf; a leaf that needs more is left unsolved."""
    small: int = 0
    """The size up to which components are replaced by their values; 0 for the board's default."""


NO_LEAVES = LeafBudget(0)


def affordable(nodes: int) -> LeafBudget:
    """Leaves that are expected to take at most this number of nodes."""
    stones = EASY + math.floor(math.log(max(1, nodes)) / math.log(GROWTH))
    return LeafBudget(min(stones, MAX_STONES), SLACK * max(1, nodes))


def make_oracle(game: Game, stones: int, nodes: int = MOST_NODES, small: int = 0) -> Oracle:
    """Exact leaves within the budget of these numbers."""
    return make_exact_leaves(game, stones, nodes, small=small) if stones else NO_ORACLE


def make_exact_leaves(
    game: Game, stones: int = 12, nodes: int = MOST_NODES, memory: int = 2**26, small: int = 0
) -> ExactLeaves:
    """For positions within the budget of these numbers, with a table of `memory` bytes."""
    if not isinstance(game, Clobber | GraphClobber):
        raise UsageError("exact leaves are for clobber and graph-clobber")
    cells = game.rows * game.cols if isinstance(game, Clobber) else len(game.stones)
    if isinstance(game, GraphClobber) and cells > MAX_CELLS:
        raise UsageError(f"exact leaves are for graphs of at most {MAX_CELLS} vertices")
    if small:
        solver = SumSolver(game, memory, threads=1, small=small)
    else:
        solver = SumSolver(game, memory, threads=1)
    entries = 1024
    while 2 * entries * BYTES_PER_ENTRY <= memory:
        entries *= 2
    worker = solver.worker
    return ExactLeaves(
        solver.topology,
        worker.components,
        worker.values,
        worker.stack,
        make_table(entries, 1),
        np.array([min(stones, MAX_STONES), nodes, STEPS], np.int64),
        np.zeros((2, cells), np.int64),
    )


@generic
def settle(oracle: Oracle, game: Game, state: State) -> float:
    """The exact value for the player to move, or UNSETTLED."""
    return UNSETTLED


@rule(ExactLeaves, "settle")
def settle_exactly(oracle: ExactLeaves, game: Game, state: State) -> float:
    """The exact value, if the search of sum_search.py finds it within the budget."""
    return solve_leaf(oracle, game, state)


@subroutine
def solve_leaf(oracle: ExactLeaves, game: Game, state: State) -> float:
    """The value by a search within the budget, or UNSETTLED. Called, not inlined: it is large."""
    where = oracle.stack.where
    count = gather(game, oracle, state)
    if count == TOO_LARGE:
        return UNSETTLED
    where[ROOTS], where[MOVER] = count, player_to_move(state)
    where[MODE], where[NODES] = SET_UP, 0
    while where[MODE] != DONE:
        if where[NODES] > oracle.limits[1]:
            return UNSETTLED
        steps = oracle.limits[2]
        search(oracle.topology, oracle.components, oracle.values, oracle.stack, oracle.table, steps)
    return 1.0 if where[RESULT] == WON else -1.0


@generic
def gather(game: Game, oracle: ExactLeaves, state: State) -> int:
    """Write the live components to the roots of the search; how many there are, or TOO_LARGE."""
    return split_word(oracle, state[1], state[1 + board_words(game)], 0)


@rule(Clobber, "gather")
def gather_from_board(game: Clobber, oracle: ExactLeaves, state: State) -> int:
    """At once where the board fits in a word."""
    if board_words(game) == 1:
        return split_word(oracle, state[1], state[2], game.cols)
    return split_board(game, oracle, state)


@jitable
def add_hardness(oracle: ExactLeaves, hardness: int, stones: int) -> int:
    """The hardness of a position after a component with `stones` is added to it."""
    small = oracle.topology.methods.small
    if stones <= small or hardness <= small:
        return max(hardness, stones)
    return hardness + stones - small


@jitable
def split_word(oracle: ExactLeaves, black: np.uint64, white: np.uint64, width: int) -> int:
    """The components of stones within one word."""
    count, hardness = 0, 0
    rest = black | white
    while rest:
        piece = connected(oracle.topology, oracle.components, rest & (~rest + U1), rest, width)
        rest &= ~piece
        if is_dead(oracle.topology, black & piece, white & piece):
            continue
        hardness = add_hardness(oracle, hardness, popcount(piece))
        if hardness > oracle.limits[0]:
            return TOO_LARGE
        b, w, wide = boxed(oracle.topology, black & piece, white & piece, width)
        root = oracle.stack.roots[count]
        root[0], root[1], root[2] = b, w, np.uint64(wide)
        count += 1
    return count


@jitable
def split_board(game: Clobber, oracle: ExactLeaves, state: State) -> int:
    """The components of a board of several words."""
    count, stones, hardness = 0, 0, 0
    seen, found = oracle.cells[0], oracle.cells[1]
    for cell in range(game.rows * game.cols):
        seen[cell] = stone_at(game, state, cell) == EMPTY
    for start in range(game.rows * game.cols):
        if seen[start]:
            continue
        size = find_component(game, start, seen, found)
        black, white, width, height = box_component(game, state, found, size)
        fits = height * width <= MAX_CELLS
        if fits and is_dead(oracle.topology, black, white):
            continue
        stones += size
        hardness = add_hardness(oracle, hardness, size)
        if not fits or hardness > oracle.limits[0] or stones > MAX_STONES:
            return TOO_LARGE
        root = oracle.stack.roots[count]
        root[0], root[1], root[2] = black, white, np.uint64(width)
        count += 1
    return count


class LeafSolver:
    """Exact leaves from Python, many at a time."""

    def __init__(
        self, game: Game, stones: int = 12, nodes: int = 10_000, memory: int = 2**26
    ) -> None:
        self.oracle = make_exact_leaves(game, stones, nodes, memory)
        self._lean = lean(game)

    def __call__(self, states: States) -> npt.NDArray[np.float64]:
        """Values for the players to move, nan where the budget does not suffice."""
        values = np.empty(len(states), np.float64)
        _settle_all(self.oracle, self._lean, np.ascontiguousarray(states), values)
        return values


@kernel
def _settle_all(
    oracle: ExactLeaves, game: Game, states: States, values: npt.NDArray[np.float64]
) -> None:
    for i in range(states.shape[0]):
        value = solve_leaf(oracle, game, states[i])
        values[i] = np.nan if value == UNSETTLED else value
