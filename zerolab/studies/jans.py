"""The experiments of jans: AlphaZero as in OpenSpiel on 3x3, 4x4, 5x5 and 5x6 Clobber.

The paper shows two curves of a run, losses and results on the ladder, and reports what it found:
a large replay buffer ratio (size / reuse) helps as long as the reuse is small, and boards seen from
the player to move are the better encoding. Here every setting is trained for the same time and then
plays the ladder.

`full` has the paper's settings. Its networks and buffers are too large for runs of minutes: `quick`
has narrow networks and more frequent steps of learning.

Runs are kept in directories below `runs/jans`; a run that was stopped continues where it was.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.experiments.experiment import run_experiment, telling_share
from zerolab.experiments.judging import climb
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset

BOARDS = ((3, 3), (4, 4), (5, 5), (5, 6))
LEVELS = 5
FULL_SECONDS = 3600
QUICK_WIDTH, QUICK_STATES = 32, 512  # of networks; for a step of learning
QUICK_GAMES, FULL_GAMES = 20, 100  # against each level
DIRECTORY = Path("runs/jans")
# Buffer size relative to the paper's, and reuse: the ratio grows, then the reuse with it.
BUFFERS = ((1 / 16, 4), (1 / 4, 4), (1, 4), (4, 4), (4, 16))

OnProgress = Callable[[int, int], None]


class Experiment(NamedTuple):
    """A setting to be trained."""

    name: str
    game: Game
    config: TrainingConfig


class Outcome(NamedTuple):
    """The result of an experiment."""

    experiment: Experiment
    directory: Path
    steps: int
    states: int
    first: dict[str, float]
    """Losses of the first step."""
    last: dict[str, float]
    levels: list[LevelResult]

    @property
    def score(self) -> float:
        """The mean result over all levels."""
        return sum(level.score.mean for level in self.levels) / len(self.levels)

    @property
    def error(self) -> float:
        """Its standard error, from the games alone: another seed would differ by more."""
        scores = [level.score for level in self.levels]
        games = sum(score.games for score in scores)
        variance = sum(score.games * (1 - score.mean**2) for score in scores) / games
        return math.sqrt(variance / games)


def boards(seconds: int | None, seed: int, on_progress: OnProgress) -> Report:
    """Losses and evaluation on the boards of the paper."""
    experiments = []
    for rows, cols in BOARDS:
        game = Clobber(rows, cols)
        experiments.append(Experiment(f"{rows}x{cols}", game, _settings(game, seconds)))
    outcomes = _run_all("boards", experiments, seconds, seed, on_progress)
    falling = sum(each.last["sum"] < each.first["sum"] for each in outcomes)
    # On a board that the first player wins, no player scores above half against a good opponent.
    ahead = sum(each.levels[0].score.mean >= 0 for each in outcomes)
    verdict = (
        f"the loss falls on {falling} of {len(outcomes)} boards; level 0 of the ladder is not lost "
        f"more often than won on {ahead}"
    )
    if len(outcomes) < len(experiments):
        verdict += "; stopped"
    reproduced = falling == ahead == len(BOARDS)
    return _report("Clobber as jans trained it", experiments, outcomes, verdict, reproduced)


def buffers(seconds: int | None, seed: int, on_progress: OnProgress) -> Report:
    """The claim about the replay buffer ratio, on 4x4."""
    game = Clobber(4, 4)
    settings = _settings(game, seconds)
    experiments = []
    for share, reuse in BUFFERS:
        size = int(share * settings.replay.replay_buffer_size)
        size = max(settings.learner.train_batch_size, size)
        update = {"replay_buffer_size": size, "replay_buffer_reuse": reuse}
        name = f"size {size}, reuse {reuse}, ratio {size // reuse}"
        experiments.append(Experiment(name, game, settings.changed(**update)))
    outcomes = _run_all("buffers", experiments, seconds, seed, on_progress)
    if len(outcomes) < len(experiments):
        return _report("Replay buffer ratio, 4x4", experiments, outcomes, "stopped", None)
    small, large = outcomes[0], outcomes[BUFFERS.index((4, 4))]
    gain, error = large.score - small.score, math.hypot(large.error, small.error)
    best = max(outcomes, key=lambda each: each.score)
    verdict = (
        f"64 times the ratio in the same time: {gain:+.2f} ± {error:.2f}; best: "
        f"{best.experiment.name}"
    )
    return _report("Replay buffer ratio, 4x4", experiments, outcomes, verdict, gain > 2 * error)


def encodings(seconds: int | None, seed: int, on_progress: OnProgress) -> Report:
    """The first encoding (stones by colour) and the second (own stones and others) on 5x5."""
    game = Clobber(5, 5)
    settings = _settings(game, seconds)
    experiments = [
        Experiment(name, game, settings.changed(encoding=encoding))
        for name, encoding in (("first: colours", "colours"), ("second: own", "own"))
    ]
    outcomes = _run_all("encodings", experiments, seconds, seed, on_progress)
    if len(outcomes) < len(experiments):
        return _report("Encodings, 5x5", experiments, outcomes, "stopped", None)
    first, second = outcomes
    gain, error = second.score - first.score, math.hypot(first.error, second.error)
    verdict = f"the second in place of the first: {gain:+.2f} ± {error:.2f}"
    return _report("Encodings, 5x5", experiments, outcomes, verdict, gain > 2 * error)


def _settings(game: Game, seconds: int | None) -> TrainingConfig:
    """The paper's settings, or for `quick` a reduced version."""
    config = make_preset("jans", game)
    if seconds is None:
        return config
    size = QUICK_STATES * config.replay.replay_buffer_reuse
    return config.changed(nn_width=QUICK_WIDTH, replay_buffer_size=size)


