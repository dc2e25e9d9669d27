"""A board as pixels, without a library for graphics."""

import numpy as np
import numpy.typing as npt

from zerolab.games.base import BLACK, Game, State, shape
from zerolab.games.boards.stones import EMPTY, stone_at

CELL = 24  # pixels
RADIUS = 9.5
SQUARES = ((222, 201, 160), (204, 180, 136))
STONES = {True: (30, 30, 30), False: (245, 245, 245)}  # whether it is Black's

Pixels = npt.NDArray[np.uint8]  # [R * CELL, C * CELL, 3]


def draw_raster(game: Game, state: State) -> Pixels:
    """Squares in two colours and discs on them; a graph as its vertices in a row."""
    rows, cols = shape(game)
    pixels = np.zeros((rows * CELL, cols * CELL, 3), np.uint8)
    offsets = np.arange(CELL) - (CELL - 1) / 2
    disc = offsets[:, None] ** 2 + offsets[None, :] ** 2 <= RADIUS**2
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        square = pixels[row * CELL : (row + 1) * CELL, col * CELL : (col + 1) * CELL]
        square[:] = SQUARES[(row + col) % 2]
        stone = stone_at(game, state, cell)
        if stone != EMPTY:
            square[disc] = STONES[stone == BLACK]
    return pixels
