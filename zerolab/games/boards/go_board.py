"""The board of Go: captures, legal points, repetition and area.

After the stones a state keeps boards of its own: the points on which the player to move may play,
the stones of groups in atari, and the earlier stones, the latest first. Whether groups are in
atari decides all questions of legality, for every point at once (`find_moves`); and a move changes
it only for the groups that it touches (`place_stone`).
"""

import numpy as np

from zerolab.games.base import NO_ACTION, State, player_to_move
from zerolab.games.boards.groups import Grid, fill, find_in_atari, next_to, next_to_two, spread
from zerolab.games.boards.stones import board_mask, first_word, first_words
from zerolab.kernels.bits import U0, WORD, bit, lowest, popcount, word_of
from zerolab.kernels.compiling import jitable
from zerolab.kernels.stack_words import Words, stack_words

# Boards 0 and 1 are the stones.
MOVES, ATARI, EARLIER = 2, 3, 4


@jitable
def keep_board(grid: Grid, state: State, history: int) -> None:
    """Remember the stones as the latest of the earlier boards; the oldest is forgotten."""
    first = first_word(grid.words, EARLIER)
    for i in range(first + 2 * grid.words * history - 1, first + 2 * grid.words - 1, -1):
        state[i] = state[i - 2 * grid.words]
    for i in range(2 * grid.words):
        state[first + i] = state[1 + i]


@jitable
def place_stone(grid: Grid, state: State, cell: int) -> None:
    """Put a stone of the player to move, take what it captures, and find who is in atari now."""
    words = grid.words
    own, other = first_words(words, player_to_move(state))
    atari = first_word(words, ATARI)
    near, taken, group, empty = stack_words(), stack_words(), stack_words(), stack_words()
    for word in range(words):
        group[word] = U0
        taken[word] = U0
    group[word_of(cell)] = bit(cell)
    state[own + word_of(cell)] |= bit(cell)
    captures, joins = U0, U0
    for word in range(words):
        near[word] = next_to(grid, group, 0, word)
        in_atari = near[word] & state[atari + word]
        captures |= in_atari & state[other + word]
        joins |= in_atari & state[own + word]
    if captures:  # an enemy group in atari next to the stone had its last liberty here
        for word in range(words):
            taken[word] = near[word] & state[other + word] & state[atari + word]
        fill(grid, taken, state, other)
        for word in range(words):
            state[other + word] &= ~taken[word]
            state[atari + word] &= ~taken[word]
    if captures or joins:
        # An own group in atari next to captured stones has a second liberty now. Or else it is next
        # to the new stone, and part of its group, whose liberties are counted below.
        for word in range(words):
            group[word] = near[word] | next_to(grid, taken, 0, word)
            group[word] &= state[own + word] & state[atari + word]
        fill(grid, group, state, own)
        for word in range(words):
            state[atari + word] &= ~group[word]
    for word in range(words):
        empty[word] = empty_points(grid, state, word)
        near[word] &= state[other + word]
    near[word_of(cell)] |= bit(cell)
    for word in range(words):
        # Most stones have two liberties of their own, whatever their group has.
        stones = near[word] & ~next_to_two(grid, empty, 0, word)
        while stones & ~state[atari + word]:
            stone = bit(lowest(stones & ~state[atari + word]))
            colour = other if stone & state[other + word] else own
            mark_atari(grid, state, word * WORD + lowest(stone), colour, empty, group)
            stones ^= stone


@jitable
def mark_atari(grid: Grid, state: State, cell: int, first: int, empty: Words, group: Words) -> None:
    """Store that the group of a stone is in atari, if it is; `group` is scratch."""
    if find_in_atari(grid, cell, state, first, empty, group):
        for word in range(grid.words):
            state[first_word(grid.words, ATARI) + word] |= group[word]


@jitable
def empty_points(grid: Grid, state: State, word: int) -> np.uint64:
    """The points in a word without a stone."""
    stones = state[1 + word] | state[1 + grid.words + word]
    points: np.uint64 = ~stones & board_mask(grid.cells, word)
    return points


@jitable
def find_moves(grid: Grid, state: State, history: int) -> None:
    """Store where the player to move may play."""
    own, other = first_words(grid.words, player_to_move(state))
    moves = first_word(grid.words, MOVES)
    before, here = U0, supports(grid, state, own, other, 0)
    for word in range(grid.words):
        after = supports(grid, state, own, other, word + 1) if word + 1 < grid.words else U0
        supported = spread(grid, before, here, after, word)
        state[moves + word] = supported & empty_points(grid, state, word)
        before, here = here, after
    for board in range(history):
        forbid_board(grid, state, state, first_word(grid.words, EARLIER + 2 * board))


@jitable
def supports(grid: Grid, state: State, own: int, other: int, word: int) -> np.uint64:
    """The points in a word that give a liberty to a stone next to them.

    They are empty, or of an own group with another liberty, or of an enemy group that is captured.
    """
    atari = state[first_word(grid.words, ATARI) + word]
    stones = (state[own + word] & ~atari) | (state[other + word] & atari)
    points: np.uint64 = stones | empty_points(grid, state, word)
    return points


@jitable
def forbid_board(grid: Grid, state: State, earlier: State, first: int) -> None:
    """Exclude the move that leads to a board of earlier stones, from word `first` on, if one does.

    At most one does: there must be one own stone more, and no other change but what it captures.
    """
    own, other = first_words(grid.words, player_to_move(state))
    own_then, other_then = first + own - 1, first + other - 1
    changes, moves = U0, 0
    for word in range(grid.words):
        changes |= state[own + word] & ~earlier[own_then + word]
        changes |= earlier[other_then + word] & ~state[other + word]
        moves += popcount(earlier[own_then + word] & ~state[own + word])
    if changes or moves != 1:
        return
    move = NO_ACTION
    for word in range(grid.words):
        new = earlier[own_then + word] & ~state[own + word]
        if new:
            move = word * WORD + lowest(new)
    # Enemy stones that are not on the earlier board are captured if they are whole groups without
    # another liberty. No other group is captured: it would have had no liberty there either.
    before, here = U0, state[other] & ~earlier[other_then]
    for word in range(grid.words):
        after = U0
        if word + 1 < grid.words:
            after = state[other + word + 1] & ~earlier[other_then + word + 1]
        outside = earlier[other_then + word] | empty_points(grid, state, word)
        if word == word_of(move):
            outside &= ~bit(move)
        if spread(grid, before, here, after, word) & outside:
            return
        before, here = here, after
    state[first_word(grid.words, MOVES) + word_of(move)] &= ~bit(move)


@jitable
def black_lead(grid: Grid, state: State) -> int:
    """Black's area minus White's: stones, and empty points that reach only one colour."""
    empty, black, white = stack_words(), stack_words(), stack_words()
    for word in range(grid.words):
        empty[word] = empty_points(grid, state, word)
    for word in range(grid.words):
        black[word] = next_to(grid, state, 1, word) & empty[word]
        white[word] = next_to(grid, state, 1 + grid.words, word) & empty[word]
    fill(grid, black, empty, 0)
    fill(grid, white, empty, 0)
    lead = 0
    for word in range(grid.words):
        lead += popcount(state[1 + word]) + popcount(black[word] & ~white[word])
        lead -= popcount(state[1 + grid.words + word]) + popcount(white[word] & ~black[word])
    return lead
