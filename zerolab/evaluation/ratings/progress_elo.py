"""Training Elo and tournament Elo of a run, as wang distinguishes them.

Training Elo is what a run can measure itself: each checkpoint meets only its neighbours in time,
and whole-history rating adds up the steps (wang, Fig. 10). Tournament Elo comes from everyone
against everyone (Fig. 11). Beating the predecessor is not the same as being stronger: a checkpoint
may have learnt to beat that one opponent, and such gains do not add up. wang calls this self-play
bias and trusts the tournament.

The drift of whole-history rating is fixed at a wide value: the prior spread of players in `rate`,
from one checkpoint to the next. The most probable drift would be that of a player who wanders at
random, and takes much of a steady rise for luck: of 800 Elo in nine steps with 20 games each it
left 480.

Both are relative to the first checkpoint, so that the last one's rating is what the run has gained.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.ratings.bayesian_elo import (
    DISCONNECTED,
    ONE_SIDED,
    PRIOR,
    Estimate,
    Rated,
    rate,
)
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.intervals import Z_95
from zerolab.evaluation.ratings.whole_history import Moment, rate_history
from zerolab.games.base import Game
from zerolab.games.catalogue import make_game, remake
from zerolab.games.playing.score import Score
from zerolab.networks.header import read_header
from zerolab.training.runs.logs import networks_of


class Checkpoint(NamedTuple):
    """A network of the run, rated twice."""

    step: int
    training: Rated
    tournament: Rated


class ProgressElo(NamedTuple):
    """The earliest checkpoint first; its ratings are 0."""

    checkpoints: tuple[Checkpoint, ...]
    advantage: Estimate  # of moving first, in Elo, by all games
    excess: Estimate | None
    """Excess of the gain by training Elo over that by all games; None if all are neighbours'
    games.
    """

    @property
    def training(self) -> Estimate:
        """What the run has gained by training Elo."""
        last = self.checkpoints[-1].training
        return Estimate(last.rating, last.error)

    @property
    def tournament(self) -> Estimate:
        """What it has gained by tournament Elo."""
        last = self.checkpoints[-1].tournament
        return Estimate(last.rating, last.error)

    @property
    def agree(self) -> bool | None:
        """Whether chance explains the excess, at the level of 95 %; None if that is unknown."""
        if self.excess is None:
            return None
        return abs(self.excess.value) <= Z_95 * self.excess.error

    @property
    def is_guess(self) -> bool:
        """Whether a gain rests on the prior, because one side of some step has won no game."""
        last = self.checkpoints[-1]
        return not {ONE_SIDED, DISCONNECTED}.isdisjoint(last.training.flags + last.tournament.flags)


def pick_steps(directory: Path, count: int) -> list[int]:
    """Up to `count` steps whose networks the run has kept, evenly spread, with both ends."""
    if not directory.is_dir():
        raise UsageError(f"there is no directory '{directory}'")
    steps = list(networks_of(directory))
    if len(steps) < 2:
        there = f"one network, of step {steps[0]}" if steps else "no network"
        raise UsageError(
            f"{directory} holds {there}; at least two are needed, and a run keeps one after every "
            f"checkpoint_freq steps"
        )
    return spread(steps, count)


def spread(steps: Sequence[int], count: int) -> list[int]:
    """Up to `count` of them, two or more, evenly spread, with both ends."""
    gaps = min(count, len(steps)) - 1
    return [steps[round(i * (len(steps) - 1) / gaps)] for i in range(gaps + 1)]


def game_of(
    directory: Path, name: str | None = None, size: str | None = None, options: Sequence[str] = ()
) -> Game:
    """The game of a run, perhaps with another name, size or options."""
    header = read_header(list(networks_of(directory).values())[-1])
    if size is not None or options:
        return make_game(name or header.rules, size, options)
    return header.make_game() if name is None else remake(name, header.game)


def name_players(
    directory: Path, steps: Iterable[int], simulations: int | None = None
) -> dict[int, str]:
    """The players of these steps, with search or without; names contain full paths."""
    kind, strength = ("net", "") if simulations is None else ("az", f"@{simulations}")
    return {step: f"{kind}:{directory.resolve()}#{step}{strength}" for step in steps}


def rate_progress(players: Mapping[int, str], meetings: Iterable[Meeting[str]]) -> ProgressElo:
    """Rate the checkpoints of a run, players by step, from the games of all against all.

    The excess compares the gain by neighbours' games with that by all games, under the same prior.
    As the first are part of the second, the variance of the difference is that of the first minus
    that of the second (Hausman 1978).
    """
    steps = sorted(players)
    numbers = {players[step]: i for i, step in enumerate(steps)}
    games = list(meetings)
    near = [each for each in games if abs(numbers[each.first] - numbers[each.second]) == 1]
    # A checkpoint without games so far is rated too, and flagged.
    asked = [Meeting(players[a], players[b], Score()) for a, b in itertools.pairwise(steps)]
    first = players[steps[0]]
    times = {name: Moment("run", steps[i]) for name, i in numbers.items()}
    w2 = PRIOR**2 * (len(steps) - 1) / (steps[-1] - steps[0])
    history = rate_history(_at_times(times, near + asked), times[first], w2=w2)
    flags = {each.name: each.flags for each in rate(near + asked, first).players}
    tournament = rate(games + asked, first)
    training = [
        Rated(name, *point[1:], flags[name])
        for name, point in zip(numbers, history.points, strict=True)
    ]
    excess = None
    if len(near) < len(games):
        whole = rate_history(_at_times(times, games + asked), times[first], w2=w2).points[-1]
        part = history.points[-1]
        error = math.sqrt(max(0, part.error**2 - whole.error**2))
        excess = Estimate(part.rating - whole.rating, error)
    checkpoints = [
        Checkpoint(step, rated, tournament.of(rated.name))
        for step, rated in zip(steps, training, strict=True)
    ]
    return ProgressElo(tuple(checkpoints), tournament.advantage, excess)


def _at_times(
    times: Mapping[str, Moment], meetings: Iterable[Meeting[str]]
) -> list[Meeting[Moment]]:
    return [Meeting(times[each.first], times[each.second], each.score) for each in meetings]
