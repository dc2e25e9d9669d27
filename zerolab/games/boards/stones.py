"""Boards with black and white stones: the layout of stones in a state, and planes for networks.

A state is the turn word, then the black stones, then the white ones, W words each, then whatever
else the game keeps: what it can derive from stones and turn (`complete`), or boards of W words that
it remembers (`memory_boards`). Cell ``row * cols + col``, row 0 at the top, is a bit (bits.py).
"""

import numpy as np

from zerolab.games.base import BLACK, Game, Planes, State, player_to_move, shape
from zerolab.kernels.bits import U0, WORD, bit, word_of
from zerolab.kernels.compiling import generic, jitable
from zerolab.kernels.rng import Stream

EMPTY = -1
MAX_SIDE = 26  # one letter for each column; it also keeps a shift by a row below one word

# [cols], the first column of a board within one word
FIRST_COLUMNS = np.array(
    [sum(1 << cell for cell in range(0, WORD, max(1, cols))) for cols in range(MAX_SIDE + 1)],
    np.uint64,
)

COLOURS, OWN = 0, 1
ENCODINGS = ("colours", "own")


@jitable
def board_words(game: Game) -> int:
    """W: how many words the stones of one colour take."""
    rows, cols = shape(game)
    return (rows * cols + WORD - 1) >> 6


@jitable
def first_word(words: int, board: int) -> int:
    """Index of the first word of a colour's stones, or of a later board, of W `words` each."""
    return 1 + board * words


@jitable
def first_words(words: int, player: int) -> tuple[int, int]:
    """Indices of the first words of a player's own stones and of the opponent's."""
    if player == BLACK:  # a choice is faster than a product
        return 1, 1 + words
    return 1 + words, 1


@jitable
def stone_at(game: Game, state: State, cell: int) -> int:
    """BLACK, WHITE or EMPTY."""
    word = word_of(cell)
    if state[1 + word] & bit(cell):
        return 0
    if state[1 + board_words(game) + word] & bit(cell):
        return 1
    return EMPTY


@jitable
def put_stone(game: Game, state: State, cell: int, colour: int) -> None:
    """Put a stone on an empty cell."""
    state[first_word(board_words(game), colour) + word_of(cell)] |= bit(cell)


@jitable
def board_mask(cells: int, word: int) -> np.uint64:
    """The bits of a word that belong to a board of that many cells."""
    missing = (word + 1) * WORD - cells
    if missing <= 0:
        return ~U0
    return ~U0 >> np.uint64(missing)  # a shift by 64 cannot happen: no word is empty


@jitable
def first_column(cols: int, word: int) -> np.uint64:
    """The bits of a word that are cells of the first column."""
    mask: np.uint64 = FIRST_COLUMNS[cols]
    if word > 0:
        mask <<= np.uint64((cols - word * WORD % cols) % cols)
    return mask


@generic
def encode(game: Game, state: State, encoding: int, planes: Planes) -> None:
    """Write the planes for a network. Both encodings are those of jans (section 4).

    COLOURS: Black's stones, White's stones, empty cells.
    OWN: stones of the player to move, stones of the opponent, all ones if Black is to move.
    """
    rows, cols = shape(game)
    player = player_to_move(state)
    for row in range(rows):
        for col in range(cols):
            stone = stone_at(game, state, row * cols + col)
            if encoding == COLOURS:
                planes[0, row, col] = stone == 0
                planes[1, row, col] = stone == 1
                planes[2, row, col] = stone == EMPTY
            else:
                planes[0, row, col] = stone == player
                planes[1, row, col] = stone == 1 - player
                planes[2, row, col] = player == 0


@generic
def num_planes(game: Game, encoding: int) -> int:
    """P: the number of planes of an encoding."""
    return 3


@generic
def memory_boards(game: Game) -> int:
    """How many boards after the stones depend on earlier moves, such as earlier stones in Go.

    Where there are any, the text of a position is not all that counts in it.
    """
    return 0


@generic
def state_words(game: Game) -> int:
    """Number of words of a state."""
    return 1 + (2 + memory_boards(game)) * board_words(game)


@generic
def initial_state(game: Game, rng: Stream) -> State:
    """The position a game starts from; `rng` is used only where the start is drawn at random."""
    return np.zeros(state_words(game), np.uint64)


@generic
def starts_at_random(game: Game) -> bool:
    """Whether `initial_state` depends on `rng`, so that each game has a start of its own."""
    return False


@generic
def complete(game: Game, state: State) -> None:
    """Derive what else a state keeps from stones and turn, as if no move had been made before.

    GameError if no game leads there.
    """


@generic
def has_lines(game: Game) -> bool:
    """Whether stones stand where lines cross, as in Go, and not on squares; for pictures."""
    return False


@generic
def picture_text(game: Game, state: State) -> str:
    """A picture of the position in lines of text, where it has no stones that could be drawn."""
    return ""
