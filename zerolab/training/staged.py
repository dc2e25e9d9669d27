"""The staged loop of wang (Algorithm 1): self-play, then training, then an arena.

The parts are those of the continuous loop. Games are divided into shares, which are played on all
cores (shares.py). One generator gives every random number, so a run depends on its seed alone, to
the bit, and resumes from a checkpoint as if it had not been stopped.
"""

import copy
import functools
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game, max_plies
from zerolab.networks.machine import seed_weights
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.records.samples import Samples
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.arena import ArenaResult, open_pairs, play_to_the_end, tally
from zerolab.training.learner import Arrays, Learner, LossValues
from zerolab.training.runs.evaluations import EVAL, Evaluations
from zerolab.training.runs.kept_games import ARENA, MOST_JUDGED
from zerolab.training.samples.value_targets import make_samples
from zerolab.training.samples.window import Window, join
from zerolab.training.selfplay.selfplay_share import SelfPlayShare
from zerolab.training.selfplay.sources import SelfPlayBatch
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.shares import count_shares, deal, work_side_by_side
from zerolab.training.steps import COMPARING, LEARNING, PLAYING, Stages, Step
from zerolab.training.trainer import Trainer
from zerolab.training.unfinished_iteration import Numbers, UnfinishedIteration
from zerolab.training.weights.rounded_models import model_of

SEEDS = 2**63  # how many there are to draw from


