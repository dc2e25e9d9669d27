"""A source of games for trainers in tests that has always the same one, and remembers who asked."""

import numpy as np

from tests.training.samples.test_value_targets import RECORD
from zerolab.search.batched.cache import CacheStatistics
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import OnStates, SelfPlayBatch

# On 3x3 it is xxx|o..|... each time: Black can only play a3a2, action 2, and White a2a3, 12.
GAME_RECORD = RECORD._replace(policies=np.eye(36, dtype=np.float32)[[2, 12, 2]])
NO_CACHE = CacheStatistics(0, 0, 0.0, 0, 0, 0, 0.0)


class Canned:
    """The game above, however many states are asked for; two of its positions are learnt."""

    threads = 1

    def __init__(self, record: GameRecord = GAME_RECORD) -> None:
        self.record = record
        self.seeds: list[int] = []
        self.models: list[bytes] = []
        self.wanted: list[int] = []

    def start(self, model: bytes, seed: int) -> None:
        self.models.append(model)
        self.seeds.append(seed)

    def gather(self, states: int, on_states: OnStates) -> SelfPlayBatch:
        self.wanted.append(states)
        games = SelfPlayBatch([self.record], NO_CACHE, np.zeros(2, np.int64))
        on_states(games.states)
        return games

    def refresh(self, model: bytes) -> None:
        self.models.append(model)

    def close(self) -> None:
        """Games in a list need no end."""
