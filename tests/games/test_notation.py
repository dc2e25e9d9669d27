"""Positions and moves as text: what is written can be read, and what cannot be is explained."""

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.play import random_game
from tests.games.sizes import ALL_GAMES, label
from tests.games.strategies import any_text, boards, quick, rows_of
from zerolab.games.base import BLACK, WHITE, Game, GameError, check, player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import GAMES, make_game
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import (
    Board,
    Cells,
    Columns,
    Steps,
    action_space,
    format_move,
    format_position,
    legal_list,
    parse_move,
    parse_position,
    parse_size,
    size_of_position,
)
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream

ONE_OF_EACH = (
    Clobber(2, 3),
    GraphClobber(),
    Solitaire(3, 3),
    Othello(4, 4),
    ConnectFour(3, 4, 3),
    Gobang(3, 3, 3),
)
LONG_NUMBER = "9" * 5000  # int() itself refuses more than 4300 digits, with a ValueError of its own


# What is written can be read.


@quick
@given(st.data(), boards, st.sampled_from((BLACK, WHITE)))
def test_positions_survive_the_round_trip(data: st.DataObject, game: Clobber, player: int) -> None:
    text = data.draw(rows_of(game.rows, game.cols))
    state = parse_position(game, text, player)
    assert format_position(game, state) == text
    assert player_to_move(state) == player
    assert size_of_position(text) == (game.rows, game.cols)


@quick
@given(st.data(), st.integers(3, 10), st.sampled_from((BLACK, WHITE)))
def test_othello_positions_survive_it_too(data: st.DataObject, side: int, player: int) -> None:
    text = data.draw(rows_of(side, side).filter(lambda text: set(text) - set(".|")))
    state = parse_position(Othello(side, side), text, player)
    assert format_position(Othello(side, side), state) == text
    assert player_to_move(state) == player


@quick
@given(boards, st.data())
def test_cells_survive_the_round_trip(game: Clobber, data: st.DataObject) -> None:
    board = Board(game.rows, game.cols)
    point = (
        data.draw(st.integers(0, game.rows - 1)),
        data.draw(st.integers(0, game.cols - 1)),
    )
    assert board.parse(board.name(point)) == point


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_moves_survive_the_round_trip(game: Game) -> None:
    space = action_space(game)
    on_board = Board(game.rows, game.cols) if "rows" in game._fields else Board(1, len(game.stones))
    texts = set()
    for action in range(space.size):
        points = space.points(action)
        if all(0 <= r < on_board.rows and 0 <= c < on_board.cols for r, c in points):
            texts.add(space.text(action))
            assert space.parse(space.text(action)) == action
    sides = (game.rows, game.cols) if isinstance(space, Steps) else (0, 0)
    off_board = 2 * (sides[0] + sides[1])  # each cell of the border has a step over it
    assert len(texts) == space.size - off_board


def test_a_drawn_board() -> None:
    #   3 x o .        cells  0 1 2
    #   2 . x o               3 4 5
    #   1 o . x               6 7 8
    #     a b c
    game = Clobber(3, 3)
    state = parse_position(game, "xo.|.xo|o.x")
    assert state.tolist() == [0, 1 << 0 | 1 << 4 | 1 << 8, 1 << 1 | 1 << 5 | 1 << 6]
    assert Board(3, 3).name((0, 0)) == "a3"
    assert Board(3, 3).parse("c1") == (2, 2)
    # Black's moves in order: a3 right, b2 up and right, c1 up.
    assert legal_list(game, state) == [0 * 4 + 3, 4 * 4 + 0, 4 * 4 + 3, 8 * 4 + 0]
    moves = [format_move(game, action) for action in legal_list(game, state)]
    assert moves == ["a3b3", "b2b3", "b2c2", "c1c2"]


def test_a_row_number_may_have_two_digits() -> None:
    game = Clobber(12, 26)
    assert format_move(game, 0 * 4 + 3) == "a12b12"
    assert Steps(12, 26).parse("z11z12") == (1 * 26 + 25) * 4 + 0
    assert Steps(12, 26).parse("a10a9") == (2 * 26 + 0) * 4 + 2


