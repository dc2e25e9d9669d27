"""The replay buffer: the last positions, in a ring."""

from collections.abc import Iterable
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

from zerolab.games.base import Game
from zerolab.games.boards.stones import state_words
from zerolab.games.notation import num_actions
from zerolab.records.samples import Samples


class ReplayConfig(BaseModel):
    """The size of the replay buffer, and how often each sample is learnt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replay_buffer_size: Annotated[int, Field(ge=1)] = 2**16
    """Samples in the buffer (jans: 2^14 on small boards, 2^16 to 2^19 on large ones)."""
    replay_buffer_reuse: Annotated[int, Field(ge=1)] = 3
    """A step of learning comes after size / reuse new states (jans: 4 small, 2 or 3 large)."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.replay_buffer_reuse > self.replay_buffer_size:
            raise ValueError("replay_buffer_reuse cannot be larger than replay_buffer_size")
        return self

    @property
    def states_per_step(self) -> int:
        """New states that a step of learning waits for."""
        return self.replay_buffer_size // self.replay_buffer_reuse


class Replay:
    """Keeps the last `capacity` samples; memory is allocated once."""

    def __init__(self, game: Game, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"a buffer of {capacity} is not possible; expected 1 or more")
        self.capacity = capacity
        self.added = 0
        """Samples ever added; the newest stands before `added % capacity`."""
        self._ring = Samples(
            np.zeros((capacity, state_words(game)), np.uint64),
            np.zeros((capacity, num_actions(game)), np.float32),
            np.zeros(capacity, np.float32),
            np.zeros(capacity, np.float32),
        )

    @property
    def size(self) -> int:
        """Number of samples."""
        return min(self.added, self.capacity)

    @property
    def samples(self) -> Samples:
        """All samples, in the order of the ring: a view, which later additions change."""
        return self._ring.take(slice(self.size))

    def add(self, samples: Samples) -> None:
        """Add samples, dropping the oldest where there is no room."""
        places = (self.added + np.arange(samples.size)) % self.capacity
        kept = slice(max(0, samples.size - self.capacity), None)  # each place once
        self._write(places[kept], samples.take(kept))
        self.added += samples.size

    def draw(self, count: int, draw: np.random.Generator) -> Samples:
        """Samples drawn uniformly at random."""
        return self._ring.take(draw.integers(self.size, size=count))

    @property
    def oldest(self) -> int:
        """Number of samples added before the oldest one in the buffer."""
        return self.added - self.size

    def since(self, first: int) -> list[tuple[int, Samples]]:
        """The samples added after the first `first` ones that are still in the buffer, in order.

        Returns a list of one part or none: the number of samples added before it, and the samples.
        """
        first = max(first, self.oldest)
        if first >= self.added:
            return []
        return [(first, self._ring.take(np.arange(first, self.added) % self.capacity))]

    def restore(self, parts: Iterable[Samples], first: int) -> None:
        """Restore a buffer from its samples in order; `first` were added before them.

        Parts are taken one by one: a large buffer and its samples need not be in memory together.
        """
        self.added = first
        for part in parts:
            self.add(part)
        if not 0 <= first <= self.oldest:
            raise ValueError(f"{self.added - first} samples cannot all come after {first} others")

    def _write(self, places: npt.NDArray[np.int64], samples: Samples) -> None:
        ring = self._ring
        ring.states[places], ring.policy[places] = samples.states, samples.policy
        ring.value[places], ring.weight[places] = samples.value, samples.weight
