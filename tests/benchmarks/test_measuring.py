"""The clock of these contestants goes on when they play, and by as much as they like."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from zerolab.benchmarks import measuring
from zerolab.benchmarks.measuring import ROUNDS, measure


class Clock:
    """Seconds that contestants have spent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(measuring, "time", SimpleNamespace(perf_counter=lambda: self.now))

    def contestant(self, seconds: float, calls: list[int]) -> Callable[[int], None]:
        """Plays games of that length."""

        def play(games: int) -> None:
            calls.append(games)
            self.now += seconds * games

        return play


def test_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    quick: list[int] = []
    slow: list[int] = []
    contestants = {"quick": clock.contestant(1 / 64, quick), "slow": clock.contestant(1 / 4, slow)}
    assert measure(contestants, seconds=4) == {"quick": 64, "slow": 4}
    # Each round takes a second, a quarter of the four, for either: 64 games and 4.
    assert quick[-ROUNDS:] == [64] * ROUNDS
    assert slow[-ROUNDS:] == [4] * ROUNDS


def test_the_best_round_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else uses the machine in all rounds but the second: games take ten times as long."""
    clock = Clock(monkeypatch)
    calls: list[int] = []
    plain = clock.contestant(1 / 64, calls)
    rounds: list[str] = []

    def disturbed(games: int) -> None:
        plain(games)
        if games == 64:
            rounds.append("disturbed")
            clock.now += 0 if len(rounds) == 2 else 9

    assert measure({"disturbed": disturbed}, seconds=4) == {"disturbed": 64}
    assert len(rounds) == ROUNDS


def test_contestants_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    turns: list[str] = []

    def contestant(name: str) -> Callable[[int], None]:
        play = clock.contestant(1 / 8, [])

        def note(games: int) -> None:
            turns.append(name)
            play(games)

        return note

    measure({name: contestant(name) for name in "ab"}, seconds=1)
    assert "".join(turns).endswith("ab" * ROUNDS)