def test_sizes() -> None:
    assert parse_size("5x6") == (5, 6)
    assert parse_size("10x26") == (10, 26)


# What cannot be read is explained. Each message names what was wrong and says what was expected.


def error_of(function, *arguments) -> str:
    with pytest.raises(GameError) as caught:
        function(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "wrong", "expected"),
    [
        ("", "'' in ''", "a letter from a to c"),
        ("d1", "'d' in 'd1'", "a letter from a to c"),
        ("A1", "'A' in 'A1'", "a letter from a to c"),
        ("11", "'1' in '11'", "a letter from a to c"),
        ("à1", "'à' in 'à1'", "a letter from a to c"),
        ("a", "'' in 'a'", "a number from 1 to 4"),
        ("a0", "'0' in 'a0'", "a number from 1 to 4"),
        ("a5", "'5' in 'a5'", "a number from 1 to 4"),
        ("a-1", "'-1' in 'a-1'", "a number from 1 to 4"),
        ("a1 ", "'1 ' in 'a1 '", "a number from 1 to 4"),
        ("a+1", "'+1' in 'a+1'", "a number from 1 to 4"),
        ("a1_0", "'1_0' in 'a1_0'", "a number from 1 to 4"),
        ("a\u0661", "'\u0661' in 'a\u0661'", "a number from 1 to 4"),  # Arabic: int() takes it
        ("a²", "'²' in 'a²'", "a number from 1 to 4"),  # isdigit() says yes, int() no
    ],
)
def test_bad_cells(name: str, wrong: str, expected: str) -> None:
    message = error_of(Board(4, 3).parse, name)
    assert wrong in message
    assert expected in message


@pytest.mark.parametrize(
    ("move", "wrong", "expected"),
    [
        ("", "''", "two cells, such as"),
        ("a1", "'a1'", "two cells, such as"),
        ("12", "'12'", "two cells, such as"),
        ("pass", "'p' in 'p'", "a letter from a to c"),
        ("a1d1", "'d' in 'd1'", "a letter from a to c"),
        ("a1a0", "'0' in 'a0'", "a number from 1 to 2"),
        ("a3a2", "'3' in 'a3'", "a number from 1 to 2"),
        ("a1-a2", "'1-' in 'a1-'", "a number from 1 to 2"),
        ("a1a2a1", "'2a1' in 'a2a1'", "a number from 1 to 2"),
        ("a1a1", "'a1a1'", "a1 is not a neighbour of a1"),
        ("a1b2", "'a1b2'", "b2 is not a neighbour of a1"),
        ("a1c1", "'a1c1'", "c1 is not a neighbour of a1"),
    ],
)
def test_bad_steps(move: str, wrong: str, expected: str) -> None:
    message = error_of(Steps(2, 3).parse, move)
    assert wrong in message
    assert expected in message


@pytest.mark.parametrize("size", [(1, 2), (2, 1), (2, 2), (2, 3), (26, 1), (26, 26)])
def test_the_example_of_a_step_is_one_on_this_board(size: tuple[int, int]) -> None:
    message = error_of(Steps(*size).parse, "?")
    example = re.search(r"such as (\w+)", message)
    assert example is not None
    Steps(*size).parse(example[1])


