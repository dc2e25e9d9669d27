"""Groups of connected stones and their liberties, as floods over words of bits.

A board here is a row of words and the index of its first word, such as a colour's stones in a
state. A cell's neighbours lie a bit to the left and right and a row of bits up and down, across
words where need be.

    . o o x        `next_to` White's stones (o) are eight cells, stones among them. `fill` from one
    . . o x        of them finds the group, three stones. The empty cells next to it are its
    . . . .        liberties, three here; a group with a single one is in atari.
"""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import State
from zerolab.games.boards.stones import MAX_SIDE
from zerolab.kernels.bits import U0, U1, WORD, bit, popcount, word_of
from zerolab.kernels.compiling import jitable
from zerolab.kernels.stack_words import MOST_WORDS, Words


class Grid(NamedTuple):
    """The size of boards."""

    words: int
    """W."""
    cols: int
    cells: int


# [MAX_SIDE + 1, MOST_WORDS], by columns and word: the cells that have a neighbour on the left, and
# on the right
HAS_LEFT, HAS_RIGHT = (
    np.array(
        [
            [
                sum(1 << i for i in range(WORD) if (word * WORD + i - edge) % max(1, cols))
                for word in range(MOST_WORDS)
            ]
            for cols in range(MAX_SIDE + 1)
        ],
        np.uint64,
    )
    for edge in (0, -1)
)


@jitable
def shift(
    grid: Grid, before: np.uint64, here: np.uint64, after: np.uint64, word: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The cells of a word, with those of the words before and after, moved right, left, down, up.

    In the last word some may come to lie below the board.
    """
    row, rest, last = np.uint64(grid.cols), np.uint64(WORD - grid.cols), np.uint64(WORD - 1)
    return (
        (here << U1 | before >> last) & HAS_LEFT[grid.cols, word],
        (here >> U1 | after << last) & HAS_RIGHT[grid.cols, word],
        here << row | before >> rest,
        here >> row | after << rest,
    )


@jitable
def spread(
    grid: Grid, before: np.uint64, here: np.uint64, after: np.uint64, word: int
) -> np.uint64:
    """The cells of a word next to given cells of that word and of those before and after."""
    right, left, down, up = shift(grid, before, here, after, word)
    return right | left | down | up


@jitable
def next_to(grid: Grid, boards: State, first: int, word: int) -> np.uint64:
    """The cells of a word next to those of a board."""
    before = boards[first + word - 1] if word > 0 else U0
    after = boards[first + word + 1] if word + 1 < grid.words else U0
    return spread(grid, before, boards[first + word], after, word)


@jitable
def next_to_two(grid: Grid, boards: State, first: int, word: int) -> np.uint64:
    """The cells of a word next to two or more of those of a board."""
    before = boards[first + word - 1] if word > 0 else U0
    after = boards[first + word + 1] if word + 1 < grid.words else U0
    right, left, down, up = shift(grid, before, boards[first + word], after, word)
    return (right & left) | (down & up) | ((right | left) & (down | up))


@jitable
def fill(grid: Grid, seeds: Words, boards: State, first: int) -> None:
    """Add to the seeds, cells of a board, all cells of it that are connected with them."""
    has_grown = True
    while has_grown:
        has_grown = False
        for word in range(grid.words):
            grown = seeds[word] | (next_to(grid, seeds, 0, word) & boards[first + word])
            has_grown |= grown != seeds[word]
            seeds[word] = grown


@jitable
def find_in_atari(
    grid: Grid, cell: int, boards: State, first: int, empty: Words, group: Words
) -> bool:
    """Whether the group of a stone has a single liberty; if so, write it to `group`.

    `empty` are the empty cells. A group with two liberties is not followed to its end.
    """
    for word in range(grid.words):
        group[word] = U0
    group[word_of(cell)] = bit(cell)
    low = high = word_of(cell)  # words in which there are stones of the group
    has_grown = True
    while has_grown:
        # A row is shorter than a word, so neighbours are at most one word away.
        low, high = max(0, low - 1), min(grid.words - 1, high + 1)
        has_grown = False
        liberties = 0
        for word in range(low, high + 1):
            reached = next_to(grid, group, 0, word)
            liberties += popcount(reached & empty[word])
            grown = group[word] | (reached & boards[first + word])
            has_grown |= grown != group[word]
            group[word] = grown
        if liberties > 1:
            return False
    return True
