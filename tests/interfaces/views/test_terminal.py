"""A game at the terminal, with what a person types."""

import json
import sys

import pytest

from tests.evaluation.engines import fake_gtp
from zerolab.games.clobber import Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import parse_position
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.terminal import draw_board
from zerolab.records.record_files import games_in


@pytest.fixture
def play(monkeypatch, capsys):
    """Run zerolab play with these lines typed; return the result and what was shown."""

    def run(lines, *arguments):
        typed = iter(lines)

        def answer():
            try:
                return next(typed)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        main(["play", *arguments, "--json"])
        captured = capsys.readouterr()
        return json.loads(captured.out), captured.err

    return run


TWO = ("clobber", "--size", "2x2", "--black", "human", "--white", "human")


def test_a_whole_game(play):
    # xo    .x     .x      ..
    # ox -> ox ->  .o  ->  .x
    result, shown = play(["a2b2", "a1b1", "b2b1"], *TWO)
    assert result["moves"] == ["a2b2", "a1b1", "b2b1"]
    assert result["result"] == "black wins"
    assert result["position"] == "..|.x"
    assert "the game is over after 3 moves" in shown


def test_undo_goes_back_over_the_reply(play):
    result, _ = play(
        ["undo", "a2b2", "undo", "a2a1", "quit"],
        *("clobber", "--size", "2x2", "--white", "first"),
    )
    assert result["moves"][0] == "a2a1"
    assert len(result["moves"]) == 2


def test_a_game_is_saved(play, tmp_path):
    path = tmp_path / "game.sgf"
    _, shown = play(["a2b2", "a1b1", "b2b1"], *TWO, "--save", str(path))
    (recorded,) = games_in(path)
    assert recorded.position().moves == ("a2b2", "a1b1", "b2b1")
    assert (recorded.names, recorded.result) == (("human", "human"), 1.0)
    assert f"written to {path}" in " ".join(shown.split())


def test_resign(play):
    result, shown = play(["a2b2", "resign"], *TWO)
    assert result["result"] == "black wins"
    assert "white resigns" in shown


def test_an_engine_resigns(play):
    engine = f"gtp:{sys.executable} {fake_gtp.__file__} clobber resign"
    result, shown = play(["a2b2"], *TWO[:-1], engine)
    assert (result["result"], result["moves"]) == ("black wins", ["a2b2"])
    assert "white resigns" in shown
    assert "the game is over after 1 move: black wins" in shown


def test_mistakes_are_explained_and_the_game_goes_on(play):
    result, shown = play(["", "z9", "a2", "a2a2", "help", "moves", "board", "a2b2"], *TWO)
    assert result["moves"] == ["a2b2"]
    assert result["result"] == "unfinished"  # the input ended
    assert "is not a move" in shown
    assert "a2a1 a2b2 b1b2 b1a1" in shown


def test_programs_can_be_watched(play):
    result, shown = play([], "othello", "--size", "4x4", "--black", "mc:5", "--white", "random")
    assert result["result"] in ("black wins", "white wins", "a draw")
    assert shown.count("black plays") >= 1


def test_a_puzzle(play):
    result, _ = play(["b1a1", "b2a2", "a1a2"], "solitaire", "--size", "2x2")
    assert result["result"] == "value 1.000, where 1 is perfect"


def test_from_a_position(play):
    result, _ = play(
        ["c1b1"], "clobber", "--position", "xox", "--first", "black", "--white", "human"
    )
    assert result["moves"] == ["c1b1"]
    assert result["result"] == "black wins"


def test_the_board_is_drawn_with_its_coordinates():
    state = parse_position(Clobber(2, 3), "xo.|.ox")
    assert draw_board(Clobber(2, 3), state).plain == "  2 ● ○ · \n  1 · ○ ● \n    a b c"


def test_a_graph_is_drawn_as_its_vertices():
    game = GraphClobber("0-1 1-2", "xo.")
    assert draw_board(game, parse_position(game, "xo.")).plain == "0● 1○ 2· "
