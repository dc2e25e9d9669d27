"""Games from text: every name, size and option, and a sentence for everything that is none."""

from pathlib import Path

import pytest

from tests.games.processes import GUEST, run
from tests.games.sizes import ALL_GAMES, label
from zerolab.games.base import Game, GameError, check
from zerolab.games.catalogue import GAMES, describe, make_game, name_of
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, NORMAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire


@pytest.mark.parametrize(
    ("name", "size", "options", "game"),
    [
        ("clobber", None, [], Clobber(5, 6, NORMAL, "chequered")),
        ("Clobber", "4x7", [], Clobber(4, 7)),
        ("clobber", "1x2", ["variant=cannibal"], Clobber(1, 2, CANNIBAL)),
        (
            "clobber",
            "2x2",
            ["variant=impartial", "start=random"],
            Clobber(2, 2, IMPARTIAL, "random"),
        ),
        ("clobber", "2x2", ["start=xo|.x"], Clobber(2, 2, setup="xo|.x")),
        ("clobber", None, ["rows=3", "cols=3"], Clobber(3, 3)),
        ("clobber", "26x26", [], Clobber(26, 26)),
        ("graph-clobber", None, [], GraphClobber()),
        ("graph_clobber", None, ["edges=0-1,1-2", "stones=xox"], GraphClobber("0-1,1-2", "xox")),
        ("solitaire", None, [], Solitaire(4, 4, True, "chequered")),
        ("solitaire", "3x5", ["alternate=false"], Solitaire(3, 5, False)),
        ("solitaire", "3x5", ["alternate=true"], Solitaire(3, 5, True)),
        ("othello", None, [], Othello(8, 8)),
        ("othello", "3x3", [], Othello(3, 3)),
        ("connect-four", None, [], ConnectFour(6, 7, 4)),
        ("connect_four", "4x9", ["k=3"], ConnectFour(4, 9, 3)),
        ("go", None, [], Go(9, 9, 15, 4, 0)),
        ("go", "19x19", ["komi=6.5", "history=1"], Go(19, 19, 13, 1)),
        ("go", "5x5", ["komi=0", "limit=99"], Go(5, 5, 0, limit=99)),
        ("go", "5x5", ["komi=7.0"], Go(5, 5, 14)),
        ("gobang", None, [], Gobang(6, 6, 4)),
        ("gobang", "15x15", ["k=5"], Gobang(15, 15, 5)),
        ("tic-tac-toe", None, [], Gobang(3, 3, 3)),
    ],
)
def test_games_by_name(name: str, size: str | None, options: list[str], game: Game) -> None:
    made = make_game(name, size, options)
    assert made == game
    assert type(made) is type(game)  # records of two games can be equal as tuples


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_default_and_a_summary(name: str) -> None:
    check(make_game(name))
    assert GAMES[name].summary
    assert name_of(make_game(name)) in GAMES


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Clobber(), "clobber 5x6"),
        (Clobber(4, 7, CANNIBAL), "clobber 4x7 variant=cannibal"),
        (Clobber(2, 2, setup="xo|.x"), "clobber 2x2 start=xo|.x"),
        (GraphClobber(), "graph-clobber"),
        (GraphClobber("0-1", "xo"), "graph-clobber edges=0-1 stones=xo"),
        (Solitaire(3, 3), "solitaire 3x3"),
        (Othello(6, 6), "othello 6x6"),
        (ConnectFour(), "connect-four 6x7"),
        (Gobang(3, 3, 3), "gobang 3x3 k=3"),
        (Go(), "go 9x9"),
        (Go(5, 5, 0, 1, 99), "go 5x5 komi=0 history=1 limit=99"),
        (Go(5, 5, 13), "go 5x5 komi=6.5"),
    ],
)
def test_games_in_words(game: Game, words: str) -> None:
    assert describe(game) == words


@pytest.mark.parametrize(
    "game", [game for game in ALL_GAMES if not isinstance(game, GraphClobber)], ids=label
)
def test_the_words_make_the_game_again(game: Game) -> None:
    name, size, *options = describe(game).split()
    assert make_game(name, size, options) == game


# What makes no game is told what would.

ALL_NAMES = (
    "clobber, graph-clobber, solitaire, othello, connect-four, go, gobang, tic-tac-toe, a file "
    "such as mygame.py, or openspiel:NAME"
)


def sentence(name: str, size: str | None = None, *options: str) -> str:
    with pytest.raises(GameError) as caught:
        make_game(name, size, options)
    return str(caught.value)


