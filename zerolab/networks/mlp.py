"""The small network of damhuis (section 4.4), in compiled code, forwards and backwards.

One input for each square, hidden layers, one output; every layer but the last has a bias node of
value 1. The activation, ReLU or leaky ReLU, is that of hidden nodes and of the output. Names are
those of the thesis: what flows into a node is its invalue, what the activation makes of it its
value, and the error that flows back into it its delta.

A network is one row of weights, so kernels are compiled once for all numbers of layers and nodes.
A layer with n inputs and m nodes takes n + 1 rows of m weights, one row for each input and the last
one for the bias: loops run along rows, over nodes.

A network that has diverged has weights that are no numbers. Then so are its scores, and as no such
score is greater than another, it plays the first move in the list.
"""

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.compiling import jitable, kernel, subroutine, vectorised
from zerolab.games.rng import Stream, random_float

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BIAS_WEIGHT = 0.1
LEAKY_SLOPE = 0.01
MAX_WEIGHTS = 10**8


class Mlp(NamedTuple):
    """A network; learning changes its weights in place."""

    sizes: Ints  # [L + 1]: squares, the nodes of each hidden layer, 1
    weights: Floats  # [W], layer after layer, each [inputs + 1, nodes]
    slope: float
    """Of the activation below zero: 0 for ReLU, 0.01 for the leaky one of damhuis."""

    @property
    def cells(self) -> int:
        """Squares of the board."""
        return int(self.sizes[0])

    @property
    def hidden(self) -> tuple[int, ...]:
        """Nodes of the hidden layers, without bias nodes."""
        return tuple(int(size) for size in self.sizes[1:-1])

    @property
    def matrices(self) -> list[Floats]:
        """The weights of each layer, [inputs + 1, nodes], the bias last; views, not copies."""
        ends = np.cumsum((self.sizes[:-1] + 1) * self.sizes[1:])[:-1]
        parts = np.split(self.weights, ends)
        return [part.reshape(-1, size) for part, size in zip(parts, self.sizes[1:], strict=True)]

    @property
    def has_diverged(self) -> bool:
        """Whether some weight is no number any more."""
        return not bool(np.isfinite(self.weights).all())

    def copy(self) -> "Mlp":
        """The same with weights of its own."""
        return self._replace(sizes=self.sizes.copy(), weights=self.weights.copy())


class Scratch(NamedTuple):
    """What rating positions and learning need besides the network; nothing is kept in it."""

    sums: Floats  # [nodes], invalues of all nodes, layer after layer
    deltas: Floats  # [nodes]
    kept: Floats  # [H], invalues of the first hidden layer in the position on the board
    squares: Ints  # [cells], those that are not zero on a board, or that a move changes
    amounts: Floats  # [cells], what is there, or by how much it changes


def make_mlp(cells: int, hidden: tuple[int, ...], slope: float, rng: Stream) -> Mlp:
    """A new network: weights in [0, 1) by lot, those of bias nodes 0.1."""
    mlp = empty_mlp(cells, hidden, slope)
    for matrix in mlp.matrices:
        _draw(matrix[:-1].reshape(-1), rng)
        matrix[-1] = BIAS_WEIGHT
    return mlp


def empty_mlp(cells: int, hidden: tuple[int, ...], slope: float) -> Mlp:
    """A network of that shape whose weights are all zero."""
    if cells < 1 or any(nodes < 1 for nodes in hidden):
        raise UsageError("a network needs at least one square, and one node in each hidden layer")
    if not 0 <= slope < 1:
        raise UsageError(f"slope {slope} is not possible; expected 0 (ReLU) or more, less than 1")
    sizes = [cells, *hidden, 1]
    count = sum((below + 1) * above for below, above in itertools.pairwise(sizes))
    if count > MAX_WEIGHTS:
        raise UsageError(f"a network of {count:,} weights is too large; at most {MAX_WEIGHTS:,}")
    return Mlp(np.array(sizes, np.int64), np.zeros(count), float(slope))


def make_scratch(*mlps: Mlp) -> Scratch:
    """Scratch large enough for these networks, one after the other."""
    nodes = max((int(mlp.sizes[1:].sum()) for mlp in mlps), default=0)
    first = max((int(mlp.sizes[1]) for mlp in mlps), default=0)
    cells = max((mlp.cells for mlp in mlps), default=0)
    return Scratch(
        *(np.zeros(nodes), np.zeros(nodes), np.zeros(first)),
        *(np.zeros(cells, np.int64), np.zeros(cells)),
    )


def score(mlp: Mlp, inputs: Floats) -> float:
    """The output for a board, [cells]."""
    scratch = make_scratch(mlp)
    return float(_score_once(mlp, _put(mlp, inputs, scratch), scratch))


def learn(mlp: Mlp, inputs: Floats, target: float, alpha: float) -> None:
    """Change the weights, in place, such that the score of a board comes nearer to `target`."""
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
def _draw(weights: Floats, rng: Stream) -> None:
    for i in range(weights.shape[0]):
        weights[i] = random_float(rng)


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
    """Change the invalues of the first layer as `count` squares say."""
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
            for i in range(below):
                row = offset + i * above
                value = activate(inputs[i], slope)
                add_row(outputs, value, mlp.weights[row : row + above])
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
    """The same with two rows in one pass."""
    for j in range(sums.shape[0]):
        sums[j] += factors[0] * rows[0][j] + factors[1] * rows[1][j]


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
    sums, deltas, slope = scratch.sums, scratch.deltas, mlp.slope
    first_sums(mlp, count, scratch, sums)
    error = target - propagate(mlp, sums)
    place = 0  # of the nodes of a layer
    for layer in range(1, mlp.sizes.shape[0] - 1):
        place += mlp.sizes[layer]
    deltas[place] = error * steepness(sums[place], slope)
    if deltas[place] == 0.0:  # nothing would change: a dead output, or no error
        return
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
    _learn_first(mlp, count, alpha, scratch)


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
    """The same loop for a layer of one node, along its inputs; writes the deltas below it."""
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
