"""What the supervised loop learns from: positions of games on disk, drawn batch by batch."""

import hashlib
from pathlib import Path
from typing import Protocol

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.records.dataset import open_dataset
from zerolab.records.packing import follows_rules
from zerolab.records.samples import Samples
from zerolab.records.sampling import Sampler, validation_positions
from zerolab.training.runs.logs import CONFIG
from zerolab.training.runs.run_samples import read_samples
from zerolab.training.settings.supervised_config import SupervisedConfig

TRAINING, VALIDATION = "training", "validation"
VALIDATION_SHARE = 0.05
FEWEST = 20  # positions


class Lessons(Protocol):
    """Batches for learning and positions for validation, of different games."""

    @property
    def digests(self) -> dict[str, str]:
        """What identifies the games: of training, and of validation."""

    def batch(self, number: int, size: int) -> Samples:
        """Samples for learning; the same number and size give the same samples."""

    def validation(self, count: int) -> Samples:
        """Samples of validation games, always the same."""


def open_lessons(game: Game, config: SupervisedConfig, seed: int) -> Lessons:
    """What a run learns from; a UsageError if it is not what the run began with."""
    path = Path(config.data)
    lessons: Lessons
    if is_run(path):
        lessons = RunLessons(game, path, seed)
    else:
        lessons = DatasetLessons(game, path, seed)
    found = digest_of(lessons)
    if config.digest not in ("", found):
        raise UsageError(f"{config.data} has other games than those that this run began with")
    return lessons


def digest_of(lessons: Lessons) -> str:
    """One digest for all games."""
    return hashlib.sha256("".join(lessons.digests.values()).encode()).hexdigest()


def is_run(path: Path) -> bool:
    """Whether data are the directory of a run, and not records of games."""
    return (path / CONFIG).exists()


class DatasetLessons:
    """Positions of packed games."""

    def __init__(self, game: Game, path: Path, seed: int) -> None:
        dataset = open_dataset(path)
        if not follows_rules(game, dataset.game):
            raise UsageError(
                f"{path} has games of {describe(dataset.game)}, not of {describe(game)}"
            )
        if dataset.header.validation_games == 0:
            raise UsageError(
                f"{path} has no games for validation; with {dataset.header.games:,} games in all "
                f"there may be none, so expected a hundred or more"
            )
        # A state may remember more or less of the past than when the games were packed.
        self._dataset = dataset._replace(game=game)
        self._sampler = Sampler(self._dataset, seed)

    @property
    def digests(self) -> dict[str, str]:
        """Of the moves and results."""
        header = self._dataset.header
        return {TRAINING: header.training_digest, VALIDATION: header.validation_digest}

    def batch(self, number: int, size: int) -> Samples:
        """Positions of training games, shuffled."""
        return self._sampler.batch(number, size)

    def validation(self, count: int) -> Samples:
        """Positions of as many validation games as possible."""
        return validation_positions(self._dataset, count)


class RunLessons:
    """Positions of self-play that a run has stored.

    A run stores positions, not games, in the order in which they were played: the last ones are for
    validation, so that at most one game has positions on both sides.
    """

    def __init__(self, game: Game, directory: Path, seed: int) -> None:
        self._seed = seed
        self._samples = read_samples(directory, game)
        size = self._samples.size
        if size < FEWEST:
            raise UsageError(f"{directory} has {size} positions; expected {FEWEST} or more")
        self._training = size - max(1, round(VALIDATION_SHARE * size))

    @property
    def digests(self) -> dict[str, str]:
        """Of the states."""
        states = self._samples.states
        parts = {TRAINING: states[: self._training], VALIDATION: states[self._training :]}
        return {name: hashlib.sha256(part.tobytes()).hexdigest() for name, part in parts.items()}

    def batch(self, number: int, size: int) -> Samples:
        """Positions at random."""
        draw = np.random.default_rng((self._seed, number, 0))
        return self._samples.take(draw.integers(self._training, size=size))

    def validation(self, count: int) -> Samples:
        """Positions spread evenly over those of validation."""
        total = self._samples.size
        rows = np.linspace(self._training, total - 1, min(count, total - self._training))
        return self._samples.take(rows.round().astype(np.int64))
