"""The uncertainty of results."""

import math
from typing import NamedTuple

from zerolab.games.playing.score import Score

Z_95 = 1.959963984540054  # the 97.5 % point of the normal distribution


class Interval(NamedTuple):
    """A range that contains the true value with 95 % confidence."""

    low: float
    high: float


def wilson_interval(wins: float, games: int) -> Interval:
    """95 % interval of a rate (Wilson 1927); unlike the plain one it is valid near 0 and 1.

    A draw counts as half a win, which makes the interval wider than necessary, never narrower.
    """
    if games == 0:
        return Interval(0.0, 1.0)
    rate = wins / games
    spread = Z_95 * math.sqrt(rate * (1 - rate) / games + Z_95**2 / (4 * games**2))
    middle = rate + Z_95**2 / (2 * games)
    scale = 1 + Z_95**2 / games
    low = 0.0 if wins == 0 else (middle - spread) / scale
    high = 1.0 if wins == games else (middle + spread) / scale
    return Interval(low, high)


def interval_of(score: Score) -> Interval:
    """95 % interval of the share of points."""
    return wilson_interval(score.points, score.games)


def standard_error(wins: float, games: int) -> float:
    """Standard error of a rate; one win and one loss are added, so that it is never 0."""
    rate = (wins + 1) / (games + 2)
    return math.sqrt(rate * (1 - rate) / games)


def z_score(wins_a: float, games_a: int, wins_b: float, games_b: int) -> float:
    """The difference of two rates in standard errors."""
    error = math.hypot(standard_error(wins_a, games_a), standard_error(wins_b, games_b))
    return (wins_a / games_a - wins_b / games_b) / error
