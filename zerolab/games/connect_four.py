"""Connect Four: drop stones into columns in turn, k in a row wins."""

from typing import NamedTuple

from zerolab.games.base import Actions, GameError, State
from zerolab.games.boards.lines import (
    WON,
    check_line_board,
    complete_lines,
    open_lines,
    play_stone,
    value_after_line,
)
from zerolab.games.boards.stones import EMPTY, board_words, stone_at
from zerolab.games.boards.symmetry import IDENTITY, Turn
from zerolab.games.notation import Board, Columns
from zerolab.games.position import Position
from zerolab.kernels.bits import bit, word_of
from zerolab.kernels.compiling import jitable, rule


class ConnectFour(NamedTuple):
    """Rules and board of a game of Connect Four."""

    rows: int = 6
    """From 1 to 26."""
    cols: int = 7
    """From 1 to 26."""
    k: int = 4
    """How many in a row win; longer lines win too."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(ConnectFour)
def legal_actions(game: ConnectFour, state: State, actions: Actions) -> int:
    count = 0
    if state[0] & WON:
        return count
    for col in range(game.cols):
        if is_empty(game, state, col):  # the top cell of the column
            actions[count] = col
            count += 1
    return count


@rule(ConnectFour)
def step(game: ConnectFour, state: State, action: int) -> None:
    cell = action + (game.rows - 1) * game.cols
    while not is_empty(game, state, cell):
        cell -= game.cols
    play_stone(game, state, cell)


@rule(ConnectFour)
def terminal_value(game: ConnectFour, state: State) -> float:
    return value_after_line(state)


@rule(ConnectFour)
def chances(game: ConnectFour, state: State, player: int) -> int:
    return open_lines(game, state, player)


@jitable
def is_empty(game: ConnectFour, state: State, cell: int) -> bool:
    """Whether there is no stone on a cell."""
    word = word_of(cell)
    return not (state[1 + word] | state[1 + board_words(game) + word]) & bit(cell)


@rule(ConnectFour)
def action_space(game: ConnectFour) -> Columns:
    return Columns(game.cols)


@rule(ConnectFour)
def turns(game: ConnectFour) -> tuple[Turn, ...]:
    return IDENTITY, Turn(flip_cols=True)


@rule(ConnectFour)
def is_colour_blind(game: ConnectFour) -> bool:
    return True


@rule(ConnectFour)
def check(game: ConnectFour) -> None:
    check_line_board(game, "Connect Four")


@rule(ConnectFour)
def complete(game: ConnectFour, state: State) -> None:
    for cell in range((game.rows - 1) * game.cols):
        below = cell + game.cols
        if stone_at(game, state, cell) != EMPTY and stone_at(game, state, below) == EMPTY:
            name = Board(game.rows, game.cols).name(divmod(cell, game.cols))
            raise GameError(f"the stone on {name} floats: the cell below it must hold one too")
    complete_lines(game, state)
