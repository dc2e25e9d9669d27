"""A staged run in its directory, from where it is to its end."""

import time
from collections.abc import Callable
from typing import Any

from zerolab.training.journal import entry
from zerolab.training.loop import Limits
from zerolab.training.run import STAGED, RunDirectory
from zerolab.training.staged import Iteration, StagedTrainer
from zerolab.training.staged_config import StagedConfig


class StagedRun(RunDirectory[StagedConfig]):
    """A run of the staged loop; a step is an iteration."""

    LOOP = STAGED
    SETTINGS = StagedConfig


def train_staged(
    run: StagedRun,
    trainer: StagedTrainer,
    limits: Limits,
    on_iteration: Callable[[dict[str, Any]], None],
) -> None:
    """Train until a limit is reached or all iterations are done. After each, all is on disk.

    `on_iteration` gets the line of the log that was written last.
    """
    before = time.monotonic() - run.seconds
    if limits.progress(run.seconds, trainer.step) >= 1:
        return
    for iteration in trainer.iterations():
        run.seconds = time.monotonic() - before
        run.trajectories += len(iteration.games.records)
        line = staged_entry(trainer, iteration, run.trajectories, run.seconds)
        run.log(line)
        run.save(trainer)
        on_iteration(line)
        if limits.progress(run.seconds, trainer.step) >= 1:
            break
    run.save_network(trainer)


def staged_entry(
    trainer: StagedTrainer, iteration: Iteration, trajectories: int, seconds: float
) -> dict[str, Any]:
    """A line of the log: that of the continuous loop, and what only stages have."""
    arena = iteration.arena
    return entry(trainer, iteration, 0, trajectories, seconds) | {
        "epoch_losses": [losses._asdict() for losses in iteration.epochs],
        "arena": None if arena is None else arena._asdict() | {"win_rate": arena.win_rate},
        "accepted": iteration.accepted,
        "window": trainer.replay.sizes,
        "stage_seconds": {
            "play": iteration.play_seconds,
            "train": iteration.learn_seconds - iteration.arena_seconds,
            "arena": iteration.arena_seconds,
        },
    }
