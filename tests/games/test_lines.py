"""k in a row, in Gobang and Connect Four: which lines count, who won, and draws."""

import pytest

from tests.games.drawn import after, moves, moves_of, play
from zerolab.games.base import WHITE, Game, terminal_value
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.notation import parse_position

# Black completes three in a row; White's stones keep to the right edge.
#   across         down           falling        rising
#   4 x x . . o    x . . . o      x . . . o      . . x . o
#   3 . . . . o    x . . . o      . x . . o      . x . . o
#   2 . . . . .    . . . . .      . . . . .      . . . . .
#   1 . . . . .    . . . . .      . . . . .      . . . . .
#     a b c d e
LINES = {
    "across": ("xx..o|....o|.....|.....", "c4"),
    "down": ("x...o|x...o|.....|.....", "a2"),
    "falling": ("x...o|.x..o|.....|.....", "c2"),
    "rising": ("..x.o|.x..o|.....|.....", "a2"),
}


@pytest.mark.parametrize(("board", "move"), LINES.values(), ids=LINES)
def test_lines_in_four_directions(board: str, move: str) -> None:
    game = Gobang(4, 5, 3)
    state = play(game, board, move)
    assert moves_of(game, state) == []
    assert terminal_value(game, state) == -1.0  # White is to move and has lost


def test_white_can_win_too() -> None:
    game = Gobang(3, 4, 3)
    state = play(game, "x.xx|oo..|....", "c2", player=WHITE)
    assert moves_of(game, state) == []
    assert terminal_value(game, state) == -1.0  # Black is to move and has lost


def test_a_longer_line_wins_too() -> None:
    #   x x . x x      c2 makes five where three would do
    #   o o . o o
    game = Gobang(2, 5, 3)
    assert moves_of(game, play(game, "xx.xx|oo.oo", "c2")) == []


@pytest.mark.parametrize(
    ("board", "move"),
    [
        ("..xx|....|o..o|....", "a3"),  # c4, d4 and a3 follow each other as cells
        ("...x|x...|o..o|....", "b3"),  # so do d4, a3 and b3
        ("....|x..x|o...|o...", "b4"),  # a rising line is every third cell: b4, a3, but not d3
        ("....|...x|o..o|x...", "c4"),  # a falling one every fifth: c4, d3, but not a1
    ],
)
def test_lines_do_not_wrap_round_the_edge(board: str, move: str) -> None:
    game = Gobang(4, 4, 3)
    assert len(moves_of(game, play(game, board, move))) == 16 - 5


@pytest.mark.parametrize("game", [Gobang(3, 3, 3), ConnectFour(3, 3, 3)], ids=str)
def test_a_full_board_without_a_line_is_a_draw(game: Game) -> None:
    #   o x o      the last stone is b3
    #   x o x
    #   x o x
    state = play(game, "o.o|xox|xox", "b3" if isinstance(game, Gobang) else "b")
    assert moves_of(game, state) == []
    assert terminal_value(game, state) == 0.0


def test_a_line_on_the_last_cell_wins() -> None:
    #   . x x      a3 fills the board and makes a line
    #   o o x
    #   x o o
    state = play(Gobang(3, 3, 3), ".xx|oox|xoo", "a3")
    assert moves_of(Gobang(3, 3, 3), state) == []
    assert terminal_value(Gobang(3, 3, 3), state) == -1.0


def test_a_position_set_up_after_the_end_is_over() -> None:
    game = Gobang(3, 3, 3)
    state = parse_position(game, "xxx|oo.|...", WHITE)
    assert moves_of(game, state) == []
    assert terminal_value(game, state) == -1.0


def test_stones_fall() -> None:
    #   3 . . .      3 . o .
    #   2 . . .      2 . x .
    #   1 x o .      1 x o .
    #     a b c        a b c
    game = ConnectFour(3, 3, 3)
    assert after(game, "...|...|xo.", "b", "b") == ".o.|.x.|xo."
    assert moves(game, ".o.|.x.|xo.") == ["a", "c"]  # column b is full
