"""The examples of the last iterations, for the staged loop."""

import copy
import itertools
from collections import deque
from collections.abc import Sequence
from typing import Self

import numpy as np

from zerolab.training.samples.samples import Samples


class Window:
    """Keeps the examples of the last iterations; a new one drops the oldest."""

    def __init__(self, iterations: int) -> None:
        self.added = 0
        """Samples ever added."""
        self._kept: deque[Samples] = deque(maxlen=iterations)

    @property
    def sizes(self) -> list[int]:
        """Samples of each iteration that is kept, the oldest first."""
        return [samples.size for samples in self._kept]

    @property
    def samples(self) -> Samples:
        """All that are kept, the oldest first."""
        return join(list(self._kept))

    def with_new(self, samples: Samples) -> Self:
        """The window with what another iteration gave; this one stays as it is."""
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
        """Samples that were added before the oldest iteration that is kept."""
        return self.added - sum(self.sizes)

    def since(self, first: int) -> list[tuple[int, Samples]]:
        """The iterations added after the first `first` samples that are kept, in order.

        Each comes with the number of samples added before it.
        """
        starts = itertools.accumulate(self.sizes, initial=self.oldest)
        return [each for each in zip(starts, self._kept, strict=False) if each[0] >= first]

    def restore(self, parts: Sequence[Samples], added: int) -> None:
        """Become a window to which `added` samples were added, these iterations the last ones."""
        count = sum(part.size for part in parts)
        if count > added:
            raise ValueError(f"{count} samples cannot be those of {added} ever added")
        self._kept.clear()
        self._kept.extend(parts)
        self.added = added


def join(parts: list[Samples]) -> Samples:
    """All samples in one record, part after part."""
    return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
