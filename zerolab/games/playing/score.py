"""Wins, draws and losses of one side."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


class Score(NamedTuple):
    """Counts of wins, draws and losses of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, values: Iterable[float]) -> "Score":
        """Count games by their values for that side: above 0 won, 0 drawn, below 0 lost."""
        found = values if isinstance(values, np.ndarray) else np.fromiter(values, np.float64)
        return cls(int((found > 0).sum()), int((found == 0).sum()), int((found < 0).sum()))

    def __add__(self, other: object) -> "Score":
        """Both together."""
        if not isinstance(other, Score):
            return NotImplemented
        return Score(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def reversed(self) -> "Score":
        """The same games for the other side."""
        return Score(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins and half the draws."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """Points as a share of the games, if there are any."""
        return self.points / self.games if self.games else None

    @property
    def mean(self) -> float:
        """The mean result, from -1 to 1; 0 without games."""
        return (self.wins - self.losses) / max(1, self.games)

    @property
    def share_of_decided(self) -> float | None:
        """Wins as a share of the games that were not drawn, if there are any."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None
