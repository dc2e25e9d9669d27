"""The loop of a run: steps, the log, checkpoints.

All trainers share this loop. They differ in what a step is.
"""

import contextlib
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from zerolab.games.base import Game
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.lesson_sources import open_lessons
from zerolab.training.runs.journal import entry, lesson_entry
from zerolab.training.runs.run_directory import MODEL, Run
from zerolab.training.runs.step_times import Around
from zerolab.training.selfplay.actors import CrewSource
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.workforce import Hire, Job
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import RunConfig
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.settings.supervised_config import SupervisedConfig
from zerolab.training.staged import StagedTrainer
from zerolab.training.steps import Lesson, OnEvent, PhaseEvent, Step, StepEvent
from zerolab.training.stopping import TimeIsUp, stop_requests
from zerolab.training.supervised import SupervisedTrainer
from zerolab.training.trainer import Trainer


class Limits(NamedTuple):
    """When a run ends; without limits it continues until it is stopped."""

    seconds: float | None = None
    """Duration of the whole run, including the time before it was resumed."""
    steps: int | None = None

    def progress(self, seconds: float, steps: int) -> float:
        """The share of the run that is done, from 0 to 1."""
        shares = [0.0]
        if self.seconds is not None:
            shares.append(seconds / self.seconds)
        if self.steps is not None:
            shares.append(steps / self.steps)
        return min(1.0, max(shares))


def make_trainer(run: Run, evaluators: Sequence[Job] = (), hire: Hire = Crew) -> Trainer:
    """The trainer of a run, restored from its checkpoint, with the workers of its settings.

    `evaluators` are workers that judge the network while it learns; `hire` says where they live.
    """
    if not isinstance(run.config, TrainingConfig) or run.config.actors == 0:
        trainer = new_trainer(run.game, run.config, run.seed)
    else:

        def notice(message: object) -> None:
            continuous.notice(message)

        path = run.directory / MODEL
        source = CrewSource(run.game, run.config, path, evaluators, notice, hire)
        trainer = continuous = ContinuousTrainer(run.game, run.config, run.seed, source)
    run.restore(trainer)
    return trainer


def new_trainer(game: Game, config: RunConfig, seed: int) -> Trainer:
    """A trainer before its first step, of the loop that takes these settings, in this process."""
    if isinstance(config, StagedConfig):
        return StagedTrainer(game, config, seed)
    if isinstance(config, SupervisedConfig):
        return SupervisedTrainer(game, config, seed, open_lessons(game, config, seed))
    return ContinuousTrainer(game, config, seed)


def _line(run: Run, trainer: Trainer, step: Step | Lesson, around: Around) -> dict[str, Any]:
    """The line of the log for a step that was just made."""
    if isinstance(step, Lesson):
        return lesson_entry(step, run.seconds, around)
    run.trajectories += len(step.games.records)
    return entry(trainer, step, run.trajectories, run.seconds, around)


def prepare(game: Game, config: RunConfig) -> None:
    """Compile what a run needs, so that compiling does not count as training."""
    next(new_trainer(game, config.smallest(), seed=0).steps())


def train(run: Run, trainer: Trainer, limits: Limits, on_event: OnEvent) -> None:
    """Train until a limit is reached or the configuration's last step is made.

    After every step everything is on disk. A trainer that can pause stops in the middle of a step
    when the time is up or Ctrl-C was pressed; the step is kept, and continues when the run is
    resumed. With other trainers the time limit ends a run after a step, and Ctrl-C loses the
    unfinished step.
    """
    if limits == Limits() and run.config.max_steps > 0:
        limits = Limits(steps=run.config.max_steps)
    before = time.monotonic() - run.seconds
    trainer.progress = limits.progress(run.seconds, trainer.step)
    if trainer.progress >= 1:
        return
    with contextlib.closing(trainer), stop_requests(trainer.can_pause) as is_stop_requested:

        def on_phase(phase: str, share: float) -> None:
            on_event(PhaseEvent(phase, share, limits.progress(run.seconds, trainer.step)))
            if trainer.can_pause:
                run.seconds = time.monotonic() - before
                if is_stop_requested():
                    raise KeyboardInterrupt
                if limits.seconds is not None and run.seconds >= limits.seconds:
                    raise TimeIsUp

        trainer.on_phase = on_phase
        around = Around(compiling=run.compiling)
        try:
            for step in trainer.steps():
                run.seconds = time.monotonic() - before
                line = _line(run, trainer, step, around)
                run.log(line)
                if isinstance(step, Step):
                    run.keep_games(trainer, step.games.records)
                run.save(trainer)
                around = Around(checkpoint=time.monotonic() - before - run.seconds)
                on_event(StepEvent(line))
                trainer.progress = limits.progress(run.seconds, trainer.step)
                if trainer.progress >= 1:
                    break
        except TimeIsUp:
            run.save_paused(trainer)
        except KeyboardInterrupt:
            if is_stop_requested():
                run.save_paused(trainer)
            raise
    run.save_network(trainer)
