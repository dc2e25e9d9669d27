"""Policy targets and the choice of moves: numbers worked out by hand."""

import numpy as np
import pytest

from tests.search.trees import bare_root
from zerolab.kernels.rng import random_float, stream
from zerolab.search.batched.puct import (
    Puct,
    sample_edge,
    unforced_visits,
    varied_edge,
    visit_policy,
)
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


def varied(tree, draws=40):
    """The moves that are chosen with different random numbers, and whether those were needed."""
    moves, is_random = set(), set()
    for seed in range(draws):
        rng = stream(seed)
        moves.add(varied_edge(tree, rng) - FIRST)
        is_random.add(bool(rng[0] != stream(seed)[0]))
    assert len(is_random) == 1
    return moves, is_random.pop()


@pytest.mark.parametrize(
    ("visits", "moves"),
    [
        ([100, 51], {0, 1}),
        ([100, 50], {0}),  # half of the visits is not more than half
        ([101, 51], {0, 1}),
        ([101, 50], {0}),
        ([51, 100], {0, 1}),  # whichever comes first
        ([60, 70, 100, 90], {2, 3}),  # the third is never played
        ([40, 100, 20], {1}),
        ([7, 7], {0, 1}),
        ([3], {0}),
        ([0, 0], {0}),
    ],
)
def test_the_second_move_is_played_if_it_has_more_than_half_of_the_visits(visits, moves):
    tree = bare_root([1 / len(visits)] * len(visits), visits, [0.0] * len(visits))
    tree.edge_total[FIRST:] = 0.0
    assert varied(tree) == (moves, len(moves) == 2)


def test_the_second_move_is_played_half_of_the_time():
    tree = bare_root([0.5, 0.5], [10, 6], [0.0, 0.0])
    for seed in range(40):
        expected = FIRST + (random_float(stream(seed)) < 0.5)
        assert varied_edge(tree, stream(seed)) == expected


@pytest.mark.parametrize(
    ("exact", "proven", "moves"),
    [
        ([UNPROVEN, -1.0, UNPROVEN], UNPROVEN, {0, 2}),  # a lost move is not the second
        ([-1.0, UNPROVEN, UNPROVEN], UNPROVEN, {1, 2}),
        ([UNPROVEN, UNPROVEN, 1.0], 1.0, {2}),  # a win is played, whatever the visits
        ([0.0, -1.0, 0.0], 0.0, {0, 2}),
    ],
)
def test_what_is_proven_is_not_varied(exact, proven, moves):
    tree = bare_root([0.4, 0.3, 0.3], [10, 9, 8], [0.1, 0.0, 0.0], exact=exact, proven=proven)
    assert varied(tree)[0] == moves
