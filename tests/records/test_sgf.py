"""SGF: games written and read back, standard records, and records that cannot be used."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.sizes import ALL_GAMES, label
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.records import sgf
from zerolab.records.recorded_game import RecordedGame, RecordError
from zerolab.records.sgf import LONGEST, parse_game, read_sgf, write_sgf
from zerolab.records.sgf_collections import split_collection


def random_game(game: Game, seed: int, plies: int = 1000) -> Position:
    draw, position = np.random.default_rng(seed), Position.start(game, seed)
    while not position.is_over and plies:
        position = position.play(int(draw.choice(position.legal_actions)))
        plies -= 1
    return position


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_what_is_written_is_read_back(game: Game) -> None:
    for seed, plies in ((1, 1000), (2, 3)):
        position = random_game(game, seed, plies)
        recorded = RecordedGame.of(position, ("a [b] \\ c", "Zoë"))
        again = parse_game(write_sgf(recorded).encode())
        assert type(again.game) is type(game)
        assert again._replace(start=None) == recorded._replace(start=None)
        assert again.position() == position
        assert again.position().history[0] == position.history[0]
        outcome = position.outcome()
        assert again.result == (None if outcome is None else outcome.value)


def test_a_record_drawn_out() -> None:
    """Columns come first, and rows count from the top; a pass is empty."""
    game = Gobang(3, 4, 3)
    position = Position.start(game).play("a3").play("d1").play("b2")
    text = write_sgf(RecordedGame.of(position, ("me", "")))
    assert "".join(text.split()).endswith(
        "GM[4]PB[me]SZ[4:3]ZL[gobang][rows=3][cols=4][k=3];B[aa];W[dc];B[bb])"
    )
    assert text.startswith("(;FF[4]")
    clobber = Position.start(Clobber(2, 2)).play("a2b2")
    assert write_sgf(RecordedGame.of(clobber)).rstrip().endswith(";B[a2b2])")
    assert "GM" not in write_sgf(RecordedGame.of(clobber))


def test_first_positions() -> None:
    position = Position.parse(Clobber(2, 3), "xo.|.ox", "white").play("b2a2")
    recorded = RecordedGame.of(position)
    assert (recorded.start, recorded.turn) == ("xo.|.ox", "white")
    text = write_sgf(recorded)
    assert all(part in text for part in ("AB[aa][cb]", "AW[ba][bb]", "PL[W]", ";W[b2a2]"))
    assert parse_game(text.encode()).start == "xo.|.ox"
    drawn = RecordedGame.of(random_game(Clobber(3, 3, setup=RANDOM), 0))
    assert "AB[" in write_sgf(drawn)  # another draw would be another start


def test_othello_of_the_standard() -> None:
    found = parse_game(b"(;GM[2]SZ[6]RE[W+4];B[bc];W[bb])")
    assert (found.game, found.result) == (Othello(6, 6), -1)
    assert found.position().moves == ("b4", "b5")


@pytest.mark.parametrize(
    ("result", "value"),
    [
        ("B+R", 1),
        ("B+", 1),
        ("W+3.5", -1),
        ("0", 0),
        ("Draw", 0),
        ("Void", None),
        ("?", None),
        ("", None),
    ],
)
def test_results(result: str, value: float | None) -> None:
    assert parse_game(f"(;GM[4]SZ[5]RE[{result}];B[aa])".encode()).result == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[4]SZ[5];B[aa];W[aa])", "move 2, a5, is not legal"),
        ("(;GM[4]SZ[5];B[aa];B[ab])", "move 2 is not white's"),
        ("(;GM[4]SZ[5];W[aa];B[ab])", "move 1 is not black's"),
        ("(;GM[4]SZ[5]AB[cc];W[aa];B[ab];B[ac])", "move 3 is not white's"),
        ("(;GM[4]SZ[5]AB[cc]PL[B];W[aa])", "move 1 is not black's"),
        ("(;GM[4]SZ[5];B[zz])", "'zz' is not a point of a board with 5 rows and 5 columns"),
        ("(;GM[4]SZ[5];B[])", "'pass' is not"),
        ("(;GM[4]SZ[5];B[aa];AB[bb])", "stones are set up after move 1"),
        ("(;GM[3];B[aa])", "GM[3] is not a game that can be read"),
        ("(;GM[4]SZ[0];B[aa])", "a board of 0x0 is not possible"),
        ("(;ZL[nonsense];B[aa])", "'nonsense' is not a game"),
        ("(;ZL[../rules.py];B[aa])", "'../rules.py' is not a game"),
        ("(;ZL[clobber][rows=5][columns=5])", "'columns=5' is not an option"),
        ("(;GM[4]SZ[5];B[aa]", "it is not SGF"),
        ("(;GM[4]SZ[5];B[aa)", "it is not SGF"),
        ("nothing", "it is not SGF"),
    ],
)
def test_a_record_that_cannot_be_used_says_why(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as error:
        parse_game(text.encode())
    assert reason in str(error.value)


def test_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"(;GM[4]SZ[5];B[aa];W[bb])"
    monkeypatch.setattr(sgf, "MOST_MOVES", 2)
    assert len(parse_game(text).actions) == 2
    monkeypatch.setattr(sgf, "MOST_MOVES", 1)
    with pytest.raises(RecordError, match="it has more than 1 moves"):
        parse_game(text)
    monkeypatch.setattr(sgf, "LONGEST", len(text) - 1)
    with pytest.raises(RecordError, match=f"it is longer than {len(text) - 1} bytes"):
        parse_game(text)


GOOD = b"(;FF[4]GM[4]SZ[5];B[aa](;W[bb];B[cc])(;W[cc]))"


def test_a_collection_with_broken_games() -> None:
    broken = b"(;FF[4]GM[4]SZ[5];B[aa](;W[bb]"
    data = b"some mail\n" + GOOD + broken + b"\n" + GOOD + b"(;GM[4]SZ[5];B[aa] !" + GOOD + b"\nbye"
    assert next(split_collection(BytesIO(data), LONGEST)) == GOOD
    found = list(read_sgf(BytesIO(data), "games.sgf"))
    kinds = [type(each) for each in found]
    assert kinds == [RecordedGame, RecordError, RecordedGame, RecordError, RecordedGame]
    assert [str(each) for each in found if isinstance(each, RecordError)] == [
        "games.sgf, game 2: it is not SGF",
        "games.sgf, game 4: it is not SGF",
    ]
    for each in found:
        if isinstance(each, RecordedGame):
            assert each.position().moves == ("a5", "b4", "c3")  # the first variation


def test_a_comment_may_look_like_a_game() -> None:
    data = b"(;GM[4]SZ[5]C[like (;GM[1\\]];B[aa])"
    assert list(split_collection(BytesIO(data), LONGEST)) == [data]


def test_an_empty_collection() -> None:
    assert list(read_sgf(BytesIO(b""))) == []
    assert list(read_sgf(BytesIO(b"()"))) == []


@settings(max_examples=300)
@given(st.data())
def test_no_text_ends_the_reader(data: st.DataObject) -> None:
    """Records in which a few bytes are changed, dropped or doubled."""
    text = bytearray(
        GOOD + b"\n" + write_sgf(RecordedGame.of(random_game(Clobber(3, 3), 1))).encode()
    )
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["change", "drop", "double"]))
        if kind == "change":
            text[place] = data.draw(
                st.sampled_from(b"()[];:\\BWxo09\xff\x00\n") | st.integers(0, 255)
            )
        elif kind == "drop":
            del text[place : place + data.draw(st.integers(1, 9))]
        else:
            text[place:place] = text[place : place + data.draw(st.integers(1, 60))]
        if not text:
            break
    for each in read_sgf(BytesIO(bytes(text))):
        assert isinstance(each, RecordedGame | RecordError)


def test_rules_of_a_user_are_not_written(tmp_path: object) -> None:
    game = make_game("examples/snort.py", "3x3")
    with pytest.raises(UsageError, match="rules in a file"):
        write_sgf(RecordedGame.of(Position.start(game)))


def test_go_of_the_standard() -> None:
    """Rows from the top, no letter is skipped, and both ways to write a pass."""
    found = parse_game(b"(;GM[1]FF[4]SZ[9]KM[5.5]RE[W+R];B[ia];W[ai];B[];W[tt])")
    assert found.game == Go(9, 9, half_komi=11)
    assert found.position().moves == ("j9", "a1", "pass", "pass")
    assert found.position().is_over
    large = parse_game(b"(;SZ[21];B[tt])")  # Go unless it says otherwise; there a point
    assert large.position().moves == ("u2",)
    assert parse_game(b"(;GM[1];B[pd])").game == Go(19, 19)


@pytest.mark.parametrize(
    ("komi", "half"), [("6.5", 13), ("0", 0), ("?", 15), ("", 15), ("6.25", 15), ("-3.5", 15)]
)
def test_komi(komi: str, half: int) -> None:
    """What is no komi that we can have is left at its default."""
    game = parse_game(f"(;GM[1]SZ[5]KM[{komi}];B[aa])".encode()).game
    assert game == Go(5, 5, half_komi=half)
    assert parse_game(write_sgf(RecordedGame(game, (), None)).encode()).game == game


def test_handicap() -> None:
    found = parse_game(b"(;GM[1]SZ[5]HA[2]AB[bb][dd];W[cc];B[aa])")
    assert (found.start, found.turn) == (".....|.x...|.....|...x.|.....", "white")
    assert found.position().text == "x....|.x...|..o..|...x.|....."


def test_illegal_moves_of_go() -> None:
    with pytest.raises(RecordError, match="move 4, a5, is not legal"):  # suicide
        parse_game(b"(;GM[1]SZ[5];B[ab];W[ee];B[ba];W[aa])")
