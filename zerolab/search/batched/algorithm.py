"""What an algorithm of batched search decides: which edges to follow, what to learn, what to play.

An algorithm is a record of numbers, `Puct` (puct.py) or `Gumbel` (gumbel.py), whose class binds the
rules below. The kernels of simulation.py take the record and are compiled for its class. A third
algorithm is a third file. (`choose_edge` is the largest rule. Marked `@jitable` too, it is
optimised in the kernel only, and not once more on its own.)
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.kernels.compiling import generic
from zerolab.search.batched.tree import Floats, Tree

Algorithm = Any  # a record with these rules bound to its class, which Numba resolves


class Slots(NamedTuple):
    """The state of each search in addition to its tree."""

    simulations: npt.NDArray[np.int64]  # [B], how many are wanted; 0 when the search is complete
    explores: npt.NDArray[np.bool_]  # [B], whether the root gets noise
    pending: npt.NDArray[np.int64]  # [B], the leaf that waits for its evaluation, or NO_NODE
    depth: npt.NDArray[np.int64]  # [B], of that leaf
    row: npt.NDArray[np.int64]  # [B], where it is in the batch
    finished: npt.NDArray[np.bool_]  # [B], whether a search is complete and was not reported yet
    gumbels: Floats  # [B, A], draws at the root
    streams: npt.NDArray[np.uint64]  # [B, 1]


@generic
def choose_edge(algorithm: Algorithm, tree: Tree, node: int, slots: Slots, b: int) -> int:
    """The edge that a simulation follows from an expanded node."""
    raise TypeError("this algorithm binds no rule choose_edge")


@generic
def prepare_root(algorithm: Algorithm, tree: Tree, slots: Slots, b: int) -> None:
    """Draw the root's noise; its priors are those of the network."""
    raise TypeError("this algorithm binds no rule prepare_root")


@generic
def write_policy(algorithm: Algorithm, tree: Tree, slots: Slots, b: int, policy: Floats) -> None:
    """Write the policy target [A] of the root's moves; other moves are 0 already.

    It never depends on the temperature, which affects only the choice of moves.
    """
    raise TypeError("this algorithm binds no rule write_policy")


@generic
def root_value(algorithm: Algorithm, tree: Tree, policy: Floats) -> float:
    """The value of the root for the player to move, where `policy` [A] is the target."""
    raise TypeError("this algorithm binds no rule root_value")


@generic
def choose_move(algorithm: Algorithm, tree: Tree, slots: Slots, b: int, temperature: float) -> int:
    """The edge of the root to play."""
    raise TypeError("this algorithm binds no rule choose_move")


@generic
def can_reuse(algorithm: Algorithm) -> bool:
    """Whether a search may begin with visits that an earlier one made."""
    raise TypeError("this algorithm binds no rule can_reuse")
