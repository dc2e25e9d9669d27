"""Search trees for networks: B of them in one struct of arrays, each with room for N nodes.

A node is a position. Its edges are its legal moves, stored contiguously. A node is created
when a simulation first reaches it and is *expanded* when its evaluation has arrived; until then it
has no visits. Values are for the player to move at the node an edge leaves from.

Letters: B trees, N nodes, E edges, D the greatest depth, W words of a state, A actions.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import (
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
    terminal_value,
)
from zerolab.games.boards.stones import state_words
from zerolab.games.notation import num_actions
from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import jitable
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN, sure_result

NO_VALUE = UNPROVEN

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class Tree(NamedTuple):
    """One tree, or with an axis B in front all of them."""

    # Nodes
    states: npt.NDArray[np.uint64]  # [N, W]
    first_edge: Ints  # [N]
    num_edges: Ints  # [N]
    visits: Ints  # [N], simulations that came through, its own evaluation included
    total: Floats  # [N], sum of their results for the player to move
    value: Floats  # [N], the evaluation, for the player to move; NO_VALUE if there is none
    proven: Floats  # [N], exact value for the player to move, or UNPROVEN
    # Edges, in four bytes each: a new node's edges are in no processor cache yet
    action: Ints  # [E]
    child: Ints  # [E], NO_NODE until a simulation goes there
    logit: Singles  # [E], from the evaluation
    prior: Singles  # [E], its softmax, at the root with noise
    edge_visits: Ints  # [E]
    edge_total: Singles  # [E], sum of results
    exact: Singles  # [E], the value of a proven child, or UNPROVEN
    # The current simulation
    path_nodes: Ints  # [D]
    path_edges: Ints  # [D]
    # How much is in use
    used: npt.NDArray[np.int64]  # [2]: nodes, edges


NODES, EDGES = 0, 1


def make_trees(game: Game, batch: int, nodes: int) -> Tree:
    """Room for B trees. Memory that is never used is never touched."""
    words, depth = state_words(game), max_plies(game) + 2
    edges = nodes * num_actions(game)

    def ints(*shape: int) -> Ints:
        return np.empty((batch, *shape), np.int32)

    def floats(*shape: int) -> Floats:
        return np.empty((batch, *shape), np.float64)

    def singles(*shape: int) -> Singles:
        return np.empty((batch, *shape), np.float32)

    return Tree(
        states=np.empty((batch, nodes, words), np.uint64),
        first_edge=ints(nodes),
        num_edges=ints(nodes),
        visits=ints(nodes),
        total=floats(nodes),
        value=floats(nodes),
        proven=floats(nodes),
        action=ints(edges),
        child=ints(edges),
        logit=singles(edges),
        prior=singles(edges),
        edge_visits=ints(edges),
        edge_total=singles(edges),
        exact=singles(edges),
        path_nodes=ints(depth),
        path_edges=ints(depth),
        used=np.zeros((batch, 2), np.int64),
    )


@jitable
def tree_at(trees: Tree, b: int) -> Tree:
    """Tree number b."""
    return Tree(
        trees.states[b],
        trees.first_edge[b],
        trees.num_edges[b],
        trees.visits[b],
        trees.total[b],
        trees.value[b],
        trees.proven[b],
        trees.action[b],
        trees.child[b],
        trees.logit[b],
        trees.prior[b],
        trees.edge_visits[b],
        trees.edge_total[b],
        trees.exact[b],
        trees.path_nodes[b],
        trees.path_edges[b],
        trees.used[b],
    )


@jitable
def plant(game: Game, tree: Tree, state: State, actions: Actions) -> None:
    """Start a new tree at a position."""
    tree.used[NODES] = 0
    tree.used[EDGES] = 0
    copy_state(state, tree.states[ROOT])
    add_node(game, tree, actions)


@jitable
def add_child(game: Game, tree: Tree, node: int, edge: int, actions: Actions) -> int:
    """Make the node that an edge leads to."""
    child = tree.used[NODES]
    copy_state(tree.states[node], tree.states[child])
    step(game, tree.states[child], as_int(tree.action[edge]))
    tree.child[edge] = child
    return add_node(game, tree, actions)


@jitable
def add_node(game: Game, tree: Tree, actions: Actions) -> int:
    """Make a node of the next free place, which already holds its state. An end is proven.

    Only the actions of its edges are written; the rest follows when the node is expanded.
    """
    node: int = tree.used[NODES]
    first, count = tree.used[EDGES], legal_actions(game, tree.states[node], actions)
    tree.used[NODES] += 1
    tree.used[EDGES] += count
    tree.first_edge[node] = first
    tree.num_edges[node] = count
    tree.visits[node] = 0
    tree.total[node] = 0.0
    tree.value[node] = NO_VALUE
    tree.proven[node] = terminal_value(game, tree.states[node]) if count == 0 else UNPROVEN
    for i in range(count):
        tree.action[first + i] = actions[i]
    return node


@jitable
def keep_subtree(tree: Tree, root: int, places: Ints) -> None:
    """Make `root` the root and move its subtree to the front of the arrays.

    A leaf that was waiting for its evaluation when its search was cut short is left out: every node
    that is kept has had a simulation of its own, so they are no more than the root has visits.

    Nodes come after their parents, and edges are in the order of nodes, so one pass is enough and
    overwrites nothing that is still to be read. `places` [N] receives the new place of each node.
    """
    nodes, edges = 0, 0
    for old in range(root, tree.used[NODES]):
        places[old] = NO_NODE
    places[root] = ROOT
    for old in range(root, tree.used[NODES]):
        if places[old] == NO_NODE:
            continue
        places[old] = nodes
        first = tree.first_edge[old]
        copy_state(tree.states[old], tree.states[nodes])
        tree.first_edge[nodes] = edges
        tree.num_edges[nodes] = tree.num_edges[old]
        tree.visits[nodes] = tree.visits[old]
        tree.total[nodes] = tree.total[old]
        tree.value[nodes] = tree.value[old]
        tree.proven[nodes] = tree.proven[old]
        for edge in range(first, first + tree.num_edges[nodes]):
            child = tree.child[edge] if tree.value[nodes] != NO_VALUE else NO_NODE
            if child != NO_NODE and tree.visits[child] == 0:
                child = NO_NODE
            if child != NO_NODE:
                places[child] = ROOT  # it is kept; its own place is known later
            tree.action[edges] = tree.action[edge]
            tree.child[edges] = child
            tree.logit[edges] = tree.logit[edge]
            tree.prior[edges] = tree.prior[edge]
            tree.edge_visits[edges] = tree.edge_visits[edge]
            tree.edge_total[edges] = tree.edge_total[edge]
            tree.exact[edges] = tree.exact[edge]
            edges += 1
        nodes += 1
    for edge in range(edges):
        if tree.child[edge] != NO_NODE:
            tree.child[edge] = places[tree.child[edge]]
    tree.used[NODES] = nodes
    tree.used[EDGES] = edges


@jitable
def edges_of(tree: Tree, node: int) -> range:
    """The edges of a node."""
    return range(tree.first_edge[node], tree.first_edge[node] + tree.num_edges[node])


@jitable
def set_priors(tree: Tree, node: int) -> None:
    """Make the priors of a node's edges the softmax of their logits."""
    highest = np.float32(-math.inf)
    for edge in edges_of(tree, node):
        highest = max(highest, tree.logit[edge])
    total = np.float32(0.0)
    for edge in edges_of(tree, node):
        weight = np.float32(math.exp(tree.logit[edge] - highest))  # single precision is faster
        tree.prior[edge] = weight
        total += weight
    scale = np.float32(1.0) / total
    for edge in edges_of(tree, node):
        tree.prior[edge] *= scale


