"""Search trees made by hand: a root and its moves, with the numbers that a test needs.

All that a test does not write is poison: NaN, or an index that is out of range. So whatever is read
without having been written shows.
"""

import math

import numpy as np

from zerolab.search.batched.tree import EDGES, NODES, Tree
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN

POISON = -(10**9)


def poisoned_tree(nodes, edges, words=1, depth=1):
    """A tree with nothing in it."""

    def ints(*shape):
        return np.full(shape, POISON, np.int32)

    def floats(*shape):
        return np.full(shape, math.nan, np.float64)

    def singles(*shape):
        return np.full(shape, math.nan, np.float32)

    return Tree(
        states=np.zeros((nodes, words), np.uint64),
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
        used=np.zeros(2, np.int64),
    )


def bare_root(priors, visits, means, value=0.0, exact=None, proven=UNPROVEN, first=2):
    """A root with these moves; the mean of a move without visits is never looked at.

    Actions are 10, 11, ...; the edges do not begin at 0, so that an edge is not taken for the
    number of a move.
    """
    count = len(priors)
    tree = poisoned_tree(1, first + count)
    tree.used[NODES], tree.used[EDGES] = 1, first + count
    tree.first_edge[ROOT], tree.num_edges[ROOT] = first, count
    tree.visits[ROOT] = 1 + sum(visits)
    totals = [n * mean for n, mean in zip(visits, means, strict=True)]
    tree.total[ROOT] = value + sum(total for n, total in zip(visits, totals, strict=True) if n > 0)
    tree.value[ROOT], tree.proven[ROOT] = value, proven
    tree.action[first:] = range(10, 10 + count)
    tree.child[first:] = NO_NODE
    tree.logit[first:] = [math.log(prior) for prior in priors]
    tree.prior[first:] = priors
    tree.edge_visits[first:] = visits
    tree.edge_total[first:] = [
        total if n > 0 else math.nan for n, total in zip(visits, totals, strict=True)
    ]
    tree.exact[first:] = [UNPROVEN] * count if exact is None else exact
    return tree
