import threading
from collections.abc import Callable

import pytest

from zerolab.training.shares import OnRound, count_shares, deal, work_side_by_side

PATIENCE = 60.0  # seconds; only a test that fails waits for so long


def nothing() -> None:
    """To be told."""


@pytest.mark.parametrize(
    ("games", "batch", "most", "shares"),
    [
        (50, 64, 8, 8),
        (40, 64, 8, 8),
        (39, 64, 8, 7),
        (100, 64, 8, 8),
        (100, 64, 16, 12),
        (100, 20, 8, 4),
        (50, 64, 1, 1),
        (10, 64, 8, 2),
        (9, 64, 8, 1),
        (1, 64, 8, 1),
        (100, 1, 8, 1),
    ],
)
def test_no_share_is_too_small(games: int, batch: int, most: int, shares: int) -> None:
    assert count_shares(games, batch, most) == shares


def test_dealing() -> None:
    assert deal("abcdefgh", 3) == ["adg", "beh", "cf"]
    assert deal(range(3), 1) == [range(3)]
    assert [len(each) for each in deal(range(50), 8)] == [7, 7, 6, 6, 6, 6, 6, 6]


def test_all_work_at_the_same_time() -> None:
    """None gets past the barrier alone."""
    barrier, done = threading.Barrier(4), []

    def work(on_round: OnRound) -> None:
        on_round()
        barrier.wait(PATIENCE)
        done.append(threading.current_thread())

    told: list[threading.Thread] = []
    work_side_by_side([work] * 4, lambda: told.append(threading.current_thread()))
    assert len(set(done)) == 4
    assert set(told) == {threading.current_thread()}


def test_a_single_work_needs_no_thread() -> None:
    seen: list[object] = []

    def work(on_round: OnRound) -> None:
        seen.extend([on_round, threading.current_thread()])

    work_side_by_side([work], nothing)
    assert seen == [nothing, threading.current_thread()]


def endless(started: threading.Barrier, ended: list[int]) -> Callable[[OnRound], None]:
    """Works until it is stopped."""

    def work(on_round: OnRound) -> None:
        started.wait(PATIENCE)
        try:
            while True:
                on_round()
        finally:
            ended.append(1)

    return work


@pytest.mark.parametrize("reason", [KeyboardInterrupt, ValueError])
def test_whoever_waits_stops_all(reason: type[BaseException]) -> None:
    started, ended = threading.Barrier(4), list[int]()

    def on_round() -> None:
        if rounds.pop():
            started.wait(PATIENCE)
            raise reason("enough")

    rounds = [True, False]
    with pytest.raises(reason, match="enough"):
        work_side_by_side([endless(started, ended)] * 3, on_round)
    assert len(ended) == 3


def test_nobody_begins_when_there_is_no_time() -> None:
    begun: list[int] = []

    def no_time() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work_side_by_side([lambda on_round: begun.append(1)] * 2, no_time)
    assert begun == []


def test_an_error_stops_the_others() -> None:
    started, ended = threading.Barrier(3), list[int]()

    def fail(on_round: OnRound) -> None:
        started.wait(PATIENCE)
        raise ValueError("diverged")

    with pytest.raises(ValueError, match="diverged"):
        work_side_by_side([endless(started, ended), fail, endless(started, ended)], nothing)
    assert len(ended) == 2