@jitable
def edge_value(tree: Tree, edge: int) -> float:
    """The value of an edge that was visited or proven: an exact value is never averaged."""
    value: float = tree.exact[edge]
    if value == UNPROVEN:
        value = tree.edge_total[edge] / tree.edge_visits[edge]
    return value


@jitable
def flips(game: Game, parent: State, child: State) -> bool:
    """Whether a value changes sign between two positions: their players are opponents."""
    return num_players(game) == 2 and player_to_move(parent) != player_to_move(child)


@jitable
def best_edge(tree: Tree) -> int:
    """The edge of the root to play: by exact value, then visits, then total."""
    best = NO_ACTION
    for edge in edges_of(tree, ROOT):
        if best == NO_ACTION or is_better(tree, edge, best):
            best = edge
    return best


@jitable
def is_better(tree: Tree, a: int, b: int) -> bool:
    """Whether to play `a` rather than `b`."""
    rank_a, rank_b = sure_result(tree.exact[a]), sure_result(tree.exact[b])
    better: bool = rank_a > rank_b
    if rank_a == rank_b:
        better = tree.edge_visits[a] > tree.edge_visits[b]
        if tree.edge_visits[a] == tree.edge_visits[b]:
            better = tree.edge_total[a] > tree.edge_total[b]
    return better


@jitable
def is_ruled_out(tree: Tree, edge: int) -> bool:
    """Whether a move is proven to be worse than another."""
    value: float = tree.exact[edge]
    root_value: float = tree.proven[ROOT]
    return value == -1.0 if root_value == UNPROVEN else value != root_value
