"""`zerolab tournament` and `zerolab match --pairs` as programs and people meet them."""

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.evaluation.guests import guests  # noqa: F401
from zerolab.evaluation.matches import threads
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.ratings.bayesian_elo import rate
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.games.playing.score import Score
from zerolab.interfaces.cli import main
from zerolab.interfaces.plots.tournament_plots import plot_standings
from zerolab.interfaces.views.results import tournament_view
from zerolab.interfaces.views.results.tournament_view import Standings, short_time
from zerolab.records.record_files import games_in

pytestmark = pytest.mark.usefixtures("guests")

TINY = ("tournament", "clobber", "--size", "3x4", "--players", "random", "first", "mcts:30")
TINY += ("--rounds", "3")
PAIRS = ("match", "clobber", "--size", "4x4", "--black", "mcts:100", "--white", "random")


def run_json(capsys, *arguments):
    """The one JSON object on standard output."""
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def complaint(capsys, *arguments):
    """The one sentence on standard error, with exit code 2."""
    with pytest.raises(SystemExit) as exit:
        main(list(arguments))
    assert exit.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    return printed.err


@pytest.mark.parametrize(
    ("score", "text"),
    [(Score(1, 0, 0), "100"), (Score(1, 0, 1), " 50"), (Score(), ""), (None, "")],
)
def test_scores_in_percent(score, text):
    assert tournament_view._percent(score) == text


def test_a_tournament(capsys, tmp_path):
    path, plot = tmp_path / "games.jsonl", tmp_path / "elo.svg"
    files = ("--results", str(path), "--plot", str(plot))
    result = run_json(capsys, *TINY, *files, "--anchor", "random")
    assert (result["games"], result["complete"], result["failed"]) == (18, True, [])
    ratings = {each["player"]: each for each in result["ratings"]}
    assert ratings["mcts:30"]["elo"] > ratings["random"]["elo"] == 0
    for each in ratings.values():
        assert each["games"] == 12
        assert each["interval"][0] <= each["elo"] <= each["interval"][1]
        assert each["flags"] == ["few games"] or "one-sided" in each["flags"]
        assert each["seconds_per_move"] > 0
    assert len(result["cross_table"]) == 6
    for cell in result["cross_table"]:
        assert cell["games"] == 6 == cell["wins"] + cell["draws"] + cell["losses"]
        assert cell["interval"][0] <= cell["score"] <= cell["interval"][1]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    assert len(read_results(path)[1]) == 18
    before = path.read_bytes()
    again = run_json(capsys, *TINY, *files, "--anchor", "random")
    assert again["ratings"] == result["ratings"]
    assert path.read_bytes() == before


def test_a_gauntlet(capsys):
    result = run_json(capsys, *TINY, "--gauntlet")
    assert result["games"] == 12
    assert {cell["player"] for cell in result["cross_table"] if cell["opponent"] == "first"} == {
        "random"
    }


def test_tables_for_people(capsys):
    main(list(TINY))
    printed = capsys.readouterr().out
    assert "clobber 3x4: 18 games" in printed
    assert "95 % interval" in printed
    assert "few games" in printed
    main([*TINY[:4], "--players", "random", "first", *(f"mc:{n}" for n in range(1, 6)), *TINY[-2:]])
    assert "of the 21 pairings" in capsys.readouterr().out


def test_engines_that_fail_are_told(capsys):
    arguments = ("tournament", "clobber", "--size", "4x4", "--rounds", "5", "--players")
    main([*arguments, "weak", "random", "--json"])
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    failed = len(result["failed"])
    assert 0 < failed < 10
    assert result["games"] == 10 - failed
    assert f"{failed} games broke off" in printed.err
    assert f"{failed} x weak: it died" in printed.err
    assert result["failed"][0]["reason"] == "weak: it died"
    assert "no game was finished" in complaint(capsys, *arguments, "cheat", "random")


