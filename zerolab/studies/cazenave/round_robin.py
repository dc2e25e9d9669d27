"""cazenave-tournament: the six networks play each other at a fixed time per move (Table II).

Networks are those that cazenave-small has trained with its first seed, or trains now. As in the
paper, a network plays its second choice every other time that this has more than half of the visits
of the first. GNU Go, where it is installed, shows what the scores are worth.
"""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.evaluation.matches.tournaments import Event, meetings, play_event
from zerolab.evaluation.players.engine_process import find_program
from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.games.playing.score import Score
from zerolab.studies.cazenave.game_data import pack_once
from zerolab.studies.cazenave.learning_sweeps import Course, Learnt, place_of, stopped
from zerolab.studies.cazenave.scales import KINDS, Effort, effort_of
from zerolab.studies.cazenave.small_networks import PART, learn_small
from zerolab.studies.report import Report

TRAINING_SHARE = 0.5  # of the work, if nothing is trained yet
GAMES = "tournament.jsonl"
GNU_GO = ("gtp:gnugo --mode gtp --level 1", "gtp:gnugo --mode gtp --level 10")
PAPER = {  # Table II: share of games won
    "mobile.conv.bin": 0.671,
    "mobile.conv.bin.val4": 0.575,
    "a0.conv.bin.val4": 0.377,
    "a0.conv.bin": 0.313,
    "a0": 0.008,
}
SURE = 2.0  # standard errors
HEADINGS = ("player", "games", "won", "sigma", "paper")


class Standing(NamedTuple):
    """A row of Table II."""

    player: str
    """A network by what it is, or an engine."""
    score: Score

    @property
    def share(self) -> float:
        """Of the games that it won; draws count half."""
        return self.score.points / self.score.games

    @property
    def sigma(self) -> float:
        """The standard error of the share, as the paper has it."""
        return math.sqrt(self.share * (1 - self.share) / self.score.games)


def play(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    data: Path | None = None,
    workers: int | None = None,
) -> Report:
    """Train what is missing, play what is missing, and compare."""
    effort = effort_of(scale)
    packed = pack_once(data)
    course = Course(packed, effort.small_networks)

    def on_trained(done: float, total: float) -> None:
        on_progress(TRAINING_SHARE * done / total, 1)

    def on_played(done: int, planned: int) -> None:
        on_progress(TRAINING_SHARE + (1 - TRAINING_SHARE) * done / max(1, planned), 1)

    title = f"Table II: round robin, {course.board}, {effort.milliseconds} ms a move, scale {scale}"
    learnt = learn_small(packed, effort, seed, on_trained, workers)
    if not learnt:
        return stopped(title)
    names = players_of(learnt, effort)
    event = Event(course.game, tuple(names), effort.rounds, seed=seed)
    path = place_of(packed, PART, effort, seed).directory / GAMES
    played, is_complete = play_event(event, path, workers, on_played)
    scores: dict[str, Score] = dict.fromkeys(names, Score())
    for first, second, score in meetings(played):
        scores[first] += score
        scores[second] += score.reversed
    standings = [Standing(names[name], score) for name, score in scores.items() if score.games]
    return report_on(title, standings, is_complete)


def players_of(learnt: Sequence[Learnt], effort: Effort) -> dict[str, str]:
    """Players by name, each with what it is called in the table."""
    names = {
        f"az:{Path(each.runs[0]).resolve()}#{effort.epochs}@{effort.milliseconds}ms,vary": kind
        for kind, each in zip(KINDS, learnt, strict=True)
    }
    if find_program("gnugo") is not None:
        names |= {name: name.removeprefix("gtp:") for name in GNU_GO}
    return names


def report_on(title: str, standings: Sequence[Standing], is_complete: bool) -> Report:
    """Table II with the paper's shares beside ours."""
    ordered = sorted(standings, key=lambda each: -each.share)
    rows = [
        (
            each.player,
            str(each.score.games),
            f"{each.share:.3f}",
            f"{each.sigma:.3f}",
            f"{PAPER[each.player]:.3f}" if each.player in PAPER else "",
        )
        for each in ordered
    ]
    values = [
        {"player": each.player, "games": each.score.games, "share": each.share}
        | {"sigma": each.sigma, "paper": PAPER.get(each.player)}
        for each in ordered
    ]
    verdict, reproduced = compare_orders({each.player: each for each in standings})
    if not is_complete:
        verdict, reproduced = f"stopped; {verdict}", None
    return Report(title, HEADINGS, rows, values, verdict, is_complete, reproduced)


def compare_orders(standings: dict[str, Standing]) -> tuple[str, bool | None]:
    """Whether neighbours in the paper's order stand in that order here, by two standard errors."""
    order = [name for name in PAPER if name in standings]
    agreeing, differing = [], []
    for above, below in itertools.pairwise(order):
        one, other = standings[above], standings[below]
        error = math.hypot(one.sigma, other.sigma)
        lead = one.share - other.share
        if lead > SURE * error:
            agreeing.append(f"{above} above {below}")
        elif lead < -SURE * error:
            differing.append(f"{above} above {below}")
    pairs = max(0, len(order) - 1)
    text = f"of {pairs} neighbours in the paper's order {len(agreeing)} are in that order here"
    if differing:
        text += f", not so {'; '.join(differing)}"
    unclear = pairs - len(agreeing) - len(differing)
    if unclear:
        text += f"; {unclear} cannot be told"
    return text, False if differing else True if pairs and not unclear else None
