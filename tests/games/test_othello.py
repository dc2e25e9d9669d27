"""Othello by hand: what turns over, passes, ends and results."""

import pytest

from tests.games.drawn import after, moves, moves_of, play
from zerolab.games.base import BLACK, WHITE, player_to_move, terminal_value
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import format_position, parse_position
from zerolab.games.othello import Othello
from zerolab.kernels.rng import stream


def test_stones_turn_over_in_every_direction() -> None:
    #   5 x . x . x        x . x . x
    #   4 . o o o .        . x x x .
    #   3 x o . o x   c3   x x x x x
    #   2 . o o o .        . x x x .
    #   1 x . x . x        x . x . x
    board = "x.x.x|.ooo.|xo.ox|.ooo.|x.x.x"
    assert after(Othello(5, 5), board, "c3") == "x.x.x|.xxx.|xxxxx|.xxx.|x.x.x"


def test_a_line_without_an_end_does_not_turn_over() -> None:
    #   4 . o o o      a4 would enclose nothing along the row, which ends in o; down the
    #   3 o . . .      column there is x on a2, so a3 turns over and the row does not.
    #   2 x . . .
    #   1 . . . .
    assert after(Othello(4, 4), ".ooo|o...|x...|....", "a4") == "xooo|x...|x...|...."


def test_a_player_without_a_move_passes() -> None:
    #   3 x o .     White has no move: nothing of Black's lies between White and an
    #   2 . . .     empty cell. Black can play c3.
    #   1 . . .
    game = Othello(3, 3)
    assert moves(game, "xo.|...|...", WHITE) == ["pass"]
    state = play(game, "xo.|...|...", "pass", player=WHITE)
    assert player_to_move(state) == BLACK
    assert moves_of(game, state) == ["c3"]


def test_a_player_with_a_move_may_not_pass() -> None:
    assert moves(Othello(3, 3), "xo.|...|...", BLACK) == ["c3"]


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("xx.|...|...", 1.0),  # two to none
        ("x.o|...|...", 0.0),  # one each
        ("x.o|...|o..", -1.0),  # one to two
        ("xxx|ooo|xxx", 1.0),  # a full board, six to three
    ],
)
def test_it_is_over_when_neither_can_move(board: str, value: float) -> None:
    game = Othello(3, 3)
    assert moves(game, board, BLACK) == moves(game, board, WHITE) == []
    assert terminal_value(game, parse_position(game, board, BLACK)) == value
    assert terminal_value(game, parse_position(game, board, WHITE)) == -value


@pytest.mark.parametrize("side", [4, 8, 9])  # 9 takes two words and other code
def test_lines_do_not_wrap_round_the_edge(side: int) -> None:
    #   . . x o      The cell after the o is the first of the next row: no move for Black.
    #   . . . .      White encloses the x from the left.
    game = Othello(side, side)
    rows = ["." * side] * side
    rows[0] = "." * (side - 2) + "xo"
    assert moves(game, "|".join(rows), BLACK) == ["pass"]
    assert moves(game, "|".join(rows), WHITE) == [f"{'abcdefghi'[side - 3]}{side}"]


@pytest.mark.parametrize(
    ("side", "start"),
    [
        (3, "ox.|xo.|..."),
        (4, "....|.ox.|.xo.|...."),
        (5, ".....|.ox..|.xo..|.....|....."),  # up and to the left of the centre
    ],
)
def test_the_four_stones_of_the_start(side: int, start: str) -> None:
    game = Othello(side, side)
    assert format_position(game, initial_state(game, stream(1))) == start
