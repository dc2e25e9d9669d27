"""Evaluations kept for later: the same results for less work."""

import numpy as np
import pytest

from tests.search.evaluators import uniform
from tests.search.test_batched import positions, run
from zerolab.games.clobber import Clobber
from zerolab.games.notation import format_move, parse_move, parse_position
from zerolab.search.proofs import ROOT
from zerolab.search.tree import tree_at


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_cache_changes_nothing_but_the_work(symmetric):
    game = Clobber(3, 3)
    calls = []

    def symmetric_uniform(planes):
        calls.append(len(planes))
        return uniform(game)(planes)

    states = positions(game, 4)
    plain = run(game, states, evaluate=symmetric_uniform, cache_size=4)
    without = sum(calls)
    calls.clear()
    cached = run(
        game, states, evaluate=symmetric_uniform, cache_size=4096, cache_symmetric=symmetric
    )
    assert sum(calls) < without
    for slot in range(4):
        assert np.array_equal(plain.result(slot).visits, cached.result(slot).visits)
    statistics = cached.cache_statistics()
    assert statistics.misses == sum(calls) >= statistics.size > 0
    assert statistics.requests == statistics.hits + statistics.misses
    assert statistics.hit_rate == statistics.hits / statistics.requests


def test_a_symmetric_position_gets_the_turned_evaluation():
    # The evaluator likes one move of the first board; on its mirror image it likes the mirrored.
    game = Clobber(2, 3)
    state = parse_position(game, "xoo|...")
    mirror = parse_position(game, "oox|...")
    liked = parse_move(game, state, "a2b2")

    def evaluate(planes):
        logits, values = uniform(game)(planes)
        logits[:, liked] = 5
        return logits, values

    search = run(game, [state], batch=2, evaluate=evaluate, cache_symmetric=True, max_simulations=2)
    search.start(1, mirror, explores=False)
    search.run()
    tree = tree_at(search.trees, 1)
    assert search.cache_statistics().hits > 0
    assert tree.logit[tree.first_edge[ROOT]] == 5
    assert format_move(game, int(tree.action[tree.first_edge[ROOT]])) == "c2b2"


def test_forgetting_evaluations_asks_again():
    game = Clobber(3, 3)
    search = run(game, positions(game, 1), cache_size=4096)
    misses = search.cache_statistics().misses
    search.start(0, positions(game, 1)[0], explores=False)
    search.run()
    assert search.cache_statistics().misses == misses
    search.forget_evaluations()
    search.start(0, positions(game, 1)[0], explores=False)
    search.run()
    assert search.cache_statistics().misses == 2 * misses


def test_a_small_cache_is_bounded_and_right():
    game = Clobber(4, 4)
    search = run(game, positions(game, 8), cache_size=16)
    plain = run(game, positions(game, 8), cache_size=2**14)
    assert search.cache_statistics().size <= search.cache_statistics().max_size == 16
    for slot in range(8):
        assert np.array_equal(search.result(slot).visits, plain.result(slot).visits)
