"""One simulation, for one tree and for all: select, expand, back up, prove.

First come the functions on a single tree, then the kernels that run them over the batch. The rules
of algorithm.py contain what PUCT and Gumbel decide differently.
"""

import numpy as np
import numpy.typing as npt

from zerolab.encodings.views import View, encode_view
from zerolab.games.base import Actions, Game, State, step
from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import jitable, kernel
from zerolab.search.batched.algorithm import (
    Algorithm,
    Slots,
    choose_edge,
    choose_move,
    prepare_root,
    root_value,
    write_policy,
)
from zerolab.search.batched.cache import NO_ENTRY, Cache, find_entry, new_entry
from zerolab.search.batched.puct import varied_edge
from zerolab.search.batched.tree import (
    NO_VALUE,
    Floats,
    Tree,
    add_child,
    edges_of,
    flips,
    keep_subtree,
    plant,
    set_priors,
    tree_at,
)
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN
from zerolab.solver.exact_leaves import UNSETTLED, Oracle, settle

# For one tree.


@jitable
def simulate(
    game: Game,
    tree: Tree,
    algorithm: Algorithm,
    slots: Slots,
    cache: Cache,
    oracle: Oracle,
    b: int,
    actions: Actions,
) -> None:
    """Simulate until a leaf needs the network or the search is complete."""
    while slots.pending[b] == NO_NODE and slots.simulations[b] > 0:
        if tree.visits[ROOT] >= slots.simulations[b] or tree.proven[ROOT] != UNPROVEN:
            slots.simulations[b] = 0
            slots.finished[b] = True
            break
        leaf, depth = select(game, tree, algorithm, slots, b, actions)
        if leaf != ROOT and tree.proven[leaf] == UNPROVEN:
            # Not for the root, whose value does not give the move. And before the cache,
            # so that what is solved does not depend on what was searched before.
            known = settle(oracle, game, tree.states[leaf])
            if known != UNSETTLED:
                tree.proven[leaf] = known
        if tree.proven[leaf] != UNPROVEN:
            back_up(game, tree, leaf, depth, tree.proven[leaf])
            continue
        place, symmetry = find_entry(game, cache, tree.states[leaf])
        if place == NO_ENTRY:
            slots.pending[b] = leaf
            slots.depth[b] = depth
        else:
            expand(
                tree, leaf, cache.logits[place], cache.values[place], cache.forms.actions[symmetry]
            )
            if leaf == ROOT:
                prepare_root(algorithm, tree, slots, b)
            back_up(game, tree, leaf, depth, tree.value[leaf])


@jitable
def select(
    game: Game, tree: Tree, algorithm: Algorithm, slots: Slots, b: int, actions: Actions
) -> tuple[int, int]:
    """Walk from the root to a node that is new or proven; return it and its depth."""
    node = ROOT
    depth = 0
    while tree.visits[node] > 0 and tree.proven[node] == UNPROVEN:
        edge = choose_edge(algorithm, tree, node, slots, b)
        tree.path_nodes[depth] = node
        tree.path_edges[depth] = edge
        depth += 1
        child = tree.child[edge]
        if child == NO_NODE:
            node = add_child(game, tree, node, edge, actions)
        else:
            node = child
    return node, depth


@jitable
def expand(
    tree: Tree,
    node: int,
    logits: npt.NDArray[np.float32],
    value: float,
    turned: npt.NDArray[np.int64],
) -> None:
    """Give a node its evaluation; `turned` [A] maps actions to logits."""
    tree.value[node] = value
    for edge in edges_of(tree, node):
        tree.child[edge] = NO_NODE
        tree.logit[edge] = logits[turned[tree.action[edge]]]
        tree.edge_visits[edge] = 0
        tree.edge_total[edge] = 0.0
        tree.exact[edge] = UNPROVEN
    set_priors(tree, node)


@jitable
def remember(
    game: Game,
    cache: Cache,
    tree: Tree,
    node: int,
    logits: npt.NDArray[np.float32],
    value: float,
) -> None:
    """Store an evaluation in the cache."""
    place, symmetry = new_entry(game, cache, tree.states[node])
    if place != NO_ENTRY:
        cache.values[place] = value
        for edge in edges_of(tree, node):
            action = tree.action[edge]
            cache.logits[place, cache.forms.actions[symmetry, action]] = logits[action]


@jitable
def back_up(game: Game, tree: Tree, leaf: int, depth: int, value: float) -> None:
    """Add a result to the path that led to a leaf, and prove what follows from it.

    `value` is for the player to move at the leaf. Above a proven node its exact value is backed up
    instead.
    """
    tree.visits[leaf] += 1
    tree.total[leaf] += value
    child = leaf
    for level in range(depth - 1, -1, -1):
        node, edge = tree.path_nodes[level], tree.path_edges[level]
        sign = -1.0 if flips(game, tree.states[node], tree.states[child]) else 1.0
        value *= sign
        if tree.proven[child] != UNPROVEN:
            tree.exact[edge] = sign * tree.proven[child]
            if prove(tree, node):
                value = tree.proven[node]
        tree.edge_visits[edge] += 1
        tree.edge_total[edge] += value
        tree.visits[node] += 1
        tree.total[node] += value
        child = node


