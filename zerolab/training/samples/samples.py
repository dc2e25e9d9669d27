"""What a network learns from: positions and their targets."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.encodings.views import View, encode_states
from zerolab.games.base import Actions, Game, States, legal_actions, shape
from zerolab.games.boards.symmetry import symmetries
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import kernel, lean

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
    legal: Flags  # [n, A]
    policy: Floats  # [n, A]
    value: Floats  # [n]
    weight: Floats  # [n]
    mask: Floats | None = None  # [n, 1, R, C], 1 on the board; see board_sizes.py


def make_batch(game: Game, view: View, samples: Samples) -> Batch:
    """Planes and legal actions of samples."""
    count = samples.size
    planes = np.zeros((count, view.planes, *shape(game)), np.float32)
    legal = np.zeros((count, num_actions(game)), np.bool_)
    actions = np.empty(num_actions(game), np.int64)
    states = np.ascontiguousarray(samples.states)
    encode_states(view, lean(game), states, planes)
    _mark_legal(lean(game), states, legal, actions)
    return Batch(planes, legal, samples.policy, samples.value, samples.weight)


def turn_at_random(game: Game, batch: Batch, draw: np.random.Generator) -> Batch:
    """Apply a random symmetry to each position."""
    ways = symmetries(game)
    chosen = draw.integers(len(ways), size=len(batch.planes))
    planes = np.empty_like(batch.planes)
    legal, policy = np.empty_like(batch.legal), np.empty_like(batch.policy)
    flat, turned = (each.reshape(*each.shape[:2], -1) for each in (batch.planes, planes))
    for number, way in enumerate(ways):
        rows = np.flatnonzero(chosen == number)
        turned[rows[:, None], :, way.cells] = flat[rows].transpose(0, 2, 1)
        legal[rows[:, None], way.actions] = batch.legal[rows]
        policy[rows[:, None], way.actions] = batch.policy[rows]
    return batch._replace(planes=planes, legal=legal, policy=policy)


@kernel
def _mark_legal(game: Game, states: States, legal: Flags, actions: Actions) -> None:
    for i in range(states.shape[0]):
        for j in range(legal_actions(game, states[i], actions)):
            legal[i, actions[j]] = True
