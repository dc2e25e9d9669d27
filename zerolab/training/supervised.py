"""The supervised loop: a network learns the moves and results of games that are on disk.

A step is an epoch, a number of positions; after each, accuracy and error are measured on validation
games (cazenave, sections III and IV.D). Batch number n and its symmetries depend on the seed and n
alone, so a run that was stopped between two batches goes on to the bit.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from pydantic import BaseModel, ConfigDict

from zerolab.games.base import Game
from zerolab.networks.losses import ILLEGAL
from zerolab.networks.machine import seed_weights
from zerolab.records.batches import BatchMaker
from zerolab.records.samples import Batch, Samples
from zerolab.training.learner import Arrays, LossValues
from zerolab.training.lesson_sources import Lessons
from zerolab.training.samples.window import Window
from zerolab.training.settings.supervised_config import SupervisedConfig
from zerolab.training.steps import LEARNING, MEASURING, Lesson
from zerolab.training.trainer import Trainer

MEASURED_AT_ONCE = 512  # positions of validation games in one call
FAR_APART = 0x9E3779B9  # seeds of batches: no batch has that of another run's with the next seed


class Validation(NamedTuple):
    """How well a network predicts validation games."""

    positions: int
    accuracy: float
    """Share of positions in which the move played is the most probable legal one."""
    mse: float
    """Mean squared error of the value between 0 and 1, as cazenave has it."""
    policy: float
    """Cross-entropy of the move played."""
    value_accuracy: float
    """Share of positions whose winner is foreseen."""


class Numbers(BaseModel):
    """The numbers of an epoch that was stopped; its weights are beside them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int
    """Complete epochs before it."""
    seconds: float
    losses: list[list[float]]
    learn_seconds: float
    processor_seconds: float


class SupervisedTrainer(Trainer):
    """Learns from lessons, an epoch at a time. If `on_phase` raises, the epoch can go on later."""

    config: SupervisedConfig
    replay: Window

    def __init__(self, game: Game, config: SupervisedConfig, seed: int, lessons: Lessons) -> None:
        super().__init__(game, config, seed, Window(1), {})
        self.lessons = lessons
        self.batches = BatchMaker.on_all_cores(game, config.encoding)
        self._seed = seed
        self._losses: list[LossValues] = []
        """Of the batches of the epoch under way."""
        self._seconds = self._processor_seconds = 0.0

    def steps(self) -> Iterator[Lesson]:
        """The remaining epochs."""
        while self.step < self.config.epochs:
            losses = self.learn()
            validation, rate = self.measure(), self.rate(1 - 1 / self.config.batches)
            seconds, processor_seconds = self._seconds, self._processor_seconds
            self._losses, self._seconds, self._processor_seconds = [], 0.0, 0.0
            self.step += 1
            yield Lesson(
                *(self.step, self.samples, losses, rate, validation._asdict()),
                *(seconds, processor_seconds, self.config.batches, self.lessons.digests),
            )

    @property
    def samples(self) -> int:
        """Positions learnt in all complete epochs."""
        return self.step * self.config.batches * self.config.learner.train_batch_size

    def rate(self, share: float) -> float:
        """The learning rate when this share of the epoch is done."""
        return self.config.rate((self.step + share) / self.config.epochs)

    def learn(self) -> LossValues:
        """An epoch, or the rest of one; return the means over its batches."""
        count = self.config.batches
        started, worked = time.perf_counter(), time.process_time()
        try:
            for number in range(len(self._losses), count):
                self.on_phase(LEARNING, number / count)
                self.learner.set_learning_rate(self.rate(number / count))
                self._losses.append(self.learner.step(self.batch(self.step * count + number)))
        finally:
            self._seconds += time.perf_counter() - started
            self._processor_seconds += time.process_time() - worked
        return LossValues(*(float(mean) for mean in np.mean(self._losses, axis=0)))

    def batch(self, number: int) -> Batch:
        """A batch by its number in the run."""
        seed_weights(self._seed + FAR_APART * number)  # for dropout
        samples = self.lessons.batch(number, self.config.learner.train_batch_size)
        draw = np.random.default_rng((self._seed, number))
        return self.batches.make(samples, draw if self.config.learner.symmetries else None)

    def measure(self) -> Validation:
        """Accuracy and error on validation games."""
        samples = self.lessons.validation(self.config.validation_positions)
        sums = np.zeros(4)
        for first in range(0, samples.size, MEASURED_AT_ONCE):
            self.on_phase(MEASURING, first / samples.size)
            rows = samples.take(slice(first, first + MEASURED_AT_ONCE))
            sums += self._sums(rows)
        accuracy, mse, policy, value_accuracy = (float(each) for each in sums / samples.size)
        return Validation(samples.size, accuracy, mse, policy, value_accuracy)

    def _sums(self, samples: Samples) -> npt.NDArray[np.float64]:
        """Sums of accuracy, squared error, cross-entropy and foreseen winners."""
        batch = self.batches.make(samples)
        with torch.inference_mode():
            logits, win = self.learner.network(torch.from_numpy(batch.planes))
            logits = logits.masked_fill(~torch.from_numpy(batch.legal), ILLEGAL)
            logs = torch.log_softmax(logits, dim=1).numpy()
            values = torch.tanh(win).numpy()
        moves = samples.policy.argmax(axis=1)
        return np.array(
            [
                float((logs.argmax(axis=1) == moves).sum()),
                float((((values - samples.value) / 2) ** 2).sum()),
                float(-(samples.policy * logs).sum()),
                float(((values > 0) == (samples.value > 0)).sum()),
            ]
        )

    @property
    def can_pause(self) -> bool:
        """An epoch can stop between any two batches."""
        return True

    def pause(self, seconds: float) -> tuple[Arrays, str]:
        """The epoch under way."""
        numbers = Numbers(
            step=self.step,
            seconds=seconds,
            losses=[list(each) for each in self._losses],
            learn_seconds=self._seconds,
            processor_seconds=self._processor_seconds,
        )
        return self.learner.arrays(), numbers.model_dump_json()

    def go_on(self, arrays: Arrays, text: str) -> float | None:
        """Continue the epoch that was stopped after the checkpoint that was restored."""
        numbers = Numbers.model_validate_json(text)
        if numbers.step != self.step:
            return None
        self.learner.restore(arrays)
        self._losses = [LossValues(*each) for each in numbers.losses]
        self._seconds, self._processor_seconds = numbers.learn_seconds, numbers.processor_seconds
        return numbers.seconds
