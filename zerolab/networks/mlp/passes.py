"""A small network (mlp.py) forwards, to score a board, and backwards, to learn it.

Loops over nodes are innermost, so that they are vectorised.
"""

import numpy as np

from zerolab.errors import UsageError
from zerolab.kernels.compiling import jitable, kernel, subroutine, vectorised
from zerolab.networks.mlp.mlp import Floats, Mlp, Scratch, make_scratch


def score(mlp: Mlp, inputs: Floats) -> float:
    """The output for a board, [cells]."""
    scratch = make_scratch(mlp)
    return float(_score_once(mlp, _put(mlp, inputs, scratch), scratch))


def learn(mlp: Mlp, inputs: Floats, target: float, alpha: float) -> None:
    """Change the weights, in place, so that the score of a board moves towards `target`.

    This is for a single board. The boards of a game are learnt in one pass (lessons.py).
    """
    scratch = make_scratch(mlp)
    _learn_once(mlp, _put(mlp, inputs, scratch), float(target), float(alpha), scratch)


def _put(mlp: Mlp, inputs: Floats, scratch: Scratch) -> int:
    """Write the squares that are not zero; return how many there are."""
    if inputs.shape != (mlp.cells,):
        raise UsageError(f"a board of {inputs.size} values for a network of {mlp.cells} squares")
    squares = np.flatnonzero(inputs)
    scratch.squares[: len(squares)] = squares
    scratch.amounts[: len(squares)] = inputs[squares]
    return len(squares)


@kernel
def _score_once(mlp: Mlp, count: int, scratch: Scratch) -> float:
    first_sums(mlp, count, scratch, scratch.sums)
    return propagate(mlp, scratch.sums)


@kernel
def _learn_once(mlp: Mlp, count: int, target: float, alpha: float, scratch: Scratch) -> None:
    learn_board(mlp, count, target, alpha, scratch)


# Forwards.


@jitable
def activate(invalue: float, slope: float) -> float:
    """The value of a node."""
    return invalue if invalue > 0.0 else slope * invalue


@jitable
def steepness(invalue: float, slope: float) -> float:
    """The derivative of the activation. At zero, where it has none, that of the left side."""
    return 1.0 if invalue > 0.0 else slope


@jitable
def first_sums(mlp: Mlp, count: int, scratch: Scratch, sums: Floats) -> None:
    """Write the invalues of the first layer for a board, of which `count` squares are not zero."""
    cells, nodes = mlp.sizes[0], mlp.sizes[1]
    copy_row(mlp.weights[cells * nodes : (cells + 1) * nodes], sums[:nodes])
    add_squares(mlp, sums, count, scratch)


@jitable
def add_squares(mlp: Mlp, sums: Floats, count: int, scratch: Scratch) -> None:
    """Add `count` squares to the invalues of the first layer."""
    nodes = mlp.sizes[1]
    squares, amounts = scratch.squares, scratch.amounts
    sums = sums[:nodes]
    for i in range(0, count - 1, 2):
        one, other = squares[i] * nodes, squares[i + 1] * nodes
        rows = mlp.weights[one : one + nodes], mlp.weights[other : other + nodes]
        add_rows(sums, (amounts[i], amounts[i + 1]), rows)
    if count % 2:
        row = squares[count - 1] * nodes
        add_row(sums, amounts[count - 1], mlp.weights[row : row + nodes])


@jitable
def propagate(mlp: Mlp, sums: Floats) -> float:
    """The output, from the invalues of the first layer; those of the others are written."""
    slope = mlp.slope
    place, below = 0, mlp.sizes[1]
    offset = (mlp.sizes[0] + 1) * below
    for layer in range(2, mlp.sizes.shape[0]):
        above = mlp.sizes[layer]
        inputs = sums[place : place + below]
        place += below
        if above == 1:
            weights = mlp.weights[offset : offset + below]
            sums[place] = mlp.weights[offset + below] + active_dot(inputs, weights, slope)
        else:
            outputs = sums[place : place + above]
            bias = offset + below * above
            copy_row(mlp.weights[bias : bias + above], outputs)
            add_layer(outputs, inputs, slope, mlp.weights[offset:bias])
        offset += (below + 1) * above
        below = above
    return activate(sums[place], slope)


@jitable
def copy_row(source: Floats, target: Floats) -> None:
    """Overwrite `target`. (A slice assignment would allocate.)"""
    for j in range(target.shape[0]):
        target[j] = source[j]


@vectorised
def add_row(sums: Floats, factor: float, row: Floats) -> None:
    """Add a multiple of a row. (In place: loops that write to what they read do not vectorise,
    unless it is the same array by name.)
    """
    for j in range(sums.shape[0]):
        sums[j] += factor * row[j]


