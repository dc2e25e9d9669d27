"""Whole-history rating (Coulom 2008): players who change, such as the checkpoints of a run.

A player that changes is a name with a time. Its rating moves as a Wiener process: over a time t it
drifts by a normal amount with variance w2 * t, so that each rating borrows from its neighbours in
time. The games follow the model of `bradley_terry`, and all points of all players are fitted at
once, with the joint covariance; Coulom iterates over players because he rates a whole Go server,
and gets the same ratings, but errors that assume the opponents to be known.

Of the libraries, `whole_history_rating` 3.6 for Python is kept, pure and on NumPy alone. It is not
used: it cannot mix constant players with changing ones, and it would be a new dependency for what
is a matrix of drifts on top of our model. The tests compare our ratings with its published
examples.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from zerolab.errors import UsageError
from zerolab.evaluation.ratings.bayesian_elo import (
    ADVANTAGE_PRIOR,
    PRIOR,
    Estimate,
    advantage_of,
    anchored,
    by_number,
    check_priors,
    draws_of,
    flags_of,
    totals,
)
from zerolab.evaluation.ratings.bradley_terry import (
    DRAW_PRIOR,
    Floats,
    Meeting,
    Results,
    collect,
    fit,
)
from zerolab.evaluation.ratings.elo_scale import ELO, likelihood_of_superiority
from zerolab.evaluation.ratings.intervals import Interval

_DRIFTS = (1.0, 5000.0)  # Elo over the longest history: where w2 is looked for
_DRIFT_SCALE = 500.0


class Moment(NamedTuple):
    """A player at a time; without a time, one that does not change."""

    name: str
    time: float | None = None

    def __str__(self) -> str:
        return self.name if self.time is None else f"{self.name} at {self.time:g}"


class Point(NamedTuple):
    """The rating of a player at a time. Error and interval are relative to the anchor."""

    moment: Moment
    rating: float
    error: float
    interval: Interval
    games: int
    score: float  # wins and half the draws, as a share of the games


class History(NamedTuple):
    """The points by name and time."""

    points: tuple[Point, ...]
    covariance: Floats  # [point, point], in square Elo
    w2: float  # square Elo per unit of time
    advantage: Estimate  # of moving first, in Elo
    draws: Estimate  # the share of games drawn between equals, without that advantage
    flags: dict[str, tuple[str, ...]]  # by name: those of `ratings`, over all times together
    groups: tuple[tuple[str, ...], ...]  # names joined by chains of games

    def of(self, name: str) -> list[Point]:
        """The points of a player in the order of time."""
        return [point for point in self.points if point.moment.name == name]

    def difference(self, one: Moment, other: Moment) -> Estimate:
        """How far the one is above the other."""
        moments = [point.moment for point in self.points]
        i, j = _index(moments, one), _index(moments, other)
        variance = self.covariance[[i, j], [i, j]].sum() - 2 * self.covariance[i, j]
        value = self.points[i].rating - self.points[j].rating
        return Estimate(value, math.sqrt(max(0, variance)))

    def superiority_of(self, one: Moment, other: Moment) -> float:
        """The probability that the one is stronger than the other."""
        return likelihood_of_superiority(*self.difference(one, other))


def rate_history(
    meetings: Iterable[Meeting[Moment]],
    anchor: Moment | str | None = None,
    anchor_rating: float = 0.0,
    *,
    w2: float | None = None,
    prior: float = PRIOR,
    advantage_prior: float = ADVANTAGE_PRIOR,
) -> History:
    """Rate all players at all times together; the anchor's, or else the mean is `anchor_rating`.

    Without w2, the most probable one is used. A meeting without games gives
    the rating at that time. The cost grows with the cube of the number of points: a few hundred
    take a second, with the search for w2 ten.
    """
    meetings = list(meetings)
    check_priors(prior, advantage_prior)
    if w2 is not None and not 0 <= w2 < math.inf:
        raise UsageError(f"w2 must be 0 or more, in square Elo per unit of time, not {w2}")
    moments = _in_order({moment for each in meetings for moment in (each.first, each.second)})
    results = collect(by_number(meetings, moments))
    if isinstance(anchor, str):
        anchor = Moment(anchor)
    home = None if anchor is None else _index(moments, anchor)
    drift = _Drift(moments, prior, advantage_prior)
    w2 = _most_probable_w2(results, drift) if w2 is None else w2
    found = fit(results, drift.root(w2))
    ratings, covariance = anchored(found, home, anchor_rating)
    return History(
        tuple(_points(results, moments, ratings, covariance)),
        covariance,
        w2,
        advantage_of(found),
        draws_of(found),
        *_flags_by_name(results, moments, home),
    )


class _Drift(NamedTuple):
    """The prior of all points."""

    moments: list[Moment]
    prior: float
    advantage_prior: float

    def root(self, w2: float) -> Floats:
        """Each rating as the sum of the player's first one and all its steps so far."""
        size = len(self.moments) + 2
        root = np.zeros((size, size))
        for i, moment in enumerate(self.moments):
            before = self.moments[i - 1]
            if i and before.name == moment.name:
                root[i] = root[i - 1]
                root[i, i] = math.sqrt(w2 * self._since(i)) / ELO
            else:
                root[i, i] = self.prior / ELO
        root[-2, -2] = self.advantage_prior / ELO
        root[-1, -1] = DRAW_PRIOR
        return root

    def longest(self) -> float:
        """The longest history of a player."""
        spans: dict[str, float] = {}
        for i, moment in enumerate(self.moments):
            spans[moment.name] = spans[moment.name] + self._since(i) if moment.name in spans else 0
        return max(spans.values())

    def _since(self, i: int) -> float:
        return (self.moments[i].time or 0) - (self.moments[i - 1].time or 0)


