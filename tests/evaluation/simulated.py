"""Results of players whose strengths are known, by the formula itself."""

import numpy as np

from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.elo_scale import ELO
from zerolab.games.playing.score import Score


def outcome_shares(lead: float, draws: float) -> list[float]:
    """Win, draw and loss of one who leads by so many Elo; equals draw that share of games."""
    strong, weak = 10 ** (lead / 800), 10 ** (-lead / 800)
    even = 2 * draws / (1 - draws)
    total = strong + even + weak
    return [strong / total, even / total, weak / total]


def play(
    rng: np.random.Generator, lead: float, games: int, draws: float = 0.0
) -> tuple[int, int, int]:
    """Wins, draws and losses."""
    wins, drawn, losses = rng.multinomial(games, outcome_shares(lead, draws))
    return int(wins), int(drawn), int(losses)


def round_robin(
    rng: np.random.Generator,
    strengths: dict[str, float],
    games: int,
    advantage: float = 0.0,
    draws: float = 0.0,
) -> list[Meeting]:
    """Everybody against everybody, `games` with the first move and `games` without."""
    return [
        Meeting(a, b, Score(*play(rng, strengths[a] - strengths[b] + advantage, games, draws)))
        for a in strengths
        for b in strengths
        if a != b
    ]


def plain_log_posterior(
    parameters: np.ndarray, meetings: list[Meeting], prior: float, advantage_prior: float
) -> float:
    """The slow twin. Ratings by name and advantage in Elo, then the log of the draw weight."""
    names = sorted({name for tally in meetings for name in tally[:2]})
    *ratings, advantage, weight = parameters
    total = -sum(r**2 for r in ratings) / (2 * prior**2) - advantage**2 / (2 * advantage_prior**2)
    total -= weight**2 / 8
    for tally in meetings:
        lead = ratings[names.index(tally.first)] - ratings[names.index(tally.second)] + advantage
        parts = [np.exp(lead / ELO / 2), np.exp(weight), np.exp(-lead / ELO / 2)]
        for count, part in zip(tally.score, parts, strict=True):
            total += count * np.log(part / sum(parts))
    return float(total)
