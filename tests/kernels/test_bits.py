"""Bits of words against sets of cells, in plain Python and compiled."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.strategies import quick
from zerolab.games.boards.stones import board_mask, first_column
from zerolab.kernels.bits import (
    as_int,
    bit,
    lowest,
    nth_bit,
    popcount,
    word_of,
    wrapping_add,
    wrapping_multiply,
)
from zerolab.kernels.compiling import kernel

words = st.integers(1, 2**64 - 1) | st.sets(st.integers(0, 63), min_size=1).map(
    lambda cells: sum(1 << cell for cell in cells)
)


@kernel
def ask_word(word: np.uint64, n: int, answers: npt.NDArray[np.int64]) -> None:
    answers[0] = popcount(word)
    answers[1] = lowest(word)
    answers[2] = nth_bit(word, n)


@kernel
def ask_masks(cells: int, cols: int, word: int, cell: int, masks: npt.NDArray[np.uint64]) -> None:
    masks[0] = board_mask(cells, word)
    masks[1] = first_column(cols, word)
    masks[2] = bit(cell)


@quick
@given(words, st.data())
@example(1 << 63, None)
@example(2**64 - 1, None)
@example(1, None)
def test_words_are_sets(word: int, data: st.DataObject | None) -> None:
    cells = [cell for cell in range(64) if word >> cell & 1]
    n = data.draw(st.integers(0, len(cells) - 1)) if data else len(cells) - 1
    expected = [len(cells), min(cells), cells[n]]
    w = np.uint64(word)
    assert [popcount(w), lowest(w), nth_bit(w, n)] == expected
    answers = np.zeros(3, np.int64)
    ask_word(w, n, answers)
    assert answers.tolist() == expected


def test_no_bits() -> None:
    answers = np.zeros(3, np.int64)
    ask_word(np.uint64(0), 0, answers)
    assert popcount(np.uint64(0)) == answers[0] == 0


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8, 9, 16, 26])
@pytest.mark.parametrize("cols", [1, 2, 3, 7, 8, 9, 16, 26])
def test_masks_of_boards(rows: int, cols: int) -> None:
    cells = rows * cols
    masks = np.zeros(3, np.uint64)
    for word in range((cells + 63) // 64):
        here = range(64 * word, 64 * word + 64)
        on_board = sum(1 << cell % 64 for cell in here if cell < cells)
        # Beyond the board the column goes on: who uses it cuts with the stones there are.
        in_column = sum(1 << cell % 64 for cell in here if cell % cols == 0)
        assert int(board_mask(cells, word)) == on_board
        assert int(first_column(cols, word)) == in_column
        ask_masks(cells, cols, word, cells - 1, masks)
        assert masks.tolist() == [on_board, in_column, 1 << (cells - 1) % 64]


@quick
@given(st.integers(0, 26 * 26 - 1))
def test_a_cell_is_one_bit(cell: int) -> None:
    assert int(bit(cell)) == 1 << cell % 64
    assert word_of(cell) == cell // 64


@quick
@given(st.integers(0, 2**63 - 1))
def test_a_word_as_a_number(word: int) -> None:
    assert as_int(np.uint64(word)) == word
    assert type(as_int(np.uint64(word))) is int


@kernel
def ask_wrapping(a: np.uint64, b: np.uint64, answers: npt.NDArray[np.uint64]) -> None:
    answers[0] = wrapping_add(a, b)
    answers[1] = wrapping_multiply(a, b)


@quick
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@example(2**64 - 1, 2**64 - 1)
def test_sums_and_products_wrap(a: int, b: int) -> None:
    expected = [(a + b) % 2**64, a * b % 2**64]
    words = np.uint64(a), np.uint64(b)
    assert [int(wrapping_add(*words)), int(wrapping_multiply(*words))] == expected
    answers = np.zeros(2, np.uint64)
    ask_wrapping(*words, answers)
    assert answers.tolist() == expected
