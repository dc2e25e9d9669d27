"""PUCT, first-play urgency, forced playouts and noise: numbers worked out by hand."""

import math

import numpy as np
import pytest

from tests.search.batched.test_batched_search import positions, run
from tests.search.evaluators import scrambled, uniform
from tests.search.trees import bare_root
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_position
from zerolab.kernels.rng import stream
from zerolab.search.batched.puct import (
    NO_URGENCY,
    Puct,
    first_play_value,
    forced_playouts,
    puct_edge,
)
from zerolab.search.batched.tree import set_priors, tree_at
from zerolab.search.proofs import ROOT, UNPROVEN

FIRST = 2  # the first edge of a bare root


def chosen(tree, c=1.0, urgency=NO_URGENCY, forced=0.0, noisy=False):
    """The place of the chosen move."""
    return puct_edge(tree, ROOT, Puct(c, urgency, forced), noisy) - FIRST


def test_exploration_is_as_in_alphazero():
    # Q + c P sqrt(N) / (1 + n), N = 9 with the root's own evaluation; mctx has the same U.
    # c = 1: 0.5 + 0.2 * 3 / 6 = 0.6, -0.3 + 0.8 * 3 / 4 = 0.3: the first.
    # c = 2: 0.5 + 0.2 = 0.7, -0.3 + 1.2 = 0.9: the second.
    tree = bare_root([0.2, 0.8], [5, 3], [0.5, -0.3])
    assert chosen(tree, c=1) == 0
    assert chosen(tree, c=2) == 1
    # They are equal at 0.5 + 0.1 c = -0.3 + 0.6 c, c = 1.6.
    assert chosen(tree, c=1.59) == 0
    assert chosen(tree, c=1.61) == 1


def test_an_untried_move_counts_as_a_draw():
    # N = 4: the untried has 0 + 0.3 * 2 / 1 = 0.6, the other Q + 0.7 * 2 / 4 = Q + 0.35.
    assert chosen(bare_root([0.7, 0.3], [3, 0], [0.24, 0])) == 1
    assert chosen(bare_root([0.7, 0.3], [3, 0], [0.26, 0])) == 0


def test_first_play_urgency_is_below_the_mean_of_the_node():
    # Evaluation 0.4, 3 visits of mean 0.2: the mean is (0.4 + 0.6) / 4 = 0.25. Policy tried 0.64,
    # its root 0.8: 0.25 - 0.2 * 0.8 = 0.09.
    tree = bare_root([0.64, 0.36], [3, 0], [0.2, 0], value=0.4)
    assert first_play_value(tree, ROOT, 0.2) == pytest.approx(0.09)
    assert first_play_value(tree, ROOT, 0.0) == pytest.approx(0.25)
    assert first_play_value(tree, ROOT, NO_URGENCY) == 0.0
    # c = 0.5, N = 4: 0.2 + 0.64 / 4 = 0.36 for the first, 0.36 more than its urgency for the other:
    # 0.25 - 0.3 * 0.8 = 0.01, 0.25 - 0.33 * 0.8 = -0.014.
    assert chosen(tree, c=0.5, urgency=0.3) == 1
    assert chosen(tree, c=0.5, urgency=0.33) == 0


def test_a_proven_move_counts_with_its_value_alone():
    # A proven draw has 0 and no bonus: anything that is better by mean and bonus is preferred.
    exact = [0.0, UNPROVEN]
    assert chosen(bare_root([0.9, 0.1], [5, 3], [0.7, -0.1], exact=exact)) == 0
    assert chosen(bare_root([0.9, 0.1], [5, 3], [0.7, -0.07], exact=exact)) == 1  # + 0.1 * 3 / 4
    assert chosen(bare_root([0.9, 0.1], [5, 3], [0.7, -0.9], exact=[-1.0, UNPROVEN])) == 1
    assert chosen(bare_root([0.1, 0.9], [5, 3], [0.1, 0.9], exact=[1.0, UNPROVEN])) == 1
    assert chosen(bare_root([0.1, 0.9], [5, 3], [0.1, 0.3], exact=[1.0, UNPROVEN])) == 0


