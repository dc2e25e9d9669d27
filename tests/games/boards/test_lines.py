"""k in a row, in Gobang and Connect Four: which lines count, who won, and draws."""

import itertools

import pytest

from tests.games.drawn import after, moves, moves_of, play
from zerolab.games.base import BLACK, WHITE, Game, chances, step, terminal_value
from zerolab.games.boards.stones import initial_state, stone_at
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.notation import legal_list, parse_position
from zerolab.kernels.rng import random_below, stream

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


def lines_of(game: Game) -> list[list[int]]:
    """The cells of every line, one by one."""
    found = []
    for row, col in itertools.product(range(game.rows), range(game.cols)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            cells = [(row + i * down, col + i * right) for i in range(game.k)]
            if all(0 <= r < game.rows and 0 <= c < game.cols for r, c in cells):
                found.append([r * game.cols + c for r, c in cells])
    return found


@pytest.mark.parametrize(
    "game",
    [Gobang(3, 3, 3), Gobang(4, 5, 3), Gobang(5, 5), Gobang(3, 6), Gobang(6, 2, 5), ConnectFour()],
    ids=str,
)
def test_chances_are_the_lines_that_the_other_has_no_stone_in(game: Game) -> None:
    weights = {0: 1, 1: 4, 2: 16, 3: 79}  # by stones; of four or more only that it is more
    lines = lines_of(game)
    for seed in range(30):
        rng, state = stream(seed), initial_state(game, stream(0))
        while actions := legal_list(game, state):
            for colour in (BLACK, WHITE):
                stones = [
                    [stone_at(game, state, cell) for cell in line]
                    for line in lines
                    if all(stone_at(game, state, cell) != 1 - colour for cell in line)
                ]
                counts = [line.count(colour) for line in stones]
                found = chances(game, state, colour)
                assert (found == 0) == (counts == [])
                if max(counts, default=0) < 4:
                    assert found == sum(weights[count] for count in counts)
            step(game, state, actions[random_below(rng, len(actions))])


def test_chances_by_hand() -> None:
    #   x o x      all lines have stones of White's; of Black's only the middle column has none,
    #   o o x      where White has two
    #   x . o
    game = Gobang(3, 3, 3)
    state = parse_position(game, "xox|oox|x.o", BLACK)
    assert [chances(game, state, player) for player in (BLACK, WHITE)] == [0, 16]


def test_large_boards_are_not_looked_at() -> None:
    game = Gobang(9, 9, 5)
    assert chances(game, initial_state(game, stream(0)), BLACK) == 1
