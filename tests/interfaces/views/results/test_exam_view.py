"""`zerolab exam` as programs and people meet it."""

import json
from xml.etree import ElementTree

import pytest

from tests.evaluation.players.closing import counted
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.results import exam_view

TINY = ("exam", "clobber", "--size", "3x4", "--positions", "20", "--games", "4")


def run_json(capsys, *arguments):
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def complaint(capsys, *arguments):
    with pytest.raises(SystemExit) as exit:
        main(list(arguments))
    assert exit.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    return " ".join(printed.err.replace("│", " ").split())


def test_an_exam(capsys, tmp_path):
    plot = tmp_path / "exam.svg"
    arguments = (*TINY, "--players", "random", "mcts:50", "solver", "--plot", str(plot))
    result = run_json(capsys, *arguments)
    assert result["game"] == "clobber 3x4"
    assert result["positions"] == {"critical": 20, "balanced": 20, "skipped": 0}
    players = {each["player"]: each for each in result["players"]}
    assert list(players) == ["random", "mcts:50", "solver"]
    best, worst = players["solver"], players["random"]
    assert best["random"]["share"] == 1 == best["self_play"]["critical"]["share"]
    assert best["self_play"]["regret"] == 0 < worst["self_play"]["regret"]
    assert worst["random"]["share"] < 1
    for each in players.values():
        played = each["self_play"]
        assert (played["games"], played["skipped"]) == (4, 0)
        parts = [stage["regret"] for stage in played["stages"].values()]
        assert sum(parts) == pytest.approx(played["regret"])
        stages = each["random"]["stages"].values()
        assert sum(stage["positions"] for stage in stages) == 20
    assert set(players["mcts:50"]["values"]) == {"search"}
    assert best["values"] == {} == worst["values"]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    picture = plot.read_bytes()
    assert run_json(capsys, *arguments)["players"] == result["players"]
    assert plot.read_bytes() == picture


def test_players_that_are_only_checked_are_closed(monkeypatch):
    made = []
    monkeypatch.setattr(exam_view, "make_player", counted(made))
    main([*TINY, "--players", "first", "random"])
    assert [(player.name, player.closed) for player in made] == [("first", 1), ("random", 1)]


def test_tables_for_people(capsys):
    main([*TINY, "--players", "random", "mcts:50"])
    printed = capsys.readouterr().out
    assert "clobber 3x4: moves that keep the value in 20 critical positions" in printed
    assert "4 games against itself: moves that keep the value" in printed
    assert "regret per game" in printed
    assert "to turn a win into a loss costs 2" in " ".join(printed.split())
    assert "Regret per game, by stage" in printed
    assert "Values of the right sign in 20 positions" in printed
    assert "skipped" not in printed


def test_one_game_has_no_error(capsys):
    main(["exam", "clobber", "--size", "1x2", "--players", "first", "--games", "1"])
    assert "no position with moves that keep the value" in capsys.readouterr().out
    result = run_json(capsys, "exam", "clobber", "--size", "1x2", "--players", "first", *TINY[-2:])
    (player,) = result["players"]
    assert player["random"] is None
    assert player["self_play"]["critical"] == {"share": None, "error": None, "positions": 0}


def test_hard_positions_are_counted(capsys):
    arguments = ("exam", "clobber", "--size", "4x5", "--positions", "10", "--games", "2")
    main([*arguments, "--nodes", "1", "--players", "first"])
    printed = capsys.readouterr().out
    assert "skipped, as 1 nodes did not settle them" in printed


def test_boards_out_of_reach(capsys):
    arguments = ("exam", "gobang", "--size", "15x15", "--nodes", "1", "--positions", "2")
    printed = complaint(capsys, *arguments, "--players", "first", "--games", "1")
    assert "positions of gobang 15x15" in printed
    assert "choose a smaller board or more --nodes" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no player is named; name --players"),
        (("--players", "first", "first"), "'first' is named twice"),
        (("--players", "nobody"), "'nobody' is not a player"),
        (("--players", "human"), "human plays only in zerolab play"),
        (("--players", "first", "--games", "0"), "'0' is not possible"),
        (("--players", "first", "--positions", "0"), "'0' is not possible"),
        (("--players", "first", "--nodes", "0"), "'0' is not possible"),
        (("--players", "first", "--plot", "a.gif"), "ends in .png, .svg or .pdf"),
        (("--players", "az:nowhere@10"), "there is no network 'nowhere'"),
    ],
)
def test_wrong_arguments(capsys, arguments, words):
    assert words in complaint(capsys, *TINY, *arguments)


def test_games_for_one(capsys):
    printed = complaint(capsys, "exam", "solitaire", "--size", "3x3", "--players", "first")
    assert "two-player games" in printed
