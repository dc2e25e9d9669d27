"""Clobber: a stone takes a neighbour of the other colour; a player who cannot move loses.

    5 x o x o
    4 o x o x      Black (x) moves first. b4b3 takes the stone below,
    3 x o x o      b4 is then empty. Moves go up, left, down or right.
      a b c d

Albert, Grossman, Nowakowski & Wolfe, "An introduction to Clobber", Integers 5(2), 2005.
"""

import enum
from typing import NamedTuple

import numpy as np

from zerolab.games.base import BLACK, NO_ACTION, Actions, Game, GameError, State, player_to_move
from zerolab.games.boards.changes import Amounts, Squares
from zerolab.games.boards.stones import (
    MAX_SIDE,
    board_words,
    first_column,
    first_word,
    first_words,
    put_stone,
    state_words,
)
from zerolab.games.notation import Steps, parse_position, parse_stones
from zerolab.games.position import Position
from zerolab.kernels.bits import U1, WORD, bit, lowest, nth_bit, popcount, word_of
from zerolab.kernels.compiling import jitable, rule
from zerolab.kernels.rng import Stream, random_below

Masks = tuple[np.uint64, np.uint64, np.uint64, np.uint64]  # a set of cells for each direction

UP, LEFT, DOWN, RIGHT = range(4)

CHEQUERED, RANDOM = "chequered", "random"


class Variant(enum.IntEnum):
    """What a stone may take."""

    NORMAL = 0
    """Stones of the other colour."""
    CANNIBAL = 1
    """Stones of either colour."""
    IMPARTIAL = 2
    """Stones of the other colour, and a player may move stones of either colour."""


NORMAL, CANNIBAL, IMPARTIAL = Variant


