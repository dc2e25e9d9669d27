"""Batched search that asks the solver about its leaves."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from tests.search.batched.test_batched_search import positions, run
from tests.search.evaluators import uniform
from tests.search.test_uct import solve
from zerolab.games.base import Game, State, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list
from zerolab.kernels.compiling import rule
from zerolab.kernels.rng import stream
from zerolab.search.batched.tree import tree_at
from zerolab.search.proofs import ROOT, UNPROVEN
from zerolab.search.uct_search import UctSearch
from zerolab.solver.exact_leaves import UNSETTLED, make_exact_leaves, solve_leaf


def test_the_oracle_settles_leaves():
    game = Clobber(3, 3)
    state = initial_state(game, stream(0))
    oracle = make_exact_leaves(game, 6)
    with_oracle = run(game, [state] * 3, evaluate=uniform(game), oracle=oracle, max_simulations=400)
    without = run(game, [state], evaluate=uniform(game), max_simulations=400)
    assert with_oracle.result(0).proven
    assert with_oracle.result(0).value == 1.0
    assert with_oracle.trees.visits[0, ROOT] < without.trees.visits[0, ROOT]
    tree = tree_at(with_oracle.trees, 1)
    settled = 0
    for node in range(tree.used[0]):
        if tree.proven[node] != UNPROVEN:
            assert tree.proven[node] == solve(game, tree.states[node])
            settled += legal_list(game, tree.states[node]) != []
    assert settled > 10


def test_the_oracle_is_asked_once_about_a_leaf():
    game = Clobber(3, 3)
    oracle = Ignorant(np.zeros(1, np.int64))
    search = run(game, positions(game, 1), oracle=oracle, max_simulations=30, cache_size=0)
    # About every node that is not the root and not the end of the game.
    nodes = search.trees.states[0, 1 : search.trees.used[0, 0]]
    assert oracle.asked[0] == sum(legal_list(game, state) != [] for state in nodes)


def test_a_settled_position_that_becomes_the_root_is_searched_anew():
    # The network never saw it, so there are no priors to go on with.
    game = Clobber(4, 4)
    oracle = make_exact_leaves(game, 16)
    search = run(
        game, [initial_state(game, stream(0))], evaluate=uniform(game), oracle=oracle, reuse=True,
    )  # fmt: skip
    search.trees.logit.fill(np.nan)
    search.trees.prior.fill(np.nan)
    search.advance(0, search.choose(0), explores=False)
    tree = tree_at(search.trees, 0)
    assert (tree.visits[ROOT], tree.used[0]) == (0, 1)
    search.run()
    assert search.result(0).value == -1
    assert search.result(0).policy.sum() == 1
    assert tree.prior[: tree.num_edges[ROOT]].sum() == pytest.approx(1)


def test_uct_asks_the_oracle_about_leaves_and_not_about_the_root():
    game = Clobber(3, 3)
    state = initial_state(game, stream(0))
    oracle = make_exact_leaves(game, 9)  # all stones: every position is settled
    search = UctSearch(game, oracle=oracle)
    search.set_position(state)
    # One simulation at the root, a random game; then one for each move until one wins.
    done = search.run(stream(1), simulations=100)
    assert 2 <= done <= 1 + len(legal_list(game, state))
    assert search.analyse().proven
    assert search.analyse().value == solve(game, state) == 1
    for candidate in search.analyse().candidates:
        after = state.copy()
        step(game, after, candidate.action)
        assert candidate.proven == (candidate.visits > 0)
        if candidate.proven:
            assert candidate.value == -solve(game, after)


class Ignorant(NamedTuple):
    """An oracle that knows nothing, but counts."""

    asked: npt.NDArray[np.int64]


@rule(Ignorant, "settle")
def say_nothing(oracle: Ignorant, game: Game, state: State) -> float:
    oracle.asked[0] += 1
    return UNSETTLED


def test_exact_leaves_prove_what_a_few_simulations_cannot():
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    oracle = make_exact_leaves(game, 16)  # all stones: every position after a move is settled
    exact = run(game, [state], evaluate=uniform(game), oracle=oracle, max_simulations=60)
    blind = run(game, [state], evaluate=uniform(game), max_simulations=60)
    assert not blind.result(0).proven
    assert exact.result(0).proven
    assert exact.result(0).value == 1
    after = state.copy()
    step(game, after, exact.choose(0))
    assert solve_leaf(oracle, game, after) == -1
