"""A staged run in its directory, from where it is to its end."""

import time
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.networks.header import read_metadata
from zerolab.training.begun import Numbers
from zerolab.training.loop import Limits
from zerolab.training.runs.journal import entry
from zerolab.training.runs.run_directory import STAGED, RunDirectory
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.staged import Iteration, StagedTrainer
from zerolab.training.stopping import TimeIsUp, stop_requests
from zerolab.training.trainer import OnPhase

BEGUN = "iteration.safetensors"  # an iteration that was stopped in the middle
KEY = "zerolab-iteration"


class StagedRun(RunDirectory[StagedConfig]):
    """A run of the staged loop; a step is an iteration."""

    LOOP = STAGED
    SETTINGS = StagedConfig

    def save_begun(self, trainer: StagedTrainer) -> None:
        """Write what there is of the iteration under way; the checkpoint before it stays."""
        from safetensors.numpy import save

        numbers = trainer.begun.numbers(trainer.step, self.seconds, trainer.draw)
        with replacing(self.directory / BEGUN) as file:
            file.write(save(trainer.begun.arrays(), {KEY: numbers.model_dump_json()}))

    def restore_begun(self, trainer: StagedTrainer) -> None:
        """Go on with an iteration that was stopped, if there is one after the checkpoint."""
        from safetensors import SafetensorError
        from safetensors.numpy import load

        path = self.directory / BEGUN
        for unfinished in self.directory.glob(f"{BEGUN}.*"):  # its writer was killed
            unfinished.unlink()
        if not path.exists():
            return
        data = path.read_bytes()
        text = read_metadata(path, data).get(KEY)
        try:
            numbers = Numbers.model_validate_json(text or "")
            if numbers.step == trainer.step:
                trainer.go_on(load(data), numbers)
                self.seconds = numbers.seconds
        except (ValidationError, SafetensorError, KeyError, ValueError, RuntimeError, TypeError):
            raise UsageError(
                f"{path} is damaged or of another version; without it the run goes on from the "
                "iteration before"
            ) from None


def train_staged(
    run: StagedRun,
    trainer: StagedTrainer,
    limits: Limits,
    on_iteration: Callable[[dict[str, Any]], None],
    on_phase: OnPhase = lambda phase, share: None,
) -> None:
    """Train until a limit is reached or all iterations are done. After each, all is on disk.

    `on_iteration` gets the line of the log that was written last; `on_phase` is told how far the
    stage is that goes on. Time that is up, and Ctrl-C, stop an iteration in the middle; it is kept,
    and gone on with when the run is resumed.
    """
    before = time.monotonic() - run.seconds
    if limits.progress(run.seconds, trainer.step) >= 1:
        return
    with stop_requests() as is_stop_requested:

        def watch(phase: str, share: float) -> None:
            on_phase(phase, share)
            run.seconds = time.monotonic() - before
            if is_stop_requested():
                raise KeyboardInterrupt
            if limits.seconds is not None and run.seconds >= limits.seconds:
                raise TimeIsUp

        trainer.on_phase = watch
        try:
            for iteration in trainer.iterations():
                run.seconds = time.monotonic() - before
                run.trajectories += len(iteration.games.records)
                line = staged_entry(trainer, iteration, run.trajectories, run.seconds)
                run.log(line)
                run.save(trainer)
                (run.directory / BEGUN).unlink(missing_ok=True)
                on_iteration(line)
                if limits.progress(run.seconds, trainer.step) >= 1:
                    break
        except TimeIsUp:
            run.save_begun(trainer)
        except KeyboardInterrupt:
            if is_stop_requested():
                run.save_begun(trainer)
            raise
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
            "train": iteration.train_seconds,
            "arena": iteration.arena_seconds,
        },
    }