def _run_all(
    study: str,
    experiments: list[Experiment],
    seconds: int | None,
    seed: int,
    on_progress: OnProgress,
) -> list[Outcome]:
    """Run all experiments, or those before Ctrl-C."""
    outcomes: list[Outcome] = []
    time = seconds or FULL_SECONDS
    total = time * len(experiments)
    with suppress(KeyboardInterrupt):
        for number, experiment in enumerate(experiments):
            scale = "full" if seconds is None else f"{seconds}s"
            name = experiment.name.replace(", ", "-").replace(": ", "-").replace(" ", "")
            directory = DIRECTORY / f"{study}-{name}-{scale}-seed{seed}"

            def on_share(share: float, number: int = number) -> None:
                on_progress(int(time * (number + share)), total)

            games = FULL_GAMES if seconds is None else QUICK_GAMES
            outcomes.append(_run(experiment, directory, time, games, seed, on_share))
    return outcomes


def _run(
    experiment: Experiment,
    directory: Path,
    seconds: float,
    games: int,
    seed: int,
    on_share: Callable[[float], None],
) -> Outcome:
    game, config = experiment.game, experiment.config
    limits = Limits(seconds)
    told = telling_share(limits, on_share)
    found = run_experiment(game, config, directory, limits, told, seed).unless_stopped()
    levels = [level for _, level in climb(found.networks(), games, seed, levels=LEVELS)]
    trainer, log = found.trainer, found.log
    first, last = log[0]["loss"], log[-1]["loss"]
    return Outcome(experiment, directory, trainer.step, trainer.replay.added, first, last, levels)


def _report(
    title: str,
    experiments: list[Experiment],
    outcomes: list[Outcome],
    verdict: str,
    reproduced: bool | None,
) -> Report:
    rows = [
        (
            *(each.experiment.name, f"{each.steps:,}", f"{each.states:,}"),
            f"{each.first['policy']:.2f} > {each.last['policy']:.2f}",
            f"{each.first['value']:.2f} > {each.last['value']:.2f}",
            " ".join(f"{level.score.mean:+.1f}" for level in each.levels),
        )
        for each in outcomes
    ]
    values = [
        {
            "setting": each.experiment.name,
            "game": describe(each.experiment.game),
            "run": str(each.directory),
            "steps": each.steps,
            "states": each.states,
            "loss": {"first": each.first, "last": each.last},
            "ladder": [level.fields for level in each.levels],
        }
        for each in outcomes
    ]
    is_complete = len(outcomes) == len(experiments)
    columns = "setting", "steps", "states", "policy loss", "value loss"
    headings = (*columns, f"levels 0 to {LEVELS - 1}")
    runs = tuple(each.directory for each in outcomes)
    return Report(
        title,
        headings,
        rows,
        values,
        verdict,
        is_complete,
        reproduced if is_complete else None,
        runs,
    )
