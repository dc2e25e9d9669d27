"""A search in slices: the same as in one piece, whatever the slices, and bounded by its budget."""

import pytest

from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.search import growing_search
from zerolab.search.growing_search import UNLIMITED, Budget, Deadline, GrowingUct
from zerolab.search.uct_search import UctSearch

GAME = Clobber(5, 5)
TINY = Position.parse(Clobber(2, 3), "xox|oxo")


def begin(position, budget, **settings):
    search = UctSearch(position.game, **settings)
    search.set_position(position.state)
    return GrowingUct(search, stream(1), budget)


def test_slices_make_no_difference():
    """No time at all, again and again, would never end; so slices are given some."""
    whole = UctSearch(GAME)
    whole.set_position(GAME.start().state)
    whole.run(stream(1), simulations=3000)
    growing = begin(GAME.start(), Budget(simulations=3000))
    slices = 0
    while not growing.is_done:
        growing.run(0.0005)
        slices += 1
    assert growing.tree.analyse() == whole.analyse()
    assert growing.best_action() == whole.best_action()
    assert slices > 1


def test_without_time_there_is_still_a_move():
    growing = begin(GAME.start(), Budget(seconds=0.0))
    growing.run(1.0)
    assert growing.is_done
    assert growing.tree.analyse().simulations == 1
    assert growing.best_action() in GAME.start().legal_actions


def test_the_first_limit_counts():
    growing = begin(GAME.start(), Budget(simulations=7, seconds=1e9))
    growing.run(1e9)
    assert growing.is_done
    assert growing.tree.analyse().simulations == 7


def test_a_proven_position_needs_no_more():
    growing = begin(TINY, UNLIMITED)
    growing.run(1e9)
    assert growing.is_done
    assert growing.tree.analyse().proven


@pytest.mark.parametrize("budget", [UNLIMITED, Budget(simulations=10**6), Budget(seconds=1e9)])
def test_a_single_move_needs_no_search(budget):
    growing = begin(Position.parse(Clobber(1, 9), "xxxxxxxxo"), budget)
    growing.run(1e9)
    assert growing.is_done
    assert growing.best_action() in growing.search.tree.action


def test_without_a_limit_it_ends_when_its_memory_is_full():
    growing = begin(GAME.start(), UNLIMITED, memory=2**16)
    while not growing.is_done:
        growing.run(0.01)
    assert growing.search.is_full()


def test_with_a_limit_it_goes_on_when_its_memory_is_full():
    growing = begin(GAME.start(), Budget(simulations=50_000), memory=2**16)
    while not growing.is_done:
        growing.run(0.01)
    assert growing.tree.analyse().simulations == 50_000


@pytest.mark.parametrize(("now", "left"), [(100.0, 2.0), (101.5, 1.5), (103.0, 0.0), (104.0, 0.0)])
def test_deadline(monkeypatch, now, left):
    monkeypatch.setattr(growing_search.time, "perf_counter", lambda: 100.0)
    deadline, none = Deadline(Budget(seconds=3.0)), Deadline(Budget(simulations=3))
    monkeypatch.setattr(growing_search.time, "perf_counter", lambda: now)
    assert (deadline.within(2.0), deadline.is_reached) == (left, left == 0)
    assert (none.within(2.0), none.is_reached) == (2.0, False)
