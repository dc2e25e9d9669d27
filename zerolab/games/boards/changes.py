"""Boards as numbers that change: own stones 1, the opponent's -1, empty squares 0.

What a board has, or what a move changes, is a list of squares and an amount for each.
"""

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, State, copy_state, player_to_move, step
from zerolab.games.boards.stones import board_words, first_word, first_words
from zerolab.kernels.bits import U1, WORD, as_int, lowest
from zerolab.kernels.compiling import generic, jitable

Squares = npt.NDArray[np.int64]  # [cells], a buffer
Amounts = npt.NDArray[np.float64]  # [cells], a buffer


@generic
def list_moved(
    game: Game, state: State, action: int, after: State, squares: Squares, amounts: Amounts
) -> int:
    """Write which squares a move changes, and by how much for the mover; return their number.

    `after` is scratch. Worth binding where an action names its squares.
    """
    copy_state(state, after)
    step(game, after, action)
    return list_changes(game, state, after, player_to_move(state), squares, amounts)


@jitable
def list_changes(
    game: Game, before: State, after: State, player: int, squares: Squares, amounts: Amounts
) -> int:
    """Write which squares differ between two positions, and by how much; return their number."""
    words = board_words(game)
    own, other = first_words(words, player)
    count = 0
    for word in range(words):
        old, old_other = before[own + word], before[other + word]
        new, new_other = after[own + word], after[other + word]
        changed = (old ^ new) | (old_other ^ new_other)
        while changed:
            square = lowest(changed)
            gain = _stones_in(new, square) - _stones_in(old, square)
            squares[count] = word * WORD + square
            amounts[count] = gain - _stones_in(new_other, square) + _stones_in(old_other, square)
            count += 1
            changed &= changed - U1
    return count


@jitable
def list_stones(game: Game, state: State, player: int, squares: Squares, amounts: Amounts) -> int:
    """Write where there are stones, with their signs for `player`; return their number."""
    words = board_words(game)
    count = 0
    for colour in range(2):
        amount = 1.0 if colour == player else -1.0
        for word in range(words):
            stones = state[first_word(words, colour) + word]
            while stones:
                squares[count] = word * WORD + lowest(stones)
                amounts[count] = amount
                count += 1
                stones &= stones - U1
    return count


@jitable
def _stones_in(word: np.uint64, square: int) -> int:
    """1 if a square of a word is taken, else 0."""
    return as_int(word >> np.uint64(square) & U1)
