"""An experiment: settings, a directory and events. All training goes through `run_experiment`.

A run that was stopped is resumed, and a complete run is not trained again.
"""

import time
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
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.workforce import Hire
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import RunConfig
from zerolab.training.steps import Event, OnEvent, StepEvent
from zerolab.training.trainer import Trainer


class Outcome(NamedTuple):
    """The result of an experiment."""

    run: Run
    trainer: Trainer
    log: list[dict[str, Any]]
    """A line for each step of the run."""
    is_stopped: bool
    """Whether Ctrl-C stopped it before its limits."""

    def unless_stopped(self) -> "Outcome":
        """The outcome; KeyboardInterrupt if the experiment was stopped."""
        if self.is_stopped:
            raise KeyboardInterrupt
        return self

    def networks(self) -> Networks:
        """The trained network with its settings for play, with exact leaves if it had any, and
        without.
        """
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
    compiling: float | None = None,
    hire: Hire = Crew,
) -> Outcome:
    """Create a run, or resume an existing one, and train it up to its limits.

    `on_event` gets phases and steps (training/steps.py). To show the progress of compiling, call
    `prepare_experiment` before, and pass the seconds that it took. `hire` says where actors and
    evaluators live: on this machine, or where an engine has room (engines/).
    """
    if compiling is None:  # errors come before a directory is created
        compiling = prepare_experiment(game, config)
    run = open_or_create(directory, game, config, seed)
    run.compiling = compiling
    is_stopped = False
    with run.hold():
        trainer = make_trainer(run, evaluator_jobs(game, config), hire)
        try:
            train(run, trainer, limits, on_event)
        except KeyboardInterrupt:
            is_stopped = True
        return Outcome(run, trainer, run.read_log(), is_stopped)


def telling_share(limits: Limits, on_share: Callable[[float], None]) -> OnEvent:
    """Turn events into the share of a run that is done, reported after each step."""

    def on_event(event: Event) -> None:
        if isinstance(event, StepEvent):
            on_share(limits.progress(event.line["time_rel"], event.line["step"]))

    return on_event


def prepare_experiment(game: Game, config: RunConfig) -> float:
    """Compile what training needs; return the seconds it took. UsageError if it cannot work."""
    if num_players(game) != 2:
        raise UsageError("training needs a two-player game")
    started = time.monotonic()
    prepare(game, config)
    return time.monotonic() - started


def open_or_create(directory: Path, game: Game, config: RunConfig, seed: int) -> Run:
    """The existing run, if it has these settings, or a new one."""
    if not (directory / CONFIG).exists():
        return Run.create(directory, game, config, seed)
    run = Run.open(directory, game)
    if run.config != config:
        raise UsageError(f"{directory} holds a run with other settings; move it elsewhere")
    return run
