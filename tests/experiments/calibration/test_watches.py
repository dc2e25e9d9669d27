"""Watches, by clocks that go on by one second whenever somebody looks."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.clocks import ticking
from zerolab.experiments.calibration import watches
from zerolab.experiments.calibration.watches import ArenaWatch, BatchWatch, PlayWatch
from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.stopping import TimeIsUp


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watches, "time", SimpleNamespace(perf_counter=ticking(1.0)))


def calls_until_over(watch: PlayWatch | BatchWatch | ArenaWatch) -> int:
    for call in range(1, 100):
        try:
            watch()
        except TimeIsUp:
            return call
    raise AssertionError("no end")


class Games:
    """Two games; a call of `played` finds that number of moves, of 0.5 s and 4 simulations each.

    The first moves take twice as long.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self.moves, self.rate = 0.0, rate

    def played(self) -> PlayTimes:
        self.moves += self.rate
        seconds = 0.5 * (self.moves + min(self.moves, 2))
        return PlayTimes(*np.array([[seconds], [4 * self.moves], [self.moves]]))


def test_self_play_is_measured_when_it_is_warm() -> None:
    """From the fourth second on somebody looks; the cold moves are not counted."""
    games = Games(rate=2.0)
    watch = PlayWatch(seconds=12, games=2, played=games.played)
    assert calls_until_over(watch) == 12
    found = watch.found()
    assert found.seconds.sum() / found.simulations.sum() == pytest.approx(0.5 / 4)
    assert found.moves.sum() > 2


def test_self_play_goes_on_until_there_are_moves() -> None:
    games = Games(rate=0.1)
    watch = PlayWatch(seconds=3, games=2, played=games.played)
    assert calls_until_over(watch) == 20  # every game has had a move
    assert watch.found().moves.sum() == pytest.approx(2.1)  # no others to leave the cold ones out


def test_seconds_of_threads_are_those_of_the_clock() -> None:
    """They add up to 40 in 4 seconds, so that there are ten threads."""
    played = PlayTimes(*np.array([[40.0], [80.0], [8.0]]))
    watch = PlayWatch(seconds=3, games=2, played=lambda: played)
    assert calls_until_over(watch) == 3
    assert watch.found().seconds.tolist() == [4.0]


def test_the_first_batches_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 9.0, 12.0, 13.0, 14.0, 15.0, 16.0])  # before each batch
    monkeypatch.setattr(watches, "time", SimpleNamespace(perf_counter=lambda: next(times)))
    watch = BatchWatch(seconds=5)
    assert calls_until_over(watch) == 6
    assert watch.found() == 1.0


def test_learning_ends_after_time_or_batches() -> None:
    assert calls_until_over(BatchWatch(seconds=20)) == 21
    assert calls_until_over(BatchWatch(seconds=20, most=8)) == 9
    assert calls_until_over(BatchWatch(seconds=1, most=1)) == 6  # a few are needed


def test_an_arena_is_measured_from_search_to_search() -> None:
    games = [SimpleNamespace(simulations=0), SimpleNamespace(simulations=0)]
    watch = ArenaWatch(seconds=4, games=games)
    watch()  # 1 s
    watch()
    games[0].simulations = 5
    watch()  # 3 s
    watch()
    games[1].simulations = 7
    with pytest.raises(TimeIsUp):
        watch()  # 5 s
    assert watch.found() == (5 - 1) / 12
    games[1].simulations = 15
    watch.end()  # 6 s
    assert watch.found() == (6 - 1) / 20