@jitable
def prove(tree: Tree, node: int) -> bool:
    """Prove a node that has a proven win or no unproven move left."""
    best = -1.0
    all_proven = True
    for edge in edges_of(tree, node):
        if tree.exact[edge] == UNPROVEN:
            all_proven = False
        else:
            best = max(best, tree.exact[edge])
    if all_proven or best == 1.0:
        tree.proven[node] = best
        return True
    return False


# For all trees.


@kernel
def plant_tree(game: Game, trees: Tree, b: int, state: State, actions: Actions) -> None:
    """Start a new tree at a position."""
    plant(game, tree_at(trees, b), state, actions)


@kernel
def refresh_root(trees: Tree, algorithm: Algorithm, slots: Slots, b: int) -> None:
    """Draw noise for a root that was kept; a new root gets it when it is expanded."""
    tree = tree_at(trees, b)
    if tree.visits[ROOT] > 0:
        set_priors(tree, ROOT)
        prepare_root(algorithm, tree, slots, b)


@kernel
def next_leaves(
    game: Game,
    trees: Tree,
    algorithm: Algorithm,
    slots: Slots,
    cache: Cache,
    oracle: Oracle,
    actions: Actions,
    logits: npt.NDArray[np.float32],  # [n, A], of the leaves that wait
    values: npt.NDArray[np.float32],  # [n]
    view: View,
    planes: npt.NDArray[np.float32],  # [B, P, R, C], what the network is to see is written here
) -> int:
    """Take the new evaluations, if any, and find the leaves to evaluate next.

    Both are done tree by tree, while its memory is in the cache. Return the number of leaves.
    """
    count = 0
    for b in range(slots.pending.shape[0]):
        tree = tree_at(trees, b)
        leaf = slots.pending[b]
        if leaf != NO_NODE and values.shape[0] > 0:
            row = slots.row[b]
            remember(game, cache, tree, leaf, logits[row], values[row])
            expand(tree, leaf, logits[row], values[row], cache.forms.actions[0])
            if leaf == ROOT:
                prepare_root(algorithm, tree, slots, b)
            back_up(game, tree, leaf, slots.depth[b], tree.value[leaf])
            slots.pending[b] = NO_NODE
        simulate(game, tree, algorithm, slots, cache, oracle, b, actions)
        if slots.pending[b] != NO_NODE:
            encode_view(view, game, tree.states[slots.pending[b]], planes[count])
            slots.row[b] = count
            count += 1
    return count


@kernel
def read_root(
    trees: Tree,
    algorithm: Algorithm,
    slots: Slots,
    b: int,
    policy: Floats,
    visits: npt.NDArray[np.int64],
) -> float:
    """Write the policy target and the visits of the root's moves; return the root's value."""
    tree = tree_at(trees, b)
    for edge in edges_of(tree, ROOT):
        visits[tree.action[edge]] = tree.edge_visits[edge]
    write_policy(algorithm, tree, slots, b, policy)
    value = root_value(algorithm, tree, policy)
    if tree.proven[ROOT] != UNPROVEN:
        value = tree.proven[ROOT]
    return value


@kernel
def choose_action(
    trees: Tree, algorithm: Algorithm, slots: Slots, b: int, temperature: float
) -> int:
    """The action to play at the root."""
    tree = tree_at(trees, b)
    return as_int(tree.action[choose_move(algorithm, tree, slots, b, temperature)])


@kernel
def vary_action(trees: Tree, slots: Slots, b: int) -> int:
    """The action to play at the root, varied."""
    tree = tree_at(trees, b)
    return as_int(tree.action[varied_edge(tree, slots.streams[b])])


@kernel
def follow_move(
    game: Game,
    trees: Tree,
    b: int,
    action: int,
    keeps: bool,
    actions: Actions,
    places: npt.NDArray[np.int32],
) -> bool:
    """Make the position after a move the root, with its subtree if it exists and is to be kept.

    False if there is no such move.
    """
    tree = tree_at(trees, b)
    for edge in edges_of(tree, ROOT):
        if tree.action[edge] == action:
            child = tree.child[edge]
            if keeps and child != NO_NODE and tree.value[child] != NO_VALUE:
                keep_subtree(tree, child, places)
                return True
            # The root's own place may be overwritten: nothing else is needed of this tree.
            step(game, tree.states[ROOT], action)
            plant(game, tree, tree.states[ROOT], actions)
            return True
    return False
