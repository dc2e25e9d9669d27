"""What moves cost, by a clock that goes on by one second whenever somebody looks at it."""

import numpy as np
import pytest

from tests.clocks import ticking
from tests.search.evaluators import scrambled
from zerolab.games.clobber import Clobber
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.selfplay import move_times
from zerolab.training.selfplay.move_times import MoveTimes, PlayTimes, total
from zerolab.training.selfplay.selfplay import SelfPlay

GAME = Clobber(3, 4)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_times.time, "perf_counter", ticking(1.0))


def round_of(times: MoveTimes) -> None:
    """A second until time is divided, and one behind it."""
    times.resume()
    times.divide()
    times.pause()


def test_games_under_way_share_a_round() -> None:
    """The first round has a second, the others also the one that the round before left behind."""
    times = MoveTimes(plies=4)
    times.begin(0)
    times.begin(1)
    round_of(times)  # 1 / 2
    times.move(0, 0, visits=8)
    times.begin(0, visits=3)  # a tree that was kept
    round_of(times)  # 2 / 2
    times.move(0, 1, visits=8)
    times.end(0)
    round_of(times)  # 2 for the one that is left
    times.move(1, 0, visits=10)
    assert times.by_ply.seconds.tolist() == [0.5 + 3.5, 1, 0, 0]
    assert times.by_ply.simulations.tolist() == [18, 5, 0, 0]
    assert times.by_ply.moves.tolist() == [2, 1, 0, 0]


def test_what_was_taken_is_not_told_again() -> None:
    times = MoveTimes(plies=2)
    times.begin(0)
    round_of(times)
    times.move(0, 1, visits=4)
    assert times.take().simulations.tolist() == [0, 4]
    assert times.take().simulations.tolist() == [0, 0]


def test_parts_of_a_game() -> None:
    """Six plies in games of four: halves are two plies each, and what is longer is of the last."""
    by_ply = PlayTimes(np.array([1.0, 2, 3, 4, 5, 6]), np.arange(6.0), np.ones(6))
    found = by_ply.parts(2, length=4)
    assert [each.tolist() for each in found] == [[3, 18], [1, 14], [2, 4]]
    assert by_ply.parts(7, length=4).seconds.sum() == 21


def test_totals_are_of_what_is_known() -> None:
    one = PlayTimes(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0]))
    summed = total([one, None, one])
    assert summed is not None
    assert [each.tolist() for each in summed] == [[2, 4], [6, 8], [10, 12]]
    assert total([None]) is None


@pytest.mark.parametrize("changes", [{}, {"reuse": True}, {"opening_plies": 3}])
def test_selfplay_counts_each_move_once(changes: dict[str, object]) -> None:
    """All time of all rounds is some move's, but for what the last round leaves behind."""
    config = SearchConfig(max_simulations=6, **changes)
    games = SelfPlay(SearchingNetwork(GAME, scrambled(GAME), config), 4, seed=1, games=6)
    records, rounds = [], 0
    while len(records) < 6:
        records += games.round()
        rounds += 1
    by_ply = games.times.by_ply
    made = np.zeros(len(by_ply.moves))
    for record in records:
        made[record.opening : record.plies] += 1
    assert by_ply.moves.tolist() == made.tolist()
    assert games.moves == by_ply.moves.sum()
    assert by_ply.seconds.sum() == pytest.approx(2 * rounds - 1)
    assert ((by_ply.simulations <= 6 * by_ply.moves) & (by_ply.simulations >= 0)).all()
    if "opening_plies" not in changes:
        assert by_ply.simulations[0] == 6 * 6
        # Visits of a tree that is kept were counted with the move before.
        assert (by_ply.simulations[1] < 6 * 6) == ("reuse" in changes)