def test_who_chose_no_move_took_no_time(capsys, tmp_path):
    """In a game that is over before the second player's turn."""
    plot = tmp_path / "elo.svg"
    board = ("clobber", "--size", "1x2", "--opening", "0")
    arguments = ("tournament", *board, "--players", "random", "first", "--gauntlet")
    both = run_json(capsys, *arguments, "--rounds", "1", "--plot", str(plot))
    assert all(each["seconds_per_move"] > 0 for each in both["ratings"])
    over = (
        "tournament",
        "clobber",
        "--size",
        "1x3",
        "--options",
        "start=x.x",
        "--opening",
        "0",
        "--rounds",
        "1",
    )
    over += ("--players", "random", "first", "--plot", str(plot))
    result = run_json(capsys, *over)
    assert [each["seconds_per_move"] for each in result["ratings"]] == [None, None]
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    main(list(over))
    assert " - " in capsys.readouterr().out


def test_who_chose_no_move_is_left_out_of_the_graph(tmp_path):
    meetings = [Meeting("a", "b", Score(3, 0, 1)), Meeting("b", "c", Score(2, 0, 1))]
    standings = Standings("some", rate(meetings), {}, {"a": 0.1, "c": 0.2})
    plot_standings(standings, tmp_path / "elo.svg")
    drawn = (tmp_path / "elo.svg").read_text("utf-8")
    assert drawn.count("<!-- a -->") > drawn.count("<!-- b -->")


def test_other_games_of_a_file_are_told(capsys, tmp_path):
    path = str(tmp_path / "games.jsonl")
    run_json(capsys, *TINY, "--results", path)
    for arguments, games in ((("--rounds", "1"), 6), (("--gauntlet",), 12)):
        main([*TINY, "--results", path, *arguments, "--json"])
        printed = capsys.readouterr()
        result = json.loads(printed.out)
        assert (result["games"], result["other_games"]) == (games, 18 - games)
        assert f"{18 - games} other games in" in printed.err
    assert run_json(capsys, *TINY, "--results", path)["other_games"] == 0


def test_how_likely_each_is_stronger(capsys):
    result = run_json(capsys, *TINY)
    superiority = result["superiority"]
    for one, row in superiority.items():
        assert set(row) == {"random", "first", "mcts:30"} - {one}
        for other, share in row.items():
            assert share + superiority[other][one] == pytest.approx(1)
    elo = {each["player"]: each["elo"] for each in result["ratings"]}
    assert (superiority["mcts:30"]["random"] > 0.5) == (elo["mcts:30"] > elo["random"])
    main(list(TINY))
    assert "stronger" in capsys.readouterr().out


def test_openings_that_repeat_are_told(capsys):
    board = ("clobber", "--size", "1x5", "--opening", "1")
    main(["tournament", *board, "--players", "random", "first", "--rounds", "30", "--json"])
    assert "the board has only" in capsys.readouterr().err
    main(["match", *board, "--pairs", "30", "--json"])
    assert "the board has only" in capsys.readouterr().err
    main([*PAIRS, "--pairs", "30", "--json"])
    assert "the board has only" not in capsys.readouterr().err


def test_doubts_of_the_solver_are_told(capsys):
    board = ("clobber", "--size", "5x6")
    main(["tournament", *board, "--players", "solver:1", "random", "--rounds", "1", "--json"])
    assert "solver:1 did not solve" in capsys.readouterr().err
    for count in ("--pairs", "--games"):
        main(["match", *board, "--black", "random", "--white", "solver:1", count, "1", "--json"])
        assert "solver:1 did not solve" in capsys.readouterr().err