class StagedTrainer(Trainer):
    """Holds the best network so far, and the examples of recent iterations. A step is an iteration.

    If `on_phase` raises, the iteration stops and can be continued later.
    """

    config: StagedConfig
    replay: Window
    judged_by = ARENA

    def __init__(self, game: Game, config: StagedConfig, seed: int) -> None:
        evaluations = {EVAL: Evaluations(levels=0, window=1)}  # there are no evaluators
        super().__init__(game, config, seed, Window(config.retrain_window), evaluations)
        self.iteration = UnfinishedIteration()
        """The unfinished iteration."""
        self._length = float(max_plies(game))
        """Moves of a game, as the last iteration had them."""
        self.evaluator = self._evaluator(self.learner.network, self.replay)

    def steps(self) -> Iterator[Step]:
        """The remaining iterations of the configuration."""
        while self.step < self.config.iterations:
            yield self._iterate()

    def _iterate(self) -> Step:
        """Run an iteration, or the rest of an unfinished one."""
        with self._stage(PLAYING):
            games = self.play()
        samples = [make_samples(self.config.targets, record) for record in games.records]
        window = self.replay.with_new(join(samples))
        with self._stage(LEARNING):
            candidate, epochs = self.retrain(window.samples)
        with self._stage(COMPARING):
            arena = self.compare(candidate, window) if self.config.arena else None
        accepted = arena is None or arena.is_passed(self.config.update_threshold)
        self.replay = window
        if accepted:
            self._take(candidate)
        elif self.config.int8:  # as if the run had been resumed here: ranges are of the last games
            self.evaluator = self._evaluator(self.learner.network, window)
        self._length = float(np.mean([len(record.actions) for record in games.records]))
        self.step += 1
        done, self.iteration = self.iteration, UnfinishedIteration()
        self.judged.extend(each.recorded() for each in done.arena[:MOST_JUDGED])
        seconds = done.stage_seconds
        return Step(
            self.step,
            games,
            epochs[-1],
            seconds[PLAYING],
            seconds[LEARNING] + seconds[COMPARING],
            done.processor_seconds[LEARNING],
            Stages(epochs, arena, accepted, window.sizes, seconds, done.processor_seconds),
            len(epochs) * self.config.learner.batches_of(sum(window.sizes)),
        )

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """Measure the time of a stage, summed over all its continuations."""
        clocks = (
            (time.perf_counter, self.iteration.stage_seconds),
            (time.process_time, self.iteration.processor_seconds),
        )
        started = [clock() for clock, _ in clocks]
        try:
            yield
        finally:
            for begun, (clock, seconds) in zip(started, clocks, strict=True):
                seconds[name] = seconds.get(name, 0.0) + clock() - begun

    def play(self) -> SelfPlayBatch:
        """Stage 1: the best network plays all games of the iteration against itself."""
        iteration, episodes = self.iteration, self.config.episodes
        if len(iteration.records) < episodes:
            shares = self._deal_games(episodes - len(iteration.records))
            before = sum(len(record.actions) for record in iteration.records + iteration.unfinished)
            iteration.times += [share.selfplay.times.by_ply for share in shares]

            def on_round() -> None:
                moves = before + sum(share.selfplay.moves for share in shares)
                self._tell_moves(PLAYING, moves, episodes)

            try:
                work_side_by_side([share.play for share in shares], on_round)
            finally:
                iteration.take_games(shares)
        return iteration.games

    def _deal_games(self, games: int) -> list[SelfPlayShare]:
        """The games that are left of an iteration in shares; those under way go on first."""
        config, unfinished = self.config, self.iteration.unfinished
        count = count_shares(games, config.batch, config.shares)
        network = SearchingNetwork(self.game, self.evaluator, config.search)
        return [
            SelfPlayShare(network, config.batch, len(slots), self._seed(), len(numbers), records)
            for slots, numbers, records in zip(
                deal(range(config.batch), count),
                deal(range(games), count),
                deal(unfinished, count),
                strict=True,
            )
        ]

    def retrain(self, samples: Samples) -> tuple[Network, list[LossValues]]:
        """Stage 2: a copy of the best network learns the examples of the window; return it."""
        iteration = self.iteration
        if iteration.candidate is None:
            if samples.size < 2:
                raise UsageError("one position is too few to learn from; set more episodes")
            seed_weights(self._seed())  # for dropout
            iteration.candidate = self.make_learner(copy.deepcopy(self.learner.network))
        while len(iteration.epochs) < self.config.epochs:
            iteration.epochs.append(self._epoch(iteration, iteration.candidate, samples))
            iteration.order, iteration.losses = None, []
        return iteration.candidate.network, iteration.epochs

    def _epoch(
        self, iteration: UnfinishedIteration, learner: Learner, samples: Samples
    ) -> LossValues:
        """All examples once, in a new order; return the mean losses.

        There are as many batches as whole ones fit; the rest is spread over them, since a batch
        norm cannot learn from a last batch of one.
        """
        if iteration.order is None:
            iteration.order = self.draw.permutation(samples.size)
        count = self.config.learner.batches_of(samples.size)
        batches = np.array_split(iteration.order, count)
        turning = self.draw if self.config.learner.symmetries else None
        for rows in batches[len(iteration.losses) :]:
            share = (len(iteration.epochs) + len(iteration.losses) / count) / self.config.epochs
            self.on_phase(LEARNING, share)
            batch = make_batch(self.game, self.view, samples.take(rows), turning)
            iteration.losses.append(learner.step(batch))
        sizes = [len(rows) for rows in batches]
        means = np.average(iteration.losses, axis=0, weights=sizes)
        return LossValues(*(float(mean) for mean in means))

    def compare(self, candidate: Network, window: Window) -> ArenaResult:
        """Stage 3: the new network plays against the best one so far; return the result."""
        config, iteration = self.config, self.iteration
        if not iteration.arena:
            iteration.arena = open_pairs(self.game, config.arena_games, self._seed())

        def on_round() -> None:
            moves = sum(each.plies for each in iteration.arena)
            self._tell_moves(COMPARING, moves, config.arena_games)

        old = SearchingNetwork(self.game, self.evaluator, config.search)
        new = old._replace(evaluate=self._evaluator(candidate, window))
        count = count_shares(config.arena_games, config.batch, config.shares)
        works = [
            functools.partial(play_to_the_end, new, old, len(slots), games)
            for slots, games in zip(
                deal(range(config.batch), count), deal(iteration.arena, count), strict=True
            )
        ]
        work_side_by_side(works, on_round)
        return tally(iteration.arena)

    def _tell_moves(self, phase: str, moves: int, games: int) -> None:
        """Report progress by moves, since concurrent games all end late."""
        self.on_phase(phase, min(0.99, moves / (games * self._length)))

    @property
    def can_pause(self) -> bool:
        """An iteration can stop between any two moves, and between any two batches."""
        return True

    def pause(self, seconds: float) -> tuple[Arrays, str]:
        """The unfinished iteration."""
        numbers = self.iteration.numbers(self.step, seconds, self.draw)
        return self.iteration.arrays(), numbers.model_dump_json()

    def go_on(self, arrays: Arrays, text: str) -> float | None:
        """Continue the unfinished iteration after the checkpoint that was restored."""
        numbers = Numbers.model_validate_json(text)
        if numbers.step != self.step:
            return None
        candidate = self.make_learner(copy.deepcopy(self.learner.network))
        self.iteration = UnfinishedIteration.restore(self.game, arrays, numbers, candidate)
        self.draw.bit_generator.state = numbers.draw
        return numbers.seconds

    def begin_with(self, network: Network) -> None:
        """Take the weights of another network of the same kind, before the first iteration."""
        super().begin_with(network)
        self._take(self.learner.network)

    def resume(self, step: int) -> None:
        """Continue after an iteration; the restored network is the best one."""
        super().resume(step)
        self._take(self.learner.network)

    def _take(self, network: Network) -> None:
        """Make it the best network, with a new optimizer: a rejected network leaves no trace."""
        self.learner = self.make_learner(network)
        self.evaluator = self._evaluator(network, self.replay)

    def _evaluator(self, network: Network, window: Window) -> OnnxEvaluator:
        """The network as self-play and arena use it; in 8 bits from the second iteration on."""
        seen = window.newest if self.config.int8 else None
        return OnnxEvaluator(model_of(network, self.game, self.view, seen))

    def _seed(self) -> int:
        return int(self.draw.integers(SEEDS))
