"""Commands with games of OpenSpiel, named openspiel:NAME."""

import json
import sys

import pytest

from zerolab.interfaces.cli import main

pytest.importorskip("pyspiel")

GAME = "openspiel:tic_tac_toe"
SMALL = ["max_simulations=4", "replay_buffer_size=32", "train_batch_size=16", "actors=1"]


def run_json(capsys, *arguments):
    main([*map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


def refuse(capsys, *arguments):
    """The one sentence that a command ends with."""
    with pytest.raises(SystemExit) as stop:
        main([*map(str, arguments)])
    assert stop.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    return next(line for line in lines if line.startswith("zerolab: "))


def test_match(capsys):
    match = ("match", "openspiel:breakthrough(rows=5,columns=4)", "--games", "20")
    result = run_json(capsys, *match, "--black", "mcts:50", "--white", "random")
    assert result["game"] == "openspiel:breakthrough(columns=4,rows=5)"
    assert result["games"] == 20
    assert result["black_wins"] >= 17


def test_perft_and_solve(capsys):
    assert run_json(capsys, "perft", GAME, "--depth", "4")["counts"] == [9, 72, 504, 3024]
    found = run_json(capsys, "solve", GAME, "--position", "x(0,0) o(1,0) x(0,1) o(1,1)", "--moves")
    assert (found["winner"], found["line"]) == ("black", ["x(0,2)"])
    assert found["moves"] == {
        **{"x(0,2)": 1, "x(1,2)": 0},
        **dict.fromkeys(("x(2,0)", "x(2,1)", "x(2,2)"), -1),
    }
    assert found["position"] == "x(0,0) o(1,0) x(0,1) o(1,1)"


def test_analyze(capsys):
    position = ("--position", "x(0,0) o(1,0) x(0,1) o(1,1)", "--player", "mcts:500")
    found = run_json(capsys, "analyze", GAME, *position)
    best = found["candidates"][0]
    assert (best["move"], best["line"], best["value"]) == ("x(0,2)", ["x(0,2)"], 1.0)
    main(["analyze", GAME, *position])
    assert capsys.readouterr().out.startswith("xx.\noo.\n...\n")


def test_tournament(capsys):
    players = ("--players", "random", "mcts:30", "mc:3")
    result = run_json(capsys, "tournament", GAME, *players, "--rounds", "2")
    assert (result["game"], result["games"], result["failed"]) == (GAME, 12, [])
    assert result["ratings"][-1]["player"] == "random"


def test_play(capsys, monkeypatch):
    """Moves as OpenSpiel writes them, whatever the capitals, or as numbers."""
    typed = iter(["X(1,1)", "0", "moves", "quit"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    main(["play", GAME, "--black", "human", "--white", "human"])
    printed = capsys.readouterr().out
    assert "o..\n.x.\n..." in printed
    assert "x(0,1) x(0,2) x(1,0)" in printed


def test_capitals_that_count(capsys, monkeypatch):
    """On c5 the pawn from b4 may take, and the bishop from e3."""
    typed = iter(["d3", "c5", "be3", "h6", "b4", "h5", "Bxc5", "quit"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    main(["play", "openspiel:chess", "--black", "human", "--white", "human"])
    assert "rnbqkbnr/pp1pppp1/8/2B4p/1P6/3P4/P1P1PPPP/RN1QKBNR b" in capsys.readouterr().out


def test_train(capsys, tmp_path):
    run = ("--run", tmp_path / "run", "--games", "0", "--set", *SMALL)
    trained = run_json(capsys, "train", GAME, "--steps", "2", *run)
    assert trained["game"] == GAME
    resumed = run_json(capsys, "train", GAME, "--steps", "3", "--resume", *run[:4])
    assert resumed["game"] == GAME
    match = ("--black", f"az:{tmp_path / 'run'}@8", "--white", "random", "--games", "6")
    assert run_json(capsys, "match", GAME, *match)["games"] == 6
    sentence = refuse(capsys, "match", "openspiel:connect_four", *match)
    assert "this is a network for openspiel:tic_tac_toe, not for openspiel:connect_four" in sentence


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("openspiel:clober",), "OpenSpiel has no game 'clober'; expected a name such as clobber"),
        (("openspiel:kuhn_poker",), "'kuhn_poker' of OpenSpiel has chance"),
        (("openspiel:hex", "--size", "3x3"), "belong to its name"),
        (("clobbr",), "or openspiel:NAME"),
    ],
)
def test_bad_names(capsys, arguments, message):
    assert message in refuse(capsys, "perft", *arguments)


def test_games_are_not_written_as_sgf(capsys, tmp_path):
    players = ("--black", "random", "--white", "random", "--games", "2")
    sentence = refuse(capsys, "match", GAME, *players, "--save", tmp_path / "games.sgf")
    assert "of OpenSpiel, are not written as SGF" in sentence


def test_without_open_spiel(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    sentence = refuse(capsys, "perft", "openspiel:hex(board_size=2)")
    assert "this needs pyspiel; install it with pip install 'zerolab[adapters]'" in sentence
