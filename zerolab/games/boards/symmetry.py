"""Symmetries of a board: how they map cells, actions, states, planes and policies.

A symmetry moves cell ``i`` to ``cells[i]`` and action ``a`` to ``actions[a]``. Both are plain
permutations, so a policy and the planes it belongs to are turned together by indexing.
"""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, Planes, State, shape
from zerolab.games.boards.stones import (
    board_words,
    complete,
    first_word,
    memory_boards,
    state_words,
)
from zerolab.games.notation import Point, action_space
from zerolab.kernels.bits import bit, word_of
from zerolab.kernels.compiling import generic


class Turn(NamedTuple):
    """One of the eight symmetries of a board: transpose first, then flip."""

    transpose: bool = False
    flip_rows: bool = False
    flip_cols: bool = False

    def move(self, point: Point, rows: int, cols: int) -> Point:
        """Where a point goes; one that lies just off the board stays just off it."""
        row, col = point
        if self.transpose:
            row, col = col, row
        return (
            rows - 1 - row if self.flip_rows else row,
            cols - 1 - col if self.flip_cols else col,
        )


IDENTITY = Turn()
FLIPS = tuple(Turn(False, rows, cols) for rows in (False, True) for cols in (False, True))
ALL_TURNS = FLIPS + tuple(turn._replace(transpose=True) for turn in FLIPS)


@generic
def turns(game: Game) -> tuple[Turn, ...]:
    """The turns under which the rules stay the same, the identity first."""
    rows, cols = shape(game)
    return ALL_TURNS if rows == cols else FLIPS


class Symmetry(NamedTuple):
    """A turn of one game's board as permutations."""

    cells: npt.NDArray[np.int64]  # [R * C]
    actions: npt.NDArray[np.int64]  # [A]


@functools.lru_cache(maxsize=256, typed=True)  # records of two games may be equal as tuples
def symmetries(game: Game) -> tuple[Symmetry, ...]:
    """All symmetries of a game, the identity first."""
    rows, cols = shape(game)
    space = action_space(game)
    action_at = {space.points(action): action for action in range(space.size)}
    result = []
    for turn in turns(game):
        cells = [turn.move(divmod(cell, cols), rows, cols) for cell in range(rows * cols)]
        actions = [
            action_at[tuple(turn.move(point, rows, cols) for point in space.points(action))]
            for action in range(space.size)
        ]
        targets = [row * cols + col for row, col in cells]
        result.append(Symmetry(np.array(targets, np.int64), np.array(actions, np.int64)))
    return tuple(result)


def turn_state(game: Game, state: State, symmetry: Symmetry) -> State:
    """The same position on the turned board."""
    if np.array_equal(symmetry.cells, np.arange(len(symmetry.cells))):
        return state.copy()  # what a state remembers may be no boards at all
    turned = np.zeros(state_words(game), np.uint64)
    turned[0] = state[0]
    remembered = memory_boards(game)
    for board in range(2 + remembered):
        first = first_word(board_words(game), board)
        for cell, target in enumerate(symmetry.cells.tolist()):
            if state[first + word_of(cell)] & bit(cell):
                turned[first + word_of(target)] |= bit(target)
    if not remembered:
        complete(game, turned)
    return turned


def turn_planes(planes: Planes, symmetry: Symmetry) -> Planes:
    """Planes [..., R, C] on the turned board."""
    flat = planes.reshape(*planes.shape[:-2], -1)
    turned = np.empty_like(flat)
    turned[..., symmetry.cells] = flat
    return turned.reshape(planes.shape)


def turn_policy(policy: npt.NDArray[np.float32], symmetry: Symmetry) -> npt.NDArray[np.float32]:
    """Probabilities or logits [..., A] on the turned board."""
    turned = np.empty_like(policy)
    turned[..., symmetry.actions] = policy
    return turned
