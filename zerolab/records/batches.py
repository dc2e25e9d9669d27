"""Batches from samples: planes, legal actions and random symmetries in one compiled pass."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.encodings.views import View, encode_view, make_view
from zerolab.games.base import Actions, Game, Planes, States, legal_actions, shape
from zerolab.games.boards.symmetry import symmetries
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import kernel, lean
from zerolab.records.cores import Cores, count_cores
from zerolab.records.samples import Batch, Flags, Floats, Samples

Integers = npt.NDArray[np.int64]


class BatchMaker:
    """Makes batches of one game, with a thread for each view: threads must not share one.

    A batch is the same whatever the number of threads.
    """

    def __init__(self, game: Game, views: Sequence[View], with_legal: bool = True) -> None:
        self.game = game
        self.views = views
        self.with_legal = with_legal
        """Whether to find the legal actions. That takes long in Go, and learning from records can
        do without: all moves in them are legal.
        """
        self._cores = Cores(len(views))

    @classmethod
    def on_all_cores(
        cls, game: Game, encoding: str, threads: int | None = None, with_legal: bool = True
    ) -> "BatchMaker":
        """A maker with as many threads as there are cores, unless another number is given."""
        count = threads or count_cores()
        return cls(game, [make_view(game, encoding) for _ in range(count)], with_legal)

    def make(self, samples: Samples, draw: np.random.Generator | None = None) -> Batch:
        """The batch of samples, each turned by a symmetry at random if there is a generator."""
        rows, size, actions = samples.size, shape(self.game), num_actions(self.game)
        ways = _stack_symmetries(self.game)
        turns = np.zeros(rows, np.int64)
        if draw is not None:
            turns = draw.integers(len(ways.cells), size=rows)
        planes = np.empty((rows, self.views[0].planes, *size), np.float32)
        legal = np.full((rows, actions), not self.with_legal)
        policy = np.empty((rows, actions), np.float32)
        states = np.ascontiguousarray(samples.states)
        game = lean(self.game)

        def work(share: int, part: slice) -> None:
            view = self.views[share]
            scratch = np.zeros((view.planes, *size), np.float32)
            listed = np.empty(actions, np.int64)
            encode_turned(
                *(view, game, states[part], turns[part], ways),
                *(scratch, flat(scratch), flat(planes[part])),
            )
            turn_policies(ways, turns[part], samples.policy[part], policy[part])
            if self.with_legal:
                mark_legal(game, states[part], turns[part], ways, listed, legal[part])

        self._cores.run(rows, work)
        return Batch(planes, legal, policy, samples.value, samples.weight)


def make_batch(
    game: Game, view: View, samples: Samples, draw: np.random.Generator | None = None
) -> Batch:
    """The batch of samples, made by this thread; turned at random if there is a generator."""
    return BatchMaker(game, [view]).make(samples, draw)


def flat(planes: Floats) -> Floats:
    """Planes [..., R, C] as [..., R * C], in the same memory."""
    *others, rows, cols = planes.shape
    return planes.reshape(*others, rows * cols)


class Ways(NamedTuple):
    """All symmetries of a game, the identity first, as tables for kernels."""

    cells: Integers  # [S, R * C], where each cell goes
    actions: Integers  # [S, A]


@functools.lru_cache(maxsize=256, typed=True)  # records of two games may be equal as tuples
def _stack_symmetries(game: Game) -> Ways:
    ways = symmetries(game)
    return Ways(np.stack([way.cells for way in ways]), np.stack([way.actions for way in ways]))


@kernel
def encode_turned(
    view: View,
    game: Game,
    states: States,
    turns: Integers,
    ways: Ways,
    scratch: Planes,
    upright: Floats,
    planes: Floats,
) -> None:
    """Write the planes [n, P, R * C] of positions, each turned by the symmetry of that number.

    `upright` [P, R * C] is the memory of `scratch` [P, R, C].
    """
    for i in range(states.shape[0]):
        encode_view(view, game, states[i], scratch)
        for plane in range(planes.shape[1]):
            for cell in range(planes.shape[2]):
                planes[i, plane, ways.cells[turns[i], cell]] = upright[plane, cell]


@kernel
def turn_policies(ways: Ways, turns: Integers, policy: Floats, turned: Floats) -> None:
    """Write policies [n, A], each turned by the symmetry of that number."""
    for i in range(policy.shape[0]):
        for action in range(policy.shape[1]):
            turned[i, ways.actions[turns[i], action]] = policy[i, action]


@kernel
def mark_legal(
    game: Game, states: States, turns: Integers, ways: Ways, listed: Actions, legal: Flags
) -> None:
    """Set the flags [n, A] of legal actions on the turned boards; `listed` is scratch."""
    for i in range(states.shape[0]):
        for j in range(legal_actions(game, states[i], listed)):
            legal[i, ways.actions[turns[i], listed[j]]] = True
