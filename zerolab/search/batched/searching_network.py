"""A network that searches: what self-play, ladder, arena, exam and players have in common.

network = SearchingNetwork(game, evaluate, config, oracle)
NetworkSearch(network.to_win()).choose(states)
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, States
from zerolab.kernels.rng import Stream
from zerolab.search.batched.batched_search import BatchedSearch, Clock, Evaluate, SearchConfig
from zerolab.solver.exact_leaves import NO_ORACLE, Oracle

BATCH = 64
KEPT = (  # settings that matter when a network plays to win
    *("max_simulations", "uct_c", "urgency", "encoding"),
    *("gumbel", "gumbel_considered", "gumbel_c_visit", "gumbel_c_scale"),
)

Moves = npt.NDArray[np.int64]  # [n]
Floats = npt.NDArray[np.float64]  # [n]


class SearchingNetwork(NamedTuple):
    """All that a network's moves depend on."""

    game: Game
    evaluate: Evaluate
    config: SearchConfig
    oracle: Oracle = NO_ORACLE
    """Settles leaves exactly; not to be shared by threads."""

    def to_win(self) -> "SearchingNetwork":
        """The same network as it plays to win, and not to learn."""
        return self._replace(config=to_win(self.config))

    def search(self, batch: int, seed: int = 0) -> BatchedSearch:
        """A search with room for `batch` positions at once."""
        return BatchedSearch(self.game, self.config, batch, self.evaluate, seed, self.oracle)


def to_win(config: SearchConfig) -> SearchConfig:
    """How a search plays to win: as it was, but without noise, every move searched in full.

    All who measure a network go by this, so that they measure the same player.
    """
    kept = {name: getattr(config, name) for name in KEPT}
    return SearchConfig(**kept, policy_epsilon=0.0)


class Manner(NamedTuple):
    """How a search ends and which of its moves is played."""

    temperature: float = 0.0
    """Moves are drawn by visits to the power 1 / temperature; 0 for the best move."""
    varies: bool = False
    """Whether a second move, searched nearly as often, is sometimes played instead."""
    seconds: float | None = None
    """Time for each batch of positions; None for as many simulations as are configured."""


PLAIN = Manner()


class NetworkSearch:
    """A searching network that is asked about many positions at once and plays its best."""

    def __init__(
        self,
        network: SearchingNetwork,
        batch: int = BATCH,
        manner: Manner = PLAIN,
        clock: Clock = time.perf_counter,
    ) -> None:
        """The `clock` counts only where time is limited."""
        self.network = network
        self.batch = batch
        self.manner = manner
        self.search = network.search(batch)
        self._clock = clock

    def run(self, states: States) -> BatchedSearch:
        """Search these positions, a batch at most; the searches of all are complete."""
        for slot, state in enumerate(states):
            # The number is given so that playout cap randomisation cuts none short.
            simulations = self.network.config.max_simulations
            self.search.start(slot, state, simulations, explores=False)
        if self.manner.seconds is None:
            self.search.run()
        else:
            self.search.run_for(self.manner.seconds, self._clock)
        return self.search

    def look(self, states: States, rngs: Sequence[Stream] | None = None) -> tuple[Moves, Floats]:
        """Moves, and values for the players to move; position i draws from `rngs[i]`, if given."""
        moves, values = np.zeros(len(states), np.int64), np.zeros(len(states))
        for first in range(0, len(states), self.batch):
            rows = range(first, min(first + self.batch, len(states)))
            self.run(states[rows.start : rows.stop])
            for slot, row in enumerate(rows):
                if rngs is not None:
                    self.search.slots.streams[slot] = rngs[row]
                moves[row] = self._choose(slot)
                if rngs is not None:
                    rngs[row][:] = self.search.slots.streams[slot]
                values[row] = self.search.result(slot).value
        return moves, values

    def _choose(self, slot: int) -> int:
        if self.manner.varies:
            return self.search.choose_varied(slot)
        return self.search.choose(slot, self.manner.temperature)

    def choose(self, states: States, rngs: Sequence[Stream] | None = None) -> Moves:
        """Moves alone."""
        return self.look(states, rngs)[0]
