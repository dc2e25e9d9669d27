"""What people have open survives the server."""

import json
import os

import pytest

from tests.interfaces.web.by_hand import HandPool
from tests.interfaces.web.desks.test_play_table import TOE, reply
from tests.interfaces.web.desks.test_replay_desk import run_with_games
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.interfaces.web.desks import desk_files
from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk, Wishes
from zerolab.interfaces.web.desks.desk_files import FOLDER
from zerolab.interfaces.web.desks.learn_room import LearnRoom
from zerolab.interfaces.web.desks.play_table import PlayTable
from zerolab.interfaces.web.desks.replay_desk import ReplayDesk
from zerolab.interfaces.web.game_shelf import parse_record
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.workers.search_tasks import Judging, Reply


@pytest.fixture
def rules(tmp_path):
    return Rules(tmp_path)


def kept(rules, desk):
    """Keep a desk in a site as pages do."""
    site = Site(rules, HandPool())
    return site, site.keep(desk)


def after_restart(rules, site, key, kind):
    """The same address on a new server."""
    site.close()
    return Site(rules, HandPool()).find(key, kind)


@pytest.fixture(autouse=True)
def close_hand_pools(monkeypatch):
    monkeypatch.setattr(HandPool, "close", lambda self: None, raising=False)


def new_table(rules):
    return PlayTable(rules, HandPool())


def test_a_game_goes_on(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE)
    table.play("b2")
    reply(table, "a3")
    table.play("c1")
    table.set_evaluates(False)
    table.show_ply(1)
    again = after_restart(rules, site, key, PlayTable)
    assert again.session.position.moves == ("b2", "a3", "c1")
    assert (again.choice, again.evaluates, again.ply) == (TOE, False, 1)
    assert (again.saved, again.player_names()) == (table.saved, ("You", "random"))
    assert not again.pool.open(Reply)  # until somebody looks
    again.come_back()
    reply(again, "a1")
    assert again.session.position.moves[-1] == "a1"
    again.undo()
    assert again.session.position.moves == ("b2", "a3")


def test_a_game_that_was_given_up_is_over(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE._replace(side="white"))
    reply(table, "b2")
    table.resign()
    again = after_restart(rules, site, key, PlayTable)
    assert (again.is_over, again.session.result) == (True, "black wins")
    again.come_back()
    assert again.pool.open(Judging)
    assert not again.pool.open(Reply)


def test_sides_that_were_swapped_stay_so(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE)
    table.play("b2")
    table.swap()
    again = after_restart(rules, site, key, PlayTable)
    assert again.player_names() == ("random", "You")
    assert again.can_move


