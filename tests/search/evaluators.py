"""Evaluators that need no network."""

import numpy as np

from zerolab.games.base import shape
from zerolab.games.boards.stones import ENCODINGS, encode
from zerolab.games.notation import num_actions


def uniform(game):
    """Knows nothing: every move alike, every position even."""
    size = num_actions(game)

    def evaluate(planes):
        return np.zeros((len(planes), size), np.float32), np.zeros(len(planes), np.float32)

    return evaluate


def scrambled(game, seed=0):
    """Opinions that are wrong but firm: a fixed random function of the planes."""
    rows, cols = shape(game)
    draw = np.random.default_rng(seed)
    weights = draw.normal(size=(3 * rows * cols, num_actions(game) + 1))

    def evaluate(planes):
        raw = np.sin(planes.reshape(len(planes), -1).astype(np.float64) @ weights * 3)
        return (2 * raw[:, 1:]).astype(np.float32), (0.9 * raw[:, 0]).astype(np.float32)

    return evaluate


def one_by_one(evaluate, encoding="own"):
    """The same evaluator for the twins: a state in, a row of logits and a value out."""

    def evaluate_state(game, state):
        planes = np.zeros((1, 3, *shape(game)), np.float32)
        encode(game, state, ENCODINGS.index(encoding), planes[0])
        logits, values = evaluate(planes)
        return logits[0], float(values[0])

    return evaluate_state
