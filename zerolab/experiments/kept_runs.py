"""Training runs that belong to a study, each in a directory that is kept.

One that was stopped goes on where it was, and one that is complete is not trained again.
"""

from collections.abc import Callable
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.experiments.evaluators import evaluator_jobs
from zerolab.games.base import Game
from zerolab.training.loop import Limits, make_trainer, prepare, train
from zerolab.training.runs.logs import CONFIG
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.loops import RunConfig
from zerolab.training.steps import Event, StepEvent
from zerolab.training.trainer import Trainer


def open_kept(directory: Path, game: Game, config: RunConfig, seed: int) -> Run:
    """The run that is there, or a new one."""
    if not (directory / CONFIG).exists():
        return Run.create(directory, game, config, seed)
    run = Run.open(directory, game)
    if run.config != config:
        raise UsageError(f"{directory} holds a run with other settings; move it away")
    return run


def train_kept(run: Run, limits: Limits, on_share: Callable[[float], None]) -> Trainer:
    """Train to a limit; `on_share` is told how much of it is over. Compiling is extra."""

    def on_event(event: Event) -> None:
        if isinstance(event, StepEvent):
            on_share(limits.progress(event.line["time_rel"], event.line["step"]))

    prepare(run.game, run.config)
    with run.hold():
        trainer = make_trainer(run, evaluator_jobs(run.game, run.config))
        train(run, trainer, limits, on_event)
    return trainer