def test_a_game_of_others_keeps_their_names_and_what_was_played_on(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    text = "(;FF[4]ZL[gobang][rows=3][cols=3][k=3]PB[Ann]PW[Bob];B[bb];W[aa])"
    table.load(parse_record(rules, text))
    table.show_ply(99)
    table.play("c1")
    again = after_restart(rules, site, key, PlayTable)
    assert again.player_names() == ("Ann", "Bob")
    assert len(again.positions) == 4
    again.undo()
    assert len(again.positions) == 3
    again.undo()
    assert again.error == "there is nothing to take back"


def test_a_recorded_result_stays(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    record = parse_record(rules, "clobber 2x3\na2a1 b2b1")
    table.load(record._replace(result=-1.0))
    again = after_restart(rules, site, key, PlayTable)
    assert (again.session.result, again.ply) == ("white wins", 0)


def test_a_random_start_is_the_same_start(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE._replace(game="clobber", size="4x4", options="start=random", side="both"))
    again = after_restart(rules, site, key, PlayTable)
    assert again.position == table.position


def test_an_analysis_goes_on(rules):
    desk = AnalysisDesk(rules, HandPool())
    site, key = kept(rules, desk)
    desk.set_text("xoxo|ox..", "white")
    desk.play(desk.position.legal_moves[0])
    desk.wish(Wishes("mcts:1000", "", False))
    desk.set_editing(True)
    again = after_restart(rules, site, key, AnalysisDesk)
    assert again.position == desk.position
    assert again.position.previous == desk.position.previous
    assert (again.wishes, again.editing, again.game_name) == (desk.wishes, True, "clobber")
    assert not again.pool.jobs


def test_a_position_of_a_game_is_kept_before_anybody_looks(rules):
    desk = AnalysisDesk(rules, HandPool())
    site, key = kept(rules, desk)
    desk.look_at(Position.start(Clobber(2, 3)))
    assert after_restart(rules, site, key, AnalysisDesk).position.text == "xox|oxo"


def test_a_replay_shows_the_same_game(rules, tmp_path):
    run_with_games(tmp_path, steps=(1, 2, 2, 3))
    desk = ReplayDesk(rules, HandPool(), "demo")
    site, key = kept(rules, desk)
    desk.choose(2)
    desk.choose_network("1")
    desk.show_ply(1)
    again = after_restart(rules, site, key, ReplayDesk)
    assert (again.number, again.network, again.ply) == (2, "1", 1)
    (tmp_path / "demo" / "games.jsonl").unlink()
    with pytest.raises(UsageError, match="cannot be shown again: 'demo' has kept no games yet"):
        Site(rules, HandPool()).find(key, ReplayDesk)


def test_lessons_go_on(rules):
    room = LearnRoom(rules, HandPool())
    site, key = kept(rules, room)
    room.desks["values"].set_text("xxo", "black")
    again = after_restart(rules, site, key, LearnRoom)
    assert again.desks["values"].position.text == "xxo"
    assert again.desks["search"].wishes == room.desks["search"].wishes
    assert not list(room.desks["values"].watchers)
    again.desks["rules"].play(again.desks["rules"].position.legal_moves[0])  # and are kept


def test_what_nobody_has_changed_takes_no_file(rules, tmp_path):
    site, key = kept(rules, new_table(rules))
    assert after_restart(rules, site, key, PlayTable) is None
    assert not (tmp_path / FOLDER).exists()


def test_an_address_of_another_page_is_none(rules):
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE)
    assert site.find(key, AnalysisDesk) is None
    assert after_restart(rules, site, key, AnalysisDesk) is None


@pytest.mark.parametrize(
    "key",
    [
        "",
        "x",
        "../x",
        "../../etc",
        "..%2f..%2fa",
        "a/b/c/d/",
        "a" * 9,
        "a\0bcdefg",
        "äbcdefgh",
        "\ud800",
    ],
)
def test_no_other_file_is_read(rules, tmp_path, key):
    for name in ("passwd", "x.json", "a.json"):
        (tmp_path / name).write_text("{}")
    assert Site(rules, HandPool()).find(key, PlayTable) is None


def test_a_link_that_leads_outside_is_not_followed(rules, tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "file.json"
    outside.write_text("{}")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "abcdefgh.json").symlink_to(outside)
    site = Site(rules, HandPool())
    assert site.find("abcdefgh", PlayTable) is None
    (tmp_path / FOLDER / "abcdefgh.json").unlink()
    (tmp_path / FOLDER).rmdir()
    (tmp_path / FOLDER).symlink_to(outside.parent)  # nor is anything written there
    table = new_table(rules)
    key = site.keep(table)
    table.begin(TOE)
    site.close()
    assert list(outside.parent.iterdir()) == [outside]
    assert Site(rules, HandPool()).find(key, PlayTable) is None


def fields_of(rules):
    table = new_table(rules)
    table.begin(TOE)
    table.play("b2")
    return {"format": 1, "kind": "play", **table.snapshot()()}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": 2}, "another version"),
        ({"choice": ["chess", "", "", "random", "black"]}, "damaged"),
        ({"choice": ["tic-tac-toe", "", "", "random", "nobody"]}, "damaged"),
        ({"choice": ["tic-tac-toe"]}, "damaged"),
        ({"choice": ["tic-tac-toe", "", "", "uci:sh", "black"]}, "--allow-engines"),
        ({"choice": ["tic-tac-toe", "", "", "az:gone@10", "black"]}, "gone"),
        ({"game": "evil.py 3x3"}, "not a game"),
        ({"game": "tic-tac-toe 3x3\nb2 b2"}, "not legal"),
        ({"game": "clobber 3x3\n" + "b2 " * 9000}, "too long"),
        ({"game": "go 19x19" + " " * 300_000}, "file is too long"),
        ({"begun": 99}, "damaged"),
        ({"begun": "x"}, "damaged"),
        ({"names": ["one"]}, "damaged"),
        ({"shown": "x"}, "damaged"),
    ],
)
def test_damaged_files_get_a_sentence(rules, tmp_path, changes, sentence):
    (tmp_path / FOLDER).mkdir()
    path = tmp_path / FOLDER / "abcdefgh.json"
    path.write_text(json.dumps(fields_of(rules) | changes))
    with pytest.raises(UsageError, match=f"cannot be shown again: .*{sentence}"):
        Site(rules, HandPool()).find("abcdefgh", PlayTable)
    assert path.exists()


def test_no_json_gets_a_sentence(rules, tmp_path):
    (tmp_path / FOLDER).mkdir()
    for text in ("", "{", "[]", "5", '"x"', '{"format": 1}', "\0" * 50, "[" * 100_000):
        (tmp_path / FOLDER / "abcdefgh.json").write_text(text)
        with pytest.raises(UsageError, match="its file is damaged"):
            Site(rules, HandPool()).find("abcdefgh", PlayTable)


def test_a_strange_name_of_the_saved_game_is_forgotten(rules, tmp_path):
    (tmp_path / FOLDER).mkdir()
    path = tmp_path / FOLDER / "abcdefgh.json"
    path.write_text(json.dumps(fields_of(rules) | {"saved": "../../x", "shown": -7}))
    table = Site(rules, HandPool()).find("abcdefgh", PlayTable)
    assert (table.saved, table.ply) == ("", 0)


def test_only_the_newest_files_stay(rules, tmp_path, monkeypatch):
    monkeypatch.setattr(desk_files, "MOST", 3)
    (tmp_path / FOLDER).mkdir()
    for number in range(5):
        path = tmp_path / FOLDER / f"abcdefg{number}.json"
        path.write_text("{}")
        os.utime(path, (number, number))
    Site(rules, HandPool()).close()
    assert sorted(path.stem[-1] for path in (tmp_path / FOLDER).iterdir()) == ["2", "3", "4"]


def test_a_disk_that_is_full_ends_no_game(rules, tmp_path):
    (tmp_path / FOLDER).touch()  # where the folder should be
    table = new_table(rules)
    site, key = kept(rules, table)
    table.begin(TOE)
    table.play("b2")
    assert after_restart(rules, site, key, PlayTable) is None
