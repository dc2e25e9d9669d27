"""A run from where it is to its end: steps, the log, checkpoints."""

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zerolab.training.runs.journal import entry
from zerolab.training.runs.run_directory import MODEL, Run
from zerolab.training.selfplay.actors import CrewSource
from zerolab.training.selfplay.crew import Job
from zerolab.training.selfplay.sources import Source
from zerolab.training.trainer import Trainer


class Limits(NamedTuple):
    """When a run ends; without any it goes on until it is stopped."""

    seconds: float | None = None
    """Of the whole run, the time before it was resumed included."""
    steps: int | None = None

    def progress(self, seconds: float, steps: int) -> float:
        """How much of the run is done, from 0 to 1."""
        shares = [0.0]
        if self.seconds is not None:
            shares.append(seconds / self.seconds)
        if self.steps is not None:
            shares.append(steps / self.steps)
        return min(1.0, max(shares))


def make_trainer(run: Run, evaluators: Sequence[Job] = ()) -> Trainer:
    """A trainer for a run, where its checkpoint was, with the processes that its settings ask for.

    `evaluators` are workers that judge the network while it learns.
    """
    source: Source | None = None
    if run.config.actors > 0:
        path = run.directory / MODEL

        def notice(message: object) -> None:
            trainer.notice(message)

        source = CrewSource(run.game, run.config, path, evaluators, notice)
    trainer = Trainer(run.game, run.config, run.seed, source)
    run.restore(trainer)
    return trainer


def train(
    run: Run, trainer: Trainer, limits: Limits, on_step: Callable[[dict[str, Any]], None]
) -> None:
    """Train until a limit is reached. After every step all of it is on disk.

    `on_step` gets the line of the log that was written last.
    """
    if limits == Limits() and run.config.max_steps > 0:
        limits = Limits(steps=run.config.max_steps)
    before = time.monotonic() - run.seconds
    trainer.progress = limits.progress(run.seconds, trainer.step)
    if trainer.progress >= 1:
        return
    with contextlib.closing(trainer.source):
        for step in trainer.steps():
            run.seconds = time.monotonic() - before
            run.trajectories += len(step.games.records)
            line = entry(trainer, step, run.config.actors, run.trajectories, run.seconds)
            run.log(line)
            run.save(trainer)
            on_step(line)
            trainer.progress = limits.progress(run.seconds, trainer.step)
            if trainer.progress >= 1:
                run.save_network(trainer)
                return
