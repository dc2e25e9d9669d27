"""An experiment: settings, a directory and events. Whoever trains, trains by `run_experiment`.

A run that was stopped goes on where it was, and one that is complete is not trained again.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.experiments.evaluators import evaluator_jobs
from zerolab.experiments.judging import Networks, networks_to_judge
from zerolab.games.base import Game, num_players
from zerolab.training.loop import Limits, make_trainer, prepare, train
from zerolab.training.runs.logs import CONFIG
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import RunConfig
from zerolab.training.steps import Event, OnEvent, StepEvent
from zerolab.training.trainer import Trainer


class Outcome(NamedTuple):
    """What an experiment has come to."""

    run: Run
    trainer: Trainer
    log: list[dict[str, Any]]
    """A line for each step of the run."""
    is_stopped: bool
    """By Ctrl-C, before its limits."""

    def unless_stopped(self) -> "Outcome":
        """The outcome; KeyboardInterrupt if the experiment was stopped."""
        if self.is_stopped:
            raise KeyboardInterrupt
        return self

    def networks(self) -> Networks:
        """The trained network as it plays to win, with exact leaves if it had any, and without."""
        config = self.run.config
        stones = config.exact_stones if isinstance(config, TrainingConfig) else 0
        return networks_to_judge(self.run.game, self.trainer.model(), config.search, stones)


def run_experiment(
    game: Game,
    config: RunConfig,
    directory: Path,
    limits: Limits,
    on_event: OnEvent = lambda event: None,
    seed: int = 0,
    is_prepared: bool = False,
) -> Outcome:
    """Create a run, or go on with the one that is there, and train it to its limits.

    `on_event` is told phases and steps (training/steps.py). Whoever wants to show how compiling
    goes on calls `prepare_experiment` before, and says so.
    """
    if not is_prepared:
        prepare_experiment(game, config)  # what cannot work fails before there is a directory
    run = open_or_create(directory, game, config, seed)
    is_stopped = False
    with run.hold():
        trainer = make_trainer(run, evaluator_jobs(game, config))
        try:
            train(run, trainer, limits, on_event)
        except KeyboardInterrupt:
            is_stopped = True
        return Outcome(run, trainer, run.read_log(), is_stopped)


def telling_share(limits: Limits, on_share: Callable[[float], None]) -> OnEvent:
    """Events as the share of a run that is over, told after each step."""

    def on_event(event: Event) -> None:
        if isinstance(event, StepEvent):
            on_share(limits.progress(event.line["time_rel"], event.line["step"]))

    return on_event


def prepare_experiment(game: Game, config: RunConfig) -> None:
    """Compile what training needs; UsageError if it cannot work."""
    if num_players(game) != 2:
        raise UsageError("training needs a game for two players")
    prepare(game, config)


def open_or_create(directory: Path, game: Game, config: RunConfig, seed: int) -> Run:
    """The run that is there, if it has these settings, or a new one."""
    if not (directory / CONFIG).exists():
        return Run.create(directory, game, config, seed)
    run = Run.open(directory, game)
    if run.config != config:
        raise UsageError(f"{directory} holds a run with other settings; move it away")
    return run
