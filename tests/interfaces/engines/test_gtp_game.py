"""The game behind a GTP engine."""

import pytest

from tests.evaluation.engines.real import GNU_GO, needs
from zerolab.evaluation.players.engine_process import Engine
from zerolab.games.base import GameError
from zerolab.games.clobber import Clobber
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.engines.gtp_game import GtpGame, handicap_points, most_handicap
from zerolab.records.recorded_game import RecordedGame


def make(game):
    return GtpGame(game, lambda record: None)


def test_colours_take_turns_in_most_games():
    game = make(Clobber(3, 3))
    with pytest.raises(GameError, match="it is black's turn"):
        game.play("white", "a3a2")
    game.play("black", "a3a2")
    with pytest.raises(GameError, match="it is white's turn"):
        game.turn_of("black")


def test_in_go_a_colour_may_move_twice():
    game = make(Go(5, 5))
    game.play("white", "a1")
    game.play("white", "b1")
    game.play("black", "c3")
    assert game.position.text == ".....|.....|..x..|.....|oo..."
    assert (game.undo(), game.undo(), game.undo(), game.undo()) == (True, True, True, False)
    assert game.position == Position.start(Go(5, 5))


def test_in_go_play_may_continue_after_two_passes():
    game = make(Go(5, 5))
    for colour in ("black", "white"):
        game.play(colour, "pass")
    assert game.position.is_over
    game.play("black", "a1")
    assert game.position.text.endswith("x....")


def test_a_puzzle_has_one_player():
    game = make(Solitaire(2, 3))
    game.play("white", game.position.legal_moves[0])
    assert len(game.position.moves) == 1


def test_a_game_that_is_over():
    game = make(Clobber(1, 2))
    game.play("black", "a1b1")
    with pytest.raises(GameError, match="the game is over"):
        game.turn_of("white")


def test_komi_keeps_the_history():
    """Also of a board that was set up in between: the superko rule needs it."""
    game = make(Go(3, 3, half_komi=1))
    for colour, move in [("black", "a1"), ("black", "b2"), ("white", "c3"), ("black", "c1")]:
        game.play(colour, move)
    before = game.position
    game.set_komi(11)
    assert game.game == Go(3, 3, half_komi=11)
    assert game.position.actions == before.actions
    assert [each.text for each in game.position.history] == [each.text for each in before.history]
    assert {each.game for each in game.position.history} == {game.game}
    game.undo()
    assert game.position.text == before.undo().text
    assert game.position.game == game.game
    with pytest.raises(GameError, match="komi"):
        game.set_komi(-1)


def test_sizes():
    refused = []

    def check(record):
        if record.rows == 4:
            refused.append(record)
            raise GameError("not this one")

    game = GtpGame(Clobber(3, 3), check)
    game.resize(2, 6)
    assert game.game == Clobber(2, 6)
    with pytest.raises(GameError, match="not this one"):
        game.resize(4, 4)
    with pytest.raises(GameError, match="27x27 is not possible"):
        game.resize(27, 27)
    assert game.game == Clobber(2, 6)
    assert len(refused) == 1


@pytest.mark.parametrize("game", [GraphClobber(), Clobber(2, 2, setup="xo|ox")])
def test_boards_that_have_one_size(game):
    with pytest.raises(GameError, match="has a fixed size"):
        make(game).resize(5, 5)


def test_random_starts_differ():
    game = make(Clobber(6, 6, setup="random"))
    first = game.position.text
    game.clear()
    assert game.position.text != first


def test_records():
    game = make(Go(5, 5))
    position = Position.start(Go(7, 7, half_komi=3)).play("a1").play("b2").play("c3")
    game.load(RecordedGame.of(position), 2)
    assert game.position == position.undo()
    game.undo()
    assert game.position == position.undo().undo()
    game.load(RecordedGame.of(position), None)
    assert game.position == position
    with pytest.raises(ValueError, match="it is a game of clobber 2x2"):
        game.load(RecordedGame.of(Clobber(2, 2).start()), None)


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        (".....|" * 4 + ".....", "W+7.5"),
        ("x....|" * 4 + "xo...", "W+3.5"),
        (".x...|" * 5, "B+17.5"),
    ],
)
def test_scores(rows, score):
    game = make(Go(5, 5))
    for index, cell in enumerate(rows.replace("|", "")):
        if cell != ".":
            row, col = divmod(index, 5)
            game.play("black" if cell == "x" else "white", f"{'abcde'[col]}{5 - row}")
    assert game.score() == score


def test_even_scores():
    assert make(Go(3, 3, half_komi=0)).score() == "0"
    assert make(Go(3, 3, half_komi=14)).score() == "W+7"


def test_strings():
    """A ring, and stones at the edges that are neighbours only as numbers or by a corner."""
    game = make(Go(5, 5))
    for move in ("b2", "b3", "b4", "c4", "d4", "d3", "d2", "c2"):
        game.play("black", move)
    for move in ("e5", "a4", "a1"):
        game.play("white", move)
    ring = ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"]
    assert sorted(game.strings()) == [["a1"], ["a4"], ring, ["e5"]]


@pytest.mark.parametrize(
    ("game", "most"),
    [(Go(6, 9), 0), (Go(7, 7), 4), (Go(8, 9), 4), (Go(9, 9), 9), (Go(19, 19), 9), (Go(7, 9), 4)],
)
def test_places_for_handicaps(game, most):
    assert most_handicap(game) == most
    for count in (0, 1, most + 1):
        with pytest.raises(GameError, match="handicap stones have no place"):
            handicap_points(game, count)


@needs(GNU_GO)
@pytest.mark.parametrize("size", [7, 8, 9, 11, 12, 13, 18, 19])
def test_handicaps_are_those_of_gnu_go(size):
    engine = Engine("gnugo", [GNU_GO, "--mode", "gtp"])

    def ask(command):
        engine.send(command)
        return engine.read_until(lambda line: not line, 60)[0]

    ask(f"boardsize {size}")
    for count in range(2, most_handicap(Go(size, size)) + 1):
        ask("clear_board")
        theirs = ask(f"fixed_handicap {count}").removeprefix("= ").lower().split()
        assert sorted(handicap_points(Go(size, size), count)) == sorted(theirs)
    engine.close()


def test_handicap_stones():
    game = make(Go(5, 5))
    for wrong in (["a1", "a1"], ["a1", "pass"]):
        with pytest.raises(GameError, match="different points"):
            game.set_up(wrong)
    game.set_up(["a1", "e5"])
    assert (game.position.text, game.position.turn) == ("....x|.....|.....|.....|x....", "white")
    with pytest.raises(GameError, match="not empty"):
        game.set_up(["b1", "b2"])
