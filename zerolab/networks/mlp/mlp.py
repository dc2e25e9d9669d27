"""The small network of damhuis (section 4.4); passes.py runs it forwards and backwards.

One input for each square, hidden layers, one output; every layer but the last has a bias node of
value 1. Hidden nodes and the output have the same activation, ReLU or leaky ReLU. Names are those
of the thesis: the input of a node is its invalue, the activation of that its value, and the error
propagated back to it its delta.

A network is one row of weights, so kernels are compiled once for all numbers of layers and nodes.
A layer with n inputs and m nodes takes n + 1 rows of m weights, one row for each input and the last
one for the bias: loops run along rows, over nodes.

A network that has diverged has weights that are NaN. Then its scores are NaN too, and as no NaN is
greater than another, it plays the first move in the list.
"""

import itertools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.kernels.compiling import kernel
from zerolab.kernels.rng import Stream, random_float

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
    """Slope of the activation below zero: 0 for ReLU, 0.01 for the leaky one of damhuis."""

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
        """Whether some weight is no longer a number."""
        return not bool(np.isfinite(self.weights).all())

    def copy(self) -> "Mlp":
        """A network with equal weights in arrays of its own."""
        return self._replace(sizes=self.sizes.copy(), weights=self.weights.copy())


class Scratch(NamedTuple):
    """Work space of scoring and learning; it holds no results."""

    sums: Floats  # [nodes], invalues of all nodes, layer after layer
    deltas: Floats  # [nodes]
    kept: Floats  # [H], invalues of the first hidden layer in the position on the board
    squares: Ints  # [cells], those that are not zero on a board, or that a move changes
    amounts: Floats  # [cells], what is there, or by how much it changes


def make_mlp(cells: int, hidden: tuple[int, ...], slope: float, rng: Stream) -> Mlp:
    """A new network: weights drawn from [0, 1), those of bias nodes 0.1."""
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


@kernel
def _draw(weights: Floats, rng: Stream) -> None:
    for i in range(weights.shape[0]):
        weights[i] = random_float(rng)