def test_the_first_of_equals():
    assert chosen(bare_root([0.25] * 4, [0] * 4, [0] * 4)) == 0
    assert chosen(bare_root([0.25] * 4, [1, 0, 0, 0], [0] * 4)) == 1


def test_forced_playouts_by_the_formula_of_wu():
    # (k P sum N)^(1/2) with k = 2 and 50 playouts below the root: sqrt(2 * 0.08 * 50) = 2.83.
    tree = bare_root([0.92, 0.08], [48, 2], [0.5, -1.0])
    assert forced_playouts(tree, FIRST + 1, 2.0) == pytest.approx(2.8284, abs=1e-4)
    assert forced_playouts(tree, FIRST, 2.0) == pytest.approx(math.sqrt(92))
    # 2 visits are fewer, so the move is forced, however bad; 3 are enough.
    assert chosen(tree, forced=2.0, noisy=True) == 1
    assert chosen(bare_root([0.92, 0.08], [47, 3], [0.5, -1.0]), forced=2.0, noisy=True) == 0
    # Not without noise, not with k = 0, and only once a move was tried.
    assert chosen(tree, forced=2.0, noisy=False) == 0
    assert chosen(tree, forced=0.0, noisy=True) == 0
    assert chosen(bare_root([0.92, 0.08], [50, 0], [2.5, 0]), forced=2.0, noisy=True) == 0


def test_priors_are_the_softmax_of_the_logits():
    tree = bare_root([0.1, 0.2, 0.3, 0.4], [0] * 4, [0] * 4)
    tree.logit[FIRST:] += 300  # logits mean the same whatever is added, and must not overflow
    tree.prior[FIRST:] = math.nan
    set_priors(tree, ROOT)
    assert tree.prior[FIRST:] == pytest.approx([0.1, 0.2, 0.3, 0.4], rel=1e-4)


# Noise. Of n parts of a Dirichlet distribution each has the mean 1/n and the variance
# (1/n)(1 - 1/n) / (n alpha + 1).


@pytest.mark.parametrize(
    ("text", "alpha", "variance"),
    [
        # Without alpha it is 10 / number of moves, so that n alpha + 1 is 11 whatever n is.
        ("xo|ox", None, 1 / 4 * 3 / 4 / 11),
        ("xo|o.", None, 1 / 2 * 1 / 2 / 11),
        ("xo|ox", 0.5, 1 / 4 * 3 / 4 / 3),
        ("xo|o.", 0.5, 1 / 2 * 1 / 2 / 2),
    ],
)
def test_the_spread_of_the_noise(text, alpha, variance):
    game = Clobber(2, 2)
    search = run(
        game, [parse_position(game, text)] * 4000, evaluate=uniform(game), explores=True,
        policy_epsilon=1.0, policy_alpha=alpha, max_simulations=1,
    )  # fmt: skip
    moves = int(search.trees.num_edges[0, ROOT])
    assert moves == (4 if text == "xo|ox" else 2)
    draws = search.trees.prior[:, :moves]
    assert draws.sum(axis=1) == pytest.approx(np.ones(4000), abs=1e-5)
    assert draws.mean(axis=0) == pytest.approx([1 / moves] * moves, abs=0.02)
    assert draws.var(axis=0) == pytest.approx([variance] * moves, rel=0.1)


def node_priors(tree, node):
    first, count = tree.first_edge[node], tree.num_edges[node]
    return tree.prior[first : first + count]


def node_softmax(tree, node):
    first, count = tree.first_edge[node], tree.num_edges[node]
    weights = np.exp(tree.logit[first : first + count].astype(float))
    return weights / weights.sum()


