"""An estimate of a component for the player to move, before it is searched.

The weight of a stone depends on its owner and its numbers of friendly and enemy neighbours. The
weights are hundredths of the logarithm of the odds that the player to move wins, by logistic
regression on solved positions of random games (`zerolab study solver-outlook`). Results do not
depend on them: they only say which moves are worth trying first.
"""

import numpy as np

from zerolab.games.clobber import NORMAL
from zerolab.kernels.bits import U1, popcount
from zerolab.kernels.compiling import generic, rule
from zerolab.solver.clobber.shapes import (
    BY_OUTLOOK,
    ComponentTable,
    GridTopology,
    Topology,
    around,
    contacts,
)

# By friends (rows) and foes (columns) next to a stone of the player to move, and of the opponent.
WEIGHTS = np.array(
    [
        [
            [0, -40, 17, -1, -15],
            [-1, 51, -3, 4, 0],
            [46, 43, 40, 0, 0],
            [61, 38, 0, 0, 0],
            [4, 0, 0, 0, 0],
        ],
        [
            [0, 49, 4, 17, 57],
            [10, -53, 6, 8, 0],
            [-56, -42, -34, 0, 0],
            [-81, -55, 0, 0, 0],
            [-61, 0, 0, 0, 0],
        ],
    ],
    np.int64,
)
# For each step in the height of the small components' value (store.py).
PER_HEIGHT = 35
# A contact more between enemies is about half as much again to search: the logarithm of that.
PER_CONTACT = 40


@generic
def outlook(
    topology: Topology, components: ComponentTable, own: np.uint64, other: np.uint64, width: int
) -> int:
    """The cost of leaving a component to the opponent, who owns the stones `own`."""
    return PER_CONTACT * contacts(topology, components, own, other, width)


@rule(GridTopology, "outlook")
def outlook_on_grid(
    topology: GridTopology, components: ComponentTable, own: np.uint64, other: np.uint64, width: int
) -> int:
    """The opponent's chances, and the work of searching it."""
    total = PER_CONTACT * contacts(topology, components, own, other, width)
    if topology.variant != NORMAL or topology.methods.orders != BY_OUTLOOK:
        return total
    rest = own | other
    while rest:
        stone = rest & (~rest + U1)
        rest ^= stone
        near = around(topology, components, stone, width)
        if stone & own:
            total += WEIGHTS[0, popcount(near & own), popcount(near & other)]
        else:
            total += WEIGHTS[1, popcount(near & other), popcount(near & own)]
    return total
