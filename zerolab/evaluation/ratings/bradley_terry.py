"""The model of results given strengths, and the strengths that best explain given results.

Davidson's (1970) form of the Bradley-Terry model. Where the first player leads by d, its rating
less that of the second plus the advantage of moving first, in units of natural log odds,

    win : draw : loss  =  exp(d / 2) : exp(k) : exp(-d / 2)

BayesElo uses Rao and Kupper's form instead. Davidson's is preferred here for two reasons. A draw
counts exactly as half a win and half a loss, as in scores, while Rao and Kupper make it worth a win
and a loss. And it is an exponential family in all its parameters, including k, so that the
posterior has one maximum, which Newton's method finds from any start without bounds.
Without draws both are the plain Bradley-Terry model.

All priors are normal: the parameters are `mean + root @ z`, where the entries of z are independent
standard normal. Newton's method works on z, where no direction is ever flat, whatever the games.
"""

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.playing.score import Score

Floats = npt.NDArray[np.float64]

DRAW_PRIOR = 2.0  # of k: between equals 1 % to 96 % of the games are drawn, with 95 % probability
_NEVER = -1e3  # k where no game was drawn: exp(k) is 0
_MAX_STEPS = 200


Player = TypeVar("Player")


class Meeting(NamedTuple, Generic[Player]):
    """Games of two players, counted for the one who moved first."""

    first: Player
    second: Player
    score: Score


class Results(NamedTuple):
    """Games between players known by index; one entry per pair, in the order of moving."""

    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    counts: Floats  # [3, pairs]: wins of the first, draws, losses

    @property
    def games(self) -> Floats:
        """Per pair."""
        return np.asarray(self.counts.sum(axis=0))


class Fit(NamedTuple):
    """The maximum of the posterior and its curvature, in units of natural log odds."""

    parameters: Floats  # [players + 2]: the ratings, the advantage of moving first, k
    covariance: Floats  # [players + 2, players + 2]
    evidence: float  # log probability of the games under model and priors (Laplace)


def collect(meetings: Iterable[Meeting[int]]) -> Results:
    """Sum up games by pair."""
    sums: dict[tuple[int, int], Floats] = {}
    for first, second, score in meetings:
        if first == second:
            raise UsageError("a player cannot be rated by games against itself")
        if min(score) < 0:
            raise UsageError(f"wins, draws and losses must be 0 or more, not {list(score)}")
        sums[first, second] = sums.get((first, second), np.zeros(3)) + np.array(score)
    sums = {pair: counts for pair, counts in sums.items() if counts.any()}
    if not sums:
        raise UsageError("there are no games to rate; at least one is needed")
    pairs = sorted(sums)
    first, second = np.array(pairs, dtype=np.int64).T
    return Results(first, second, np.array([sums[pair] for pair in pairs]).T)


def fit(results: Results, root: Floats) -> Fit:
    """The most probable parameters. `root` has the ratings' rows first, then advantage and k."""
    rows = np.arange(len(results.first))
    lead = np.zeros((len(rows), len(root)))  # d as a linear function of the parameters
    lead[rows, results.first] = 1
    lead[rows, results.second] = -1
    lead[:, -2] = 1
    drawn = results.counts[1].any()
    mean = np.zeros(len(root))
    mean[-1] = 0 if drawn else _NEVER
    posterior = _Posterior(lead @ root, root[-1] if drawn else 0 * root[-1], mean[-1], results)
    z, curvature = _climb(posterior, root.shape[1])
    covariance = root @ np.linalg.solve(curvature, root.T)
    evidence = posterior.height(z) - np.linalg.slogdet(curvature)[1] / 2
    return Fit(mean + root @ z, (covariance + covariance.T) / 2, float(evidence))


class _Posterior(NamedTuple):
    """Of z: its logarithm, and the first and second derivatives of that."""

    lead: Floats  # [pairs, z]
    draw: Floats  # [z]
    draw_mean: float
    results: Results

    def log_shares(self, z: Floats) -> Floats:
        """Log probabilities of win, draw and loss, [3, pairs]; exact also where one is near 0."""
        half = self.lead @ z / 2
        logits = np.stack([half, np.full_like(half, self.draw_mean + self.draw @ z), -half])
        return np.asarray(-np.logaddexp.reduce(logits[:, None] - logits, axis=0))

    def height(self, z: Floats) -> float:
        return float((self.results.counts * self.log_shares(z)).sum() - z @ z / 2)

    def derivatives(self, z: Floats) -> tuple[Floats, Floats]:
        """The gradient, and the curvature: the negative Hessian.

        Written without 1 - p, which loses all precision where p is near 1.
        """
        win, draw, loss = np.exp(self.log_shares(z))
        won, drawn, lost = self.results.counts
        games = self.results.games
        surplus = won * (draw / 2 + loss) - drawn * (win - loss) / 2 - lost * (draw / 2 + win)
        drawish = (drawn * (win + loss) - (won + lost) * draw).sum()
        by_lead = games * (draw * (win + loss) / 4 + win * loss)
        mixed = np.outer(self.lead.T @ (games * (win - loss) * draw / 2), self.draw)
        by_draw = (games * draw * (win + loss)).sum() * np.outer(self.draw, self.draw)
        curvature = self.lead.T @ (by_lead[:, None] * self.lead) - mixed - mixed.T + by_draw
        return self.lead.T @ surplus + self.draw * drawish - z, curvature + np.eye(len(z))


def _climb(posterior: _Posterior, size: int) -> tuple[Floats, Floats]:
    """Newton's method with steps halved until they ascend; return the maximum and the curvature."""
    z = np.zeros(size)
    for _ in range(_MAX_STEPS):
        gradient, curvature = posterior.derivatives(z)
        step = np.linalg.solve(curvature, gradient)
        gain = float(gradient @ step)  # twice what the step promises
        height = posterior.height(z)
        if gain < 1e-9 - 1e-14 * height:  # the next step's would be of the order of gain squared
            return z + step, curvature
        while posterior.height(z + step) < height + 1e-4 * gain - 1e-12 * abs(height):
            step, gain = step / 2, gain / 2
        z = z + step
    raise AssertionError("Newton's method did not converge")  # the posterior is strictly concave
