"""Sequential test of two players: play until it is clear which of two claims holds.

The claims are H0, the candidate leads by elo0, and H1, it leads by elo1. After each pair of games
the log-likelihood ratio of the claims is compared with two bounds (Wald 1945). Results have no
model here but their own frequencies: under each claim the likeliest distribution with that score
is taken, which is the generalised ratio (GSPRT) that fishtest uses for Stockfish (Van den Bergh,
"A practical introduction to the GSPRT" and "MLE for multinomial"). Fishtest also corrects the
bounds for overshoot; without that the errors stay below alpha and beta, at the price of some games.
"""

import math
from collections.abc import Sequence
from typing import Literal

from zerolab.errors import UsageError
from zerolab.evaluation.ratings.elo_scale import score_of_elo
from zerolab.evaluation.ratings.intervals import Interval

MOST_ELO = 2000  # of a claim: one game in 100,000, more than anybody plays
UNSEEN = 1e-3  # games counted for a result that did not occur, as fishtest does: no variance is 0


class Sprt:
    """The results so far, and the state of the test.

    A pair is one opening played twice, each player moving first once. Its games are not
    independent, since an opening may favour a side, so it counts as one result out of five.
    With `paired=False` each game is a result out of three, which is right only if games are
    independent.
    """

    def __init__(
        self,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        *,
        paired: bool = True,
    ) -> None:
        if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
            raise UsageError(
                f"elo0 must be below elo1, both from {-MOST_ELO} to {MOST_ELO}, "
                f"not {elo0:g} and {elo1:g}"
            )
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise UsageError(f"alpha and beta must be between 0 and 0.5, not {alpha} and {beta}")
        self.elo0, self.elo1 = elo0, elo1
        self.alpha, self.beta = alpha, beta  # chances to accept H1 wrongly, and H0 wrongly
        self.paired = paired
        self.counts = [0] * (5 if paired else 3)  # results by points, from all lost to all won

    def add(self, *scores: float) -> None:
        """One more result: the candidate's score (0, 0.5 or 1) in each of its two games, or one."""
        expected = 2 if self.paired else 1
        if len(scores) != expected or not set(scores) <= {0, 0.5, 1}:
            raise UsageError(f"a result is {expected} of 0, 0.5 and 1, not {scores}")
        self.counts[round(2 * sum(scores))] += 1

    def update(self, counts: Sequence[int]) -> None:
        """Many more results, counted by points from all lost to all won."""
        if len(counts) != len(self.counts) or min(counts) < 0:
            raise UsageError(f"{len(self.counts)} counts of 0 or more are needed, not {counts}")
        self.counts = [old + new for old, new in zip(self.counts, counts, strict=True)]

    @property
    def games(self) -> int:
        """Games so far."""
        return sum(self.counts) * (2 if self.paired else 1)

    @property
    def score(self) -> float:
        """The candidate's share of the points."""
        points = sum(i * count for i, count in enumerate(self.counts))
        return points / (len(self.counts) - 1) / max(1, sum(self.counts))

    @property
    def bounds(self) -> Interval:
        """H0 is accepted at the low one, H1 at the high one."""
        return Interval(
            math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        )

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0."""
        if not any(self.counts):
            return 0.0
        seen = [count or UNSEEN for count in self.counts]
        total = sum(seen)
        shares = [count / total for count in seen]
        under0, under1 = (_likeliest(shares, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * math.log(b / a) for n, a, b in zip(seen, under0, under1, strict=True))

    @property
    def verdict(self) -> Literal["H0", "H1"] | None:
        """The claim that is accepted, or None as long as more games are needed."""
        low, high = self.bounds
        llr = self.llr
        if llr >= high:
            return "H1"
        return "H0" if llr <= low else None


def _likeliest(shares: Sequence[float], score: float) -> list[float]:
    """The distribution with this mean score under which the observed shares are likeliest.

    It is share / (1 + x * (value - score)), where x makes the mean right.
    """
    from scipy.optimize import brentq

    ahead = [(share, i / (len(shares) - 1) - score) for i, share in enumerate(shares)]

    def surplus(x: float) -> float:
        return sum([share * a / (1 + x * a) for share, a in ahead])

    # No probability is above 1, which the highest and the lowest result turn into bounds of x.
    low, high = -(1 - shares[-1]) / (1 - score), (1 - shares[0]) / score
    x = brentq(surplus, low, high, xtol=1e-12)
    return [share / (1 + x * a) for share, a in ahead]
