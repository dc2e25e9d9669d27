"""What a finished search is for: a policy to learn, and a move to play.

The policy target comes from visits, or from completed values (gumbel.py). It never depends on the
temperature, which only serves to choose moves.
"""

import math

from zerolab.kernels.compiling import jitable
from zerolab.kernels.rng import Stream, random_float
from zerolab.search.proofs import ROOT
from zerolab.search.puct import PuctSettings, forced_playouts
from zerolab.search.tree import Floats, Tree, best_edge, edge_value, edges_of, is_ruled_out


@jitable
def visit_policy(tree: Tree, settings: PuctSettings, prune: bool, policy: Floats) -> None:
    """Write each move's share of the visits [A]; `prune` takes forced playouts out again."""
    best = best_edge(tree)
    total = 0.0
    for edge in edges_of(tree, ROOT):
        weight = float(tree.edge_visits[edge])
        if prune and edge != best:
            weight = unforced_visits(tree, edge, best, settings)
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
def unforced_visits(tree: Tree, edge: int, best: int, settings: PuctSettings) -> float:
    """A move's visits without those that only forcing gave it (Wu 2019, section 3.2).

    Visits are taken off, at most as many as were forced, while the move would still not have been
    preferred to the best one; a move with a single visit left loses it too.
    """
    if tree.edge_visits[edge] == 0 or settings.forced <= 0.0:
        return float(tree.edge_visits[edge])
    spread = settings.c * math.sqrt(tree.visits[ROOT])
    best_score = edge_value(tree, best) + spread * tree.prior[best] / (1 + tree.edge_visits[best])
    value = edge_value(tree, edge)
    visits = float(tree.edge_visits[edge])
    for _ in range(math.ceil(forced_playouts(tree, edge, settings.forced))):
        if visits <= 0.0 or value + spread * tree.prior[edge] / visits >= best_score:
            break
        visits -= 1.0
    return visits if visits > 1.0 else 0.0


@jitable
def sample_edge(tree: Tree, temperature: float, rng: Stream) -> int:
    """A move by lot, visits to the power 1/temperature; the best one if that is 0."""
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
