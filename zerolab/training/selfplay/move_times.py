"""Where the time of self-play goes: seconds and simulations, by the ply that they were spent on.

Many games share a round, which looks at one more leaf in each. The time of a round is divided
equally among the games under way; a move has cost what its rounds did. This takes one addition a
round and three a move.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class PlayTimes(NamedTuple):
    """What moves have cost, by their ply or by the part of the game that they belong to: [n]."""

    seconds: Floats
    simulations: Floats
    moves: Floats

    @classmethod
    def none(cls, plies: int) -> "PlayTimes":
        """Nothing yet, for games of at most that many plies."""
        return cls(*np.zeros((3, plies)))

    def parts(self, count: int, length: float) -> "PlayTimes":
        """By equal parts of a game of this length, where this one is by ply.

        What is beyond the length, in games that are longer, belongs to the last part.
        """
        plies = np.arange(len(self.moves))
        part = np.minimum(count - 1, (plies * count / max(1.0, length)).astype(np.int64))
        divided = PlayTimes.none(count)
        for sums, each in zip(divided, self, strict=True):
            np.add.at(sums, part, each)
        return divided


def total(times: Sequence[PlayTimes | None]) -> PlayTimes | None:
    """The sum of those that are known; None if none is."""
    known = [each for each in times if each is not None]
    return PlayTimes(*np.sum(known, axis=0)) if known else None


class MoveTimes:
    """Measures the moves of games that go on side by side, each in a slot of its own."""

    def __init__(self, plies: int) -> None:
        """`plies` is the length of the longest game."""
        self.by_ply = PlayTimes.none(plies)
        """What the moves so far have cost."""
        self._share = 0.0  # seconds of all rounds so far, each divided by its games
        self._began: dict[int, tuple[float, int]] = {}  # by slot: share and visits then
        self._since = 0.0
        self._behind = 0.0  # seconds that no round has been charged with

    def begin(self, slot: int, visits: int = 0) -> None:
        """A move is to be searched; its root may have visits already, from a tree that was kept."""
        self._began[slot] = self._share, visits

    def end(self, slot: int) -> None:
        """No more games in this slot."""
        self._began.pop(slot, None)

    def resume(self) -> None:
        """Time counts from here."""
        self._since = time.perf_counter()

    def divide(self) -> None:
        """A round is complete: divide the time that has counted among the games under way."""
        now = time.perf_counter()
        self._share += (self._behind + now - self._since) / max(1, len(self._began))
        self._since, self._behind = now, 0.0

    def pause(self) -> None:
        """Time counts no longer; the rest goes with the next round."""
        self._behind += time.perf_counter() - self._since

    def move(self, slot: int, ply: int, visits: int) -> None:
        """The move that was searched in a slot is made, with these visits of its root."""
        share, before = self._began[slot]
        self.by_ply.seconds[ply] += self._share - share
        self.by_ply.simulations[ply] += visits - before
        self.by_ply.moves[ply] += 1

    def take(self) -> PlayTimes:
        """What moves have cost since the last time this was called."""
        taken, self.by_ply = self.by_ply, PlayTimes.none(len(self.by_ply.moves))
        return taken
