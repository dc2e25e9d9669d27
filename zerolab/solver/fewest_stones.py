"""Solitaire Clobber by exhaustive search: the fewest stones that can be left, and how.

A depth-first search visits every position once. Positions of at most 31 cells fit in one
word, black stones low, white stones high, so the table of positions seen is exact.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, GameError, State, States, copy_state, legal_actions, step
from zerolab.games.notation import num_actions
from zerolab.games.solitaire import Solitaire, stones_left
from zerolab.kernels.bits import U0, U1
from zerolab.kernels.compiling import jitable, kernel, lean
from zerolab.kernels.rng import mix

MAX_CELLS = 31
SMALLEST_TABLE, LARGEST_TABLE = 2**21, 2**27  # entries of eight bytes
STEPS_PER_CALL = 2_000_000  # a fraction of a second, so that progress shows and Ctrl-C works

# What `_search` keeps between calls.
_FEWEST, _LENGTH, _POSITIONS, _LEVEL = range(4)


class SolitaireSolution(NamedTuple):
    """The best that can be done from a position."""

    stones: int
    """The fewest stones that can be left."""
    line: list[int]
    """Actions that leave that number."""
    positions: int
    """Number of positions visited."""


def solve_solitaire(
    game: Solitaire, state: State, on_progress: Callable[[int], None] | None = None
) -> SolitaireSolution:
    """Solve exactly, by visiting every reachable position, or until one stone is left.

    `on_progress` is called with the number of positions visited so far.
    """
    cells = game.rows * game.cols
    if cells > MAX_CELLS:
        raise GameError(
            f"a board of {game.rows}x{game.cols} is too large to solve; expected at most "
            f"{MAX_CELLS} cells"
        )
    actions = np.empty((cells + 1, num_actions(game)), np.int64)
    if legal_actions(game, state, actions[0]) == 0:
        return SolitaireSolution(stones_left(game, state), [], 1)
    size = SMALLEST_TABLE
    while size <= LARGEST_TABLE:
        states = np.empty((cells + 1, state.shape[0]), np.uint64)
        states[0] = state
        untried = np.empty(cells + 1, np.int64)
        untried[0] = legal_actions(game, state, actions[0])
        line = np.empty(cells + 1, np.int64)
        table = np.zeros(size, np.uint64)
        search = np.array([cells + 1, 0, 1, 0], np.int64)
        while search[_LEVEL] >= 0 and search[_FEWEST] > 1 and 2 * search[_POSITIONS] < size:
            _search(lean(game), states, actions, untried, line, table, search, STEPS_PER_CALL)
            if on_progress is not None:
                on_progress(int(search[_POSITIONS]))
        if search[_LEVEL] < 0 or search[_FEWEST] == 1:
            stones, length, positions = (int(number) for number in search[:_LEVEL])
            return SolitaireSolution(stones, line[:length].tolist(), positions)
        size *= 8
    raise GameError(f"more than {LARGEST_TABLE // 2:,} positions can be reached: too many to solve")


@kernel
def _search(
    game: Game,
    states: States,  # [depth, words], a position for each level of the stack
    actions: npt.NDArray[np.int64],  # [depth, A]
    untried: npt.NDArray[np.int64],  # [depth], how many actions of a level are left to try
    line: npt.NDArray[np.int64],  # [depth], the best line is written here
    table: npt.NDArray[np.uint64],  # [power of two], positions seen, 0 for a free place
    search: npt.NDArray[np.int64],  # [4], where the search stands
    steps: int,
) -> None:
    """Continue for that many steps, or until one stone is left, all is seen or the table half
    full.
    """
    level = search[_LEVEL]
    for _ in range(steps):
        if level < 0 or search[_FEWEST] == 1 or 2 * search[_POSITIONS] >= table.shape[0]:
            break
        if untried[level] == 0:
            level -= 1
            continue
        untried[level] -= 1
        copy_state(states[level], states[level + 1])
        step(game, states[level + 1], actions[level, untried[level]])
        if not _is_new(states[level + 1], table):
            continue
        search[_POSITIONS] += 1
        level += 1
        untried[level] = legal_actions(game, states[level], actions[level])
        if untried[level] == 0 and stones_left(game, states[level]) < search[_FEWEST]:
            search[_FEWEST] = stones_left(game, states[level])
            search[_LENGTH] = level
            for i in range(level):
                line[i] = actions[i, untried[i]]
    search[_LEVEL] = level


@jitable
def _is_new(state: State, table: npt.NDArray[np.uint64]) -> bool:
    """Whether the position was not in the table yet; it is now.

    The colour to move need not be kept: it alternates, so the number of stones tells it.
    """
    key = state[1] | state[2] << np.uint64(MAX_CELLS)
    mask = np.uint64(table.shape[0] - 1)
    place = mix(key) & mask
    while table[place] != U0:
        if table[place] == key:
            return False
        place = (place + U1) & mask
    table[place] = key
    return True
