"""Go: positions drawn by hand, numbers of legal positions, superko over whole games."""

import itertools

import pytest

from tests.games import laws
from tests.games.drawn import after, moves, moves_of, play
from tests.games.play import random_game
from tests.games.sizes import label
from tests.games.twins import GoTwin
from zerolab.games.base import (
    BLACK,
    WHITE,
    GameError,
    check,
    max_plies,
    step,
    terminal_value,
)
from zerolab.games.boards.go_board import ATARI, EARLIER, black_lead
from zerolab.games.boards.stones import board_words, complete, first_word
from zerolab.games.go import Go, grid_of
from zerolab.games.notation import parse_move, parse_position
from zerolab.games.position import Position
from zerolab.kernels.rng import random_below, stream

GO_4X4 = Go(4, 4, limit=60)


# Captures.


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        (".x..|xo..|.x..|....", "c3", ".x..|x.x.|.x..|...."),  # in the middle
        ("....|....|x...|o...", "b1", "....|....|x...|.x.."),  # in the corner
        ("oox.|ox..|....|....", "a2", "..x.|.x..|x...|...."),  # three stones
        ("oo.x|xxx.|....|....", "c4", "..xx|xxx.|....|...."),
        ("xo.o|.xxx|....|....", "c4", "x.x.|.xxx|....|...."),  # two groups at once
        ("xo..|.o..|....|....", "d1", "xo..|.o..|....|...x"),  # own stones never
    ],
)
def test_captures(text: str, move: str, expected: str) -> None:
    assert after(GO_4X4, text, move) == expected
    exchanged = str.maketrans("xo", "ox")
    assert after(GO_4X4, text.translate(exchanged), move, player=WHITE) == expected.translate(
        exchanged
    )


def test_a_stone_that_fills_its_own_last_liberty_lives_if_it_captures() -> None:
    assert after(GO_4X4, ".oox|xxxx|....|....", "a4") == "x..x|xxxx|....|...."
    assert after(GO_4X4, "o.ox|xxxx|....|....", "b4") == ".x.x|xxxx|....|...."


@pytest.mark.parametrize(
    ("text", "point", "is_legal"),
    [
        (".x..|x...|....|....", "a4", False),
        (".x..|xo..|....|....", "a4", False),
        ("o.ox|xxx.|....|....", "b4", False),  # three stones
        ("o.o.|xxx.|....|....", "b4", True),
        ("x...|.x..|....|....", "a3", True),
        (".xo.|xo..|o...|....", "a4", True),  # takes two stones
    ],
)
def test_suicide_is_illegal(text: str, point: str, is_legal: bool) -> None:
    assert (point in moves(GO_4X4, text, WHITE)) == is_legal


def test_a_stone_saves_the_group_it_joins() -> None:
    """White's a3 is in atari; with b3 it has two liberties more."""
    text = "x...|o...|x...|...."
    assert after(GO_4X4, text, "b3", player=BLACK) == "x...|.x..|x...|...."
    saved = play(GO_4X4, text, "b3", "d1", player=WHITE)
    assert {"b4", "c3", "b2"} <= set(moves_of(GO_4X4, saved))
    assert after(GO_4X4, text, "b3", "b4", "d1", "b2", "d2", player=WHITE) == (
        "xx..|oo..|xx.o|...o"
    )


def test_captured_stones_are_liberties_of_their_captors() -> None:
    """White could take b4 from a4. After Black has taken b3, that would be suicide."""
    text = ".xo.|xo..|.x..|...."
    assert "a4" in moves(GO_4X4, text, WHITE)
    assert after(GO_4X4, text, "c3") == ".xo.|x.x.|.x..|...."
    assert "a4" not in moves_of(GO_4X4, play(GO_4X4, text, "c3"))


@pytest.mark.parametrize("game", [GO_4X4, Go(9, 9)], ids=label)
def test_the_state_knows_what_is_in_atari(game: Go) -> None:
    words = board_words(game)
    for seed in range(3):
        for ply in random_game(game, seed):
            anew = ply.state.copy()
            complete(game, anew)
            board = slice(first_word(words, ATARI), first_word(words, EARLIER))
            assert ply.state[board].tolist() == anew[board].tolist()


