"""Othello: enclose enemy stones in straight lines to turn them over; most stones win.

    8 . . . . . . . .        4 . . . .       5 . . . . .
    7 . . . . . . . .        3 . o x .       4 . o x . .
    6 . . . . . . . .        2 . x o .       3 . x o . .
    5 . . . o x . . .        1 . . . .       2 . . . . .
    4 . . . x o . . .          a b c d       1 . . . . .
    3 . . . . . . . .                          a b c d e
    2 . . . . . . . .
    1 . . . . . . . .       On odd boards the four stones stand up and to the left of
      a b c d e f g h       the centre, as in alpha-zero-general, which wang used.

A player without a move passes; when neither can move the game is over. The state keeps the cells
that the player to move may play on, after the stones: every position needs them, and `step` has to
know whether there are any. Bit 1 of the turn word says that there are none and the player passes.
"""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import BLACK, NO_ACTION, WHITE, Actions, GameError, State, player_to_move
from zerolab.games.boards.stones import (
    EMPTY,
    MAX_SIDE,
    board_mask,
    board_words,
    first_column,
    first_words,
    put_stone,
    stone_at,
)
from zerolab.games.notation import Cells
from zerolab.games.position import Position
from zerolab.kernels.bits import U0, U1, WORD, bit, lowest, nth_bit, popcount, word_of
from zerolab.kernels.compiling import jitable, rule, subroutine
from zerolab.kernels.rng import Stream, random_below

MUST_PASS = U1 << U1


