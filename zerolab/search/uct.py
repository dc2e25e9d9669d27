"""UCT with random playouts and proofs: the `mcts` player.

Kocsis & Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006; proofs as in Winands,
Bjornsson & Saito, "Monte-Carlo Tree Search Solver", CG 2008. The details are those of OpenSpiel's
MCTSBot with `solve` on, the opponent on jans's ladder: a leaf is expanded at its second visit,
children are tried in random order, a proven child counts with its exact value and no bonus.

One simulation is select, evaluate, back up. A tree is a struct of arrays. The children of a node
are contiguous, so selection reads memory in order. An unvisited child has only an action and zero
visits, so that most memory of the many unvisited ones is never touched.

Letters: N nodes there is room for, D the greatest depth.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import (
    BLACK,
    NO_ACTION,
    Actions,
    Game,
    State,
    copy_state,
    legal_actions,
    max_plies,
    num_players,
    player_to_move,
    step,
)
from zerolab.games.notation import num_actions
from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import jitable, subroutine
from zerolab.kernels.rng import Stream, random_below
from zerolab.search.playouts import play_out, value_for
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN, sure_result
from zerolab.solver.exact_leaves import UNSETTLED, Oracle, settle

BYTES_PER_NODE = 32


class UctSettings(NamedTuple):
    """How to search."""

    simulations: int
    c: float = 2.0
    """Weight of exploration; OpenSpiel's default."""
    rollouts: int = 1
    """Random games at each leaf."""


class UctTree(NamedTuple):
    """A search tree, with its work space."""

    size: npt.NDArray[np.int64]  # [1], nodes in use
    first_child: npt.NDArray[np.int32]  # [N]
    num_children: npt.NDArray[np.int32]  # [N], 0 until expanded
    action: npt.NDArray[np.int32]  # [N], the action that led here
    visits: npt.NDArray[np.int32]  # [N]
    total: npt.NDArray[np.float64]  # [N], sum of results for the player who moved here
    proven: npt.NDArray[np.float64]  # [N], exact value for that player, or UNPROVEN
    path: npt.NDArray[np.int32]  # [D], nodes of the current simulation
    turns: npt.NDArray[np.int32]  # [D], who is to move in them
    state: State  # [words], the position at the end of the path
    actions: Actions  # [A]
    play_state: State  # [words]
    play_actions: Actions  # [A]


def make_tree(game: Game, words: int, nodes: int) -> UctTree:
    """Room for a tree. Memory that is never used is never touched."""
    depth = max_plies(game) + 2
    size = num_actions(game)
    return UctTree(
        size=np.zeros(1, np.int64),
        first_child=np.empty(nodes, np.int32),
        num_children=np.empty(nodes, np.int32),
        action=np.empty(nodes, np.int32),
        visits=np.empty(nodes, np.int32),
        total=np.empty(nodes, np.float64),
        proven=np.empty(nodes, np.float64),
        path=np.empty(depth, np.int32),
        turns=np.empty(depth, np.int32),
        state=np.empty(words, np.uint64),
        actions=np.empty(size, np.int64),
        play_state=np.empty(words, np.uint64),
        play_actions=np.empty(size, np.int64),
    )


@jitable
def plant(tree: UctTree) -> None:
    """Start a new tree."""
    tree.size[0] = 1
    tree.action[ROOT] = NO_ACTION
    tree.visits[ROOT] = 0
    open_node(tree, ROOT)


@subroutine
def grow(
    game: Game, root: State, settings: UctSettings, tree: UctTree, rng: Stream, oracle: Oracle
) -> int:
    """Simulate until the root is proven or has only one move; return the number of simulations."""
    done = 0
    while done < settings.simulations:
        if tree.proven[ROOT] != UNPROVEN or tree.num_children[ROOT] == 1:
            break
        copy_state(root, tree.state)
        depth = select(game, settings.c, tree, rng)
        value, is_exact = evaluate(game, settings.rollouts, tree, rng, oracle, depth)
        back_up(game, tree, depth, value, is_exact)
        done += 1
    if tree.num_children[ROOT] == 0:  # a single simulation does not get to the moves
        copy_state(root, tree.state)
        expand(game, tree, ROOT, rng)
    return done


@jitable
def select(game: Game, c: float, tree: UctTree, rng: Stream) -> int:
    """Walk from the root to a leaf, in `tree.state` too; return the depth of the leaf."""
    node = ROOT
    depth = 0
    tree.path[0] = ROOT
    tree.turns[0] = player_to_move(tree.state)
    while tree.visits[node] > 0:
        if tree.num_children[node] == 0:
            expand(game, tree, node, rng)
            if tree.num_children[node] == 0:  # the game is over here, or there is no more room
                break
        node = best_child(tree, node, c)
        if tree.visits[node] == 0:
            open_node(tree, node)
        step(game, tree.state, as_int(tree.action[node]))
        depth += 1
        tree.path[depth] = node
        tree.turns[depth] = player_to_move(tree.state)
    return depth


