"""Self-play on one core with the learner paused, beside its network alone and beside OpenSpiel.

The network alone is the limit: ONNX Runtime called repeatedly with the same model, at the mean
batch size of self-play. The two alternate in short slices, because machines are noisy, and their
times are summed. Seconds are processor time: nothing here waits for anything but the core.

Networks have random weights: their speed does not depend on the weights, but the number of repeated
positions (cache, proofs) does.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import NamedTuple

import numpy as np

from zerolab.benchmarks.inference_speed import CALIBRATION, random_batch
from zerolab.benchmarks.peers.open_spiel_selfplay import STAND_IN, Peer, make_peer
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.networks.machine import one_thread, seed_weights
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import Floats, signature_of
from zerolab.networks.torch_network import Network
from zerolab.search.batched.batched_search import Evaluate
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.proofs import ROOT
from zerolab.solver.exact_leaves import make_oracle
from zerolab.training.selfplay.selfplay import SelfPlay
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import jans, ours

GAME: Game = Clobber(5, 5)
BATCHES = (64, 128, 256)  # games at once; the preset of jans has 64, ours 128
SLICE = 0.5  # seconds, or a round if that takes longer
PEER_SHARE = 15  # the peer takes ten seconds a move: it gets 15 times the seconds of ours
OURS, SAME = "zerolab", "jans"
EIGHT_BITS, MIXED = "jans, 8 bits", "jans, 8 bits, exact leaves"
ENGINE = ("int8", "exact_stones", "cache_symmetric")
"""Settings that change how fast self-play is, not what it learns with: network, simulations."""


def settings(game: Game) -> dict[str, TrainingConfig]:
    """What is measured, by name: our preset, what it owes to 8 bits and exact leaves; jans, its
    network rounded to 8 bits, and that with what else our preset has for speed.
    """
    preset = ours(game)
    engine = {key: value for key, value in preset.flat().items() if key in ENGINE}
    return {
        OURS: preset,
        f"{OURS}, float": preset.changed(int8=False),
        f"{OURS}, float, no exact leaves": preset.changed(int8=False, exact_stones=0),
        SAME: jans(game),
        EIGHT_BITS: jans(game).changed(int8=True),
        MIXED: jans(game).changed(**engine),
    }


class SelfPlaySpeed(NamedTuple):
    """One setting with a number of games at once; rates are per second."""

    name: str
    batch: int
    """Games at once."""
    evaluations: float
    """Positions that the network evaluated."""
    raw: float
    """Positions that the network alone evaluates, at the mean batch size."""
    mean_batch: float
    in_network: float
    """Share of the time of self-play that passed in ONNX Runtime."""
    states: float
    """Moves made; a search that is half done counts half."""
    games: float
    hit_rate: float
    """Of the cache."""

    @property
    def share(self) -> float:
        """Of what the network alone does."""
        return self.evaluations / self.raw


class PeerSpeed(NamedTuple):
    """OpenSpiel's self-play and ours by turns; states per second."""

    name: str
    states: float
    moves: int
    """Whole moves that the figure is from."""
    ours: dict[str, float]

    @property
    def is_stand_in(self) -> bool:
        """Whether JAX was missing and PyTorch replaced it."""
        return self.name == STAND_IN


class SelfPlayBench(NamedTuple):
    """All that is measured."""

    speeds: list[SelfPlaySpeed]
    peer: PeerSpeed | None


def bench_selfplay(
    peers: bool, seconds: float, on_progress: Callable[[int, int], None]
) -> SelfPlayBench:
    """`seconds` of self-play for each setting, as many of its network; the peer takes longer."""
    configs = settings(GAME)
    total = len(configs) * len(BATCHES) + peers
    with one_core(), one_thread():
        peer = make_peer(GAME, configs[SAME]) if peers else None  # fails early if it is missing
        speeds = []
        for name, config in configs.items():
            for batch in BATCHES:
                speeds.append(_measure(name, config.changed(batch=batch), seconds))
                on_progress(len(speeds), total)
        found = None
        if peer is not None:
            compared = {name: configs[name] for name in (SAME, EIGHT_BITS, MIXED, OURS)}
            found = _against(peer, compared, seconds)
            on_progress(total, total)
    return SelfPlayBench(speeds, found)