@pytest.mark.parametrize(
    ("space", "move", "wrong", "expected"),
    [
        (Columns(7), "", "'' in ''", "a letter from a to g"),
        (Columns(7), "h", "'h' in 'h'", "a letter from a to g"),
        (Columns(7), "a1", "'a1' in 'a1'", "a letter from a to g"),
        (Columns(1), "b", "'b' in 'b'", "a letter from a to a"),
        (Cells(3, 3), "pass", "'p' in 'pass'", "a letter from a to c"),
        (Cells(3, 3, can_pass=True), "Pass", "'P' in 'Pass'", "a letter from a to c"),
        (Cells(3, 3, can_pass=True), "c4", "'4' in 'c4'", "a number from 1 to 3"),
        (action_space(GraphClobber()), "", "''", "two vertices, such as 0-1"),
        (action_space(GraphClobber()), "0", "'0'", "two vertices, such as 0-1"),
        (action_space(GraphClobber()), "0-1-2", "'0-1-2'", "two vertices, such as 0-1"),
        (action_space(GraphClobber()), "a-1", "'a' in 'a-1'", "numbers from 0"),
        (action_space(GraphClobber()), "-1-0", "'-1-0'", "two vertices, such as 0-1"),
        (action_space(GraphClobber()), "0-", "'' in '0-'", "numbers from 0"),
        (action_space(GraphClobber()), "1-\u0663", "'\u0663' in '1-\u0663'", "numbers from 0"),
        (action_space(GraphClobber()), "0-3", "'0-3'", "the graph has no edge 0-3"),
        (action_space(GraphClobber()), "9-7", "'9-7'", "the graph has no edge 7-9"),
    ],
)
def test_bad_moves_of_other_games(space, move: str, wrong: str, expected: str) -> None:
    message = error_of(space.parse, move)
    assert wrong in message
    assert expected in message


def test_an_illegal_move_is_told_the_legal_ones() -> None:
    #   2 x o x
    #   1 o x o
    #     a b c
    game = Clobber(2, 3)
    state = parse_position(game, "xox|oxo")
    assert error_of(parse_move, game, state, "b2a2") == (
        "'b2a2' is not legal here; legal moves: a2a1 a2b2 c2b2 c2c1 b1b2 b1a1 b1c1"
    )


@pytest.mark.parametrize("game", ONE_OF_EACH, ids=label)
def test_after_the_end_no_move_is_legal(game: Game) -> None:
    plies = random_game(game, 1)
    move = format_move(game, plies[-2].action)
    message = error_of(parse_move, game, plies[-1].state, move)
    assert message == f"'{move}' is not legal here; legal moves: none, the game is over"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' has 1 rows, expected 2 (rows are joined by |)"),
        ("xox", "'xox' has 1 rows, expected 2 (rows are joined by |)"),
        ("xox|oxo|xox", "'xox|oxo|xox' has 3 rows, expected 2 (rows are joined by |)"),
        ("xox|oxo|", "'xox|oxo|' has 3 rows, expected 2 (rows are joined by |)"),
        ("xox|ox", "row 'ox' has 2 cells, expected 3"),
        ("xoxo|oxo", "row 'xoxo' has 4 cells, expected 3"),
        ("xox|", "row '' has 0 cells, expected 3"),
        ("xox|ox-", "'-' in row 'ox-' is not a cell: expected x, o or ."),
        ("XOX|OXO", "'X' in row 'XOX' is not a cell: expected x, o or ."),
        ("xox|ox0", "'0' in row 'ox0' is not a cell: expected x, o or ."),
        ("xox|ox\n", "'\n' in row 'ox\n' is not a cell: expected x, o or ."),
    ],
)
def test_bad_positions(text: str, message: str) -> None:
    assert error_of(parse_position, Clobber(2, 3), text) == message
    assert error_of(initial_state, Clobber(2, 3, setup=text), stream(1)) == message


@pytest.mark.parametrize(
    ("text", "player", "message"),
    [
        # Black owns one stone more exactly when White is to move.
        ("...|...|xx.", BLACK, "2 black and 0 white stones with black to move"),
        ("...|...|.o.", WHITE, "0 black and 1 white stones with white to move"),
        ("...|...|xo.", WHITE, "1 black and 1 white stones with white to move"),
        ("...|...|x..", BLACK, "1 black and 0 white stones with black to move"),
        ("...|ooo|xxx", BLACK, "the player to move already has a line"),
        ("...|oo.|xxx", BLACK, "the player to move already has a line"),
    ],
)
@pytest.mark.parametrize("game", [Gobang(3, 3, 3), ConnectFour(3, 3, 3)], ids=label)
def test_positions_no_game_of_lines_leads_to(
    game: Game, text: str, player: int, message: str
) -> None:
    assert message in error_of(parse_position, game, text, player)


