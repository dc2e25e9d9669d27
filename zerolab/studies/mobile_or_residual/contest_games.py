"""Tournaments of trained networks: with equal simulations a move, and with equal time a move."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.matches.tournaments import Event, meetings, play_event, thinking_times
from zerolab.evaluation.ratings.bayesian_elo import rate
from zerolab.evaluation.ratings.intervals import Interval, wilson_interval
from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual.contest_scales import ContestScale
from zerolab.studies.mobile_or_residual.contestants import (
    MOBILE,
    NETWORKS,
    RESIDUAL,
    WAYS,
    Contestant,
)

Keys = dict[str, Contestant]  # by the name of the player


class Budget(NamedTuple):
    """What a network may spend on a move."""

    strength: str
    """As names of players have it."""
    words: str
    threads: int | None
    """Games at a time; None for one on each core."""


class Paired(NamedTuple):
    """How mobile networks scored against residual ones, each opening played with both colours."""

    score: float
    """Share of the points."""
    interval: Interval
    """95 %, for these networks. A pair of games counts as one result, since an opening may favour
    a side; how networks of other seeds would do is told by the errors over seeds.
    """
    pairs: int


class Standing(NamedTuple):
    """What came of the networks of one way of training in a tournament."""

    way: str
    budget: str
    elo: dict[str, tuple[float, ...]]
    """By network, for each seed; the mean of all players of the tournament is 0."""
    paired: Paired
    seconds: dict[str, float]
    """Thinking time a move, by network."""


def budgets_of(scale: ContestScale) -> tuple[Budget, Budget]:
    """Equal simulations and equal time.

    Games in which time counts are played one at a time: beside others a network would have to
    wait, and would search less in its time.
    """
    simulations, milliseconds = scale.simulations, scale.milliseconds
    return (
        Budget(f"{simulations}", f"{simulations} simulations", None),
        Budget(f"{milliseconds}ms", f"{milliseconds} ms", 1),
    )


def player_of(contestant: Contestant, budget: Budget) -> str:
    """The name of a network as a player, without exact leaves."""
    return f"az:{contestant.run}#{contestant.steps}@{budget.strength}"


def play(
    game: Clobber,
    contestants: Sequence[Contestant],
    budget: Budget,
    scale: ContestScale,
    seed: int,
    directory: Path,
    told: Callable[[float], None],
) -> list[Standing]:
    """Play the games that are missing; KeyboardInterrupt if it was stopped."""
    players = {player_of(each, budget): each for each in contestants}
    event = Event(game, tuple(players), max(1, scale.games // 2), seed=seed)

    def on_progress(done: int, planned: int) -> None:
        told(done / max(1, planned))

    path = directory / f"games-{budget.strength}.jsonl"
    played, is_complete = play_event(event, path, budget.threads, on_progress)
    if not is_complete:
        raise KeyboardInterrupt
    return [standing_of(players, way, budget, played) for way in WAYS]


def standing_of(players: Keys, way: str, budget: Budget, played: Sequence[Played]) -> Standing:
    """The part of a tournament that one way of training has."""
    ratings, times = rate(meetings(played)), thinking_times(played)
    names = {
        network: [
            name
            for name, each in sorted(players.items(), key=lambda item: item[1].seed)
            if (each.network, each.way) == (network, way)
        ]
        for network in NETWORKS
    }
    return Standing(
        way,
        budget.words,
        {network: tuple(ratings.of(name).rating for name in own) for network, own in names.items()},
        paired_score(set(names[MOBILE]), set(names[RESIDUAL]), played),
        {network: fmean(times[name] for name in own) for network, own in names.items()},
    )


def paired_score(ours: set[str], theirs: set[str], played: Sequence[Played]) -> Paired:
    """The score of some players against others, over pairs of games."""
    points: defaultdict[tuple[int, str, str], list[float]] = defaultdict(list)
    for each in played:
        if each.result is None:
            continue
        if each.first in ours and each.second in theirs:
            points[each.pair, each.first, each.second].append((1 + each.result) / 2)
        elif each.second in ours and each.first in theirs:
            points[each.pair, each.second, each.first].append((1 - each.result) / 2)
    results = [fmean(pair) for pair in points.values()]
    total = sum(results)
    return Paired(total / len(results), wilson_interval(total, len(results)), len(results))
