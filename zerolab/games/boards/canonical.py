"""One canonical form for all positions that are equal up to symmetry and, optionally, colours.

A key is the turn word, the stones and the boards that a state remembers. It is the least of the
forms of a position under the symmetries of its board and, where colours may be swapped, with Black
to move.

Letters: S symmetries, K words of a key.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, State, is_colour_blind
from zerolab.games.boards.stones import board_words, first_word, memory_boards
from zerolab.games.boards.symmetry import symmetries
from zerolab.kernels.bits import U0, U1, WORD, as_int, bit, lowest, word_of, wrapping_add
from zerolab.kernels.compiling import jitable
from zerolab.kernels.rng import mix

Key = npt.NDArray[np.uint64]  # [K]


class Forms(NamedTuple):
    """The forms to choose from, and scratch."""

    cells: npt.NDArray[np.int64]  # [S, R * C], where symmetries move cells
    actions: npt.NDArray[np.int64]  # [S, A], and to actions
    swap: npt.NDArray[np.bool_]  # [1], whether colours are swapped when White is to move
    key: npt.NDArray[np.uint64]  # [3, K]: the key, a form tried, the form before turning


def key_words(game: Game) -> int:
    """K: the number of words of a key."""
    return 1 + (2 + memory_boards(game)) * board_words(game)


def make_forms(game: Game, turned: bool, swapped: bool) -> Forms:
    """`turned`: symmetric boards share a form; `swapped`: boards with swapped colours too."""
    known = symmetries(game) if turned else symmetries(game)[:1]
    return Forms(
        np.stack([symmetry.cells for symmetry in known]),
        np.stack([symmetry.actions for symmetry in known]),
        np.array([swapped and is_colour_blind(game)]),
        np.empty((3, key_words(game)), np.uint64),
    )


@jitable
def make_key(game: Game, forms: Forms, state: State) -> int:
    """Write the key of a position to `forms.key[0]`; return the symmetry that leads to it."""
    words = board_words(game)
    boards = 2 + memory_boards(game)
    swap = words if forms.swap[0] and state[0] & U1 else 0
    plain = forms.key[2]
    plain[0] = state[0] & ~U1 if forms.swap[0] else state[0]
    for word in range(words):
        plain[1 + word] = state[1 + swap + word]
        plain[1 + words + word] = state[1 + words - swap + word]
    for word in range(2 * words, boards * words):
        plain[1 + word] = state[1 + word]
    for word in range(1 + boards * words):
        forms.key[0, word] = plain[word]
    best = 0
    for symmetry in range(1, forms.cells.shape[0]):
        turn_boards(plain, forms.cells[symmetry], boards, words, forms.key[1])
        if is_less(forms.key[1], forms.key[0]):
            best = symmetry
            for word in range(1 + boards * words):
                forms.key[0, word] = forms.key[1, word]
    return best


@jitable
def turn_boards(
    state: State, cells: npt.NDArray[np.int64], boards: int, words: int, turned: Key
) -> None:
    """Write turn word and boards after a symmetry."""
    turned[0] = state[0]
    for word in range(boards * words):
        turned[1 + word] = U0
    for board in range(boards):
        for word in range(words):
            left = state[first_word(words, board) + word]
            while left:
                target = cells[word * WORD + lowest(left)]
                turned[first_word(words, board) + word_of(target)] |= bit(target)
                left &= left - U1


@jitable
def is_less(a: Key, b: Key) -> bool:
    """Compare two keys."""
    for i in range(a.shape[0]):
        if a[i] != b[i]:
            return bool(a[i] < b[i])
    return False


@jitable
def place_of(key: Key, places: int) -> int:
    """The place of a key in a table with that many places, a power of two."""
    digest = U0
    for word in range(key.shape[0]):
        digest = mix(wrapping_add(wrapping_add(digest, key[word]), U1))
    return as_int(digest & np.uint64(places - 1))
