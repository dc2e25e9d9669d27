"""The continuous loop: games arrive, the network learns, games continue with the new weights.

With games from this process a run depends on its seed alone, to the bit; with games from others
(actors.py) it uses all cores.
"""

import math
import time
from collections.abc import Iterator

import numpy as np

from zerolab.games.base import Game
from zerolab.networks.machine import at_most
from zerolab.records.batches import make_batch
from zerolab.training.learner import LossValues
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN, Evaluated, Evaluations, Measured
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.value_targets import make_samples
from zerolab.training.selfplay.sources import LocalSource, SelfPlayBatch, Source
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.steps import LEARNING, PLAYING, Step
from zerolab.training.trainer import Trainer
from zerolab.training.weights.rounded_models import model_of

STEP_SEED = 0x9E3779B9  # far apart: games after a step are not those of the next seed


class ContinuousTrainer(Trainer):
    """Takes games from a source and learns from a buffer of the most recent positions."""

    config: TrainingConfig
    replay: Replay

    def __init__(
        self, game: Game, config: TrainingConfig, seed: int, source: Source | None = None
    ) -> None:
        """Without a source, games are played in this process."""
        evaluations = {
            kind: Evaluations(config.eval_levels, config.evaluation_window)
            for kind in (EVAL, EVAL_PLAIN)
        }
        replay = Replay(game, config.replay.replay_buffer_size)
        super().__init__(game, config, seed, replay, evaluations)
        self.source = source or LocalSource(game, config)
        self._seed = seed

    @property
    def game_seed(self) -> int:
        """The seed of the games after this step; resumed runs do not repeat games."""
        return self._seed + STEP_SEED * self.step

    def steps(self) -> Iterator[Step]:
        """Yield steps without end."""
        self.source.start(self.model(), self.game_seed)
        while True:
            started = time.perf_counter()
            games = self._gather()
            played, worked = time.perf_counter(), time.process_time()
            with at_most(self.source.threads):
                losses = self.learn()
            self.step += 1
            self.source.refresh(self.model())
            learnt, work = time.perf_counter() - played, time.process_time() - worked
            batches = self.config.learner.batches_of(self.replay.size)
            yield Step(*(self.step, games, losses, played - started, learnt, work), batches=batches)

    def model(self) -> bytes:
        """The current network as an ONNX model, in 8 bits if the configuration says so."""
        seen = self.replay.samples if self.config.int8 else None
        return model_of(self.learner.network, self.game, self.view, seen)

    def notice(self, message: object) -> None:
        """Record a result of an evaluator."""
        if isinstance(message, Evaluated):
            self.evaluations[message.kind].add(message.level, message.result)
            if message.game is not None:
                self.judged.append(message.game)
        elif isinstance(message, Measured):
            self.measured = message

    def _gather(self) -> SelfPlayBatch:
        """Take games until there are enough new states, and add their samples to the buffer."""
        wanted = self.config.replay.states_per_step
        self.on_phase(PLAYING, 0.0)
        games = self.source.gather(wanted, lambda states: self.on_phase(PLAYING, states / wanted))
        for record in games.records:
            self.replay.add(make_samples(self.config.targets, record))
        return games

    def learn(self) -> LossValues:
        """Learn from batches of random samples, as many in total as the buffer holds."""
        rate = self.config.learner.learning_rate
        if self.config.schedule == "cosine":
            rate *= (1 + math.cos(math.pi * min(1.0, self.progress))) / 2
        self.learner.set_learning_rate(rate)
        size = self.config.learner.train_batch_size
        count = self.config.learner.batches_of(self.replay.size)
        turning = self.draw if self.config.learner.symmetries else None
        losses = []
        for number in range(count):
            self.on_phase(LEARNING, number / count)
            samples = self.replay.draw(size, self.draw)
            losses.append(self.learner.step(make_batch(self.game, self.view, samples, turning)))
        return LossValues(*(float(mean) for mean in np.mean(losses, axis=0)))

    def close(self) -> None:
        """End the processes that play."""
        self.source.close()
