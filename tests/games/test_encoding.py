"""What networks see: the worked example of jans, appendix A, in both encodings."""

import numpy as np

from tests.games.laws import planes_of
from zerolab.games.base import BLACK, WHITE
from zerolab.games.boards.stones import COLOURS, ENCODINGS, OWN, encode, num_planes
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import parse_position

GAME = Clobber(4, 4)

# The board of the appendix. Player One, who moves first, is our x.
#   4 x . . x
#   3 x o . o
#   2 . o o .
#   1 . x x o
#     a b c d
BOARD = "x..x|xo.o|.oo.|.xxo"

PLAYER_ONE = ["1001", "1000", "0000", "0110"]
PLAYER_TWO = ["0000", "0101", "0110", "0001"]
EMPTY = ["0110", "0010", "1001", "1000"]
ONES = ["1111"] * 4
ZEROS = ["0000"] * 4


def drawn(planes) -> list[list[str]]:
    return [["".join(f"{cell:g}" for cell in row) for row in plane] for plane in planes]


def seen(game, text: str, player: int, encoding: int) -> list[list[str]]:
    return drawn(planes_of(game, parse_position(game, text, player), encoding))


def test_first_encoding_is_the_same_for_both_players() -> None:
    assert seen(GAME, BOARD, BLACK, COLOURS) == [PLAYER_ONE, PLAYER_TWO, EMPTY]
    assert seen(GAME, BOARD, WHITE, COLOURS) == [PLAYER_ONE, PLAYER_TWO, EMPTY]


def test_second_encoding_for_player_one() -> None:
    assert seen(GAME, BOARD, BLACK, OWN) == [PLAYER_ONE, PLAYER_TWO, ONES]


def test_second_encoding_for_player_two() -> None:
    assert seen(GAME, BOARD, WHITE, OWN) == [PLAYER_TWO, PLAYER_ONE, ZEROS]


def test_encodings_have_names_and_three_planes() -> None:
    assert ENCODINGS[COLOURS] == "colours"
    assert ENCODINGS[OWN] == "own"
    assert [num_planes(GAME, encoding) for encoding in (COLOURS, OWN)] == [3, 3]


def test_rows_and_columns_are_not_mixed_up() -> None:
    #   2 x . o
    #   1 . . x
    #     a b c
    assert seen(Clobber(2, 3), "x.o|..x", WHITE, COLOURS) == [
        ["100", "001"],
        ["001", "000"],
        ["010", "110"],
    ]


def test_a_graph_is_one_row() -> None:
    assert seen(GraphClobber("0-1 1-2", "xo."), "xo.", WHITE, OWN) == [["010"], ["100"], ["000"]]


def test_stones_beyond_the_first_word() -> None:
    """Cell 63 is the last of the first word, cell 64 the first of the second: row 7, a and b."""
    rows = ["." * 9] * 9
    rows[7] = "xo......."
    planes = planes_of(Gobang(9, 9, 5), parse_position(Gobang(9, 9, 5), "|".join(rows)), COLOURS)
    assert np.argwhere(planes[:2]).tolist() == [[0, 7, 0], [1, 7, 1]]


def test_every_cell_is_written_whatever_was_there() -> None:
    planes = np.full((3, 4, 4), 5, np.float32)
    encode(GAME, parse_position(GAME, BOARD), OWN, planes)
    assert drawn(planes) == [PLAYER_ONE, PLAYER_TWO, ONES]
