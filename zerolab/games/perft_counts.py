"""Perft: the number of lines of play of each length, the classic check of move generation."""

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, State, States, copy_state, legal_actions, step
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import kernel, lean


def perft(game: Game, state: State, depth: int) -> int:
    """The number of lines of play of that length."""
    if depth == 0:
        return 1
    states = np.empty((depth + 1, state.shape[0]), np.uint64)
    states[0] = state
    actions = np.empty((depth + 1, num_actions(game)), np.int64)
    return int(_count_leaves(lean(game), states, actions, np.empty(depth + 1, np.int64), depth))


@kernel
def _count_leaves(
    game: Game,
    states: States,  # [depth + 1, words], a position for each level of the stack
    actions: npt.NDArray[np.int64],  # [depth + 1, A]
    untried: npt.NDArray[np.int64],  # [depth + 1], how many actions of a level are left to try
    depth: int,
) -> int:
    leaves = 0
    level = 0
    untried[0] = legal_actions(game, states[0], actions[0])
    while level >= 0:
        if level == depth - 1:
            leaves += untried[level]
            level -= 1
        elif untried[level] == 0:
            level -= 1
        else:
            untried[level] -= 1
            copy_state(states[level], states[level + 1])
            step(game, states[level + 1], actions[level, untried[level]])
            level += 1
            untried[level] = legal_actions(game, states[level], actions[level])
    return leaves
