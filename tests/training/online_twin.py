"""The online learner in plain Python and NumPy: everything computed anew, nothing compiled."""

import numpy as np

from zerolab.games.base import BLACK, random_action, step
from zerolab.games.boards.stones import initial_state, stone_at
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import stream
from zerolab.search.playouts import value_for


def values_of(game, state, player):
    stones = [stone_at(game, state, cell) for cell in range(game.rows * game.cols)]
    return np.array([0.0 if stone < 0 else (1.0 if stone == player else -1.0) for stone in stones])


def forward(matrices, slope, inputs):
    """The invalues of every layer, and the values of every layer with its bias node."""
    invalues, values = [], [np.append(inputs, 1.0)]
    for matrix in matrices:
        invalues.append(values[-1] @ matrix)
        active = np.where(invalues[-1] > 0, invalues[-1], slope * invalues[-1])
        values.append(np.append(active, 1.0))
    return invalues, values


def output_of(matrices, slope, inputs):
    return forward(matrices, slope, inputs)[1][-1][0]


def backward(matrices, slope, inputs, target, alpha):
    """The update of the thesis, word for word."""
    invalues, values = forward(matrices, slope, inputs)
    delta = np.array([target - values[-1][0]])
    changes = []
    for layer in reversed(range(len(matrices))):
        delta = delta * np.where(invalues[layer] > 0, 1.0, slope)
        changes.append(alpha * np.outer(values[layer], delta))
        delta = (matrices[layer] @ delta)[:-1]
    for matrix, change in zip(matrices, reversed(changes), strict=True):
        matrix += change


def choose(game, matrices, slope, state, player):
    """The first of the moves with the highest score, and the board after it."""
    best = None
    for action in legal_list(game, state):
        after = state.copy()
        step(game, after, action)
        score = output_of(matrices, slope, values_of(game, after, player))
        if best is None or score > best[0]:
            best = score, action, after
    return None if best is None else best[1:]


def train(game, mlp, config, games, seed):
    """Train a copy of a network; return its weights, and how many games were won."""
    matrices = [matrix.copy() for matrix in mlp.matrices]
    scratch = np.empty(num_actions(game), np.int64)
    wins = 0
    for number in range(games):
        rng = stream(seed, number)
        state = initial_state(game, stream(seed))
        boards = []
        while legal_list(game, state):
            if int(state[0]) & 1 == BLACK:
                _, state = choose(game, matrices, config.slope, state, BLACK)
                boards.append(values_of(game, state, BLACK))
            else:
                step(game, state, random_action(game, state, scratch, rng))
        result = value_for(game, state, BLACK)
        wins += result > 0
        alpha = config.alpha
        for board in boards:
            backward(matrices, config.slope, board, result * config.target, alpha)
            alpha *= 1 + config.tau
    return np.concatenate([matrix.ravel() for matrix in matrices]), wins