def test_the_noise_has_its_share_at_the_root_and_none_below():
    # A share of 0.25 of noise of which every part is far from the prior: what is left of the prior
    # is 0.75 of it at least, and 0.75 of it exactly where the noise is as good as nothing.
    game = Clobber(4, 4)
    states = [initial_state(game, stream(0))] * 50
    search = run(game, states, explores=True, policy_epsilon=0.25, policy_alpha=0.03)
    ratios = []
    for slot in range(50):
        tree = tree_at(search.trees, slot)
        ratios.append(node_priors(tree, ROOT) / node_softmax(tree, ROOT))
        assert node_priors(tree, ROOT).sum() == pytest.approx(1, abs=1e-5)
        for node in range(1, tree.used[0]):
            if tree.visits[node] > 0 and tree.proven[node] == UNPROVEN:
                assert node_priors(tree, node) == pytest.approx(node_softmax(tree, node), abs=1e-6)
    assert np.min(ratios) == pytest.approx(0.75, abs=1e-4)
    assert np.median(ratios) < 0.76
    assert np.max(ratios) > 2


def test_fast_searches_have_neither_noise_nor_forced_playouts():
    game = Clobber(4, 4)
    states = [initial_state(game, stream(0))] * 40
    settings = {"uct_c": 0.5, "forced_playouts": 2.0, "policy_epsilon": 0.5}
    search = run(game, states, explores=True, fast_simulations=20, full_share=0.5, **settings)
    plain = run(game, states[:1], max_simulations=20, uct_c=0.5).result(0)
    full = [search.result(slot).is_full for slot in range(40)]
    assert 10 <= sum(full) <= 30
    for slot in range(40):
        tree, result = tree_at(search.trees, slot), search.result(slot)
        noise = np.abs(node_priors(tree, ROOT) - node_softmax(tree, ROOT)).max()
        if full[slot]:
            assert noise > 0.01
        else:
            assert noise < 1e-6
            assert np.array_equal(result.visits, plain.visits)
            # And the target is the visits: nothing was forced, so nothing is pruned.
            assert result.policy == pytest.approx(result.visits / result.visits.sum())


def test_fast_gumbel_searches_have_no_draws():
    game = Clobber(4, 4)
    states = [initial_state(game, stream(0))] * 20
    search = run(game, states, explores=True, gumbel=True, fast_simulations=5, full_share=0.5)
    drawn = search.slots.gumbels[:, : search.trees.num_edges[0, ROOT]].any(axis=1)
    assert drawn.tolist() == [search.result(slot).is_full for slot in range(20)]
    assert 0 < drawn.sum() < 20


@pytest.mark.parametrize("explores", [False, True])
def test_a_kept_root_gets_its_noise_on_clean_priors(explores):
    # Below the root priors are clean. When such a node becomes the root it gets noise of its own,
    # or none.
    game = Clobber(4, 4)
    search = run(
        game, [initial_state(game, stream(0))], explores=True, reuse=True,
        policy_epsilon=0.25, policy_alpha=0.03, evaluate=scrambled(game),
    )  # fmt: skip
    search.advance(0, search.choose(0), explores=explores)
    tree = tree_at(search.trees, 0)
    assert tree.visits[ROOT] > 1
    ratio = node_priors(tree, ROOT) / node_softmax(tree, ROOT)
    if explores:
        assert ratio.min() == pytest.approx(0.75, abs=1e-4)
        assert ratio.max() > 1.5
    else:
        assert ratio == pytest.approx(np.ones(len(ratio)), rel=1e-5)


def test_no_noise_where_it_is_not_asked_for():
    game = Clobber(4, 4)
    state = positions(game, 1)[0]
    for settings in ({"explores": False}, {"explores": True, "policy_epsilon": 0.0}):
        tree = tree_at(run(game, [state], **settings).trees, 0)
        assert node_priors(tree, ROOT) == pytest.approx(node_softmax(tree, ROOT), abs=1e-6)
