"""Sources of the learner's games: this process, or others (actors.py)."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import Floats
from zerolab.search.batched.batched_search import Evaluate
from zerolab.search.batched.cache import CacheStatistics
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.exact_leaves import make_oracle
from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.selfplay.receipts import Receipts
from zerolab.training.selfplay.selfplay import GameRecord, SelfPlay
from zerolab.training.selfplay.workforce import cores_beside
from zerolab.training.settings.continuous_config import TrainingConfig

Counts = npt.NDArray[np.int64]
OnStates = Callable[[int], None]


class SelfPlayBatch(NamedTuple):
    """Finished games of self-play, and statistics of playing them."""

    records: list[GameRecord]
    cache: CacheStatistics
    """Statistics of the evaluation cache while they were played."""
    batches: Counts  # [batch + 1], how often the network rated n positions at once
    waiting: int = 0
    """Number of messages with further games that have already arrived."""
    actors: int = 0
    """Processes that play while the learner learns; 0: the learner plays, in turn with learning."""
    restarts: int = 0
    """Number of restarts of workers so far."""
    times: PlayTimes | None = None
    """What moves have cost by their ply, those of games under way included; None if unknown."""
    player: int = 0
    """The seed of the actor whose message this is."""
    number: int = 0
    """How many messages it has sent, with this one."""
    receipts: Receipts | None = None
    """The messages that were put together; None if there were none."""
    engine: Mapping[str, Any] = {}
    """What else the engine counts that runs the actors."""

    @property
    def states(self) -> int:
        """Number of positions in the games that are learnt from."""
        return sum(int(record.full.sum()) for record in self.records)


class Source(Protocol):
    """A source of self-play games."""

    @property
    def threads(self) -> int:
        """Cores of this machine that the learner may use while games are played."""

    def start(self, model: bytes, seed: int) -> None:
        """Begin games with this network."""

    def gather(self, states: int, on_states: OnStates) -> SelfPlayBatch:
        """Finished games with at least this number of states to learn from."""

    def refresh(self, model: bytes) -> None:
        """Play on with another network."""

    def close(self) -> None:
        """End the games."""


class Counted:
    """An evaluator that counts how many positions it was asked about at once."""

    def __init__(self, evaluate: Evaluate, batch: int) -> None:
        self.batches = np.zeros(batch + 1, np.int64)
        self._evaluate = evaluate

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """planes [n, P, R, C] -> logits [n, A], values [n]."""
        self.batches[len(planes)] += 1
        return self._evaluate(planes)


class Actor:
    """Plays against itself with a network that can be replaced."""

    def __init__(self, game: Game, config: TrainingConfig, model: bytes, seed: int) -> None:
        self._evaluator = OnnxEvaluator(model)
        self._counted = Counted(self._evaluator, config.batch)
        oracle = make_oracle(game, config.exact_stones)
        network = SearchingNetwork(game, self._counted, config.search, oracle)
        self._selfplay = SelfPlay(network, config.batch, seed)
        self._before = self._selfplay.search.cache_statistics()
        self._seed = seed
        self._reports = 0

    def refresh(self, model: bytes) -> None:
        """Continue with another network; cached evaluations of the old one are dropped."""
        self._evaluator.load(model)
        self._selfplay.search.forget_evaluations()

    def round(self) -> list[GameRecord]:
        """Search one more leaf in every game; return the games that are over."""
        return self._selfplay.round()

    def report(self, records: list[GameRecord]) -> SelfPlayBatch:
        """These games, with the statistics since the last report."""
        now = self._selfplay.search.cache_statistics()
        batches = self._counted.batches.copy()
        cache, self._before = between(self._before, now), now
        self._counted.batches[:] = 0
        self._reports += 1
        times = self._selfplay.times.take()
        return SelfPlayBatch(
            *(records, cache, batches), times=times, player=self._seed, number=self._reports
        )


class LocalSource:
    """Plays in this process, alternating with learning: slower, but reproducible to the bit."""

    def __init__(self, game: Game, config: TrainingConfig) -> None:
        self._game = game
        self._config = config
        self._actor: Actor | None = None

    @property
    def threads(self) -> int:
        """All cores: playing and learning take turns."""
        return cores_beside(0)

    def start(self, model: bytes, seed: int) -> None:
        """Begin games with this network."""
        self._actor = Actor(self._game, self._config, model, seed)

    def gather(self, states: int, on_states: OnStates) -> SelfPlayBatch:
        """Play until there are enough states."""
        assert self._actor is not None
        records: list[GameRecord] = []
        found = 0
        while found < states:
            new = self._actor.round()
            records += new
            if new:
                found += sum(int(record.full.sum()) for record in new)
                on_states(found)
        return self._actor.report(records)

    def refresh(self, model: bytes) -> None:
        """Play on with another network."""
        assert self._actor is not None
        self._actor.refresh(model)

    def close(self) -> None:
        """Do nothing: there are no processes to end."""


def between(before: CacheStatistics, now: CacheStatistics) -> CacheStatistics:
    """The statistics of a cache between two times."""
    requests, hits = now.requests - before.requests, now.hits - before.hits
    return now._replace(
        requests=requests, hits=hits, misses=requests - hits, hit_rate=hits / max(1, requests)
    )


def together(caches: list[CacheStatistics]) -> CacheStatistics:
    """The combined statistics of several caches, or of one at several times."""
    requests, hits = sum(each.requests for each in caches), sum(each.hits for each in caches)
    return caches[-1]._replace(
        requests=requests, hits=hits, misses=requests - hits, hit_rate=hits / max(1, requests)
    )