# Repetition.

KO = ".xo.|x.xo|.xo.|...."  # White takes c3 from b3


@pytest.mark.parametrize("history", [1, 2, 4])
def test_a_ko_is_not_taken_back_at_once(history: int) -> None:
    game = Go(4, 4, history=history)
    assert "c3" not in moves_of(game, play(game, KO, "b3", player=WHITE))
    assert "c3" in moves_of(game, play(game, KO, "b3", "a1", "d1", player=WHITE))
    assert "c3" in moves(game, ".xo.|xo.o|.xo.|....")  # nothing is known of what came before


# One row of four, from the start:  .x.. .x.o xx.o ..oo, and b1 would be .x.. again. It takes two
# stones, so it is no simple ko.
TWO_STONES = ("b1", "d1", "a1", "c1")


@pytest.mark.parametrize(("history", "is_legal"), [(1, True), (2, True), (3, False), (4, False)])
def test_a_state_remembers_so_many_boards(history: int, is_legal: bool) -> None:
    game = Go(1, 4, history=history)
    state = play(game, "....", *TWO_STONES)
    assert ("b1" in moves_of(game, state)) == is_legal
    assert "b1" not in Position.start(game).play("b1").play("d1").play("a1").play("c1").legal_moves


# Black takes in the first, White in the second, Black in the third, White in the first, Black in
# the second; if White could take in the third, everything would be as before.
TRIPLE_KO = ".xo..xo..xo.|xo.ox.xoxo.o|.xo..xo..xo."
ROUND = ("c2", "f2", "l2", "b2", "g2")


def test_triple_ko() -> None:
    for history, is_legal in ((4, True), (5, False)):
        game = Go(3, 12, history=history)
        state = play(game, TRIPLE_KO, *ROUND)
        assert ("k2" in moves_of(game, state)) == is_legal
    position = Position.parse(Go(3, 12, history=1), TRIPLE_KO)
    for move in ROUND:
        position = position.play(move)
    assert "k2" not in position.legal_moves
    with pytest.raises(GameError, match="'k2' is not legal here"):
        position.play("k2")
    # A search that begins here does not consider it either.
    assert "k2" not in moves_of(position.game, position.state)


def test_one_may_pass_though_the_position_stays() -> None:
    assert after(GO_4X4, KO, "pass", "b3", player=BLACK) == ".xo.|xo.o|.xo.|...."


@pytest.mark.parametrize("size", [(1, 3), (1, 5), (2, 2), (2, 3), (3, 3)])
@pytest.mark.parametrize("history", [1, 1000])
def test_no_position_of_a_game_repeats_an_earlier_one(size: tuple[int, int], history: int) -> None:
    """Whatever a state remembers, a Position has the moves of a twin that remembers all."""
    game = Go(*size, history=history, limit=80)
    forgotten = 0
    for seed in range(20):
        rng = stream(seed)
        position = Position.start(game)
        twin = GoTwin(game._replace(history=1000), position.text)
        state = position.state  # it knows only what it remembers itself
        while not position.is_over:
            legal = position.legal_moves
            assert list(legal) == twin.legal()
            forgotten += len(moves_of(game, state)) - len(legal)
            stones = legal[:-1] if len(legal) > 1 and random_below(rng, 4) else legal
            move = stones[random_below(rng, len(stones))]
            step(game, state, parse_move(game, state, move))
            position = position.play(move)
            twin.play(move)
            assert position.text == twin.text()
        assert twin.legal() == []
    assert (forgotten > 0) == (history == 1)


# The end.


def test_two_passes_in_a_row_end_the_game() -> None:
    position = Position.start(Go(3, 3)).play("pass").play("a1").play("pass")
    assert not position.is_over
    assert position.play("pass").is_over
    assert not position.play("b2").play("pass").is_over


