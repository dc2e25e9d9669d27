"""Snort: place stones in turn, never next to an enemy stone; a player who cannot move loses.

    3 x . .      Black (x) may not play on c3, b2 or c1: they touch White's stone on c2.
    2 . . o      White (o) may not play on b3 or a2: they touch Black's stone on a3.
    1 . . .      Cells touch up, left, down and right.
      a b c

Berlekamp, Conway & Guy, "Winning Ways for your Mathematical Plays", 1982.
"""

from typing import NamedTuple

from zerolab.games.base import Actions, GameError, State, player_to_move
from zerolab.games.boards.stones import EMPTY, MAX_SIDE, put_stone, stone_at
from zerolab.games.notation import DIRECTIONS, Cells
from zerolab.kernels.bits import U1
from zerolab.kernels.compiling import jitable, rule


class Snort(NamedTuple):
    """Board of a game of Snort."""

    rows: int = 5
    """From 1 to 26."""
    cols: int = 5
    """From 1 to 26."""


@rule(Snort)
def legal_actions(game: Snort, state: State, actions: Actions) -> int:
    """Every empty cell that touches no enemy stone."""
    count = 0
    for cell in range(game.rows * game.cols):
        if stone_at(game, state, cell) == EMPTY and not touches_enemy(game, state, cell):
            actions[count] = cell
            count += 1
    return count


@rule(Snort)
def step(game: Snort, state: State, action: int) -> None:
    """Place a stone; then the other player is to move."""
    put_stone(game, state, action, player_to_move(state))
    state[0] ^= U1


@rule(Snort)
def terminal_value(game: Snort, state: State) -> float:
    """The player to move cannot move, and has lost."""
    return -1.0


@jitable
def touches_enemy(game: Snort, state: State, cell: int) -> bool:
    """Whether a neighbour of the cell is a stone of the player who is not to move."""
    enemy = 1 - player_to_move(state)
    for down, right in DIRECTIONS:
        row, col = cell // game.cols + down, cell % game.cols + right
        is_on_board = 0 <= row < game.rows and 0 <= col < game.cols
        if is_on_board and stone_at(game, state, row * game.cols + col) == enemy:
            return True
    return False


@rule(Snort)
def action_space(game: Snort) -> Cells:
    """An action is the cell that is played on."""
    return Cells(game.rows, game.cols)


@rule(Snort)
def check(game: Snort) -> None:
    """Any rectangle whose columns have letters."""
    if not (1 <= game.rows <= MAX_SIDE and 1 <= game.cols <= MAX_SIDE):
        raise GameError(
            f"a board of {game.rows}x{game.cols} is not possible; Snort boards have 1 to "
            f"{MAX_SIDE} rows and columns"
        )