@pytest.mark.parametrize("name", ["chess", "", "clobber ", "clobber.pyc", "zerolab.games.clobber"])
def test_unknown_names(name: str) -> None:
    assert sentence(name) == f"'{name}' is not a game; expected {ALL_NAMES}"


@pytest.mark.parametrize("size", ["", "5", "5x", "5*6", "5x6x7", "five by six"])
def test_sizes_that_are_none(size: str) -> None:
    expected = f"'{size}' is not a size: expected ROWSxCOLS, such as 5x6"
    assert sentence("clobber", size) == expected


def test_a_graph_has_no_size() -> None:
    assert sentence("graph-clobber", "2x3") == (
        "graph-clobber has no size; set edges and stones with --options"
    )


@pytest.mark.parametrize("option", ["", "variant", "size=2x3", "Variant=cannibal", "=3"])
def test_options_that_are_none(option: str) -> None:
    assert sentence("clobber", None, option) == (
        f"'{option}' is not an option of clobber; expected KEY=VALUE with KEY one of "
        "rows, cols, variant, start"
    )


@pytest.mark.parametrize(
    ("name", "option", "expected"),
    [
        ("clobber", "rows=", "rows= is not possible; expected a whole number"),
        ("clobber", "rows=-1", "rows=-1 is not possible; expected a whole number"),
        ("clobber", "rows=2.5", "rows=2.5 is not possible; expected a whole number"),
        ("clobber", "rows=\u0665", "rows=\u0665 is not possible; expected a whole number"),
        ("gobang", "k=four", "k=four is not possible; expected a whole number"),
        ("go", "komi=6.25", "komi=6.25 is not possible; expected a number such as 7 or 7.5"),
        ("go", "komi=-6", "komi=-6 is not possible; expected a number such as 7 or 7.5"),
        ("go", "komi=6.", "komi=6. is not possible; expected a number such as 7 or 7.5"),
        ("go", "komi=.5", "komi=.5 is not possible; expected a number such as 7 or 7.5"),
        ("go", "history=7.5", "history=7.5 is not possible; expected a whole number"),
        ("clobber", "variant=0", "variant=0 is not possible; expected normal, cannibal, impartial"),
        ("clobber", "variant=", "variant= is not possible; expected normal, cannibal, impartial"),
        ("solitaire", "alternate=1", "alternate=1 is not possible; expected true or false"),
        ("solitaire", "alternate=no", "alternate=no is not possible; expected true or false"),
    ],
)
def test_values_that_are_not_possible(name: str, option: str, expected: str) -> None:
    assert sentence(name, None, option) == expected


@pytest.mark.parametrize(
    ("name", "size", "expected"),
    [
        ("clobber", "0x5", "Clobber boards have 1 to 26 rows and columns and at least two cells"),
        ("clobber", "1x1", "Clobber boards have 1 to 26 rows and columns and at least two cells"),
        ("clobber", "5x27", "Clobber boards have 1 to 26 rows and columns and at least two cells"),
        ("solitaire", "27x5", "boards have 1 to 26 rows and columns and at least two cells"),
        ("othello", "2x2", "Othello boards are square, from 3x3 to 26x26"),
        ("othello", "6x8", "Othello boards are square, from 3x3 to 26x26"),
        ("othello", "27x27", "Othello boards are square, from 3x3 to 26x26"),
        ("connect-four", "0x7", "Connect Four boards have 1 to 26 rows and columns"),
        ("connect-four", "6x27", "Connect Four boards have 1 to 26 rows and columns"),
        ("connect-four", "3x3", "k=4 is not possible on 3x3; expected 2 to 3"),
        ("gobang", "27x27", "Gobang boards have 1 to 26 rows and columns"),
        ("gobang", "2x3", "k=4 is not possible on 2x3; expected 2 to 3"),
    ],
)
def test_boards_that_are_not_possible(name: str, size: str, expected: str) -> None:
    message = sentence(name, size)
    assert size in message
    assert message.endswith(expected)


