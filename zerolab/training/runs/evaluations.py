"""Messages of evaluators to the learner, and the last results at each level of the ladder."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from zerolab.records.recorded_game import RecordedGame

EVAL, EVAL_PLAIN = "eval", "eval_plain"  # with the exact leaves of training, and without


class Evaluated(NamedTuple):
    """A game against a level of the ladder."""

    kind: str
    """EVAL or EVAL_PLAIN."""
    level: int
    result: float
    """The result for the network."""
    game: RecordedGame | None = None


class Measured(NamedTuple):
    """A comparison of the network with perfect play."""

    fields: dict[str, float]


class Evaluations:
    """A window of results for each level; new results replace the oldest."""

    def __init__(self, levels: int, window: int) -> None:
        self.count = 0
        self._windows = [deque[float](maxlen=window) for _ in range(levels)]

    def add(self, level: int, result: float) -> None:
        """Add the result of a game; levels that are not kept are ignored."""
        if level < len(self._windows):
            self._windows[level].append(result)
            self.count += 1

    def means(self) -> list[float | None]:
        """The mean result at each level; None where no game has been played."""
        return [sum(each) / len(each) if each else None for each in self._windows]

    def as_lists(self) -> list[list[float]]:
        """All results as lists, for a checkpoint."""
        return [list(each) for each in self._windows]

    def restore(self, windows: Sequence[Sequence[float]], count: int) -> None:
        """Take over the results that `as_lists` returned."""
        for mine, theirs in zip(self._windows, windows, strict=True):
            mine.clear()
            mine.extend(theirs)
        self.count = count