def _most_probable_w2(results: Results, drift: _Drift) -> float:
    """By the probability of the games, with a gamma prior of shape 2 on the drift.

    By the games alone, about one history in ten would be called constant, with errors far too
    small; the prior prevents this and has little other influence (Chung et al. 2013).
    """
    from scipy.optimize import minimize_scalar

    span = drift.longest()
    if span == 0:
        return 0.0

    def improbability(log_drift: float) -> float:
        found = fit(results, drift.root(math.exp(2 * log_drift) / span))
        return math.exp(log_drift) / _DRIFT_SCALE - log_drift - found.evidence

    bounds = tuple(map(math.log, _DRIFTS))
    best = minimize_scalar(improbability, bounds=bounds, method="bounded", options={"xatol": 0.05})
    return math.exp(2 * float(best.x)) / span


def _in_order(moments: set[Moment]) -> list[Moment]:
    changing = {moment.name for moment in moments if moment.time is not None}
    for moment in moments:
        if moment.time is None and moment.name in changing:
            raise UsageError(
                f"'{moment.name}' has games with a time and games without; give it one kind only"
            )
        if moment.time is not None and not math.isfinite(moment.time):
            raise UsageError(f"the time of '{moment.name}' must be finite, not {moment.time}")
    return sorted(moments, key=lambda moment: (moment.name, moment.time or 0))


def _points(
    results: Results, moments: list[Moment], ratings: Floats, covariance: Floats
) -> Iterable[Point]:
    games, points = totals(results, len(moments))
    for i, moment in enumerate(moments):
        estimate = Estimate(float(ratings[i]), math.sqrt(max(0, covariance[i, i])))
        score = float(points[i] / max(1, games[i]))
        yield Point(moment, *estimate, estimate.interval, int(games[i]), score)


def _flags_by_name(
    results: Results, moments: list[Moment], anchor: int | None
) -> tuple[dict[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    names = sorted({moment.name for moment in moments})
    of_moment = np.array([names.index(moment.name) for moment in moments])
    by_name = Results(of_moment[results.first], of_moment[results.second], results.counts)
    flags, groups = flags_of(by_name, names, None if anchor is None else int(of_moment[anchor]))
    return dict(zip(names, flags, strict=True)), groups


def _index(moments: list[Moment], moment: Moment) -> int:
    if moment not in moments:
        known = sorted({str(each) for each in moments if each.name == moment.name})
        known = known or sorted({each.name for each in moments})
        raise UsageError(f"'{moment}' has played no games; there are {', '.join(known)}")
    return moments.index(moment)
