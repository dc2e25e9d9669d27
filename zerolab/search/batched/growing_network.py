"""A network's search in one position, run in slices."""

import time

from zerolab.games.base import State
from zerolab.kernels.rng import Stream
from zerolab.search.analysis import Searched
from zerolab.search.batched.batched_analysis import TreeReader
from zerolab.search.batched.batched_search import BatchedSearch
from zerolab.search.growing_search import Budget, Deadline
from zerolab.search.proofs import ROOT

_SLOT = 0


class GrowingNetwork:
    """The first tree of a batched search.

    The room of the search limits its simulations; time ends it earlier.
    """

    def __init__(
        self,
        search: BatchedSearch,
        state: State,
        rng: Stream,
        budget: Budget,
        temperature: float = 0.0,
        vary: bool = False,
    ) -> None:
        self.search = search
        self._rng = rng
        self._deadline = Deadline(budget)
        self._temperature = temperature
        self._vary = vary
        limit = search.config.max_simulations
        search.start(_SLOT, state, min(limit, budget.simulations or limit), explores=False)

    @property
    def is_done(self) -> bool:
        """Whether its simulations are made, its time is over, or the root is proven."""
        return bool(self.search.slots.simulations[_SLOT] == 0) or self._deadline.is_reached

    def run(self, seconds: float) -> None:
        """Continue, by one leaf at least, and in any case until a move has been tried."""
        end = time.perf_counter() + self._deadline.within(seconds)
        while self.search.slots.simulations[_SLOT] > 0:
            self.search.round()
            if time.perf_counter() >= end and self.search.trees.visits[_SLOT, ROOT] > 1:
                break

    def best_action(self) -> int:
        """The move to play."""
        self.search.slots.streams[_SLOT] = self._rng
        if self._vary:
            action = self.search.choose_varied(_SLOT)
        else:
            action = self.search.choose(_SLOT, self._temperature)
        self._rng[:] = self.search.slots.streams[_SLOT]
        return action

    @property
    def tree(self) -> Searched:
        """What the search has found by now."""
        return TreeReader(self.search, _SLOT)
