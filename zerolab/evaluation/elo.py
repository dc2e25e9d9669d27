"""Elo: differences of strength, and what they say about results."""

import math

ELO = 400 / math.log(10)  # Elo points of one unit of natural log odds


def score_of_elo(difference: float) -> float:
    """The score, between 0 and 1, that a lead of so many Elo points is expected to bring."""
    return (1 + math.tanh(difference / (2 * ELO))) / 2


def elo_of_score(score: float) -> float:
    """The lead in Elo points that brings this score; infinite for 0 and 1."""
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1 - score))


def likelihood_of_superiority(difference: float, error: float) -> float:
    """How likely it is that a difference known up to a standard error is above 0."""
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return 0.5 * math.erfc(-difference / (error * math.sqrt(2)))


def superiority_of_two(wins: int, losses: int) -> float:
    """How likely the winner of so many games against one opponent is the stronger of the two.

    Exact for a prior that holds every share of wins equally likely. Draws say nothing here.
    """
    from scipy.special import betainc

    return float(betainc(losses + 1, wins + 1, 0.5))
