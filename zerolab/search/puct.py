"""Which edge to follow: PUCT, first-play urgency, root noise, forced playouts.

Every idea is a small function with its source. Gumbel selection is in gumbel.py.
"""

import math
from typing import NamedTuple

import numpy as np

from zerolab.kernels.compiling import jitable
from zerolab.kernels.rng import Stream, random_gamma
from zerolab.search.proofs import ROOT, UNPROVEN
from zerolab.search.tree import Tree, edge_value, edges_of

NO_URGENCY = -1.0


class PuctSettings(NamedTuple):
    """The numbers that selection needs, as kernels take them."""

    c: float
    urgency: float
    """How much worse than its node an untried move looks; NO_URGENCY: it looks like a draw."""
    forced: float
    """k of forced playouts at the root; 0 for none."""


@jitable
def puct_edge(tree: Tree, node: int, settings: PuctSettings, is_noisy_root: bool) -> int:
    """The edge with the highest Q + U; the first of equals.

    Silver et al., "A general reinforcement learning algorithm ...", Science 362, 2018. As in
    OpenSpiel, U grows with the visits of the node, its own evaluation included, and a proven move
    counts with its exact value alone.
    """
    spread = settings.c * math.sqrt(tree.visits[node])
    untried = first_play_value(tree, node, settings.urgency)
    best: int = tree.first_edge[node]
    best_score = -math.inf
    for edge in edges_of(tree, node):
        visits = tree.edge_visits[edge]
        if tree.exact[edge] != UNPROVEN:
            score = tree.exact[edge]
        else:
            value = edge_value(tree, edge) if visits > 0 else untried
            score = value + spread * tree.prior[edge] / (1 + visits)
            if is_noisy_root and 0 < visits < forced_playouts(tree, edge, settings.forced):
                score = math.inf
        if score > best_score:
            best, best_score = edge, score
    return best


@jitable
def first_play_value(tree: Tree, node: int, urgency: float) -> float:
    """What an untried move is taken to be worth (first-play urgency).

    Below the mean of its node by `urgency` times the root of the policy already tried, as in Leela
    Zero and KataGo (Wu 2019, section 3.1); or a draw, as in AlphaZero and OpenSpiel.
    """
    if urgency == NO_URGENCY:
        return 0.0
    tried = 0.0
    for edge in edges_of(tree, node):
        if tree.edge_visits[edge] > 0:
            tried += tree.prior[edge]
    mean: float = tree.total[node] / tree.visits[node]
    return mean - urgency * math.sqrt(tried)


@jitable
def forced_playouts(tree: Tree, edge: int, k: float) -> float:
    """How many visits a move at the root gets at least once tried (Wu 2019, section 3.2)."""
    return math.sqrt(k * tree.prior[edge] * (tree.visits[ROOT] - 1))


@jitable
def add_noise(tree: Tree, alpha: float, epsilon: float, rng: Stream) -> None:
    """Mix Dirichlet noise into the priors of the root (Silver et al. 2018)."""
    start = rng[0]
    total = 0.0
    for _ in edges_of(tree, ROOT):
        total += random_gamma(rng, alpha)
    rng[0] = start  # the same draws once more, now that their sum is known
    for edge in edges_of(tree, ROOT):
        noise = random_gamma(rng, alpha)
        if total > 0.0:
            tree.prior[edge] += epsilon * (noise / total - tree.prior[edge])


@jitable
def set_priors(tree: Tree, node: int) -> None:
    """The softmax of a node's logits."""
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
