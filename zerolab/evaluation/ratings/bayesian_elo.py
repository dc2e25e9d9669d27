"""Bayesian Elo ratings of players who have met in any number of games, with honest errors."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from zerolab.errors import UsageError
from zerolab.evaluation.ratings.bradley_terry import (
    DRAW_PRIOR,
    Fit,
    Floats,
    Meeting,
    Results,
    collect,
    fit,
)
from zerolab.evaluation.ratings.connections import connect
from zerolab.evaluation.ratings.elo_scale import ELO, likelihood_of_superiority
from zerolab.evaluation.ratings.intervals import Z_95, Interval

PRIOR = 500.0  # Elo: the standard deviation of players, before any game
ADVANTAGE_PRIOR = 200.0  # Elo: likewise of the advantage of moving first
NO_PRIOR = 1e5  # Elo: practically no prior, and the largest that double precision allows
FEW_GAMES = 30

ONE_SIDED = "one-sided"
FEW = "few games"
DISCONNECTED = "disconnected"

P = TypeVar("P")  # whatever a player is known by


class Estimate(NamedTuple):
    """A number and its standard error."""

    value: float
    error: float

    @property
    def interval(self) -> Interval:
        """Holds the true value with 95 % probability."""
        return Interval(self.value - Z_95 * self.error, self.value + Z_95 * self.error)


class Rated(NamedTuple):
    """The rating of a player. Error and interval are relative to the anchor."""

    name: str
    rating: float
    error: float
    interval: Interval
    games: int
    score: float  # wins and half the draws, as a share of the games
    flags: tuple[str, ...]  # ONE_SIDED, FEW, DISCONNECTED: why not to rely on the rating


class Ratings(NamedTuple):
    """The strongest player first."""

    players: tuple[Rated, ...]
    superiority: Floats  # [player, opponent]: how likely the player is the stronger one
    advantage: Estimate  # of moving first, in Elo
    draws: Estimate  # the share of games drawn between equals, without that advantage
    groups: tuple[tuple[str, ...], ...]  # players joined by chains of games; one if all is well

    def of(self, name: str) -> Rated:
        """The player of that name."""
        return self.players[_index([player.name for player in self.players], name)]

    def superiority_of(self, name: str, opponent: str) -> float:
        """The probability that the one is stronger than the other."""
        names = [player.name for player in self.players]
        return float(self.superiority[_index(names, name), _index(names, opponent)])


def rate(
    meetings: Iterable[Meeting[str]],
    anchor: str | None = None,
    anchor_rating: float = 0.0,
    *,
    prior: float = PRIOR,
    advantage_prior: float = ADVANTAGE_PRIOR,
) -> Ratings:
    """Rate all players together; the anchor's rating, or else the mean, is `anchor_rating`.

    The priors are standard deviations in Elo. `NO_PRIOR` leaves everything to the games; an
    advantage prior of 0 means that moving first is worth nothing.
    """
    meetings = list(meetings)
    check_priors(prior, advantage_prior)
    names = sorted({name for each in meetings for name in (each.first, each.second)})
    results = collect(by_number(meetings, names))
    home = None if anchor is None else _index(names, anchor)
    root = np.diag(np.array([*[prior / ELO] * len(names), advantage_prior / ELO, DRAW_PRIOR]))
    found = fit(results, root)
    ratings, covariance = anchored(found, home, anchor_rating)
    games, points = totals(results, len(names))
    flags, groups = flags_of(results, names, home)
    players = [
        Rated(
            name,
            estimate.value,
            estimate.error,
            estimate.interval,
            int(games[i]),
            points[i] / max(1, games[i]),
            flags[i],
        )
        for i, name in enumerate(names)
        for estimate in [Estimate(float(ratings[i]), math.sqrt(max(0, covariance[i, i])))]
    ]
    order = sorted(range(len(names)), key=lambda i: (-ratings[i], names[i]))
    return Ratings(
        tuple(players[i] for i in order),
        superiorities(ratings, covariance)[np.ix_(order, order)],
        advantage_of(found),
        draws_of(found),
        groups,
    )


def by_number(meetings: Iterable[Meeting[P]], players: Sequence[P]) -> Iterator[Meeting[int]]:
    """The same meetings, of players known by their number in a list."""
    number = {player: i for i, player in enumerate(players)}
    return (Meeting(number[each.first], number[each.second], each.score) for each in meetings)


def anchored(found: Fit, anchor: int | None, rating: float) -> tuple[Floats, Floats]:
    """Ratings and their covariance in Elo, relative to the anchor or the mean."""
    size = len(found.parameters) - 2
    weights = np.full(size, 1 / size) if anchor is None else np.eye(size)[anchor]
    shift = np.eye(size) - weights  # each rating less the anchor's
    ratings = shift @ found.parameters[:size] * ELO + rating
    return ratings, shift @ found.covariance[:size, :size] @ shift.T * ELO**2


def advantage_of(found: Fit) -> Estimate:
    """The advantage of moving first, in Elo."""
    error = math.sqrt(found.covariance[-2, -2])
    return Estimate(float(found.parameters[-2]) * ELO, error * ELO)


def draws_of(found: Fit) -> Estimate:
    """The share of games between equals that are drawn."""
    share = math.exp(found.parameters[-1]) / (2 + math.exp(found.parameters[-1]))
    return Estimate(share, share * (1 - share) * math.sqrt(found.covariance[-1, -1]))


def superiorities(ratings: Floats, covariance: Floats) -> Floats:
    """The probability that each player is stronger than each other, from their joint
    distribution.
    """
    variances = np.diag(covariance)
    errors = np.sqrt(np.maximum(0, variances[:, None] + variances - 2 * covariance))
    np.fill_diagonal(errors, 0)
    differences = ratings[:, None] - ratings
    return np.array(
        [
            list(map(likelihood_of_superiority, *row))
            for row in zip(differences, errors, strict=True)
        ]
    )


def totals(results: Results, players: int) -> tuple[Floats, Floats]:
    """Games and points of each player."""
    games, points = np.zeros(players), np.zeros(players)
    wins, draws, losses = results.counts
    for side, won in ((results.first, wins), (results.second, losses)):
        np.add.at(games, side, results.games)
        np.add.at(points, side, won + draws / 2)
    return games, points


def flags_of(
    results: Results, names: Sequence[str], anchor: int | None
) -> tuple[list[tuple[str, ...]], tuple[tuple[str, ...], ...]]:
    """Each player's flags, and the groups that no game connects."""
    connections = connect(results, len(names), anchor)
    games, _ = totals(results, len(names))
    raised = {
        DISCONNECTED: connections.disconnected,
        ONE_SIDED: connections.one_sided,
        FEW: games < FEW_GAMES,
    }
    flags = [tuple(flag for flag, who in raised.items() if who[i]) for i in range(len(names))]
    return flags, tuple(tuple(names[i] for i in group) for group in connections.groups)


def check_priors(prior: float, advantage_prior: float) -> None:
    """Raise a UsageError if a prior cannot be a standard deviation."""
    if not (0 < prior <= NO_PRIOR and 0 <= advantage_prior <= NO_PRIOR):
        raise UsageError(
            "priors are standard deviations in Elo: that of the ratings above 0, that of moving "
            f"first 0 or more, both at most {NO_PRIOR:,.0f}; not {prior} and {advantage_prior}"
        )


def _index(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise UsageError(f"'{name}' has played no games; the players are {', '.join(names)}")
    return names.index(name)
