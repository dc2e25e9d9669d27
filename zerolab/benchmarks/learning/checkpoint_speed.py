"""Checkpoints: what a step of a run writes, how long that takes, and how long opening takes.

The buffer is filled with made-up samples as a run fills it, step by step. There are two
yardsticks. One is a file with the network and the whole buffer, which each step would have to
write without segments.
The other is the machine's limit: writing the same bytes, or reading them and filling the memory of
the buffer, without looking at anything. All writing ends on the disk (fsync). The three take
turns, and each is judged by its best round.

Runs are opened in new processes, as they are when they are resumed: memory that a process had
before costs next to nothing, memory that is new to it costs more than reading the files.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.games.boards.stones import state_words
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.games.notation import num_actions
from zerolab.records.samples import Samples
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.runs.run_directory import CHECKPOINT, Run
from zerolab.training.samples.segments import FILES, read_whole
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import ours

SMALL: Game = Clobber(5, 5)
LARGE: Game = Clobber(10, 10)
LARGE_BUFFER = 2**19  # positions, the largest of jans
VISITED = 20  # moves of each policy, at most
ROUNDS = 3


class CheckpointCost(NamedTuple):
    """The checkpoints of a run with a full buffer."""

    game: str
    buffer: int
    """Positions."""
    new: int
    """Positions that a step adds."""
    step_bytes: int
    """Bytes that a step writes."""
    whole_bytes: int
    """Bytes of a file with the network and the whole buffer."""
    stored_bytes: int
    """Bytes that opening reads."""
    save: float
    """Seconds of a step's checkpoint."""
    save_whole: float
    """Seconds of writing the whole buffer."""
    save_limit: float
    """Seconds of writing the bytes of a step."""
    open: float
    """Seconds of opening the run."""
    open_whole: float
    """Seconds of reading the whole buffer."""
    open_limit: float
    """Seconds of reading the stored bytes and filling the memory of the buffer."""

    @property
    def ratios(self) -> dict[str, float]:
        """Ours divided by the yardsticks; a smaller one is better."""
        return {
            "bytes of a step to those of the whole buffer": self.step_bytes / self.whole_bytes,
            "seconds of a step to those of the whole buffer": self.save / self.save_whole,
            "seconds of a step to the limit": self.save / self.save_limit,
            "seconds of opening to those of the whole buffer": self.open / self.open_whole,
            "seconds of opening to the limit": self.open / self.open_limit,
        }


def bench_checkpoints(
    large_buffer: int, on_progress: Callable[[int, int], None]
) -> list[CheckpointCost]:
    """A run of 5x5 with our settings, and one of 10x10 with a larger buffer."""
    runs = [
        (SMALL, ours(SMALL)),
        (LARGE, ours(LARGE).changed(replay_buffer_size=large_buffer)),
    ]
    costs = []
    for number, (game, config) in enumerate(runs):
        with tempfile.TemporaryDirectory() as directory:
            costs.append(measure_run(Path(directory), game, config))
        on_progress(number + 1, len(runs))
    return costs


def measure_run(directory: Path, game: Game, config: TrainingConfig) -> CheckpointCost:
    """Fill the buffer of a run in this directory, save some more steps, and open it each time."""
    draw = np.random.default_rng(1)
    run = Run.create(directory / "run", game, config, seed=1)
    trainer = ContinuousTrainer(game, config, seed=1)
    _give_moments(trainer)
    replay, new = trainer.replay, config.replay.states_per_step
    whole = directory / "whole.safetensors"
    rounds: list[tuple[float, ...]] = []
    while len(rounds) < ROUNDS:
        replay.add(made_up_samples(game, new, draw))
        trainer.step += 1
        save = _seconds(run.save, trainer)
        if replay.oldest == 0:
            continue
        written = [run.directory / CHECKPOINT, max(run.directory.glob(FILES))]
        contents = [path.read_bytes() for path in written]
        stored = [run.directory / CHECKPOINT, *run.directory.glob(FILES)]
        rounds.append(
            (
                save,
                _seconds(_write_whole, whole, trainer),
                _seconds(_write_plainly, directory, contents),
                _in_new_process(open_run, run.directory, game),
                _in_new_process(open_whole, whole, game, config),
                _in_new_process(read_plainly, stored, whole.stat().st_size),
            )
        )
    return CheckpointCost(
        *(describe(game), replay.capacity, new),
        *(sum(map(len, contents)), whole.stat().st_size),
        sum(path.stat().st_size for path in stored),
        *(min(seconds) for seconds in zip(*rounds, strict=True)),
    )


def made_up_samples(game: Game, count: int, draw: np.random.Generator) -> Samples:
    """Samples of the size of real ones; nobody plays from them."""
    policy = np.zeros((count, num_actions(game)), np.float32)
    visited = draw.integers(num_actions(game), size=(count, VISITED))
    np.put_along_axis(policy, visited, np.float32(1 / VISITED), axis=1)
    states = draw.integers(2**64, size=(count, state_words(game)), dtype=np.uint64, endpoint=False)
    return Samples(states, policy, draw.random(count, np.float32), np.ones(count, np.float32))


def _give_moments(trainer: ContinuousTrainer) -> None:
    """Take a step of the optimizer, so that there are moments to be saved, as in every run."""
    for weights in trainer.learner.network.parameters():
        weights.grad = 0 * weights.detach()
    trainer.learner.optimizer.step()


def _seconds(function: Callable[..., object], *arguments: Any) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def _write_plainly(directory: Path, contents: list[bytes]) -> None:
    for number, content in enumerate(contents):
        with replacing(directory / f"plain-{number}") as file:
            file.write(content)


def _write_whole(path: Path, trainer: ContinuousTrainer) -> None:
    from safetensors.numpy import save

    with replacing(path) as file:
        file.write(save(trainer.learner.arrays() | trainer.replay.samples._asdict()))


def _in_new_process(function: Callable[..., float], *arguments: Any) -> float:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def open_run(directory: Path, game: Game) -> float:
    """Seconds of opening a run."""
    run = Run.open(directory, game)
    assert isinstance(run.config, TrainingConfig)
    return _seconds(run.restore, ContinuousTrainer(game, run.config, seed=1))


def open_whole(path: Path, game: Game, config: TrainingConfig) -> float:
    """Seconds of reading a file with a network and a whole buffer."""
    from safetensors.numpy import load

    trainer = ContinuousTrainer(game, config, seed=1)

    def read() -> None:
        arrays = load(path.read_bytes())
        trainer.learner.restore(arrays)
        trainer.replay.restore(read_whole(arrays, trainer.replay.capacity), 0)

    return _seconds(read)


def read_plainly(paths: list[Path], size: int) -> float:
    """Seconds of reading files and filling `size` bytes of memory."""

    def read() -> None:
        for path in paths:
            path.read_bytes()
        np.empty(size, np.uint8).fill(1)

    return _seconds(read)
