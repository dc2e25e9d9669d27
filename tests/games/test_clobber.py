"""Clobber by hand, and the nim-values of a row that the literature gives."""

import functools
import operator

from tests.games.drawn import after, moves
from zerolab.games.base import WHITE, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, Clobber
from zerolab.games.notation import format_position, legal_list, parse_position
from zerolab.kernels.rng import stream

#   3 x o x
#   2 o . o
#   1 x x o
#     a b c
BOARD = "xox|o.o|xxo"


def test_a_stone_takes_a_neighbour_of_the_other_colour() -> None:
    game = Clobber(3, 3)
    assert moves(game, BOARD) == ["a3a2", "a3b3", "c3b3", "c3c2", "a1a2", "b1c1"]
    assert moves(game, BOARD, WHITE) == ["b3a3", "b3c3", "a2a3", "a2a1", "c2c3", "c1b1"]
    assert after(game, BOARD, "b1c1") == "xox|o.o|x.x"
    assert after(game, BOARD, "b1c1", "c2c1") == "xox|o..|x.o"


def test_a_cannibal_takes_its_own_too() -> None:
    game = Clobber(3, 3, CANNIBAL)
    assert moves(game, BOARD) == ["a3a2", "a3b3", "c3b3", "c3c2", "a1a2", "a1b1", "b1a1", "b1c1"]
    assert after(game, BOARD, "a1b1") == "xox|o.o|.xo"


def test_impartial_moves_are_the_same_for_both() -> None:
    game = Clobber(3, 3, IMPARTIAL)
    both = moves(Clobber(3, 3), BOARD) + moves(Clobber(3, 3), BOARD, WHITE)
    assert sorted(moves(game, BOARD)) == sorted(moves(game, BOARD, WHITE)) == sorted(both)
    assert after(game, BOARD, "c1b1") == "xox|o.o|xo."


def test_black_owns_the_top_left_square() -> None:
    assert format_position(Clobber(2, 3), initial_state(Clobber(2, 3), stream(1))) == "xox|oxo"


def test_a_row_does_not_go_on_in_the_next() -> None:
    #   2 . . x      c2 and a1 are neighbours as cells 2 and 3, not on the board.
    #   1 o . .
    assert moves(Clobber(2, 3), "..x|o..") == []


@functools.cache
def nim_value(text: str) -> int:
    """The smallest number that no move leads to; pieces of a row that lie apart add up by xor."""
    if "." in text:
        return functools.reduce(operator.xor, map(nim_value, text.split(".")))
    if len(set(text)) < 2:
        return 0  # nothing to take
    game = Clobber(1, len(text), IMPARTIAL)
    state = parse_position(game, text)
    reached = set()
    for action in legal_list(game, state):
        child = state.copy()
        step(game, child, action)
        reached.add(nim_value(format_position(game, child)))
    return min(set(range(len(reached) + 1)) - reached)


def test_nim_values_of_impartial_rows() -> None:
    """Of (xo)^n, n = 1 to 8."""
    assert [nim_value("xo" * n) for n in range(1, 9)] == [1, 3, 0, 2, 0, 2, 0, 3]
