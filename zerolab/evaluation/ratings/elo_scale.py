"""Elo: differences of strength, and what they say about results."""

import math

ELO = 400 / math.log(10)  # Elo points of one unit of natural log odds


def score_of_elo(difference: float) -> float:
    """The score, between 0 and 1, that a lead in Elo points is expected to bring."""
    return (1 + math.tanh(difference / (2 * ELO))) / 2


def likelihood_of_superiority(difference: float, error: float) -> float:
    """The probability that a difference with this standard error is above 0."""
    if error == 0:
        return 0.5 if difference == 0 else float(difference > 0)
    return 0.5 * math.erfc(-difference / (error * math.sqrt(2)))
