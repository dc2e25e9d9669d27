"""The continuous loop in one process: play, learn, play on with the new weights.

The same pieces, in several processes, make a run on all cores. Here a run depends on its seed
alone, to the bit.
"""

import math
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zerolab.games.base import Game
from zerolab.networks.evaluator import OnnxEvaluator
from zerolab.networks.machine import seed_weights
from zerolab.networks.network import Network
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import signature_of
from zerolab.search.cache import CacheStatistics
from zerolab.solver.oracle import LeafSolver
from zerolab.training.config import TrainingConfig
from zerolab.training.learner import Learner, LossValues
from zerolab.training.replay import Replay
from zerolab.training.samples import make_batch, turn_at_random
from zerolab.training.selfplay import GameRecord, SelfPlay
from zerolab.training.targets import make_samples

STEP_SEED = 0x9E3779B9  # far apart: games after a step are not those of the next seed
CALIBRATION = 512  # positions that tell the ranges of 8-bit numbers


class Step(NamedTuple):
    """What one step of the loop did: games played, then what was learnt of them."""

    number: int
    records: list[GameRecord]
    losses: LossValues
    """Means over the batches of this step."""
    cache: CacheStatistics
    """Of the evaluations that the games of this step asked for."""
    play_seconds: float
    learn_seconds: float


class Trainer:
    """Network, buffer, and the games that go on; `steps` drives them."""

    def __init__(self, game: Game, config: TrainingConfig, seed: int) -> None:
        self.game = game
        self.config = config
        self.step = 0
        self.progress = 0.0
        """How much of the run is done, from 0 to 1; whoever drives the run says so."""
        recipe = config.recipe
        seed_weights(seed)
        network = Network(recipe.network, signature_of(game, config.encoding)).eval()
        self.learner = Learner(network, recipe.loss, config.learning_rate)
        self.replay = Replay(game, config.replay_buffer_size)
        self.draw = np.random.default_rng(seed)
        self.evaluator = OnnxEvaluator(network.to_onnx())
        self._seed = seed
        self._oracle = LeafSolver(game, config.exact_stones) if config.exact_stones else None
        self.selfplay = self._new_games()

    def steps(self) -> Iterator[Step]:
        """Go on without end."""
        while True:
            started, before = time.perf_counter(), self.selfplay.search.cache_statistics()
            records = self._play()
            played, cache = time.perf_counter(), self.selfplay.search.cache_statistics()
            losses = self.learn()
            self.step += 1
            self.refresh()
            ended = time.perf_counter()
            times = played - started, ended - played
            yield Step(self.step, records, losses, _between(before, cache), *times)

    def resume(self, step: int) -> None:
        """Go on after a step, with new games that no run before it has played."""
        self.step = step
        self.selfplay = self._new_games()
        self.refresh()

    def _new_games(self) -> SelfPlay:
        seed = self._seed + STEP_SEED * self.step
        config = self.config
        return SelfPlay(self.game, config.search, config.batch, self.evaluator, seed, self._oracle)

    def refresh(self) -> None:
        """Play on with the weights as they are now."""
        self.evaluator.load(self.model())
        self.selfplay.search.forget_evaluations()

    def model(self) -> bytes:
        """The network as it stands, for actors."""
        model = self.learner.network.to_onnx()
        if self.config.int8 and self.replay.size > 0:
            seen = self.replay.samples.take(slice(CALIBRATION))
            model = quantise(model, make_batch(self.game, self.config.encoding, seen).planes)
        return model

    def _play(self) -> list[GameRecord]:
        """Games until there are enough new states."""
        records: list[GameRecord] = []
        new = 0
        while new < self.config.states_per_step:
            for record in self.selfplay.round():
                samples = make_samples(self.config.targets, record)
                self.replay.add(samples)
                records.append(record)
                new += samples.size
        return records

    def learn(self) -> LossValues:
        """As many samples as the buffer has, by lot, in batches."""
        rate = self.config.learning_rate
        if self.config.schedule == "cosine":
            rate *= (1 + math.cos(math.pi * min(1.0, self.progress))) / 2
        self.learner.set_learning_rate(rate)
        size = self.config.train_batch_size
        losses = []
        for _ in range(max(1, self.replay.size // size)):
            batch = make_batch(self.game, self.config.encoding, self.replay.draw(size, self.draw))
            if self.config.symmetries:
                batch = turn_at_random(self.game, batch, self.draw)
            losses.append(self.learner.step(batch))
        return LossValues(*(float(mean) for mean in np.mean(losses, axis=0)))


def prepare(game: Game, config: TrainingConfig) -> None:
    """Compile what a run needs, so that compiling does not count as training."""
    small = {
        "batch": 2,
        "max_simulations": 2,
        "replay_buffer_size": 8,
        "replay_buffer_reuse": 8,
        "train_batch_size": 2,
        "int8": False,
    }
    next(Trainer(game, config.model_copy(update=small), seed=0).steps())


def _between(before: CacheStatistics, now: CacheStatistics) -> CacheStatistics:
    """What the cache did meanwhile."""
    requests, hits = now.requests - before.requests, now.hits - before.hits
    return now._replace(
        requests=requests,
        hits=hits,
        misses=requests - hits,
        hit_rate=hits / max(1, requests),
    )
