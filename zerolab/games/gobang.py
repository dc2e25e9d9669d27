"""Gobang: put stones in turn, k in a row wins (4 in wang). With k=3 on 3x3 it is Tic-tac-toe."""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import NO_ACTION, Actions, State
from zerolab.games.boards.lines import (
    WON,
    check_line_board,
    complete_lines,
    open_lines,
    play_stone,
    value_after_line,
)
from zerolab.games.boards.stones import board_mask, board_words
from zerolab.games.notation import Cells
from zerolab.games.position import Position
from zerolab.kernels.bits import U0, U1, WORD, lowest, nth_bit, popcount
from zerolab.kernels.compiling import jitable, rule
from zerolab.kernels.rng import Stream, random_below


class Gobang(NamedTuple):
    """Rules and board of a game of Gobang."""

    rows: int = 6
    """From 1 to 26."""
    cols: int = 6
    """From 1 to 26."""
    k: int = 4
    """How many in a row win; longer lines win too."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(Gobang)
def legal_actions(game: Gobang, state: State, actions: Actions) -> int:
    count = 0
    for word in range(board_words(game)):
        cells = empty_cells(game, state, word)
        while cells:
            actions[count] = word * WORD + lowest(cells)
            count += 1
            cells &= cells - U1
    return count


@rule(Gobang)
def random_action(game: Gobang, state: State, actions: Actions, rng: Stream) -> int:
    count = 0
    for word in range(board_words(game)):
        count += popcount(empty_cells(game, state, word))
    if count == 0:
        return NO_ACTION
    chosen = random_below(rng, count)
    for word in range(board_words(game)):
        cells = empty_cells(game, state, word)
        here = popcount(cells)
        if chosen < here:
            return word * WORD + nth_bit(cells, chosen)
        chosen -= here
    return NO_ACTION  # not reached


@rule(Gobang)
def step(game: Gobang, state: State, action: int) -> None:
    play_stone(game, state, action)


@rule(Gobang)
def terminal_value(game: Gobang, state: State) -> float:
    return value_after_line(state)


@rule(Gobang)
def chances(game: Gobang, state: State, player: int) -> int:
    return open_lines(game, state, player)


@jitable
def empty_cells(game: Gobang, state: State, word: int) -> np.uint64:
    """The cells in a word that may be played on: none once there is a line."""
    stones = state[1 + word] | state[1 + board_words(game) + word]
    cells: np.uint64 = ~stones & board_mask(game.rows * game.cols, word)
    return U0 if state[0] & WON else cells


@rule(Gobang)
def action_space(game: Gobang) -> Cells:
    return Cells(game.rows, game.cols)


@rule(Gobang)
def is_colour_blind(game: Gobang) -> bool:
    return True


@rule(Gobang)
def check(game: Gobang) -> None:
    check_line_board(game, "Gobang")


@rule(Gobang)
def complete(game: Gobang, state: State) -> None:
    complete_lines(game, state)
