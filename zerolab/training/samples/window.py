"""The examples of the last iterations, for the staged loop."""

import copy
import itertools
from collections import deque
from collections.abc import Iterable
from typing import Self

import numpy as np

from zerolab.records.samples import Samples


class Window:
    """Keeps the examples of the last iterations; a new one drops the oldest."""

    def __init__(self, iterations: int) -> None:
        self.added = 0
        """Samples ever added."""
        self._kept: deque[Samples] = deque(maxlen=iterations)

    @property
    def sizes(self) -> list[int]:
        """Number of samples of each stored iteration, oldest first."""
        return [samples.size for samples in self._kept]

    @property
    def samples(self) -> Samples:
        """All samples, oldest first."""
        return join(list(self._kept))

    @property
    def newest(self) -> Samples | None:
        """The samples of the last iteration, if there is one."""
        return self._kept[-1] if self._kept else None

    def with_new(self, samples: Samples) -> Self:
        """A new window with the samples of another iteration; this one is unchanged."""
        window = copy.copy(self)
        window._kept = self._kept.copy()
        window.add(samples)
        return window

    def add(self, samples: Samples) -> None:
        """Add the samples of an iteration."""
        self._kept.append(samples)
        self.added += samples.size

    @property
    def oldest(self) -> int:
        """Number of samples added before the oldest stored iteration."""
        return self.added - sum(self.sizes)

    def since(self, first: int) -> list[tuple[int, Samples]]:
        """The stored iterations added after the first `first` samples, in order.

        Each comes with the number of samples added before it.
        """
        starts = itertools.accumulate(self.sizes, initial=self.oldest)
        return [each for each in zip(starts, self._kept, strict=False) if each[0] >= first]

    def restore(self, parts: Iterable[Samples], first: int) -> None:
        """Restore a window from its iterations; `first` samples were added before them."""
        if first < 0:
            raise ValueError(f"{first} samples cannot come before others")
        self._kept.clear()
        self.added = first
        for part in parts:
            self.add(part)


def join(parts: list[Samples]) -> Samples:
    """Concatenate parts into one record."""
    return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
