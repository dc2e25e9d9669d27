"""PUCT, the search of AlphaZero, and later additions to it.

A simulation follows the edge with the highest mean plus exploration. The root gets noise, an
untried move its first-play urgency, a tried one its forced playouts. The policy target is each
move's share of the visits, and moves are sampled by visits. Every idea is a small function with its
source.
"""

import math
from typing import NamedTuple

from zerolab.kernels.compiling import jitable, rule
from zerolab.kernels.rng import Stream, random_float, random_gamma
from zerolab.search.batched.algorithm import Slots
from zerolab.search.batched.tree import (
    Floats,
    Tree,
    best_edge,
    edge_value,
    edges_of,
    is_better,
    is_ruled_out,
)
from zerolab.search.proofs import ROOT, UNPROVEN

NO_URGENCY = -1.0


class Puct(NamedTuple):
    """The numbers of PUCT, as kernels take them."""

    c: float
    """Weight of exploration."""
    urgency: float = NO_URGENCY
    """How much worse than its node an untried move is assumed to be; NO_URGENCY: a draw."""
    forced: float = 0.0
    """k of forced playouts at the root; 0 for none."""
    alpha: float = 0.0
    """Of the Dirichlet noise at the root; 0 for 10 / number of moves."""
    epsilon: float = 0.0
    """Share of the noise in the priors."""


@rule(Puct)
@jitable
def choose_edge(algorithm: Puct, tree: Tree, node: int, slots: Slots, b: int) -> int:
    """By PUCT; playouts are forced at a root that explores."""
    return puct_edge(tree, node, algorithm, node == ROOT and slots.explores[b])


@rule(Puct)
def prepare_root(algorithm: Puct, tree: Tree, slots: Slots, b: int) -> None:
    """Noise in the priors of a root that explores."""
    if slots.explores[b] and algorithm.epsilon > 0.0:
        alpha = algorithm.alpha if algorithm.alpha > 0.0 else 10.0 / tree.num_edges[ROOT]
        add_noise(tree, alpha, algorithm.epsilon, slots.streams[b])


@rule(Puct)
def write_policy(algorithm: Puct, tree: Tree, slots: Slots, b: int, policy: Floats) -> None:
    """Shares of the visits, without those that were forced."""
    visit_policy(tree, algorithm, slots.explores[b], policy)


@rule(Puct)
def root_value(algorithm: Puct, tree: Tree, policy: Floats) -> float:
    """The mean of all simulations."""
    value: float = tree.total[ROOT] / max(1, tree.visits[ROOT])
    return value


@rule(Puct)
def choose_move(algorithm: Puct, tree: Tree, slots: Slots, b: int, temperature: float) -> int:
    """At random by visits, or the best."""
    return sample_edge(tree, temperature, slots.streams[b])


@rule(Puct)
def can_reuse(algorithm: Puct) -> bool:
    """Visits mean the same whenever they were made."""
    return True


@jitable
def puct_edge(tree: Tree, node: int, puct: Puct, is_noisy_root: bool) -> int:
    """The edge with the highest Q + U; the first of equals.

    Silver et al., "A general reinforcement learning algorithm ...", Science 362, 2018. As in
    OpenSpiel, U grows with the visits of the node, its own evaluation included, and a proven move
    counts with its exact value alone.
    """
    spread = puct.c * math.sqrt(tree.visits[node])
    untried = first_play_value(tree, node, puct.urgency)
    best: int = tree.first_edge[node]
    best_score = -math.inf
    for edge in edges_of(tree, node):
        visits = tree.edge_visits[edge]
        if tree.exact[edge] != UNPROVEN:
            score = tree.exact[edge]
        else:
            value = edge_value(tree, edge) if visits > 0 else untried
            score = value + spread * tree.prior[edge] / (1 + visits)
            if is_noisy_root and 0 < visits < forced_playouts(tree, edge, puct.forced):
                score = math.inf
        if score > best_score:
            best, best_score = edge, score
    return best


@jitable
def first_play_value(tree: Tree, node: int, urgency: float) -> float:
    """The value assumed for an untried move (first-play urgency).

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
    """The minimal number of visits of a tried move at the root (Wu 2019, section 3.2)."""
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
def visit_policy(tree: Tree, puct: Puct, prune: bool, policy: Floats) -> None:
    """Write each move's share of the visits [A]; `prune` removes forced playouts."""
    best = best_edge(tree)
    total = 0.0
    for edge in edges_of(tree, ROOT):
        weight = float(tree.edge_visits[edge])
        if prune and edge != best:
            weight = unforced_visits(tree, edge, best, puct)
        if is_ruled_out(tree, edge):
            weight = 0.0
        policy[tree.action[edge]] = weight
        total += weight
    for edge in edges_of(tree, ROOT):
        if total > 0.0:
            policy[tree.action[edge]] /= total
        else:  # no move was visited, or none that is not ruled out
            policy[tree.action[edge]] = 1.0 if edge == best else 0.0


@jitable
def unforced_visits(tree: Tree, edge: int, best: int, puct: Puct) -> float:
    """A move's visits without those that only forcing gave it (Wu 2019, section 3.2).

    Visits are taken off, at most as many as were forced, while the move would still not have been
    preferred to the best one; a move with a single visit left loses it too.
    """
    if tree.edge_visits[edge] == 0 or puct.forced <= 0.0:
        return float(tree.edge_visits[edge])
    spread = puct.c * math.sqrt(tree.visits[ROOT])
    best_score = edge_value(tree, best) + spread * tree.prior[best] / (1 + tree.edge_visits[best])
    value = edge_value(tree, edge)
    visits = float(tree.edge_visits[edge])
    for _ in range(math.ceil(forced_playouts(tree, edge, puct.forced))):
        if visits <= 0.0 or value + spread * tree.prior[edge] / visits >= best_score:
            break
        visits -= 1.0
    return visits if visits > 1.0 else 0.0


@jitable
def sample_edge(tree: Tree, temperature: float, rng: Stream) -> int:
    """A move sampled by visits to the power 1/temperature; the best one at temperature 0."""
    best = best_edge(tree)
    if temperature <= 0.0 or tree.edge_visits[best] == 0:
        return best
    most = 1.0
    for edge in edges_of(tree, ROOT):
        most = max(most, float(tree.edge_visits[edge]))
    total = 0.0
    for edge in edges_of(tree, ROOT):
        if not is_ruled_out(tree, edge):
            total += (tree.edge_visits[edge] / most) ** (1.0 / temperature)
    drawn = random_float(rng) * total
    for edge in edges_of(tree, ROOT):
        if not is_ruled_out(tree, edge):
            drawn -= (tree.edge_visits[edge] / most) ** (1.0 / temperature)
            if drawn < 0.0:
                return edge
    return best


@jitable
def varied_edge(tree: Tree, rng: Stream) -> int:
    """The best move, or the second best with probability 1/2 if it was visited nearly as often.

    That is, if it has more than half of the visits of the best one (Cazenave, "Mobile networks for
    computer Go", section V.F). A move that is proven to be worse is never the second.
    """
    best = best_edge(tree)
    second = best
    for edge in edges_of(tree, ROOT):
        if edge == best or is_ruled_out(tree, edge):
            continue
        if second == best or is_better(tree, edge, second):
            second = edge
    is_close = second != best and 2 * tree.edge_visits[second] > tree.edge_visits[best]
    return second if is_close and random_float(rng) < 0.5 else best
