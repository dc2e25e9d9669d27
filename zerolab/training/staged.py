"""The staged loop of wang (Algorithm 1): self-play, then training, then an arena.

The pieces are those of the continuous loop. One generator gives every random number, so a run
depends on its seed alone, to the bit, and goes on from a checkpoint as if it had not been stopped.
"""

import copy
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.networks.evaluator import OnnxEvaluator
from zerolab.networks.machine import seed_weights
from zerolab.networks.network import Network
from zerolab.networks.signature import signature_of
from zerolab.solver.views import make_view
from zerolab.training.arena import ArenaResult, play_pairs, tally
from zerolab.training.evaluations import EVAL, Evaluations, Measured
from zerolab.training.learner import Learner, LossValues
from zerolab.training.samples import Samples, make_batch, turn_at_random
from zerolab.training.selfplay import GameRecord, SelfPlay
from zerolab.training.sources import Counted, Gathered
from zerolab.training.staged_config import StagedConfig
from zerolab.training.targets import make_samples
from zerolab.training.window import Window, join

SEEDS = 2**63  # how many there are to draw from


class Iteration(NamedTuple):
    """What one iteration did."""

    number: int
    games: Gathered
    """Of self-play."""
    epochs: list[LossValues]
    """Means over the batches of each epoch."""
    arena: ArenaResult | None
    accepted: bool
    """Whether the new network took the place of the old one."""
    play_seconds: float
    learn_seconds: float
    """Of training and arena."""
    arena_seconds: float

    @property
    def losses(self) -> LossValues:
        """Those of the last epoch."""
        return self.epochs[-1]


class StagedTrainer:
    """The best network so far, and the examples of the last iterations."""

    def __init__(self, game: Game, config: StagedConfig, seed: int) -> None:
        self.game = game
        self.config = config
        self.step = 0
        """Iterations that are complete."""
        self.view = make_view(game, config.encoding)
        seed_weights(seed)
        network = Network(config.recipe.network, signature_of(game, config.encoding)).eval()
        self.replay = Window(config.retrain_window)
        self.draw = np.random.default_rng(seed)
        self.evaluations = {EVAL: Evaluations(levels=0, window=1)}  # there are no evaluators
        self.measured: Measured | None = None
        self.learner: Learner
        self.evaluator: OnnxEvaluator
        self._take(network)

    def iterations(self) -> Iterator[Iteration]:
        """Those that are left of the configuration's."""
        while self.step < self.config.iterations:
            started = time.perf_counter()
            games = self.play()
            samples = [make_samples(self.config.targets, record) for record in games.records]
            self.replay.add(join(samples))
            played = time.perf_counter()
            candidate, epochs = self.retrain()
            learnt = time.perf_counter()
            arena = self.compare(candidate) if self.config.arena else None
            accepted = arena is None or arena.is_passed(self.config.update_threshold)
            if accepted:
                self._take(candidate)
            self.step += 1
            ended = time.perf_counter()
            times = played - started, ended - played, ended - learnt
            yield Iteration(self.step, games, epochs, arena, accepted, *times)

    def play(self) -> Gathered:
        """Stage 1: so many games of the best network against itself."""
        config, seed = self.config, self._seed()
        counted = Counted(self.evaluator, config.batch)
        games = SelfPlay(
            self.game, config.search, config.batch, counted, seed, games=config.episodes
        )
        records: list[GameRecord] = []
        while len(records) < config.episodes:
            records += games.round()
        return Gathered(records, games.search.cache_statistics(), counted.batches)

    def retrain(self) -> tuple[Network, list[LossValues]]:
        """Stage 2: a copy of the best network learns the examples of the window."""
        seed_weights(self._seed())  # for dropout
        learner = self._learner(copy.deepcopy(self.learner.network))
        samples = self.replay.samples
        if samples.size < 2:
            raise UsageError("one position is too few to learn from; expected more episodes")
        epochs = [self._epoch(learner, samples) for _ in range(self.config.epochs)]
        return learner.network, epochs

    def _epoch(self, learner: Learner, samples: Samples) -> LossValues:
        """All examples once, in a new order; return the mean losses.

        There are as many batches as whole ones fit, and they share the rest: a batch norm cannot
        learn from a last batch of one.
        """
        order = self.draw.permutation(samples.size)
        losses, sizes = [], []
        for rows in np.array_split(order, max(1, samples.size // self.config.train_batch_size)):
            batch = make_batch(self.game, self.view, samples.take(rows))
            if self.config.symmetries:
                batch = turn_at_random(self.game, batch, self.draw)
            losses.append(learner.step(batch))
            sizes.append(len(rows))
        return LossValues(*(float(mean) for mean in np.average(losses, axis=0, weights=sizes)))

    def compare(self, candidate: Network) -> ArenaResult:
        """Stage 3: the new network against the best one so far."""
        config = self.config
        new = OnnxEvaluator(candidate.to_onnx())
        rules = config.search, config.arena_games, config.batch, self._seed()
        return tally(self.game, play_pairs(self.game, new, self.evaluator, *rules))

    def resume(self, step: int) -> None:
        """Go on after an iteration; weights, window and generator were restored before."""
        self.step = step
        self._take(self.learner.network)

    def _take(self, network: Network) -> None:
        """Make it the best network."""
        self.learner = self._learner(network)
        self.evaluator = OnnxEvaluator(network.to_onnx())

    def _learner(self, network: Network) -> Learner:
        """With an optimizer that remembers nothing: a rejected network leaves no trace."""
        return Learner(network, self.config.recipe.loss, self.config.learning_rate)

    def _seed(self) -> int:
        return int(self.draw.integers(SEEDS))


def prepare_staged(game: Game, config: StagedConfig) -> None:
    """Compile what a run needs, so that compiling does not count as training."""
    small = {"episodes": 2, "max_simulations": 2, "epochs": 1, "arena_games": 2}
    next(StagedTrainer(game, config.model_copy(update=small), seed=0).iterations())