def test_a_match_that_is_given_up_tells_what_was_played(capsys, monkeypatch):
    monkeypatch.setattr(threads, "MOST_FAILURES", 2)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # several might fail before a game is played
    for arguments in (("--pairs", "50"), ("--games", "50")):
        main(["match", "clobber", "--size", "4x4", "--black", "weak", *arguments, "--json"])
        printed = capsys.readouterr()
        assert 0 < json.loads(printed.out)["games"] < 50
        assert "weak: given up after" in printed.err
        assert "stopped after" in printed.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "random"), "a tournament needs two players or more"),
        (("--players",), "a tournament needs two players or more"),
        (("--players", "random", "random"), "'random' is named twice"),
        (("--players", "random", "nobody"), "'nobody' is not a player"),
        (("--players", "random", "elsewhere"), "knows chess only"),
        (("--players", "random", "human"), "human plays only in zerolab play"),
        (("--players", "random", "first", "--rounds", "0"), "'0' is not possible"),
        (("--players", "random", "first", "--opening", "-1"), "'-1' is not possible"),
        (("--players", "random", "first", "--anchor", "mc:1"), "the anchor 'mc:1' does not play"),
        (("--players", "random", "first", "--plot", "elo.txt"), "'elo.txt' cannot be drawn"),
        (("--players", "random", "first", "--results", "/nowhere/x"), "cannot be written"),
        (("--players", "random", "first", "--results", "/"), "cannot be written"),
    ],
)
def test_a_wrong_argument_is_a_sentence(capsys, arguments, words):
    printed = complaint(capsys, "tournament", "clobber", "--size", "3x3", *arguments)
    assert words in " ".join(printed.replace("│", " ").split())


def test_a_puzzle_has_no_tournament(capsys):
    arguments = ("tournament", "solitaire", "--players", "random", "first")
    assert "two-player game" in complaint(capsys, *arguments)


def test_a_file_of_another_tournament_is_left_alone(capsys, tmp_path):
    path = tmp_path / "games.jsonl"
    run_json(capsys, *TINY, "--results", str(path))
    before = path.read_bytes()
    printed = complaint(capsys, *TINY, "--results", str(path), "--seed", "5")
    assert "holds a tournament with seed 0, not 5" in printed
    assert path.read_bytes() == before


def test_a_match_in_pairs(capsys):
    result = run_json(capsys, *PAIRS, "--pairs", "30", "--seed", "2")
    assert result["games"] == 60 == result["black_wins"] + result["white_wins"] + result["draws"]
    assert result["games"] == result["wins"] + result["losses"] + result["draws"]
    assert result["wins"] > 40  # with either colour
    assert result["mean_plies"] > 2
    low, high = result["elo_interval"]
    assert 0 < low < result["elo"] < high
    assert result["elo_error"] > 0
    assert result["sprt"] is None
    assert 0.9 < result["superiority"] <= 1
    assert run_json(capsys, *PAIRS, "--pairs", "30", "--seed", "2") | {"seconds": 0} == result | {
        "seconds": 0
    }


def test_a_test_ends_a_match_early_and_says_so(capsys):
    result = run_json(capsys, *PAIRS, "--pairs", "1000", "--sprt", "0", "100")
    assert result["sprt"]["verdict"] == "H1"
    assert result["games"] < 400
    assert result["sprt"]["llr"] >= result["sprt"]["bounds"][1]
    main([*PAIRS, "--pairs", "1000", "--sprt", "0", "100"])
    printed = capsys.readouterr().out
    assert f"H1 accepted after {result['games']} games" in printed
    assert "mcts:100 leads by +" in printed
    assert "% probability" in " ".join(printed.split())
    main([*PAIRS, "--pairs", "2", "--sprt", "-5", "5", "--opening", "0"])
    assert "undecided between a lead of -5 and of +5 Elo" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pairs", "3", "--games", "6"), "leave out --games"),
        (("--sprt", "0", "10"), "needs --pairs N"),
        (("--opening", "100"), "every game is over after an opening of 100 moves"),
        (("--pairs", "3", "--sprt", "10", "0"), "elo0 must be below elo1"),
        (("--pairs", "3", "--sprt", "nan", "0"), "elo0 must be below elo1"),
        (("--pairs", "3", "--sprt", "0", "20000"), "both from -2000 to 2000"),
        (("--pairs", "3", "--opening", "100"), "every game is over after an opening of 100 moves"),
        (("--pairs", "0"), "'0' is not possible"),
        (("--pairs", "3", "--white", "elsewhere"), "knows chess only"),
    ],
)
def test_wrong_arguments_of_pairs(capsys, arguments, words):
    printed = complaint(capsys, *PAIRS, *arguments)
    assert words in " ".join(printed.replace("│", " ").split())


