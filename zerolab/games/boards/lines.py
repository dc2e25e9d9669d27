"""k in a row: does a stone complete a line? Connect Four and Gobang share it, and the turn word.

Bit 1 of the turn word says that the last move made a line; the game is then over.
"""

import numpy as np

from zerolab.games.base import BLACK, WHITE, Game, GameError, State, shape
from zerolab.games.boards.stones import (
    EMPTY,
    MAX_SIDE,
    board_mask,
    board_words,
    first_column,
    first_word,
    stone_at,
)
from zerolab.kernels.bits import U0, U1, bit, popcount, word_of, wrapping_multiply
from zerolab.kernels.compiling import jitable

WON = U1 << U1


@jitable
def makes_line(game: Game, state: State, cell: int, colour: int) -> bool:
    """Whether the stone of this colour on `cell` belongs to a line of `game.k` or more."""
    if board_words(game) == 1:
        return has_line(state[1 + colour], game.rows, game.cols, game.k)
    return walks_line(game, state, cell, colour)


@jitable
def has_line(stones: np.uint64, rows: int, cols: int, k: int) -> bool:
    """Whether there is a line of k on a board of one word."""
    down, right, down_right, down_left = line_starts(rows, cols, k)
    found = starts_of_lines(stones, stones & down, cols, k)
    found |= starts_of_lines(stones, stones & right, 1, k)
    found |= starts_of_lines(stones, stones & down_right, cols + 1, k)
    found |= starts_of_lines(stones, stones & down_left, cols - 1, k)
    return popcount(found) > 0


@jitable
def line_starts(rows: int, cols: int, k: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Where lines of k may begin that lead down, right, down to the right and down to the left.

    A line that leads to the right may begin only where it cannot wrap round the edge: in the first
    columns; one that leads down to the left only in the last.
    """
    down = ~U0 if k <= rows else U0
    right = U0
    if k <= cols:
        right = wrapping_multiply(first_column(cols, 0), (U1 << np.uint64(cols - k + 1)) - U1)
    return down, right, right & down, right << np.uint64(k - 1) & down


@jitable
def starts_of_lines(stones: np.uint64, starts: np.uint64, by: int, k: int) -> np.uint64:
    """Those of `starts` from which k stones follow each other, `by` cells apart."""
    for i in range(1, k):
        starts &= stones >> np.uint64(i * by)
    return starts


@jitable
def walks_line(game: Game, state: State, cell: int, colour: int) -> bool:
    """Whether a line of k stones of a colour goes through `cell`, on a board of any size.

    It walks from the cell along the four lines.
    """
    rows, cols = shape(game)
    stones = first_word(board_words(game), colour)
    row, col = cell // cols, cell % cols
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * down, col + sign * right
            while 0 <= r < rows and 0 <= c < cols and length < game.k:
                here = r * cols + c
                if not state[stones + word_of(here)] & bit(here):
                    break
                length += 1
                r += sign * down
                c += sign * right
        if length >= game.k:
            return True
    return False


@jitable
def play_stone(game: Game, state: State, cell: int) -> None:
    """Put a stone of the player to move on an empty cell, note a line, pass the turn."""
    colour = 1 if state[0] & U1 else 0
    state[first_word(board_words(game), colour) + word_of(cell)] |= bit(cell)
    if makes_line(game, state, cell, colour):
        state[0] |= WON
    state[0] ^= U1


@jitable
def open_lines(game: Game, state: State, colour: int) -> int:
    """Lines in which the other colour has no stone, weighted by the number of stones in them."""
    rows, cols, k = game.rows, game.cols, game.k
    if board_words(game) > 1:
        return 1  # they are not looked for
    own = state[1 + colour]
    free = board_mask(rows * cols, 0) & ~state[2 - colour]
    down, right, down_right, down_left = line_starts(rows, cols, k)
    return (
        weigh_lines(own, starts_of_lines(free, free & down, cols, k), cols, k)
        + weigh_lines(own, starts_of_lines(free, free & right, 1, k), 1, k)
        + weigh_lines(own, starts_of_lines(free, free & down_right, cols + 1, k), cols + 1, k)
        + weigh_lines(own, starts_of_lines(free, free & down_left, cols - 1, k), cols - 1, k)
    )


@jitable
def weigh_lines(own: np.uint64, starts: np.uint64, by: int, k: int) -> int:
    """Lines of one direction, 1 each without stones, 4 with one, 16 with two, 79 with three.

    The stones of all lines are counted at once, in binary. Of more than three some may be missed.
    """
    ones, twos, fours = U0, U0, U0
    for i in range(k):
        here = own >> np.uint64(i * by)
        carry = ones & here
        ones ^= here
        fours |= twos & carry
        twos ^= carry
    few = popcount(starts) + 3 * popcount(starts & ones) + 15 * popcount(starts & twos)
    return few + 60 * popcount(starts & ones & twos) + 255 * popcount(starts & fours)


@jitable
def value_after_line(state: State) -> float:
    """At the end of the game: the player to move lost if there is a line, else it is a draw."""
    return -1.0 if state[0] & WON else 0.0


def complete_lines(game: Game, state: State) -> None:
    """Note a line in a position set up by hand; only the last to move can have one."""
    rows, cols = shape(game)
    to_move = int(state[0] & U1)
    count = {BLACK: 0, WHITE: 0, EMPTY: 0}
    state[0] &= ~WON
    for cell in range(rows * cols):
        stone = stone_at(game, state, cell)
        count[stone] += 1
        if stone != EMPTY and makes_line(game, state, cell, stone):
            if stone == to_move:
                raise GameError("the player to move already has a line; it is the other's turn")
            state[0] |= WON
    if count[BLACK] - count[WHITE] != to_move:
        raise GameError(
            f"{count[BLACK]} black and {count[WHITE]} white stones with "
            f"{'white' if to_move else 'black'} to move: players place stones in turn, Black first"
        )


def check_line_board(game: Game, name: str) -> None:
    """A board on which a line fits."""
    if not (1 <= game.rows <= MAX_SIDE and 1 <= game.cols <= MAX_SIDE):
        raise GameError(
            f"a board of {game.rows}x{game.cols} is not possible; {name} boards have 1 to "
            f"{MAX_SIDE} rows and columns"
        )
    if not 2 <= game.k <= max(game.rows, game.cols):
        raise GameError(
            f"k={game.k} is not possible on {game.rows}x{game.cols}; "
            f"expected 2 to {max(game.rows, game.cols)}"
        )
