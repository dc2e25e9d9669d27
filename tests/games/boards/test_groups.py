"""Neighbours, groups and liberties on random boards of all shapes, against sets of cells."""

import random

import numpy as np
import pytest

from zerolab.games.boards.groups import Grid, fill, find_in_atari, next_to, next_to_two
from zerolab.kernels.bits import WORD, bit, word_of
from zerolab.kernels.stack_words import MOST_WORDS

SHAPES = [(1, 1), (1, 9), (9, 1), (3, 4), (8, 8), (9, 9), (5, 13), (7, 20), (19, 19), (3, 26)]


def words_of(cells: set[int]) -> np.ndarray:
    row = np.zeros(MOST_WORDS, np.uint64)
    for cell in cells:
        row[word_of(cell)] |= bit(cell)
    return row


def cells_in(row: np.ndarray, count: int) -> set[int]:
    return {cell for cell in range(count) if row[word_of(cell)] & bit(cell)}


def around(cell: int, rows: int, cols: int) -> set[int]:
    row, col = divmod(cell, cols)
    near = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
    return {r * cols + c for r, c in near if 0 <= r < rows and 0 <= c < cols}


def group_of(cell: int, stones: set[int], rows: int, cols: int) -> set[int]:
    found, new = set(), {cell}
    while new:
        found |= new
        new = {near for each in new for near in around(each, rows, cols)} & stones - found
    return found


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
@pytest.mark.parametrize("share", [0.15, 0.5, 0.8])
def test_random_boards(rows: int, cols: int, share: float) -> None:
    count = rows * cols
    grid = Grid(-(-count // WORD), cols, count)
    draw = random.Random(f"{rows} {cols} {share}")
    for _ in range(2):
        stones = {cell for cell in range(count) if draw.random() < share}
        others = {cell for cell in range(count) if draw.random() < 0.4} - stones
        empty = set(range(count)) - stones - others
        board, free = words_of(stones), words_of(empty)
        near = np.array([next_to(grid, board, 0, word) for word in range(grid.words)])
        twice = np.array([next_to_two(grid, board, 0, word) for word in range(grid.words)])
        neighbours = [len(around(cell, rows, cols) & stones) for cell in range(count)]
        assert cells_in(near, count) == {i for i, number in enumerate(neighbours) if number >= 1}
        assert cells_in(twice, count) == {i for i, number in enumerate(neighbours) if number >= 2}
        for cell in range(count):
            if cell in stones:
                group = group_of(cell, stones, rows, cols)
                seeds = words_of({cell})
                fill(grid, seeds, board, 0)
                assert cells_in(seeds, count) == group
                liberties = {each for one in group for each in around(one, rows, cols)} & empty
                found = words_of(set(range(count)))  # what was there before does not matter
                is_in_atari = find_in_atari(grid, cell, board, 0, free, found)
                assert is_in_atari == (len(liberties) <= 1)
                if is_in_atari:
                    assert cells_in(found, count) == group
