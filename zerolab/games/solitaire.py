"""Solitaire Clobber: one player clobbers until no move is left, to leave few stones.

Demaine, Demaine & Fleischer, "Solitaire Clobber", Theoretical Computer Science 313, 2004.
"""

from typing import NamedTuple

from zerolab.games.base import Actions, State
from zerolab.games.boards.stones import board_words
from zerolab.games.clobber import (
    CHEQUERED,
    IMPARTIAL,
    NORMAL,
    RANDOM,
    check_board,
    list_steps,
    start_position,
    take,
)
from zerolab.games.notation import Steps
from zerolab.games.position import Position
from zerolab.kernels.bits import U1, popcount
from zerolab.kernels.compiling import jitable, rule
from zerolab.kernels.rng import Stream


class Solitaire(NamedTuple):
    """Rules and board of Solitaire Clobber."""

    rows: int = 4
    """From 1 to 26."""
    cols: int = 4
    """From 1 to 26."""
    alternate: bool = True
    """Whether the colour that moves alternates, Black first; if not, any stone may move."""
    setup: str = CHEQUERED
    """chequered, random or a position such as xo|ox."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(Solitaire)
def legal_actions(game: Solitaire, state: State, actions: Actions) -> int:
    variant = NORMAL if game.alternate else IMPARTIAL
    return list_steps(state, game.cols, board_words(game), variant, actions)


@rule(Solitaire)
def step(game: Solitaire, state: State, action: int) -> None:
    take(game, state, action)
    if game.alternate:
        state[0] ^= U1


@rule(Solitaire)
def terminal_value(game: Solitaire, state: State) -> float:
    """1 for a single stone left, falling linearly to -1 for an untouched board."""
    return 1.0 - 2.0 * (stones_left(game, state) - 1) / (game.rows * game.cols - 1)


@rule(Solitaire)
def num_players(game: Solitaire) -> int:
    return 1


@jitable
def stones_left(game: Solitaire, state: State) -> int:
    """How many stones are on the board."""
    count = 0
    for word in range(2 * board_words(game)):
        count += popcount(state[1 + word])
    return count


@rule(Solitaire)
def action_space(game: Solitaire) -> Steps:
    return Steps(game.rows, game.cols)


@rule(Solitaire)
def check(game: Solitaire) -> None:
    check_board(game.rows, game.cols, game.setup)


@rule(Solitaire)
def starts_at_random(game: Solitaire) -> bool:
    return game.setup == RANDOM


@rule(Solitaire)
def initial_state(game: Solitaire, rng: Stream) -> State:
    return start_position(game, rng)
