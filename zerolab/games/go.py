"""Go: surround empty points and enemy stones; the larger area wins.

    5 . . . . .      Stones connected up, down, left and right are a group; the empty points next
    4 . x o . .      to it are its liberties. A group without liberties is taken off the board.
    3 x o . o .      White's stone on b3 has one liberty, c3: it is in atari. Black takes it from
    2 . x o . .      there, and White may not take back at once: that would repeat the position.
    1 . . . . .      Suicide is illegal. Two passes in a row end the game. Stones and empty points
      a b c d e      that reach only one colour count (Tromp & Taylor, tromp.github.io/go.html).

Positional superko: no position may occur twice. A state remembers `history` earlier boards, of
which one is enough for a simple ko; a `Position` remembers all of them. What a state keeps is in
go_board.py.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from zerolab.games.base import NO_ACTION, Actions, GameError, State
from zerolab.games.boards.go_board import (
    EARLIER,
    MOVES,
    black_lead,
    empty_points,
    find_moves,
    forbid_board,
    keep_board,
    mark_atari,
    place_stone,
)
from zerolab.games.boards.groups import Grid, next_to
from zerolab.games.boards.stones import EMPTY, board_words, first_word, state_words, stone_at
from zerolab.games.notation import GO_LETTERS, Board, Cells
from zerolab.games.position import Position
from zerolab.kernels.bits import U1, WORD, as_int, bit, lowest, nth_bit, popcount, word_of
from zerolab.kernels.compiling import jitable, rule, subroutine
from zerolab.kernels.rng import Stream, random_below
from zerolab.kernels.stack_words import stack_words

LONGEST_SIDE = len(GO_LETTERS)
LONGEST_HISTORY = 1000

# The turn word: bit 0 is the player, then these, then the number of plies.
PASSED, OVER = U1 << U1, U1 << np.uint64(2)
PLIES = np.uint64(8)


class Go(NamedTuple):
    """Rules and board of a game of Go."""

    rows: int = 9
    """From 1 to 25."""
    cols: int = 9
    """From 1 to 25."""
    half_komi: int = 15
    """White's points for moving second, in half points: 15 is a komi of 7.5."""
    history: int = 4
    """How many earlier boards a state remembers, at least 1."""
    limit: int = 0
    """Most plies of a game; 0 for twice the number of points, as in OpenSpiel."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(Go)
def legal_actions(game: Go, state: State, actions: Actions) -> int:
    if state[0] & OVER:
        return 0
    words = board_words(game)
    count = 0
    for word in range(words):
        points = state[first_word(words, MOVES) + word]
        while points:
            actions[count] = word * WORD + lowest(points)
            count += 1
            points &= points - U1
    actions[count] = pass_action(game)
    return count + 1


@rule(Go)
def is_legal(game: Go, state: State, action: int, actions: Actions) -> bool:
    if state[0] & OVER:
        return False
    if action == pass_action(game):
        return True
    if not 0 <= action < pass_action(game):
        return False
    return as_int(state[first_word(board_words(game), MOVES) + word_of(action)] & bit(action)) != 0


@rule(Go)
def random_action(game: Go, state: State, actions: Actions, rng: Stream) -> int:
    if state[0] & OVER:
        return NO_ACTION
    words = board_words(game)
    moves = first_word(words, MOVES)
    count = 0
    for word in range(words):
        count += popcount(state[moves + word])
    chosen = random_below(rng, count + 1)
    for word in range(words):
        points = state[moves + word]
        here = popcount(points)
        if chosen < here:
            return word * WORD + nth_bit(points, chosen)
        chosen -= here
    return pass_action(game)


@rule(Go)
def step(game: Go, state: State, action: int) -> None:
    # Loops over words are unrolled where their number is known: twice as fast on 9x9.
    words = board_words(game)
    if words == 1:
        step_in_one_word(game, state, action)
    elif words == 2:
        step_in_two_words(game, state, action)
    else:
        step_in_words(game, state, action)


@rule(Go)
def terminal_value(game: Go, state: State) -> float:
    half_points = 2 * area_lead(game, state) - game.half_komi
    if state[0] & U1:
        half_points = -half_points
    return 1.0 if half_points > 0 else -1.0 if half_points < 0 else 0.0


@jitable
def pass_action(game: Go) -> int:
    """The action after those of the points."""
    return game.rows * game.cols


@jitable
def grid_of(game: Go, words: int) -> Grid:
    """The size of boards of W words."""
    return Grid(words, game.cols, game.rows * game.cols)


@subroutine
def step_in_one_word(game: Go, state: State, action: int) -> None:
    """A step on a board of up to 64 points."""
    play(game, grid_of(game, 1), state, action)


@subroutine
def step_in_two_words(game: Go, state: State, action: int) -> None:
    """A step on a board of up to 128 points."""
    play(game, grid_of(game, 2), state, action)


@subroutine
def step_in_words(game: Go, state: State, action: int) -> None:
    """A step on any board."""
    play(game, grid_of(game, board_words(game)), state, action)


@jitable
def play(game: Go, grid: Grid, state: State, action: int) -> None:
    """Put a stone or pass."""
    keep_board(grid, state, game.history)
    ends = False
    if action == pass_action(game):
        ends = as_int(state[0] & PASSED) > 0
        state[0] |= PASSED
    else:
        state[0] &= ~PASSED
        place_stone(grid, state, action)
    state[0] = (state[0] ^ U1) + (U1 << PLIES)
    find_moves(grid, state, game.history)
    if ends or as_int(state[0] >> PLIES) >= ply_limit(game):
        state[0] |= OVER


@jitable
def ply_limit(game: Go) -> int:
    """After how many plies a game ends at the latest."""
    return game.limit if game.limit > 0 else 2 * game.rows * game.cols


@subroutine
def area_lead(game: Go, state: State) -> int:
    """Black's area minus White's, without komi."""
    return black_lead(grid_of(game, board_words(game)), state)


# For Python only.


@rule(Go)
def action_space(game: Go) -> Cells:
    return Cells(game.rows, game.cols, can_pass=True, letters=GO_LETTERS)


@rule(Go)
def has_lines(game: Go) -> bool:
    return True


@rule(Go)
def memory_boards(game: Go) -> int:
    return EARLIER - MOVES + 2 * game.history


@rule(Go)
def max_plies(game: Go) -> int:
    return ply_limit(game)


@rule(Go)
def forbid_repetitions(game: Go, state: State, earlier: Iterable[State]) -> None:
    grid = grid_of(game, board_words(game))
    for stones in earlier:
        forbid_board(grid, state, stones, 1)


@rule(Go)
def check(game: Go) -> None:
    if not (1 <= game.rows <= LONGEST_SIDE and 1 <= game.cols <= LONGEST_SIDE):
        raise GameError(
            f"a board of {game.rows}x{game.cols} is not possible; Go boards have 1 to "
            f"{LONGEST_SIDE} rows and columns"
        )
    if not 1 <= game.history <= LONGEST_HISTORY:
        raise GameError(f"history={game.history} is not possible; expected 1 to {LONGEST_HISTORY}")
    if game.half_komi < 0 or game.limit < 0:
        raise GameError("komi and limit cannot be negative")


@rule(Go)
def initial_state(game: Go, rng: Stream) -> State:
    state = np.zeros(state_words(game), np.uint64)
    complete(game, state)
    return state


@rule(Go)
def complete(game: Go, state: State) -> None:
    words = board_words(game)
    grid = grid_of(game, words)
    state[0] &= U1
    state[1 + 2 * words :] = 0
    empty, group = stack_words(), stack_words()
    for word in range(words):
        empty[word] = empty_points(grid, state, word)
    for cell in range(game.rows * game.cols):
        stone = stone_at(game, state, cell)
        if stone != EMPTY:
            mark_atari(grid, state, cell, first_word(words, stone), empty, group)
            if not any(next_to(grid, group, 0, word) & empty[word] for word in range(words)):
                name = Board(game.rows, game.cols, GO_LETTERS).name(divmod(cell, game.cols))
                raise GameError(f"the stones at {name} have no liberty")
    find_moves(grid, state, game.history)
