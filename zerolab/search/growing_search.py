"""A search that is run in slices, so that it can be looked at, and stopped, while it grows."""

import time
from typing import NamedTuple, Protocol

from zerolab.kernels.rng import Stream
from zerolab.search.analysis import Searched
from zerolab.search.uct_search import MOST_IDLE, UctSearch


class Budget(NamedTuple):
    """When a search ends: at the first limit that is reached; without any, when it cannot grow."""

    simulations: int | None = None
    seconds: float | None = None


UNLIMITED = Budget()


class GrowingSearch(Protocol):
    """A search in one position."""

    @property
    def is_done(self) -> bool:
        """Whether its budget is used up, or there is nothing left to find out."""

    def run(self, seconds: float) -> None:
        """Continue for about this time, or until it is done."""

    @property
    def tree(self) -> Searched:
        """What it has found by now; PlayerError if that cannot be seen."""

    def best_action(self) -> int:
        """The move to play; `run` must have been called."""


class Deadline:
    """The time limit of a budget, from now on."""

    def __init__(self, budget: Budget) -> None:
        self._end = None if budget.seconds is None else time.perf_counter() + budget.seconds

    def within(self, seconds: float) -> float:
        """How much of a slice is left before the limit."""
        if self._end is None:
            return seconds
        return max(0.0, min(seconds, self._end - time.perf_counter()))

    @property
    def is_reached(self) -> bool:
        """Whether no time is left."""
        return self._end is not None and time.perf_counter() >= self._end


class GrowingUct:
    """A UCT search whose position has been set."""

    def __init__(self, search: UctSearch, rng: Stream, budget: Budget) -> None:
        self.search = search
        self.is_done = False
        self._rng = rng
        self._budget = budget
        self._deadline = Deadline(budget)
        self._idle = 0

    def run(self, seconds: float) -> None:
        """Continue, by one simulation at least, so that slices of no time come to an end too."""
        search, limit = self.search, self._budget.simulations
        if not self.is_done:
            self._grow(1, None)
        left = None if limit is None else limit - search.simulations
        if left != 0 and not self.is_done:
            self._grow(left, self._deadline.within(seconds))
        reached = limit is not None and search.simulations >= limit
        full = self._budget == UNLIMITED and (search.is_full() or self._idle > MOST_IDLE)
        self.is_done = self.is_done or reached or full or self._deadline.is_reached

    def _grow(self, simulations: int | None, seconds: float | None) -> None:
        assert self.search.tree is not None
        size = self.search.tree.size[0]
        made = self.search.run(self._rng, simulations, seconds)
        self._idle = self._idle + made if self.search.tree.size[0] == size else 0
        self.is_done = self.search.is_settled()

    def best_action(self) -> int:
        """The move to play."""
        return self.search.best_action()

    @property
    def tree(self) -> Searched:
        """The search itself."""
        return self.search