class CountingEvaluator:
    """An evaluator that counts its positions and measures its time."""

    def __init__(self, evaluate: Evaluate) -> None:
        self.evaluate = evaluate
        self.is_free = True
        """Whether every position gets the same at no cost, to bring games under way."""
        self.reset()

    def reset(self) -> None:
        """Set the counts to 0."""
        self.rows, self.calls, self.seconds = 0, 0, 0.0

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Planes [B, P, R, C] -> logits [B, A], values [B]."""
        if self.is_free:
            logits, values = self.evaluate(planes[:1])
            return np.repeat(logits * 0, len(planes), 0), np.repeat(values * 0, len(planes), 0)
        started = process_time()
        evaluations = self.evaluate(planes)
        self.seconds += process_time() - started
        self.rows += len(planes)
        self.calls += 1
        return evaluations


class Contest:
    """Self-play as the trainer has it, and its network alone."""

    def __init__(self, game: Game, config: TrainingConfig) -> None:
        self.config = config
        seed_weights(1)
        network = Network(config.recipe.network, signature_of(game, config.encoding)).eval()
        model = network.to_onnx()
        if config.int8:
            model = quantise(model, random_batch(game, CALIBRATION, config.encoding).planes)
        self.evaluator = OnnxEvaluator(model)
        self.counting = CountingEvaluator(self.evaluator)
        oracle = make_oracle(game, config.exact_stones)
        searching = SearchingNetwork(game, self.counting, config.search, oracle)
        self.selfplay = SelfPlay(searching, config.batch, seed=1)
        self.play_seconds = self.raw_seconds = 0.0
        self.raw_rows = self.games = 0
        self._draw = np.random.default_rng(1)
        self._warm_up()
        self._first_states = self.states()
        self._first_cache = self.selfplay.search.cache_statistics()

    def _warm_up(self) -> None:
        """Advance the games to all stages, then let each make a move with the network.

        Openings alone would be another measure, and so would an empty cache: it keeps much of the
        search before the last move.
        """
        finished = 0
        while finished < self.config.batch:
            finished += len(self.selfplay.round())
        self._refresh()
        self.counting.is_free = False
        enough = self.selfplay.moves + self.config.batch
        while self.selfplay.moves < enough:
            self.selfplay.round()
        self.counting.reset()

    def _refresh(self) -> None:
        """Empty the cache, as new weights do."""
        self.selfplay.search.forget_evaluations()
        self._forget_at = self.selfplay.moves + self.config.replay.states_per_step

    def play(self, seconds: float) -> None:
        """Self-play for at least this time and one round; the cache is emptied as in training."""
        started = process_time()
        while True:
            self.games += len(self.selfplay.round())
            if self.selfplay.moves >= self._forget_at:
                self._refresh()
            if (elapsed := process_time() - started) >= seconds:
                break
        self.play_seconds += elapsed

    def rate_alone(self, seconds: float) -> None:
        """Run the network alone for at least this time, at the mean batch size of self-play."""
        batch = max(1, round(self.mean_batch))
        shape = (batch, *self.evaluator.input_shape)
        planes = self._draw.random(shape, np.float32)
        started = process_time()
        while True:
            self.evaluator(planes)
            self.raw_rows += batch
            if (elapsed := process_time() - started) >= seconds:
                break
        self.raw_seconds += elapsed

    @property
    def mean_batch(self) -> float:
        """Positions in a call of the network."""
        return self.counting.rows / max(1, self.counting.calls)

    def states(self) -> float:
        """Moves made since the beginning; a search that is half done counts half."""
        done = self.selfplay.search.trees.visits[:, ROOT] / self.config.search.max_simulations
        return self.selfplay.moves + float(np.minimum(done, 1).sum())

    @property
    def states_per_second(self) -> float:
        """Of self-play."""
        return (self.states() - self._first_states) / self.play_seconds

    def speed(self, name: str) -> SelfPlaySpeed:
        """The measured speeds."""
        cache, before = self.selfplay.search.cache_statistics(), self._first_cache
        requests = cache.requests - before.requests
        return SelfPlaySpeed(
            name,
            self.config.batch,
            evaluations=self.counting.rows / self.play_seconds,
            raw=self.raw_rows / self.raw_seconds,
            mean_batch=self.mean_batch,
            in_network=self.counting.seconds / self.play_seconds,
            states=self.states_per_second,
            games=self.games / self.play_seconds,
            hit_rate=(cache.hits - before.hits) / max(1, requests),
        )


def _measure(name: str, config: TrainingConfig, seconds: float) -> SelfPlaySpeed:
    contest = Contest(GAME, config)
    while contest.play_seconds < seconds:
        contest.play(min(SLICE, seconds))
        contest.rate_alone(min(SLICE, seconds))
    return contest.speed(name)


def _against(peer: Peer, configs: dict[str, TrainingConfig], seconds: float) -> PeerSpeed:
    """Alternate moves of the peer with slices of ours."""
    contests = {name: Contest(GAME, config) for name, config in configs.items()}
    peer_seconds, moves = 0.0, 0
    while peer_seconds < PEER_SHARE * seconds:
        started = process_time()
        peer.move()
        peer_seconds += process_time() - started
        moves += 1
        for contest in contests.values():
            contest.play(seconds / 2)
    speeds = {name: contest.states_per_second for name, contest in contests.items()}
    return PeerSpeed(peer.name, moves / peer_seconds, moves, speeds)


@contextmanager
def one_core() -> Iterator[None]:
    """Within the block this thread and those that it starts run on one core, if the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
