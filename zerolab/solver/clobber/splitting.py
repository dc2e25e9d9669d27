"""A position of Clobber as components that do not touch, for the solver of sums (sum_search.py)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import Game, State
from zerolab.games.boards.stones import board_words, stone_at
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.graph_clobber import GraphClobber, edge_list
from zerolab.solver.cgt.value import connected_groups
from zerolab.solver.clobber.shapes import MAX_CELLS
from zerolab.solver.clobber.sum_positions import MAX_STONES


class Component(NamedTuple):
    """Connected stones, in a box of their own."""

    black: int
    white: int
    width: int


def can_be_split(game: Game, state: State) -> bool:
    """Whether the solver of sums can solve a position."""
    if isinstance(game, GraphClobber):
        return len(game.stones) <= MAX_CELLS
    if not isinstance(game, Clobber):
        return False
    try:
        split_position(game, state)
    except UsageError:
        return False
    return True


def split_position(game: Game, state: State) -> list[Component]:
    """The components of a position; UsageError if one does not fit in a word."""
    if isinstance(game, GraphClobber):
        return [Component(int(state[1]), int(state[1 + board_words(game)]), 0)]
    stones = {
        divmod(cell, game.cols): stone_at(game, state, cell)
        for cell in range(game.rows * game.cols)
        if stone_at(game, state, cell) >= 0
    }
    components = []
    for group in connected_groups(stones):
        found = {point: stones[point] for point in group}
        if len(set(found.values())) == 2 or (game.variant == CANNIBAL and len(found) > 1):
            components.append(_boxed(found))
    if (
        sum((component.black | component.white).bit_count() for component in components)
        > MAX_STONES
    ):
        raise UsageError(f"more than {MAX_STONES} stones can still move")
    return components


def _boxed(stones: dict[tuple[int, int], int]) -> Component:
    rows, cols = [row for row, _ in stones], [col for _, col in stones]
    top, left = min(rows), min(cols)
    height, width = max(rows) - top + 1, max(cols) - left + 1
    if height * width > MAX_CELLS:
        raise UsageError(
            f"a connected part of {height}x{width} cells is too large; at most {MAX_CELLS} cells"
        )
    words = [0, 0]
    for (row, col), colour in stones.items():
        words[colour] |= 1 << ((row - top) * width + col - left)
    return Component(words[0], words[1], width)


def links_of(game: Game) -> npt.NDArray[np.uint64]:
    """The neighbours of each vertex of a graph; boards need none."""
    links = [0] * MAX_CELLS
    if isinstance(game, GraphClobber):
        for low, high in edge_list(game):
            links[low] |= 1 << high
            links[high] |= 1 << low
    return np.array(links, np.uint64)