def saved_moves(path):
    """Names, moves and result of each game in a file."""
    return [
        (*each.names, " ".join(each.position().moves), each.result) for each in games_in(Path(path))
    ]


def test_a_tournament_is_saved_with_the_games_that_were_played_before(capsys, tmp_path):
    results, save = str(tmp_path / "games.jsonl"), str(tmp_path / "games.sgf")
    run_json(capsys, *TINY[:-1], "2", "--results", results)
    result = run_json(capsys, *TINY, "--results", results, "--save", save)
    assert result["saved"] == save
    played = sorted(read_results(Path(results))[1], key=lambda each: each[:3])
    assert saved_moves(save) == [
        (each.first, each.second, f"{each.opening} {each.moves}", each.result) for each in played
    ]
    assert len(played) == 18


@pytest.mark.parametrize("opponent", ["random", "plain"])
def test_games_of_a_match_are_saved(capsys, tmp_path, opponent):
    """Compiled players play the same games whether or not they are saved."""
    save = str(tmp_path / "games.sgfl.xz")
    match = (*PAIRS, "--white", opponent, "--games", "12", "--seed", "3")
    plain = run_json(capsys, *match)
    result = run_json(capsys, *match, "--save", save)
    changed = {"seconds", "saved"}
    assert {key for key in plain if plain[key] != result[key]} <= changed
    assert (plain["saved"], result["saved"]) == (None, save)
    games = saved_moves(save)
    assert [each[:2] for each in games] == [("mcts:100", opponent)] * 12
    assert sum(each[3] == 1 for each in games) == result["black_wins"]
    assert sum(len(each[2].split()) for each in games) == 12 * result["mean_plies"]
    main([*match, "--save", save])
    said = "".join(capsys.readouterr().err.split())  # a long path is broken over lines
    assert f"12gameswrittento{save}" in said


def test_games_of_pairs_are_saved(capsys, tmp_path):
    save = str(tmp_path / "games.sgfl")
    result = run_json(capsys, *PAIRS, "--pairs", "4", "--opening", "3", "--save", save)
    games = saved_moves(save)
    assert result["saved"] == save
    assert [each[0] for each in games] == ["mcts:100", "random"] * 4
    assert [each[1] for each in games] == ["random", "mcts:100"] * 4
    openings = [each[2].split()[:3] for each in games]
    assert openings[::2] == openings[1::2]
    assert sum(each[3] == 1 for each in games) == result["black_wins"]


def test_a_match_with_openings_plays_each_once(capsys, tmp_path):
    save = str(tmp_path / "games.sgf")
    match = (*PAIRS[:4], "--black", "first", "--white", "first", "--opening", "2")
    result = run_json(capsys, *match, "--games", "9", "--save", save)
    assert (result["games"], result["opening"]) == (9, 2)
    games = saved_moves(save)
    assert len({each[2] for each in games}) == 9
    unsaved = run_json(capsys, *match, "--games", "9")
    assert unsaved["black_wins"] == sum(each[3] == 1 for each in games)


def test_nothing_is_saved_if_no_game_was_finished(capsys, tmp_path):
    save = tmp_path / "games.sgf"
    complaint(capsys, *PAIRS, "--white", "dead", "--games", "2", "--save", str(save))
    assert not save.exists()


@pytest.mark.parametrize("mode", [("--games", "2"), ("--pairs", "2")])
def test_where_games_cannot_be_written_none_are_played(capsys, tmp_path, monkeypatch, mode):
    monkeypatch.setattr(threads, "play_chunk", None)
    printed = complaint(capsys, *PAIRS, *mode, "--save", str(tmp_path / "games.txt"))
    assert "is not a name for games; expected one that ends in .sgf" in " ".join(
        printed.replace("│", " ").split()
    )
    complaint(capsys, *TINY, "--save", str(tmp_path / "no" / "games.sgf"))


@pytest.mark.parametrize(("seconds", "text"), [(2, "2 s"), (0.0034, "3.4 ms"), (2e-5, "20 us")])
def test_times_in_words(seconds, text):
    assert short_time(seconds) == text