@pytest.mark.parametrize(
    ("text", "cell"),
    [("x..|...|o..", "a3"), ("...|.x.|o..", "b2"), ("..o|..x|...", "c2"), ("xox|o.o|xox", "b3")],
)
def test_no_stone_floats_in_connect_four(text: str, cell: str) -> None:
    message = error_of(parse_position, ConnectFour(3, 3, 3), text)
    assert message == f"the stone on {cell} floats: the cell below it must hold one too"


def test_an_othello_board_is_never_empty() -> None:
    message = error_of(parse_position, Othello(3, 3), "...|...|...")
    assert message == "an Othello board is never empty"


@pytest.mark.parametrize(
    "text",
    ["", "x", "5", "5x", "x5", "5x6x7", "5 x 6", "5X6", "-5x6", "+5x6", "5.0x6", "\u0665x\u0666"],
)
def test_bad_sizes(text: str) -> None:
    assert error_of(parse_size, text) == (
        f"'{text}' is not a size: expected ROWSxCOLS, such as 5x6"
    )


# Whatever the text, nothing but a GameError comes out.


def only_game_errors(function, *arguments) -> None:
    with contextlib.suppress(GameError):
        function(*arguments)


@pytest.mark.parametrize("game", ONE_OF_EACH, ids=label)
@quick
@given(any_text)
def test_any_text_as_a_move(game: Game, text: str) -> None:
    only_game_errors(parse_move, game, initial_state(game, stream(1)), text)


@pytest.mark.parametrize("game", ONE_OF_EACH, ids=label)
@quick
@given(any_text, st.sampled_from((BLACK, WHITE)))
def test_any_text_as_a_position(game: Game, text: str, player: int) -> None:
    only_game_errors(parse_position, game, text, player)


@pytest.mark.parametrize("game", [ConnectFour(3, 4, 3), Gobang(3, 4, 3)], ids=label)
@quick
@given(rows_of(3, 4), st.sampled_from((BLACK, WHITE)))
def test_any_stones_as_a_position_of_lines(game: Game, text: str, player: int) -> None:
    only_game_errors(parse_position, game, text, player)


@quick
@given(any_text)
def test_any_text_as_a_size(text: str) -> None:
    only_game_errors(parse_size, text)


def make_and_start(*arguments) -> None:
    initial_state(make_game(*arguments), stream(1))


@quick
@given(any_text)
def test_any_text_as_a_game(text: str) -> None:
    only_game_errors(make_and_start, text)
    only_game_errors(make_and_start, f"{text}.py")
    only_game_errors(make_and_start, "clobber", text)
    only_game_errors(make_and_start, "clobber", "2x2", [text])


@pytest.mark.parametrize("name", GAMES)
@quick
@given(st.data(), any_text)
def test_any_text_as_an_option(name: str, data: st.DataObject, text: str) -> None:
    key = data.draw(st.sampled_from(make_game(name)._fields))
    only_game_errors(make_and_start, name, None, [f"{key}={text}"])


@quick
@given(any_text, any_text)
def test_any_text_as_a_graph(edges: str, stones: str) -> None:
    only_game_errors(check, GraphClobber(edges, stones))
    only_game_errors(check, GraphClobber(edges))
    only_game_errors(initial_state, GraphClobber(edges, stones), stream(1))
    only_game_errors(initial_state, GraphClobber(stones=stones), stream(1))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (Board(3, 3).parse, [f"a{LONG_NUMBER}"]),
        (parse_size, [f"{LONG_NUMBER}x5"]),
        (make_game, ["clobber", None, [f"rows={LONG_NUMBER}"]]),
        (make_game, ["graph-clobber", None, [f"edges=0-{LONG_NUMBER}"]]),
        (action_space(GraphClobber()).parse, [f"0-{LONG_NUMBER}"]),
        (make_game, ["a" * 300 + ".py"]),
    ],
    ids=["cell", "size", "option", "edge", "arc", "file"],
)
def test_a_text_of_any_length(function, arguments: list) -> None:
    with pytest.raises(GameError):
        function(*arguments)
