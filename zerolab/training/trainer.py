"""The continuous loop: games come in, the network learns, games go on with the new weights.

With games from this process a run depends on its seed alone, to the bit; with games from others
(actors.py) it uses all cores.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.games.base import Game
from zerolab.networks.machine import at_most, seed_weights
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.training.learner import Learner, LossValues
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN, Evaluated, Evaluations, Measured
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.samples import make_batch, turn_at_random
from zerolab.training.samples.value_targets import make_samples
from zerolab.training.selfplay.sources import Gathered, LocalSource, Source
from zerolab.training.settings.continuous_config import TrainingConfig

STEP_SEED = 0x9E3779B9  # far apart: games after a step are not those of the next seed
CALIBRATION = 512  # positions that tell the ranges of 8-bit numbers
PLAYING, LEARNING = "playing", "learning"
OnPhase = Callable[[str, float], None]


class Step(NamedTuple):
    """What one step of the loop did: games taken in, then what was learnt of them."""

    number: int
    games: Gathered
    losses: LossValues
    """Means over the batches of this step."""
    play_seconds: float
    """Until there were enough games."""
    learn_seconds: float
    learn_processor_seconds: float
    """Processor time that the learner used in these, over all its threads."""


class Trainer:
    """Network, buffer, and where games come from; `steps` drives them."""

    def __init__(
        self, game: Game, config: TrainingConfig, seed: int, source: Source | None = None
    ) -> None:
        """Without a source, games are played in this process."""
        self.game = game
        self.config = config
        self.step = 0
        self.progress = 0.0
        """How much of the run is done, from 0 to 1; whoever drives the run says so."""
        self.on_phase: OnPhase = lambda phase, share: None
        """Told what goes on, and how much of it is done."""
        recipe = config.recipe
        self.view = make_view(game, config.encoding)
        seed_weights(seed)
        network = Network(recipe.network, signature_of(game, config.encoding)).eval()
        self.learner = Learner(network, recipe.loss, config.learning_rate)
        self.replay = Replay(game, config.replay_buffer_size)
        self.draw = np.random.default_rng(seed)
        self.source = source or LocalSource(game, config)
        self.evaluations = {
            kind: Evaluations(config.eval_levels, config.evaluation_window)
            for kind in (EVAL, EVAL_PLAIN)
        }
        self.measured: Measured | None = None
        """The last comparison with perfect play."""
        self._seed = seed

    @property
    def game_seed(self) -> int:
        """Games after a step are not those that a run before it has played."""
        return self._seed + STEP_SEED * self.step

    def steps(self) -> Iterator[Step]:
        """Go on without end."""
        threads = max(1, (os.cpu_count() or 1) - self.config.actors)  # the others are for actors
        self.source.start(self.model(), self.game_seed)
        while True:
            started = time.perf_counter()
            games = self._gather()
            played, worked = time.perf_counter(), time.process_time()
            with at_most(threads):
                losses = self.learn()
            self.step += 1
            self.source.refresh(self.model())
            learnt, work = time.perf_counter() - played, time.process_time() - worked
            yield Step(self.step, games, losses, played - started, learnt, work)

    def resume(self, step: int) -> None:
        """Go on after a step; weights and buffer were restored before."""
        self.step = step

    def model(self) -> bytes:
        """The network as it stands, for actors."""
        model = self.learner.network.to_onnx()
        if self.config.int8 and self.replay.size > 0:
            seen = self.replay.samples.take(slice(CALIBRATION))
            model = quantise(model, make_batch(self.game, self.view, seen).planes)
        return model

    def notice(self, message: object) -> None:
        """What evaluators found."""
        if isinstance(message, Evaluated):
            self.evaluations[message.kind].add(message.level, message.result)
        elif isinstance(message, Measured):
            self.measured = message

    def _gather(self) -> Gathered:
        """Games until there are enough new states."""
        wanted = self.config.states_per_step
        self.on_phase(PLAYING, 0.0)
        games = self.source.gather(wanted, lambda states: self.on_phase(PLAYING, states / wanted))
        for record in games.records:
            self.replay.add(make_samples(self.config.targets, record))
        return games

    def learn(self) -> LossValues:
        """As many samples as the buffer has, by lot, in batches."""
        rate = self.config.learning_rate
        if self.config.schedule == "cosine":
            rate *= (1 + math.cos(math.pi * min(1.0, self.progress))) / 2
        self.learner.set_learning_rate(rate)
        size = self.config.train_batch_size
        count = max(1, self.replay.size // size)
        losses = []
        for number in range(count):
            self.on_phase(LEARNING, number / count)
            batch = make_batch(self.game, self.view, self.replay.draw(size, self.draw))
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
