"""Gumbel AlphaZero: planning that improves the policy even with few simulations.

Danihelka, Guez, Schrittwieser & Silver, "Policy improvement by planning with Gumbel", ICLR 2022.
At the root some moves are drawn without replacement (the Gumbel-top-k trick) and sequential halving
finds the best of them; below the root the search follows the improved policy deterministically. The
training target is the improved policy: logits plus transformed values of all moves, where a move
without visits has the mixed value of its node ("completed Q").
"""

import math
from typing import NamedTuple

from zerolab.kernels.compiling import jitable, rule
from zerolab.kernels.rng import random_gumbel
from zerolab.search.batched.algorithm import Slots
from zerolab.search.batched.tree import Floats, Tree, best_edge, edge_value, edges_of, is_ruled_out
from zerolab.search.proofs import ROOT, UNPROVEN


class Gumbel(NamedTuple):
    """The numbers of Gumbel AlphaZero, as kernels take them."""

    considered: int
    """m: moves drawn at the root."""
    c_visit: float
    """Weight of values against logits before there are visits."""
    c_scale: float
    """Overall weight of values against logits."""


@rule(Gumbel)
@jitable
def choose_edge(algorithm: Gumbel, tree: Tree, node: int, slots: Slots, b: int) -> int:
    """By sequential halving at the root, towards the improved policy below it."""
    if node == ROOT:
        done, wanted = tree.visits[ROOT] - 1, slots.simulations[b] - 1
        return root_edge(tree, slots.gumbels[b], done, wanted, algorithm)
    return inner_edge(tree, node, algorithm)


@rule(Gumbel)
def prepare_root(algorithm: Gumbel, tree: Tree, slots: Slots, b: int) -> None:
    """A draw for each move of a root that explores, 0 for those of another."""
    rng = slots.streams[b]
    for i in range(tree.num_edges[ROOT]):
        slots.gumbels[b, i] = random_gumbel(rng) if slots.explores[b] else 0.0


@rule(Gumbel)
def write_policy(algorithm: Gumbel, tree: Tree, slots: Slots, b: int, policy: Floats) -> None:
    """The improved policy."""
    improved_policy(tree, algorithm, policy)


@rule(Gumbel)
def root_value(algorithm: Gumbel, tree: Tree, policy: Floats) -> float:
    """The expected value of the improved policy."""
    return improved_value(tree, policy)


@rule(Gumbel)
def choose_move(algorithm: Gumbel, tree: Tree, slots: Slots, b: int, temperature: float) -> int:
    """The winner of sequential halving, whatever the temperature: its draws are random enough."""
    if tree.proven[ROOT] != UNPROVEN:
        return best_edge(tree)
    return halving_winner(tree, slots.gumbels[b], algorithm)


@rule(Gumbel)
def can_reuse(algorithm: Gumbel) -> bool:
    """Sequential halving plans all visits of a search from its beginning."""
    return False


@jitable
def root_edge(tree: Tree, draws: Floats, simulation: int, simulations: int, gumbel: Gumbel) -> int:
    """The move that sequential halving tries in this simulation, by the root's draws [A]."""
    considered = min(gumbel.considered, tree.num_edges[ROOT])
    visits = visits_of_considered(considered, simulations, simulation)
    return best_with_visits(tree, draws, visits, gumbel)


@jitable
def halving_winner(tree: Tree, draws: Floats, gumbel: Gumbel) -> int:
    """The move to play: the best of those with most visits."""
    most = 0
    for edge in edges_of(tree, ROOT):
        most = max(most, tree.edge_visits[edge])
    return best_with_visits(tree, draws, most, gumbel)


@jitable
def best_with_visits(tree: Tree, draws: Floats, visits: int, gumbel: Gumbel) -> int:
    """Of the moves with these visits, the one with the highest draw plus logit plus value."""
    mixed, scale = mixed_value(tree, ROOT), value_scale(tree, ROOT, gumbel)
    first: int = tree.first_edge[ROOT]
    best, best_score, best_fits = first, -math.inf, False
    for edge in edges_of(tree, ROOT):
        # Moves proven to be worse drop out, even if no other has that many visits.
        fits = tree.edge_visits[edge] == visits
        if not is_ruled_out(tree, edge) and fits >= best_fits:
            score = draws[edge - first] + improved_logit(tree, edge, mixed, scale)
            if score > best_score or fits > best_fits:
                best, best_score, best_fits = edge, score, fits
    return best