class Othello(NamedTuple):
    """Board of a game of Othello."""

    rows: int = 8
    """From 3 to 26; the board is square."""
    cols: int = 8
    """As many as rows."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(Othello)
def legal_actions(game: Othello, state: State, actions: Actions) -> int:
    if state[0] & MUST_PASS:
        actions[0] = pass_action(game)
        return 1
    words = board_words(game)
    count = 0
    for word in range(words):
        cells = state[1 + 2 * words + word]
        while cells:
            actions[count] = word * WORD + lowest(cells)
            count += 1
            cells &= cells - U1
    return count


@rule(Othello)
def random_action(game: Othello, state: State, actions: Actions, rng: Stream) -> int:
    if state[0] & MUST_PASS:
        return pass_action(game)
    words = board_words(game)
    count = 0
    for word in range(words):
        count += popcount(state[1 + 2 * words + word])
    if count == 0:
        return NO_ACTION
    chosen = random_below(rng, count)
    for word in range(words):
        cells = state[1 + 2 * words + word]
        here = popcount(cells)
        if chosen < here:
            return word * WORD + nth_bit(cells, chosen)
        chosen -= here
    return NO_ACTION  # not reached


@rule(Othello)
def step(game: Othello, state: State, action: int) -> None:
    if action != pass_action(game):
        turn_over(game, state, action)
    state[0] ^= U1
    settle_turn(game, state)


@rule(Othello)
def terminal_value(game: Othello, state: State) -> float:
    words = board_words(game)
    lead = 0
    for word in range(words):
        lead += popcount(state[1 + word]) - popcount(state[1 + words + word])
    if state[0] & U1:
        lead = -lead
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


@jitable
def pass_action(game: Othello) -> int:
    """The action after those of the cells."""
    return game.rows * game.cols


@subroutine
def turn_over(game: Othello, state: State, cell: int) -> None:
    """Put a stone of the player to move and turn over what it encloses."""
    words = board_words(game)
    own, other = first_words(words, player_to_move(state))
    for down in range(-1, 2):
        for right in range(-1, 2):
            enclosed = count_enclosed(game, state, own, other, cell, down, right)
            turned = cell
            for _ in range(enclosed):
                turned += down * game.cols + right
                state[own + word_of(turned)] |= bit(turned)
                state[other + word_of(turned)] &= ~bit(turned)
    state[own + word_of(cell)] |= bit(cell)


@jitable
def count_enclosed(
    game: Othello, state: State, own: int, other: int, cell: int, down: int, right: int
) -> int:
    """How many enemy stones lie between an empty cell and the next own stone in a direction."""
    if down == 0 and right == 0:
        return 0
    row, col = cell // game.cols + down, cell % game.cols + right
    count = 0
    while 0 <= row < game.rows and 0 <= col < game.cols:
        here = row * game.cols + col
        if state[own + word_of(here)] & bit(here):
            return count
        if not state[other + word_of(here)] & bit(here):
            return 0
        count += 1
        row += down
        col += right
    return 0


@jitable
def settle_turn(game: Othello, state: State) -> None:
    """Find the moves of the player to move; without any, a pass or the end of the game follows."""
    state[0] &= U1
    if not find_moves(game, state):
        # The other may still be able to move: then this player passes, else the game is over.
        state[0] ^= U1
        can_go_on = find_moves(game, state)
        state[0] ^= U1
        forget_moves(game, state)
        if can_go_on:
            state[0] |= MUST_PASS


@subroutine
def find_moves(game: Othello, state: State) -> bool:
    """Store where the player to move may play; return whether there is such a cell."""
    words = board_words(game)
    own, other = first_words(words, player_to_move(state))
    found = False
    if words == 1:
        moves = flood_moves(state[own], state[other], game.rows)
        state[1 + 2 * words] = moves
        return popcount(moves) > 0
    forget_moves(game, state)
    for cell in range(game.rows * game.cols):
        if not (state[own + word_of(cell)] | state[other + word_of(cell)]) & bit(cell):
            enclosed = 0
            for down in range(-1, 2):
                for right in range(-1, 2):
                    enclosed += count_enclosed(game, state, own, other, cell, down, right)
            if enclosed > 0:
                state[1 + 2 * words + word_of(cell)] |= bit(cell)
                found = True
    return found


@jitable
def forget_moves(game: Othello, state: State) -> None:
    """Store that no cell may be played on."""
    words = board_words(game)
    for word in range(words):
        state[1 + 2 * words + word] = U0


@jitable
def flood_moves(own: np.uint64, other: np.uint64, side: int) -> np.uint64:
    """Where `own` may play, on a board of one word.

    From its own stones a player's reach flows over enemy stones in each direction, and ends on an
    empty cell. Sideways it flows over inner columns only, so that it cannot wrap round the edge.
    """
    first = first_column(side, 0)
    last = first << np.uint64(side - 1)
    inner = other & ~first & ~last
    reached = (
        flood(own, inner, 1, side)
        | flood(own, other, side, side)
        | flood(own, inner, side + 1, side)
        | flood(own, inner, side - 1, side)
    )
    return reached & ~(own | other) & board_mask(side * side, 0)


@jitable
def flood(own: np.uint64, over: np.uint64, by: int, side: int) -> np.uint64:
    """The cells at the end of a flow over `over`, by `by` cells a time, both ways."""
    shift = np.uint64(by)
    ahead, back = own << shift & over, own >> shift & over
    for _ in range(side - 3):
        ahead |= ahead << shift & over
        back |= back >> shift & over
    return ahead << shift | back >> shift


# For Python only.


@rule(Othello)
def action_space(game: Othello) -> Cells:
    return Cells(game.rows, game.cols, can_pass=True)


@rule(Othello)
def state_words(game: Othello) -> int:
    return 1 + 3 * board_words(game)


@rule(Othello)
def max_plies(game: Othello) -> int:
    return 2 * game.rows * game.cols  # a pass may come between any two stones


@rule(Othello)
def is_colour_blind(game: Othello) -> bool:
    return True


@rule(Othello)
def check(game: Othello) -> None:
    if game.rows != game.cols or not 3 <= game.rows <= MAX_SIDE:
        raise GameError(
            f"a board of {game.rows}x{game.cols} is not possible; Othello boards are square, from "
            f"3x3 to {MAX_SIDE}x{MAX_SIDE}"
        )


@rule(Othello)
def initial_state(game: Othello, rng: Stream) -> State:
    state = np.zeros(state_words(game), np.uint64)
    low = game.rows // 2 - 1
    for row, col in ((low, low), (low + 1, low + 1)):
        put_stone(game, state, row * game.cols + col, WHITE)
        put_stone(game, state, row * game.cols + (2 * low + 1 - col), BLACK)
    complete(game, state)
    return state


@rule(Othello)
def complete(game: Othello, state: State) -> None:
    if all(stone_at(game, state, cell) == EMPTY for cell in range(game.rows * game.cols)):
        raise GameError("an Othello board is never empty")
    settle_turn(game, state)