@jitable
def expand(game: Game, tree: UctTree, node: int, rng: Stream) -> None:
    """Add the children of a node, in random order."""
    count = legal_actions(game, tree.state, tree.actions)
    first = tree.size[0]
    if first + count > tree.visits.shape[0]:
        return
    for i in range(count - 1, 0, -1):  # Fisher-Yates
        j = random_below(rng, i + 1)
        tree.actions[i], tree.actions[j] = tree.actions[j], tree.actions[i]
    for i in range(count):
        tree.action[first + i] = tree.actions[i]
        tree.visits[first + i] = 0
    tree.size[0] += count
    tree.first_child[node] = first
    tree.num_children[node] = count


@jitable
def open_node(tree: UctTree, node: int) -> None:
    """Prepare a node for its first visit."""
    tree.first_child[node] = NO_NODE
    tree.num_children[node] = 0
    tree.total[node] = 0.0
    tree.proven[node] = UNPROVEN


@jitable
def best_child(tree: UctTree, node: int, c: float) -> int:
    """The child with the highest upper confidence bound; the first of equals (eq. 1 of UCB1)."""
    log_visits = math.log(tree.visits[node])
    first = tree.first_child[node]
    best: int = first
    best_bound = -math.inf
    for child in range(first, first + tree.num_children[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        if tree.proven[child] != UNPROVEN:
            bound = tree.proven[child]
        else:
            share = 1.0 / visits  # one division instead of two
            bound = tree.total[child] * share + c * math.sqrt(log_visits * share)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@jitable
def evaluate(
    game: Game, rollouts: int, tree: UctTree, rng: Stream, oracle: Oracle, depth: int
) -> tuple[float, bool]:
    """The value for Black at the leaf, and whether it is exact: solved, or the game is over."""
    if depth > 0:  # the root's value does not give the move
        settled = settle(oracle, game, tree.state)
        if settled != UNSETTLED:
            return seen_by(game, settled, player_to_move(tree.state)), True
    total = 0.0
    for _ in range(rollouts):
        copy_state(tree.state, tree.play_state)
        plies = play_out(game, tree.play_state, tree.play_actions, rng)
        value = value_for(game, tree.play_state, BLACK)
        if plies == 0:
            return value, True
        total += value
    return total / rollouts, False


@jitable
def back_up(game: Game, tree: UctTree, depth: int, value: float, is_exact: bool) -> None:
    """Add a result to all nodes of the path; if it is exact, prove what follows from it."""
    for level in range(depth, -1, -1):
        node = tree.path[level]
        mover = tree.turns[max(0, level - 1)]  # the root counts for the player to move there
        own_value = seen_by(game, value, mover)
        tree.visits[node] += 1
        tree.total[node] += own_value
        if is_exact:
            if level == depth:
                tree.proven[node] = own_value
            else:
                is_exact = prove(game, tree, node, tree.turns[level], mover)


@jitable
def prove(game: Game, tree: UctTree, node: int, player: int, mover: int) -> bool:
    """Prove a node if `player`, to move there, has a proven win or no unproven move is left."""
    best = -math.inf
    all_proven = True
    first = tree.first_child[node]
    for child in range(first, first + tree.num_children[node]):
        if proven_value(tree, child) == UNPROVEN:
            all_proven = False
        else:
            best = max(best, tree.proven[child])
    if all_proven or best == 1.0:
        tree.proven[node] = best if mover == player or num_players(game) == 1 else -best
        return True
    return False


@jitable
def seen_by(game: Game, value: float, player: int) -> float:
    """A value for Black as `player` sees it."""
    return value if player == BLACK or num_players(game) == 1 else -value


@jitable
def best_move(tree: UctTree) -> int:
    """The child of the root to play: by proven value, then visits, then total; NO_NODE if none."""
    best = NO_NODE
    first = tree.first_child[ROOT]
    for child in range(first, first + tree.num_children[ROOT]):
        if best == NO_NODE or is_better(tree, child, best):
            best = child
    return best


@jitable
def is_better(tree: UctTree, a: int, b: int) -> bool:
    """Whether to play `a` rather than `b`."""
    rank_a, rank_b = sure_result(proven_value(tree, a)), sure_result(proven_value(tree, b))
    better = rank_a > rank_b
    if rank_a == rank_b:
        better = tree.visits[a] > tree.visits[b]
        if tree.visits[a] == tree.visits[b] > 0:
            better = tree.total[a] > tree.total[b]
    return better


@jitable
def proven_value(tree: UctTree, node: int) -> float:
    """The exact value of a node for the player who moved there, or UNPROVEN."""
    value: float = UNPROVEN
    if tree.visits[node] > 0:
        value = tree.proven[node]
    return value
