"""What a network learns from: positions and their targets."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import States

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class Samples(NamedTuple):
    """Positions as states, which are compact; planes are made when they are needed."""

    states: States  # [n, words]
    policy: Floats  # [n, A], sums to 1
    value: Floats  # [n], for the player to move
    weight: Floats  # [n], how much each counts

    def take(self, rows: npt.NDArray[np.int64] | slice) -> "Samples":
        """The samples with these indices."""
        return Samples(self.states[rows], self.policy[rows], self.value[rows], self.weight[rows])

    @property
    def size(self) -> int:
        """Number of samples."""
        return len(self.states)


class Batch(NamedTuple):
    """Samples as the learner takes them."""

    planes: Floats  # [n, P, R, C]
    legal: Flags  # [n, A]; all True where nobody asked which are legal
    policy: Floats  # [n, A]
    value: Floats  # [n]
    weight: Floats  # [n]
    mask: Floats | None = None  # [n, 1, R, C], 1 on the board; see board_sizes.py
