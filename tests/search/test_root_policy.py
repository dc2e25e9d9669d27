"""Policy targets and the choice of moves: numbers worked out by hand."""

import numpy as np
import pytest

from tests.search.trees import bare_root
from zerolab.kernels.rng import stream
from zerolab.search.batched.puct import Puct, sample_edge, unforced_visits, visit_policy
from zerolab.search.proofs import UNPROVEN

FIRST = 2  # the first edge of a bare root
PUCT = Puct(c=0.5, forced=2.0)


def pruned_example():
    """The root has 100 visits, so c sqrt(N) = 5, and 99 playouts below it."""
    priors, visits = [0.4, 0.32, 0.02, 0.24, 0.02], [79, 12, 3, 1, 4]
    return bare_root(priors, visits, means=[0.5, 0.2585, -0.5, -0.8, -0.9])


# Policy target pruning, Wu 2019, section 3.2. The best move has 0.5 + 5 * 0.4 / 80 = 0.525; from
# the others go at most ceil(sqrt(2 P 99)) playouts while they stay below that.
# 1. At most 8 (7.96). With n left it has 0.2585 + 1.6 / (1 + n): 0.4871 with 6, 0.5252 with 5, just
#    too much. So 6 are left.
# 2. At most 2 (1.99), and far below: one is left, and a single one goes too.
# 3. It has but one.
# 4. At most 2 (1.99), and far below: 2 are left.
PRUNED = [79, 6, 0, 0, 2]


def test_forced_playouts_are_pruned_by_the_rule():
    tree = pruned_example()
    for move in range(1, 5):
        assert unforced_visits(tree, FIRST + move, FIRST, PUCT) == PRUNED[move]


def test_the_target_is_what_pruning_leaves():
    policy = np.zeros(20)
    visit_policy(pruned_example(), PUCT, True, policy)
    assert policy[10:15] == pytest.approx([visits / 87 for visits in PRUNED])
    assert policy.sum() == pytest.approx(1)


def test_the_best_move_is_never_pruned():
    # Not even if it has a single visit, as all of them have.
    policy = np.zeros(20)
    visit_policy(bare_root([0.5, 0.3, 0.2], [1, 1, 1], [0.1, 0.3, 0.2]), PUCT, True, policy)
    assert policy[10:13].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(("puct", "prune"), [(PUCT, False), (PUCT._replace(forced=0.0), True)])
def test_nothing_is_pruned_where_nothing_was_forced(puct, prune):
    policy = np.zeros(20)
    visit_policy(pruned_example(), puct, prune, policy)
    assert policy[10:15] == pytest.approx([79 / 99, 12 / 99, 3 / 99, 1 / 99, 4 / 99])


def test_a_proven_loss_has_no_share_in_the_target():
    tree = bare_root([0.5, 0.3, 0.2], [5, 3, 2], [-0.2, 0.1, 0.1], exact=[-1.0, UNPROVEN, 0.0])
    policy = np.zeros(20)
    visit_policy(tree, PUCT, False, policy)
    assert policy[10:13] == pytest.approx([0, 0.6, 0.4])


def test_only_moves_of_the_proven_value_have_a_share():
    # The root is a proven draw: moves that lose are out, whatever their visits.
    exact = [-1.0, 0.0, 0.0]
    tree = bare_root([0.5, 0.3, 0.2], [5, 3, 1], [-0.2, 0.1, 0.1], exact=exact, proven=0.0)
    policy = np.zeros(20)
    visit_policy(tree, PUCT, False, policy)
    assert policy[10:13] == pytest.approx([0, 0.75, 0.25])
    drawn = {sample_edge(tree, 1.0, stream(seed)) for seed in range(50)}
    assert drawn == {FIRST + 1, FIRST + 2}


def test_a_proven_win_is_all_there_is():
    # A draw and a move that nobody knows enough about are out, whatever their visits.
    exact = [UNPROVEN, 1.0, 0.0]
    tree = bare_root([0.5, 0.3, 0.2], [5, 1, 3], [0.9, 1.0, 0], exact=exact, proven=1.0)
    policy = np.zeros(20)
    visit_policy(tree, PUCT, False, policy)
    assert policy[10:13].tolist() == [0, 1, 0]
    assert {sample_edge(tree, 1.0, stream(seed)) for seed in range(50)} == {FIRST + 1}


def test_without_visits_the_best_move_is_the_target():
    tree = bare_root([0.5, 0.5], [0, 0], [0, 0])
    tree.edge_total[FIRST:] = 0.0
    policy = np.zeros(20)
    visit_policy(tree, PUCT, True, policy)
    assert policy[10:12].tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("temperature", "chances"),
    [
        (1.0, [0.6, 0.3, 0.1, 0]),
        (0.5, [36 / 46, 9 / 46, 1 / 46, 0]),  # squares of 6, 3, 1
        (2.0, [0.4727, 0.3343, 0.1930, 0]),  # roots 2.4495, 1.7321, 1; sum 5.1815
        (0.0, [1, 0, 0, 0]),
    ],
)
def test_moves_are_drawn_by_visits_to_the_power_of_one_over_temperature(temperature, chances):
    tree = bare_root([0.25] * 4, [6, 3, 1, 0], [0, 0, 0, 0])
    rng = stream(3)
    draws = [sample_edge(tree, temperature, rng) - FIRST for _ in range(4000)]
    assert np.bincount(draws, minlength=4) / 4000 == pytest.approx(chances, abs=0.025)
