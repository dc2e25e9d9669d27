"""The examples of the last iterations, for the staged loop."""

import copy
from collections import deque
from typing import Self

import numpy as np

from zerolab.training.learner import Arrays
from zerolab.training.samples.samples import Samples

SIZES = "sizes"  # how many samples each iteration gave


class Window:
    """Keeps the examples of so many iterations; a new iteration drops the oldest."""

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
        """Add what an iteration gave."""
        self._kept.append(samples)
        self.added += samples.size

    def arrays(self) -> Arrays:
        """The samples by name, and where iterations begin and end."""
        return self.samples._asdict() | {SIZES: np.array(self.sizes, np.int64)}

    def restore(self, arrays: Arrays, added: int) -> None:
        """Become what `arrays` and `added` said of a window over as many iterations."""
        samples = Samples(*(arrays[name] for name in Samples._fields))
        sizes = arrays[SIZES]
        if sizes.sum() != samples.size or samples.size > added:
            raise ValueError(f"{samples.size} samples cannot be those of {added} ever added")
        ends = np.cumsum(sizes)
        self._kept.clear()
        self._kept.extend(
            samples.take(slice(end - size, end)) for size, end in zip(sizes, ends, strict=True)
        )
        self.added = added


def join(parts: list[Samples]) -> Samples:
    """One after another."""
    return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