@jitable
def visits_of_considered(considered: int, simulations: int, simulation: int) -> int:
    """The number of visits that the remaining moves have when this simulation begins.

    Sequential halving (Karnin, Koren & Somekh 2013) gives each of log2(m) phases the same share of
    the simulations, spread evenly over the moves of the phase; then the worse half drops out.
    """
    if considered <= 1:
        return simulation
    phases = math.ceil(math.log2(considered))
    visits = 0
    left = simulation
    while True:
        for _ in range(max(1, simulations // (phases * considered))):
            if left < considered:
                return visits
            left -= considered
            visits += 1
        considered = max(2, considered // 2)


@jitable
def inner_edge(tree: Tree, node: int, gumbel: Gumbel) -> int:
    """The edge whose share of visits lags most behind the improved policy (eq. 14)."""
    mixed, scale = mixed_value(tree, node), value_scale(tree, node, gumbel)
    highest, total = softmax_terms(tree, node, mixed, scale)
    best: int = tree.first_edge[node]
    best_score = -math.inf
    for edge in edges_of(tree, node):
        improved = math.exp(improved_logit(tree, edge, mixed, scale) - highest) / total
        score = improved - tree.edge_visits[edge] / tree.visits[node]
        if score > best_score:
            best, best_score = edge, score
    return best


@jitable
def softmax_terms(tree: Tree, node: int, mixed: float, scale: float) -> tuple[float, float]:
    """The highest improved logit, and the sum of all exponentials relative to it."""
    highest = -math.inf
    for edge in edges_of(tree, node):
        highest = max(highest, improved_logit(tree, edge, mixed, scale))
    total = 0.0
    for edge in edges_of(tree, node):
        total += math.exp(improved_logit(tree, edge, mixed, scale) - highest)
    return highest, total


@jitable
def improved_logit(tree: Tree, edge: int, mixed: float, scale: float) -> float:
    """Logit plus transformed value."""
    logit: float = tree.logit[edge]
    return logit + scale * completed(tree, edge, mixed)


@jitable
def improved_policy(tree: Tree, gumbel: Gumbel, policy: Floats) -> None:
    """Write the policy target [A]: the softmax of logits plus transformed completed values."""
    mixed, scale = mixed_value(tree, ROOT), value_scale(tree, ROOT, gumbel)
    highest, total = softmax_terms(tree, ROOT, mixed, scale)
    for edge in edges_of(tree, ROOT):
        improved = math.exp(improved_logit(tree, edge, mixed, scale) - highest) / total
        policy[tree.action[edge]] = improved


@jitable
def improved_value(tree: Tree, policy: Floats) -> float:
    """The value of the root under the improved policy [A], which visits do not reflect."""
    mixed = mixed_value(tree, ROOT)
    value = 0.0
    for edge in edges_of(tree, ROOT):
        value += policy[tree.action[edge]] * (2.0 * completed(tree, edge, mixed) - 1.0)
    return value


@jitable
def completed(tree: Tree, edge: int, mixed: float) -> float:
    """The value of an edge in [0, 1]; without visits that of its node."""
    value = mixed
    if tree.edge_visits[edge] > 0 or tree.exact[edge] != UNPROVEN:
        value = edge_value(tree, edge)
    return (value + 1.0) / 2.0


@jitable
def value_scale(tree: Tree, node: int, gumbel: Gumbel) -> float:
    """sigma: values weigh the more against logits the more they were visited (eq. 8)."""
    most = 0
    for edge in edges_of(tree, node):
        most = max(most, tree.edge_visits[edge])
    return (gumbel.c_visit + most) * gumbel.c_scale


@jitable
def mixed_value(tree: Tree, node: int) -> float:
    """v_mix: the evaluation of a node, corrected by its visited edges (eq. 33)."""
    visits, weight, weighted = 0, 0.0, 0.0
    for edge in edges_of(tree, node):
        if tree.edge_visits[edge] > 0:
            visits += tree.edge_visits[edge]
            weight += tree.prior[edge]
            weighted += tree.prior[edge] * edge_value(tree, edge)
    value: float = tree.value[node]
    if weight > 0.0:
        value = (value + visits * weighted / weight) / (1 + visits)
    return value
