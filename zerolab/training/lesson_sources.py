"""What the supervised loop learns from: positions of games on disk, drawn batch by batch."""

import hashlib
from pathlib import Path
from typing import Protocol

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.records.samples import Samples
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
    lessons = RunLessons(game, Path(config.data), seed)
    found = digest_of(lessons)
    if config.digest not in ("", found):
        raise UsageError(f"{config.data} has other games than those that this run began with")
    return lessons


def digest_of(lessons: Lessons) -> str:
    """One digest for all games."""
    return hashlib.sha256("".join(lessons.digests.values()).encode()).hexdigest()


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