@pytest.mark.parametrize("k", ["0", "1", "8"])
def test_lines_that_are_not_possible(k: str) -> None:
    assert sentence("connect-four", None, f"k={k}") == (
        f"k={k} is not possible on 6x7; expected 2 to 7"
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["edges=0-1", "stones=x"], "a graph needs at least two vertices"),
        (["edges=0-1", "stones="], "a graph needs at least two vertices"),
        (["edges=0-2", "stones=xo"], "edge 0-2 needs 3 vertices, but stones 'xo' has 2"),
        (["edges=1-1", "stones=xo"], "edge 1-1 joins a vertex to itself"),
        (["edges=0"], "'0' is not an edge: expected two vertices, such as 0-1"),
        (["edges=0-1;1-2"], "'0-1;1-2' is not an edge: expected two vertices, such as 0-1"),
        (["edges=a-b"], "'a' in 'a-b' is not a vertex: vertices are numbers from 0"),
    ],
)
def test_graphs_that_are_not_possible(options: list[str], expected: str) -> None:
    assert expected in sentence("graph-clobber", None, *options)


@pytest.mark.parametrize(
    ("name", "option", "expected"),
    [
        ("clobber", "start=xo|xq", "'q' in row 'xq' is not a cell: expected x, o or ."),
        ("clobber", "start=chequred", "'chequred' has 1 rows, expected 2"),
        ("solitaire", "start=xo|x", "row 'x' has 1 cells, expected 2"),
        ("graph-clobber", "stones=xoxoxq", "'q' in row 'xoxoxq' is not a cell"),
    ],
)
def test_a_bad_start_is_told_at_once(name: str, option: str, expected: str) -> None:
    size = None if name == "graph-clobber" else "2x2"
    assert expected in sentence(name, size, option)


def test_a_variant_made_by_hand_is_checked_too() -> None:
    with pytest.raises(GameError, match="variant 7 is not possible; expected NORMAL, CANNIBAL"):
        check(Clobber(variant=7))


# Rules in a file of one's own.


@pytest.fixture
def guest(tmp_path: Path) -> Path:
    path = tmp_path / "fill.py"
    path.write_text(GUEST)
    return path


DESCRIBE = """
import sys
from zerolab.games.base import GameError
from zerolab.games.catalogue import describe, make_game, name_of

name, size, *options = sys.argv[1:]
try:
    game = make_game(name, size or None, options)
    print(describe(game), "from", name_of(game))
except GameError as error:
    print("GameError:", error)
"""


def told(guest: Path, size: str = "", *options: str) -> str:
    """What a new process, which compiles nothing, says about a game in a file."""
    return run(DESCRIBE, str(guest), size, *options, cache=guest.parent, NUMBA_DISABLE_JIT="1")


def test_a_game_from_a_file(guest: Path) -> None:
    assert told(guest) == f"fill 1x5 from {guest}"
    assert told(guest, "2x3", "cols=9") == f"fill 2x9 from {guest}"
    assert told(guest, "", "k=9").startswith("GameError: 'k=9' is not an option of")


def test_a_guest_may_bear_the_name_of_a_game_of_ours(guest: Path) -> None:
    guest.write_text(GUEST.replace("Fill", "Clobber"))
    assert told(guest) == f"fill 1x5 from {guest}"


def test_a_guest_may_postpone_its_annotations(guest: Path) -> None:
    guest.write_text("from __future__ import annotations\n" + GUEST)
    assert told(guest, "", "cols=9") == f"fill 1x9 from {guest}"


def test_a_guest_without_defaults_is_told_so(guest: Path) -> None:
    guest.write_text(GUEST.replace(": int = 5", ": int").replace(": int = 1", ": int"))
    assert told(guest, "2x3") == f"fill 2x3 from {guest}"
    assert told(guest).startswith("GameError: ")


def test_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.py"
    assert sentence(str(path)) == f"there is no file of rules '{path}'"
    assert sentence(f"{tmp_path}/.py").startswith("there is no file of rules")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.mkdir()
    assert sentence(str(path)) == f"there is no file of rules '{path}'"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", "has no game: a NamedTuple with @rule(...) def legal_actions"),
        ("from zerolab.games.clobber import Clobber\n", "has no game: a NamedTuple with @rule"),
        ("def legal_actions(:\n", "cannot be imported: SyntaxError: "),
        ("import no_such_module\n", "cannot be imported: ModuleNotFoundError: No module named"),
        ("1 / 0\n", "cannot be imported: ZeroDivisionError: division by zero"),
    ],
)
def test_files_without_a_game(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    message = sentence(str(path))
    assert message.startswith(f"'{path}' ")
    assert expected in message


def test_a_file_with_a_wrong_rule_says_which(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        GUEST.replace("def legal_actions(game, state, actions)", "def legal_actions(s)")
    )
    assert "TypeError: legal_actions takes (game, state, actions), not (s)" in sentence(str(path))
