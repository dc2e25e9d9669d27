"""A network's search in slices."""

import pytest

from tests.search.evaluators import scrambled
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_analysis import TreeReader
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.search.batched.growing_network import GrowingNetwork
from zerolab.search.growing_search import UNLIMITED, Budget

GAME = Clobber(4, 4)
STATE = GAME.start().state


def make_search(simulations, **settings):
    config = SearchConfig(max_simulations=simulations, policy_epsilon=0.0, **settings)
    return BatchedSearch(GAME, config, 1, scrambled(GAME))


@pytest.mark.parametrize("gumbel", [False, True])
def test_slices_make_no_difference(gumbel):
    whole = make_search(60, gumbel=gumbel)
    whole.start(0, STATE, explores=False)
    whole.run()
    growing = GrowingNetwork(make_search(60, gumbel=gumbel), STATE, stream(0), UNLIMITED)
    slices = 0
    while not growing.is_done:
        growing.run(0.0)
        slices += 1
    assert growing.tree.analyse() == TreeReader(whole).analyse()
    assert growing.best_action() == whole.choose(0)
    assert slices > 10


def test_fewer_simulations_than_there_is_room_for():
    growing = GrowingNetwork(make_search(500), STATE, stream(0), Budget(simulations=20))
    growing.run(1e9)
    assert growing.is_done
    assert growing.tree.analyse().simulations == 20


@pytest.mark.parametrize("gumbel", [False, True])
def test_without_time_there_is_still_a_move(gumbel):
    search = make_search(500, gumbel=gumbel)
    growing = GrowingNetwork(search, STATE, stream(0), Budget(seconds=0.0))
    growing.run(1.0)
    assert growing.is_done
    assert growing.tree.analyse().simulations == 2
    assert growing.best_action() in GAME.start().legal_actions


def test_moves_are_drawn_from_the_stream():
    def draw(seed):
        rng = stream(seed)
        growing = GrowingNetwork(make_search(50), STATE, rng, UNLIMITED, temperature=1.0)
        growing.run(1e9)
        return [growing.best_action() for _ in range(20)], rng[0]

    (first, after), (again, same), (other, _) = draw(1), draw(1), draw(2)
    assert (first, after) == (again, same)
    assert first != other
    assert len(set(first)) > 1