class Clobber(NamedTuple):
    """Rules and board of a game of Clobber."""

    rows: int = 5
    """From 1 to 26."""
    cols: int = 6
    """From 1 to 26."""
    variant: Variant = NORMAL
    """normal, cannibal or impartial."""
    setup: str = CHEQUERED
    """chequered, random (as many stones of each colour, at random) or a position such as xo|ox."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(Clobber)
def legal_actions(game: Clobber, state: State, actions: Actions) -> int:
    return list_steps(state, game.cols, board_words(game), game.variant, actions)


@rule(Clobber)
def random_action(game: Clobber, state: State, actions: Actions, rng: Stream) -> int:
    # Written out, and a board of one word looked at only once: this is where random games spend
    # their time.
    words = board_words(game)
    up, left, down, right = movers(state, game.cols, words, 0, game.variant)
    here = popcount(up) + popcount(left) + popcount(down) + popcount(right)
    count = here
    for word in range(1, words):
        for mask in movers(state, game.cols, words, word, game.variant):
            count += popcount(mask)
    if count == 0:
        return NO_ACTION
    chosen = random_below(rng, count)
    word = 0
    while chosen >= here:
        chosen -= here
        word += 1
        up, left, down, right = movers(state, game.cols, words, word, game.variant)
        here = popcount(up) + popcount(left) + popcount(down) + popcount(right)
    mask, direction = up, UP
    if chosen >= popcount(mask):
        chosen -= popcount(mask)
        mask, direction = left, LEFT
        if chosen >= popcount(mask):
            chosen -= popcount(mask)
            mask, direction = down, DOWN
            if chosen >= popcount(mask):
                chosen -= popcount(mask)
                mask, direction = right, RIGHT
    return (word * WORD + nth_bit(mask, chosen)) * 4 + direction


@rule(Clobber)
def step(game: Clobber, state: State, action: int) -> None:
    take(game, state, action)
    state[0] ^= U1


@rule(Clobber)
def list_moved(
    game: Clobber, state: State, action: int, after: State, squares: Squares, amounts: Amounts
) -> int:
    source = action >> 2
    target = target_of(game, action)
    place = first_word(board_words(game), player_to_move(state))
    moved = 1.0 if state[place + word_of(source)] & bit(source) else -1.0
    taken = 1.0 if state[place + word_of(target)] & bit(target) else -1.0
    squares[0], amounts[0] = source, -moved
    squares[1], amounts[1] = target, moved - taken
    return 2 if moved != taken else 1


@rule(Clobber)
def terminal_value(game: Clobber, state: State) -> float:
    return -1.0


# What follows serves Solitaire Clobber too.


@jitable
def list_steps(state: State, cols: int, words: int, variant: int, actions: Actions) -> int:
    """Write all legal actions in ascending order; return how many there are."""
    count = 0
    for word in range(words):
        up, left, down, right = movers(state, cols, words, word, variant)
        cells = up | left | down | right
        while cells:
            cell = lowest(cells)
            for direction, mask in enumerate((up, left, down, right)):
                if mask >> np.uint64(cell) & U1:
                    actions[count] = (word * WORD + cell) * 4 + direction
                    count += 1
            cells &= cells - U1
    return count


@jitable
def take(game: Game, state: State, action: int) -> None:
    """Move a stone of either colour onto its neighbour."""
    source, target = action >> 2, target_of(game, action)
    words = board_words(game)
    own, other = first_words(words, BLACK)
    if not state[own + word_of(source)] & bit(source):
        own, other = other, own
    if words == 1:  # a word each: nothing is written only to be read again
        state[own] = state[own] & ~bit(source) | bit(target)
        state[other] &= ~bit(target)
    else:
        state[own + word_of(source)] &= ~bit(source)
        state[other + word_of(target)] &= ~bit(target)
        state[own + word_of(target)] |= bit(target)


@jitable
def target_of(game: Game, action: int) -> int:
    """The cell that an action moves a stone to."""
    source, direction = action >> 2, action & 3
    target = source - 1
    if direction == UP:
        target = source - game.cols
    elif direction == DOWN:
        target = source + game.cols
    elif direction == RIGHT:
        target = source + 1
    return target


@jitable
def movers(state: State, cols: int, words: int, word: int, variant: int) -> Masks:
    """The stones in a word that may move up, left, down and right."""
    own, other = first_words(words, player_to_move(state))
    up, left, down, right = attackers(state, cols, words, word, own, other)
    if variant != NORMAL:
        if variant == CANNIBAL:
            more = attackers(state, cols, words, word, own, own)
        else:
            more = attackers(state, cols, words, word, other, own)
        up, left, down, right = up | more[0], left | more[1], down | more[2], right | more[3]
    return up, left, down, right


@jitable
def attackers(state: State, cols: int, words: int, word: int, own: int, other: int) -> Masks:
    """The stones in a word with a neighbour from `other` above, to the left, below, to the right.

    `own` and `other` are where in the state the stones of two colours begin.
    """
    stones = state[own + word]
    first = first_column(cols, word)
    last = first >> U1 | first << np.uint64(cols - 1)
    return (
        stones & from_before(state, other, word, cols),
        stones & from_before(state, other, word, 1) & ~first,
        stones & from_behind(state, other, words, word, cols),
        stones & from_behind(state, other, words, word, 1) & ~last,
    )


@jitable
def from_before(state: State, stones: int, word: int, by: int) -> np.uint64:
    """The cells in a word that have a stone `by` cells before them."""
    cells: np.uint64 = state[stones + word] << np.uint64(by)
    if word > 0:
        cells |= state[stones + word - 1] >> np.uint64(WORD - by)
    return cells


@jitable
def from_behind(state: State, stones: int, words: int, word: int, by: int) -> np.uint64:
    """The cells in a word that have a stone `by` cells behind them."""
    cells: np.uint64 = state[stones + word] >> np.uint64(by)
    if word + 1 < words:
        cells |= state[stones + word + 1] << np.uint64(WORD - by)
    return cells


# For Python only.


@rule(Clobber)
def action_space(game: Clobber) -> Steps:
    return Steps(game.rows, game.cols)


@rule(Clobber)
def is_colour_blind(game: Clobber) -> bool:
    return True


@rule(Clobber)
def check(game: Clobber) -> None:
    check_board(game.rows, game.cols, game.setup)
    if game.variant not in tuple(Variant):
        raise GameError(
            f"variant {game.variant} is not possible; expected "
            f"{', '.join(map(str, Variant.__members__))}"
        )


def check_board(rows: int, cols: int, start: str) -> None:
    """Any rectangle of at least two cells, and a start that fits it."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE and rows * cols >= 2):
        raise GameError(
            f"a board of {rows}x{cols} is not possible; Clobber boards have 1 to {MAX_SIDE} rows "
            f"and columns and at least two cells"
        )
    if start not in (CHEQUERED, RANDOM):
        parse_stones(start, rows, cols)


@rule(Clobber)
def starts_at_random(game: Clobber) -> bool:
    return game.setup == RANDOM


@rule(Clobber)
def initial_state(game: Clobber, rng: Stream) -> State:
    return start_position(game, rng)


def start_position(game: Game, rng: Stream) -> State:
    """The stones according to `game.setup`. Black owns the top-left square if chequered."""
    if game.setup not in (CHEQUERED, RANDOM):
        return parse_position(game, game.setup)
    colours = [(row + col) % 2 for row in range(game.rows) for col in range(game.cols)]
    if game.setup == RANDOM:
        for last in range(len(colours) - 1, 0, -1):  # Fisher-Yates
            other = random_below(rng, last + 1)
            colours[last], colours[other] = colours[other], colours[last]
    state = np.zeros(state_words(game), np.uint64)
    for cell, colour in enumerate(colours):
        put_stone(game, state, cell, colour)
    return state