def test_the_limit_ends_the_game() -> None:
    position = Position.start(Go(2, 2, limit=3)).play("a1").play("b2")
    assert not position.is_over
    assert position.play("pass").is_over
    assert max_plies(Go(2, 2, limit=3)) == 3
    assert max_plies(Go(3, 4)) == 24


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("....|....|....|....", 0),
        ("....|.x..|....|....", 16),
        (".xo.|.xo.|.xo.|.xo.", 0),
        (".x.o|.x.o|.x.o|.x.o", 4),  # c is nobody's
        ("....|xxxx|oooo|.x.o", 4),  # dead stones are not taken off: play on until they are
    ],
)
def test_area(text: str, lead: int) -> None:
    assert lead_of(GO_4X4, text) == lead


def lead_of(game: Go, text: str) -> int:
    return black_lead(grid_of(game, board_words(game)), parse_position(game, text))


def test_area_of_all_positions_of_3x2() -> None:
    game = Go(3, 2)
    for text in texts(3, 2):
        twin = GoTwin(game, text)
        if is_position(game, text):
            assert lead_of(game, text) == twin.area("x") - twin.area("o")


@pytest.mark.parametrize(("half_komi", "value"), [(17, 1), (18, 0), (19, -1)])
def test_komi(half_komi: int, value: int) -> None:
    """Black has nine points."""
    game = Go(3, 3, half_komi)
    assert terminal_value(game, parse_position(game, "...|.x.|...", BLACK)) == value
    assert terminal_value(game, parse_position(game, "...|.x.|...", WHITE)) == -value


def test_whole_games_on_the_usual_board() -> None:
    for law in (laws.law_3_random_action_is_fair, laws.law_9_compiled_as_plain):
        law(Go(19, 19))


# What is a position.


def texts(rows: int, cols: int) -> list[str]:
    """Every text of that size, whether there is such a position or not."""
    lines = ["".join(line) for line in itertools.product(".xo", repeat=cols)]
    return ["|".join(board) for board in itertools.product(lines, repeat=rows)]


def is_position(game: Go, text: str) -> bool:
    try:
        parse_position(game, text)
    except GameError:
        return False
    return True


@pytest.mark.parametrize(
    ("rows", "cols", "count"),
    [(1, 1, 1), (1, 2, 5), (1, 3, 15), (1, 4, 41), (2, 2, 57), (2, 3, 489), (2, 4, 4125)],
)
def test_numbers_of_legal_positions(rows: int, cols: int, count: int) -> None:
    """Tromp & Farneback, "Combinatorics of Go", CG 2006."""
    assert sum(is_position(Go(rows, cols), text) for text in texts(rows, cols)) == count


def test_stones_without_liberties_are_named() -> None:
    with pytest.raises(GameError, match="the stones at a2 have no liberty"):
        parse_position(Go(2, 2), "xo|o.")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (Go(0, 5), "a board of 0x5 is not possible; Go boards have 1 to 25 rows and columns"),
        (Go(5, 26), "a board of 5x26 is not possible; Go boards have 1 to 25 rows and columns"),
        (Go(history=0), "history=0 is not possible; expected 1 to 1000"),
        (Go(history=1001), "history=1001 is not possible; expected 1 to 1000"),
        (Go(half_komi=-1), "komi and limit cannot be negative"),
        (Go(limit=-1), "komi and limit cannot be negative"),
    ],
)
def test_games_that_are_not_possible(game: Go, expected: str) -> None:
    with pytest.raises(GameError) as caught:
        check(game)
    assert str(caught.value) == expected


def test_columns_have_no_i() -> None:
    assert moves(Go(1, 10, history=1), "." * 10) == [
        *("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "j1", "k1", "pass")
    ]
    with pytest.raises(GameError, match=r"'i' in 'i1' is not a column: .* from a to k except i"):
        Position.start(Go(1, 10)).play("i1")
    with pytest.raises(GameError, match=r"expected a letter from a to h$"):
        Position.start(Go(1, 8)).play("i1")


def test_the_size_of_a_state() -> None:
    """Turn word; stones, moves and atari; two boards for each that is remembered."""
    assert len(Go(9, 9).start().words) == 1 + 2 * (4 + 2 * 4)
    assert len(Go(19, 19, history=1).start().words) == 1 + 6 * (4 + 2 * 1)
