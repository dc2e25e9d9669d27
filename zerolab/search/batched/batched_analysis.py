"""The result of a batched search in a position: one of its trees in readable form."""

import functools

from zerolab.games.base import NO_ACTION
from zerolab.search.analysis import Analysis, Candidate, Outline
from zerolab.search.batched.batched_search import BatchedSearch
from zerolab.search.batched.tree import (
    NO_VALUE,
    NODES,
    Tree,
    edge_value,
    edges_of,
    is_better,
    tree_at,
)
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN


class TreeReader:
    """One tree of a batched search."""

    def __init__(self, search: BatchedSearch, slot: int = 0) -> None:
        self._tree: Tree = tree_at(search.trees, slot)

    def analyse(self) -> Analysis:
        """The values and statistics of the root and its moves."""
        tree = self._tree
        edges = _ranked(tree, ROOT)
        total = max(1, sum(int(tree.edge_visits[edge]) for edge in edges))
        return Analysis(
            simulations=int(tree.visits[ROOT]),
            nodes=int(tree.used[NODES]),
            value=_root_value(tree),
            proven=bool(tree.proven[ROOT] != UNPROVEN),
            candidates=[
                Candidate(
                    action=int(tree.action[edge]),
                    visits=int(tree.edge_visits[edge]),
                    share=int(tree.edge_visits[edge]) / total,
                    value=_value(tree, edge),
                    proven=bool(tree.exact[edge] != UNPROVEN),
                    prior=float(tree.prior[edge]),
                    line=_line(tree, edge),
                )
                for edge in edges
            ],
        )

    def outline(self, depth: int, width: int) -> Outline:
        """The tree down to `depth`, with the `width` most visited children of each node."""
        tree = self._tree
        return Outline(
            action=NO_ACTION,
            visits=int(tree.visits[ROOT]),
            value=_root_value(tree),
            proven=bool(tree.proven[ROOT] != UNPROVEN),
            children=_outlines(tree, ROOT, depth, width),
        )


def _outlines(tree: Tree, node: int, depth: int, width: int) -> tuple[Outline, ...]:
    if depth == 0 or node == NO_NODE or not _is_expanded(tree, node):
        return ()
    edges = [edge for edge in edges_of(tree, node) if tree.edge_visits[edge] > 0]
    edges.sort(key=lambda edge: -int(tree.edge_visits[edge]))
    return tuple(
        Outline(
            action=int(tree.action[edge]),
            visits=int(tree.edge_visits[edge]),
            value=_value(tree, edge),
            proven=bool(tree.exact[edge] != UNPROVEN),
            children=_outlines(tree, int(tree.child[edge]), depth - 1, width),
            prior=float(tree.prior[edge]),
        )
        for edge in edges[:width]
    )


def _is_expanded(tree: Tree, node: int) -> bool:
    """Whether a node was evaluated. One that the oracle solved was not, and has no edges yet."""
    return bool(tree.value[node] != NO_VALUE)


def _ranked(tree: Tree, node: int) -> list[int]:
    """The edges of an expanded node, the best first."""
    if not _is_expanded(tree, node):
        return []

    def compare(a: int, b: int) -> int:
        return -1 if is_better(tree, a, b) else int(is_better(tree, b, a))

    return sorted(edges_of(tree, node), key=functools.cmp_to_key(compare))


def _line(tree: Tree, edge: int) -> tuple[int, ...]:
    """The line of best moves, for the player to move each time, from an edge on."""
    actions = [int(tree.action[edge])]
    while (node := int(tree.child[edge])) != NO_NODE:
        ranked = _ranked(tree, node)
        if not ranked or tree.edge_visits[ranked[0]] == 0:
            break
        edge = ranked[0]
        actions.append(int(tree.action[edge]))
    return tuple(actions)


def _value(tree: Tree, edge: int) -> float:
    """For the player who makes the move; 0 if nothing is known."""
    if tree.edge_visits[edge] == 0 and tree.exact[edge] == UNPROVEN:
        return 0.0
    return float(edge_value(tree, edge))


def _root_value(tree: Tree) -> float:
    if tree.proven[ROOT] != UNPROVEN:
        return float(tree.proven[ROOT])
    return float(tree.total[ROOT] / max(1, tree.visits[ROOT]))