@vectorised
def add_rows(sums: Floats, factors: tuple[float, float], rows: tuple[Floats, Floats]) -> None:
    """Add multiples of two rows in one pass."""
    for j in range(sums.shape[0]):
        sums[j] += factors[0] * rows[0][j] + factors[1] * rows[1][j]


@vectorised
def add_layer(sums: Floats, invalues: Floats, slope: float, weights: Floats) -> None:
    """Add what the nodes of one layer send to those of the next, four nodes in one pass.

    Indices are unsigned: for signed ones Numba checks the sign and does not vectorise.
    """
    count, size = invalues.shape[0], sums.shape[0]
    fours = count - count % 4
    for i in range(0, fours, 4):
        one, two = activate(invalues[i], slope), activate(invalues[i + 1], slope)
        three, four = activate(invalues[i + 2], slope), activate(invalues[i + 3], slope)
        for j in range(size):
            k = i * size + j
            sums[np.uint64(j)] += (
                one * weights[np.uint64(k)] + two * weights[np.uint64(k + size)]
            ) + (three * weights[np.uint64(k + 2 * size)] + four * weights[np.uint64(k + 3 * size)])
    for i in range(fours, count):
        value = activate(invalues[i], slope)
        for j in range(size):
            sums[np.uint64(j)] += value * weights[np.uint64(i * size + j)]


@vectorised
def active_dot(invalues: Floats, weights: Floats, slope: float) -> float:
    """The sum of values times weights."""
    total = 0.0
    for j in range(invalues.shape[0]):
        invalue = invalues[j]
        value = invalue if invalue > 0.0 else slope * invalue
        total += value * weights[j]
    return total


# Backwards.


@subroutine
def learn_board(mlp: Mlp, count: int, target: float, alpha: float, scratch: Scratch) -> None:
    """One step of gradient descent: half the squared error of one board, learning rate `alpha`.

    `count` squares of the board are not zero. A delta is computed with the weights as they were.
    """
    first_sums(mlp, count, scratch, scratch.sums)
    if learn_above(mlp, target, alpha, scratch):
        _learn_first(mlp, count, alpha, scratch)


@jitable
def learn_above(mlp: Mlp, target: float, alpha: float, scratch: Scratch) -> bool:
    """Gradient descent in all layers but the first, whose invalues are given.

    The deltas of the first layer are written. Return whether anything is to be learnt.
    """
    sums, deltas, slope = scratch.sums, scratch.deltas, mlp.slope
    error = target - propagate(mlp, sums)
    place = 0  # of the nodes of a layer
    for layer in range(1, mlp.sizes.shape[0] - 1):
        place += mlp.sizes[layer]
    deltas[place] = error * steepness(sums[place], slope)
    if deltas[place] == 0.0:  # nothing would change: a dead output, or no error
        return False
    offset = mlp.weights.shape[0]
    for layer in range(mlp.sizes.shape[0] - 1, 1, -1):
        above, below = mlp.sizes[layer], mlp.sizes[layer - 1]
        offset -= (below + 1) * above
        upper = deltas[place : place + above]
        place -= below
        lower, invalues = deltas[place : place + below], sums[place : place + below]
        if above == 1:
            _learn_output(
                mlp.weights[offset : offset + below], invalues, upper[0], alpha, slope, lower
            )
        else:
            for i in range(below):
                row = mlp.weights[offset + i * above : offset + (i + 1) * above]
                lower[i] = steepness(invalues[i], slope) * dot(row, upper)
                add_row(row, alpha * activate(invalues[i], slope), upper)
        bias = mlp.weights[offset + below * above : offset + (below + 1) * above]
        add_row(bias, alpha, upper)
    return True


@jitable
def _learn_first(mlp: Mlp, count: int, alpha: float, scratch: Scratch) -> None:
    """The first layer, from its deltas; only rows of squares that are not zero change."""
    cells, nodes = mlp.sizes[0], mlp.sizes[1]
    deltas = scratch.deltas[:nodes]
    for i in range(count):
        place = scratch.squares[i] * nodes
        row = mlp.weights[place : place + nodes]
        add_row(row, alpha * scratch.amounts[i], deltas)
    bias = mlp.weights[cells * nodes : (cells + 1) * nodes]
    add_row(bias, alpha, deltas)


@vectorised
def _learn_output(
    weights: Floats, invalues: Floats, delta: float, alpha: float, slope: float, lower: Floats
) -> None:
    """Gradient descent for a layer of one node, along its inputs; writes the deltas below it."""
    rate = alpha * delta
    for i in range(weights.shape[0]):
        is_active = invalues[i] > 0.0
        steep = 1.0 if is_active else slope
        lower[i] = steep * weights[i] * delta
        weights[i] += rate * steep * invalues[i]


@vectorised
def dot(one: Floats, other: Floats) -> float:
    """The sum of products."""
    total = 0.0
    for j in range(one.shape[0]):
        total += one[j] * other[j]
    return total
