"""The number of nodes needed to solve a leaf, by its hardness according to exact_leaves.py.

Positions come from random games. The table is kept from one position to the next, as for leaves of
a search.
"""

import statistics
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from zerolab.benchmarks.measuring import random_position
from zerolab.games.clobber import Clobber
from zerolab.kernels.bits import popcount
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import Stream, random_below, stream
from zerolab.search.playouts import mean_length
from zerolab.solver.clobber.sum_positions import MAX_STONES, NODES
from zerolab.solver.exact_leaves import (
    TOO_LARGE,
    UNSETTLED,
    ExactLeaves,
    add_hardness,
    gather,
    make_exact_leaves,
    solve_leaf,
)
from zerolab.studies.report import Report

BOARDS = (Clobber(6, 6), Clobber(8, 8), Clobber(10, 10))
FULL_POSITIONS = 1_000  # of each board
MOST_NODES = 20_000
SAMPLE = 1_000  # random games whose length is averaged
BIN = 4  # values of hardness in a row of the table


class Leaf(NamedTuple):
    """A position, and the cost of solving it."""

    hardness: int
    stones: int
    """Live stones in all components."""
    nodes: int
    is_solved: bool


class Growth(NamedTuple):
    """A line through the logarithm of nodes: its slope, and the spread of positions around it."""

    start: float
    slope: float
    spread: float


def measure(size: int | None, seed: int, on_progress: Callable[[int, int], None]) -> Report:
    """Leaves of all boards in one table."""
    positions = size or FULL_POSITIONS
    found: dict[str, list[Leaf]] = {}
    with suppress(KeyboardInterrupt):
        for number, game in enumerate(BOARDS):

            def on_position(done: int, number: int = number) -> None:
                on_progress(number * positions + done, len(BOARDS) * positions)

            name = f"{game.rows}x{game.cols}"
            found[name] = solve_leaves(game, positions, MOST_NODES, seed, on_position)
    return _report(found)


def solve_leaves(
    game: Clobber,
    positions: int,
    nodes: int,
    seed: int,
    on_position: Callable[[int], None] = lambda done: None,
) -> list[Leaf]:
    """Positions from the last two thirds of random games that the solver can hold."""
    oracle, rng = make_exact_leaves(game, MAX_STONES, nodes), stream(seed)
    length = round(mean_length(game, SAMPLE))
    leaves: list[Leaf] = []
    while len(leaves) < positions:
        leaf = _solve_one(game, oracle, length // 3 + random_below(rng, length), rng)
        if leaf is not None:
            leaves.append(leaf)
            on_position(len(leaves))
    return leaves


def _solve_one(game: Clobber, oracle: ExactLeaves, plies: int, rng: Stream) -> Leaf | None:
    state = random_position(game, plies, rng)
    if state is None:
        return None
    count = gather(lean(game), oracle, state)
    if count == TOO_LARGE:
        return None
    sizes = [popcount(root[0] | root[1]) for root in oracle.stack.roots[:count]]
    hardness = 0
    for size in sizes:
        hardness = add_hardness(oracle, hardness, size)
    value = solve_leaf(oracle, lean(game), state)
    nodes = int(oracle.stack.where[NODES])
    return Leaf(hardness, sum(sizes), nodes, value != UNSETTLED)


def growth(sizes: Sequence[int], leaves: Sequence[Leaf]) -> Growth:
    """The line of least squares through log(nodes + 1) over `sizes`, of leaves that were solved."""
    rows = [(size, leaf) for size, leaf in zip(sizes, leaves, strict=True) if leaf.is_solved]
    x = np.array([size for size, _ in rows], np.float64)
    y = np.log([leaf.nodes + 1 for _, leaf in rows])
    slope, start = np.polyfit(x, y, 1)
    return Growth(float(start), float(slope), float(np.std(y - start - slope * x)))


def _report(found: dict[str, list[Leaf]]) -> Report:
    leaves = [leaf for each in found.values() for leaf in each]
    rows, values = [], []
    for first in range(0, MAX_STONES + 1, BIN):
        some = [leaf for leaf in leaves if first <= leaf.hardness < first + BIN]
        if not some:
            continue
        median = statistics.median(leaf.nodes for leaf in some)
        solved = statistics.mean(leaf.is_solved for leaf in some)
        name = f"{first} to {first + BIN - 1}"
        rows.append((name, f"{len(some):,}", f"{median:,.0f}", f"{solved:.0%}"))
        values.append(
            {"hardness": first, "leaves": len(some), "median_nodes": median, "solved": solved}
        )
    is_complete = len(found) == len(BOARDS)
    return Report(
        f"Leaves of random games on {', '.join(found)}, {MOST_NODES:,} nodes at most",
        ("as hard as one component of", "leaves", "median nodes", "solved"),
        rows,
        values,
        _verdict(leaves) + ("" if is_complete else "; stopped"),
        is_complete,
    )


def _verdict(leaves: list[Leaf]) -> str:
    hard = [leaf for leaf in leaves if leaf.nodes > 0 and leaf.is_solved]
    if len({leaf.hardness for leaf in hard}) < 2 or len({leaf.stones for leaf in hard}) < 2:
        return "too few leaves to tell how nodes grow"
    ours = growth([leaf.hardness for leaf in hard], hard)
    stones = growth([leaf.stones for leaf in hard], hard)
    return (
        f"of {len(hard):,} leaves that were searched and solved, nodes grow by a factor of "
        f"{np.exp(ours.slope):.2f} with each stone of hardness, within a factor of "
        f"{np.exp(ours.spread):.1f} (by live stones: {np.exp(stones.slope):.2f}, within "
        f"{np.exp(stones.spread):.1f})"
    )
