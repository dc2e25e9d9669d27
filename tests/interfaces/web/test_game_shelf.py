"""Games on disk, as the page keeps them."""

import os

import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.position import Position
from zerolab.interfaces.web.game_shelf import (
    list_games,
    load_game,
    new_name,
    parse_record,
    save_game,
    sgf_of,
    text_of,
)
from zerolab.interfaces.web.safety import Rules


@pytest.fixture
def rules(tmp_path):
    return Rules(tmp_path)


def test_a_game_is_saved_and_loaded(rules):
    position = Position.start(Clobber(3, 3)).play("a3b3")
    name = new_name(position, "abc123")
    path = save_game(rules, name, position, ("human", "mcts:100"), "unfinished")
    assert path.parent == rules.runs / "games"
    loaded = load_game(rules, name)
    assert loaded.position() == position
    assert (loaded.names, loaded.result) == (("human", "mcts:100"), None)
    assert [game.name for game in list_games(rules)] == [name]


@pytest.mark.parametrize(
    ("result", "value"), [("white wins", -1.0), ("black wins", 1.0), ("a draw", 0.0)]
)
def test_a_resigned_game_has_its_result(rules, result, value):
    save_game(rules, "game", Position.start(Gobang(3, 3, 3)), ("a", "b"), result)
    assert load_game(rules, "game").result == value


def test_the_newest_game_comes_first(rules):
    position = Position.start(Clobber(2, 2))
    for age, name in enumerate(("new", "older", "oldest")):
        path = save_game(rules, name, position, ("", ""), "")
        os.utime(path, (10**9 - age, 10**9 - age))
    assert [game.name for game in list_games(rules)] == ["new", "older", "oldest"]


def test_no_game_is_read_or_listed_outside(rules, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "x.sgf"
    save = save_game(rules, "inside", Position.start(Clobber(2, 2)), ("", ""), "")
    outside.write_bytes(save.read_bytes())
    (save.parent / "link.sgf").symlink_to(outside)
    assert [game.name for game in list_games(rules)] == ["inside"]
    for name in ("link", "../../outside/x", str(outside)[:-4], "nothing", "a" * 300):
        with pytest.raises(UsageError):
            load_game(rules, name)
    with pytest.raises(UsageError):
        save_game(rules, "../../x", Position.start(Clobber(2, 2)), ("", ""), "")


@pytest.mark.parametrize(
    "text", ["", "nonsense", "(;ZL[chess])", "(;" * 10_000, "x" * 10**7, "\ud800"]
)
def test_bad_records_get_a_sentence(rules, text):
    with pytest.raises(UsageError, match=r"cannot be read|too long|not a game|paste an SGF"):
        parse_record(rules, text)


@pytest.mark.parametrize(
    "position",
    [
        Position.start(Clobber(3, 3)),
        Position.start(Clobber(3, 3)).play("a3b3").play("c2c3"),
        Position.parse(Clobber(2, 3), "xo.|oxo", "white").play("b2a2"),
        Position.start(Gobang(3, 3, 3)).play("a1"),
    ],
)
def test_a_game_as_text_and_back(rules, position):
    loaded = parse_record(rules, text_of(position))
    assert loaded.position() == position
    assert loaded.actions == position.actions
    assert parse_record(rules, sgf_of(position, ("", ""), "")).position() == position


@pytest.mark.parametrize(
    "text",
    [
        *("chess", "clobber 3x3\na3a9", "clobber 3x3\nfrom xo|q", "clobber 99x99"),
        *("clobber 3x3\nfrom", "../../x.py 3x3\n", "clobber 3x3 variant=odd"),
    ],
)
def test_bad_texts_get_a_sentence(rules, text):
    with pytest.raises(UsageError):
        parse_record(rules, text)


def test_long_files_are_not_read(rules):
    path = save_game(rules, "long", Position.start(Clobber(2, 2)), ("", ""), "")
    path.write_bytes(b" " * 10**6)
    with pytest.raises(UsageError, match="too long"):
        load_game(rules, "long")
