"""What follows from proven moves, by hand, for both kinds of tree."""

import numpy as np
import pytest

from tests.search.trees import bare_root
from zerolab.games.clobber import Clobber
from zerolab.search import uct
from zerolab.search.batched import simulation
from zerolab.search.batched.tree import best_edge
from zerolab.search.proofs import ROOT, UNPROVEN, sure_result

OPEN = UNPROVEN

# Values of the moves for the player to move, and what is proven of the position.
PROOFS = [
    ([1.0, OPEN, OPEN], 1.0),  # a win is enough
    ([OPEN, OPEN, 1.0], 1.0),
    ([0.0, OPEN, -1.0], OPEN),  # a draw is not, while a move may win
    ([-1.0, -1.0, OPEN], OPEN),
    ([OPEN, OPEN, OPEN], OPEN),
    ([-1.0, 0.0, -1.0], 0.0),
    ([-1.0, -1.0, -1.0], -1.0),
    ([-1.0, 0.5, 0.0], 0.5),
]


@pytest.mark.parametrize(("moves", "proven"), PROOFS)
def test_the_tree_of_a_network(moves, proven):
    tree = bare_root([0.4, 0.3, 0.3], [1, 1, 1], [0, 0, 0], exact=moves)
    assert simulation.prove(tree, ROOT) == (proven != OPEN)
    assert tree.proven[ROOT] == proven


@pytest.mark.parametrize(("moves", "proven"), PROOFS)
@pytest.mark.parametrize("mover", [0, 1])
def test_the_tree_of_uct(moves, proven, mover):
    # A node counts for the player who moved there: here Black is to move, so it is Black's own
    # value at the root, and the opposite after a move of White's.
    game = Clobber(3, 3)
    tree = uct.make_tree(game, 3, 10)
    uct.plant(tree)
    tree.first_child[ROOT], tree.num_children[ROOT] = 4, 3
    tree.visits[4:7], tree.proven[4:7] = 1, moves
    assert uct.prove(game, tree, ROOT, 0, mover) == (proven != OPEN)
    assert tree.proven[ROOT] == (proven if proven == OPEN or mover == 0 else -proven)


def test_what_was_never_visited_is_not_proven():
    game = Clobber(3, 3)
    tree = uct.make_tree(game, 3, 10)
    uct.plant(tree)
    tree.first_child[ROOT], tree.num_children[ROOT] = 4, 2
    tree.visits[4:6], tree.proven[4:6] = [1, 0], [-1.0, -1.0]  # of a node that was here before
    assert not uct.prove(game, tree, ROOT, 0, 0)


def test_only_wins_and_losses_are_sure():
    assert [sure_result(value) for value in (1.0, -1.0, 0.0, 0.5, -0.5, UNPROVEN)] == [
        1, -1, 0, 0, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("proven", "visits", "totals", "best"),
    [
        ([OPEN, OPEN], [5, 6], [4.0, -4.0], 1),  # visits
        ([OPEN, OPEN], [5, 5], [1.0, 2.0], 1),  # then the total
        ([OPEN, OPEN], [5, 5], [2.0, 2.0], 0),  # then the first
        ([OPEN, 1.0], [9, 1], [9.0, 1.0], 1),  # a win before all else
        ([-1.0, OPEN], [9, 1], [9.0, -1.0], 1),  # a loss after all else
        ([-1.0, -1.0], [3, 5], [0.0, 0.0], 1),  # the hardest loss
        ([0.0, OPEN], [3, 5], [0.0, -5.0], 1),  # a draw is no surer than what is open
        ([0.0, OPEN], [6, 5], [0.0, 5.0], 0),
    ],
)
def test_the_best_move_is_sure_or_visited_most(proven, visits, totals, best):
    means = [total / count for total, count in zip(totals, visits, strict=True)]
    tree = bare_root([0.5, 0.5], visits, means, exact=proven)
    assert best_edge(tree) == tree.first_edge[ROOT] + best
    uct_tree = uct.make_tree(Clobber(3, 3), 3, 10)
    uct.plant(uct_tree)
    uct_tree.first_child[ROOT], uct_tree.num_children[ROOT] = 4, 2
    uct_tree.visits[4:6], uct_tree.proven[4:6] = visits, proven
    uct_tree.total[4:6] = np.array(totals)
    assert uct.best_move(uct_tree) == 4 + best
