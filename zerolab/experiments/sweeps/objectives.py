"""What a sweep is after: numbers that are measured when a run is complete, and while it goes on."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.tournaments import Event, meetings, play_event
from zerolab.evaluation.ratings.bayesian_elo import Rated, rate
from zerolab.experiments.experiment import Outcome
from zerolab.experiments.judging import PLAIN, Networks, climb, examine_networks
from zerolab.games.base import Game
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN

RANDOM = "random"
ANCHORS = (RANDOM, "mcts:100", "mcts:1000")
LEVELS = 3  # of the ladder
MAXIMIZE, MINIMIZE = "maximize", "minimize"
ELO, TIME = "elo", "time"
ELO_GAMES = "elo-games.jsonl"
Line = Mapping[str, Any]  # of the log


class Judging(NamedTuple):
    """How closely networks are looked at."""

    games: int = 20
    """Against each anchor, and against each level of the ladder."""
    simulations: int = 100
    """Of the network in these games, whatever it was trained with."""
    threads: int = 1
    seed: int = 0

    def player(self, outcome: Outcome) -> str:
        """The network that an experiment trained, as a player."""
        return self.player_of(str(outcome.run.directory.resolve()), outcome.trainer.step)

    def player_of(self, directory: str, step: int) -> str:
        """The network of a run after a step, as a player."""
        return f"az:{directory}#{step}@{self.simulations}"

    def networks(self, outcome: Outcome) -> Networks:
        """The network that an experiment trained, without exact leaves."""
        plain = outcome.networks()[PLAIN]
        search = plain.config.model_copy(update={"max_simulations": self.simulations})
        return {PLAIN: plain._replace(config=search)}


class Objective(NamedTuple):
    """A number that a sweep wants to be large, or small."""

    direction: str
    measure: Callable[[Outcome, Judging], float]
    meaning: str
    while_training: Callable[[Line], float | None] | None = None
    """The same, or something like it, from a line of the log; None if there is none yet."""


def anchored_elo(outcome: Outcome, judging: Judging) -> float:
    """Elo above Random, from games against Random and two strengths of UCT."""
    path = outcome.run.directory / ELO_GAMES
    event = Event(
        outcome.run.game,
        (judging.player(outcome), *ANCHORS),
        rounds=max(1, judging.games // 2),
        seed=judging.seed,
    )
    played, is_complete = play_event(event, path, judging.threads, is_shared=True)
    if not is_complete:
        raise KeyboardInterrupt
    return rate(meetings(played), RANDOM).of(event.players[0]).rating


def _ladder(outcome: Outcome, judging: Judging) -> float:
    climbed = climb(judging.networks(outcome), judging.games, judging.seed, levels=LEVELS)
    return sum(level.score.mean for _, level in climbed) / LEVELS


def _perfect(outcome: Outcome, judging: Judging) -> float:
    for _, found in examine_networks(judging.networks(outcome)):
        return found.perfect.keeps.keeps
    raise UsageError("perfect play is known for Clobber on boards of up to 25 cells only")


def _last_loss(name: str) -> Callable[[Outcome, Judging], float]:
    return lambda outcome, judging: float(outcome.log[-1]["loss"][name])


def _loss(name: str) -> Callable[[Line], float]:
    return lambda line: float(line["loss"][name])


def _seconds(outcome: Outcome, judging: Judging) -> float:
    return float(outcome.run.seconds)


def _ladder_so_far(line: Line) -> float | None:
    kind = line.get(EVAL_PLAIN) or line.get(EVAL) or {"results": []}
    results = [each for each in kind["results"] if each is not None]
    return sum(results) / len(results) if results else None


def _perfect_so_far(line: Line) -> float | None:
    perfect = line.get("perfect")
    return None if perfect is None else float(perfect["keeps"])


OBJECTIVES = {
    ELO: Objective(MAXIMIZE, anchored_elo, "Elo of the final network above Random"),
    "ladder": Objective(
        MAXIMIZE, _ladder, f"mean result against levels 0 to {LEVELS - 1}", _ladder_so_far
    ),
    "perfect": Objective(
        MAXIMIZE, _perfect, "share of critical positions whose win is kept", _perfect_so_far
    ),
    "loss": Objective(MINIMIZE, _last_loss("sum"), "the last step's loss", _loss("sum")),
    "policy-loss": Objective(MINIMIZE, _last_loss("policy"), "its policy part", _loss("policy")),
    "value-loss": Objective(MINIMIZE, _last_loss("value"), "its value part", _loss("value")),
    TIME: Objective(MINIMIZE, _seconds, "seconds that the run took"),
}
WHILE_TRAINING = tuple(name for name, each in OBJECTIVES.items() if each.while_training)


def rate_all(
    game: Game,
    players: Sequence[str],
    judging: Judging,
    path: Path,
    on_progress: Callable[[int, int], None] = lambda done, planned: None,
    anchors: Sequence[str] = ANCHORS,
) -> dict[str, Rated] | None:
    """Elo of all networks and anchors in one tournament, by player; None if it was stopped."""
    event = Event(game, (*players, *anchors), max(1, judging.games // 2), seed=judging.seed)
    played, is_complete = play_event(event, path, None, on_progress, is_shared=True)
    if not is_complete:
        return None
    return {each.name: each for each in rate(meetings(played), RANDOM).players}


def is_sound(line: Line) -> bool:
    """Whether the losses of a step are numbers; a run in which they are not has diverged."""
    return all(math.isfinite(value) for value in line["loss"].values())
