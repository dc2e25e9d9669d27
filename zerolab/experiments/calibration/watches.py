"""Watches: told how a trainer goes on, they measure it and stop it when they know enough.

They stand in for `on_phase` of a trainer, which is called before every round of games and before
every batch.
"""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from zerolab.training.arena import ArenaGame
from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.stopping import TimeIsUp

WARM = 1 / 3  # share of the time after which caches are filled
COLD_BATCHES, WARM_BATCHES = 2, 3  # left out, as PyTorch prepares itself; measured at least


class PlayWatch:
    """Measures self-play until its time is over and every game has had a move."""

    def __init__(self, seconds: float, games: int, played: Callable[[], PlayTimes | None]) -> None:
        """`played` gives what moves have cost since the beginning."""
        self._seconds = seconds
        self._games = games
        self._played = played
        self._started = time.perf_counter()
        self._early: PlayTimes | None = None

    def __call__(self, phase: str = "", share: float = 0.0) -> None:
        """Raises TimeIsUp when enough is known."""
        elapsed = time.perf_counter() - self._started
        if elapsed < WARM * self._seconds:
            return
        now = self._played()
        if now is None or now.moves.sum() < self._games:
            return
        if self._early is None:
            self._early = PlayTimes(*(each.copy() for each in now))
        if elapsed >= self._seconds:
            raise TimeIsUp

    def found(self) -> PlayTimes:
        """What moves cost, by ply, without the first ones if there are enough others."""
        now = self._played()
        assert now is not None
        wall = time.perf_counter() - self._started
        # Games may be divided among threads, which add up their seconds.
        threads = max(1, round(float(now.seconds.sum()) / wall))
        found = PlayTimes(*(each.copy() for each in now))
        if self._early is not None:
            later = PlayTimes(*(np.subtract(*pair) for pair in zip(now, self._early, strict=True)))
            if later.moves.sum() >= self._games:
                found = later
        return found._replace(seconds=found.seconds / threads)


class BatchWatch:
    """Measures learning until its time is over, or a number of batches is learnt."""

    def __init__(self, seconds: float, most: float = math.inf) -> None:
        self._seconds = seconds
        self._most = most
        self._marks: list[float] = []

    def __call__(self, phase: str = "", share: float = 0.0) -> None:
        """Raises TimeIsUp when enough is known."""
        self._marks.append(time.perf_counter())
        learnt = len(self._marks) - 1
        is_over = self._marks[-1] - self._marks[0] >= self._seconds or learnt >= self._most
        if is_over and learnt >= COLD_BATCHES + WARM_BATCHES:
            raise TimeIsUp

    def found(self) -> float:
        """Seconds of a batch."""
        marks = self._marks[COLD_BATCHES:]
        return (marks[-1] - marks[0]) / (len(marks) - 1)


class ArenaWatch:
    """Measures an arena until its time is over and each network has moved.

    All games in which a network is to move are searched together, and then all moves are made.
    """

    def __init__(self, seconds: float, games: Sequence[ArenaGame]) -> None:
        self._seconds = seconds
        self._games = games
        self._marks: list[tuple[float, int]] = []  # time, and simulations until then

    def __call__(self, phase: str = "", share: float = 0.0) -> None:
        """Raises TimeIsUp when enough is known."""
        now, done = time.perf_counter(), sum(each.simulations for each in self._games)
        if not self._marks or done > self._marks[-1][1]:
            self._marks.append((now, done))
        if len(self._marks) > 2 and now - self._marks[0][0] >= self._seconds:
            raise TimeIsUp

    def end(self) -> None:
        """All games are over."""
        self._marks.append((time.perf_counter(), sum(each.simulations for each in self._games)))

    def found(self) -> float:
        """Seconds of a simulation."""
        (first, before), (last, after) = self._marks[0], self._marks[-1]
        return (last - first) / max(1, after - before)
