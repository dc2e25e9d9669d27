import pytest

from zerolab.evaluation.players.protocol import PlayerError
from zerolab.experiments import game_session
from zerolab.experiments.game_session import GameSession
from zerolab.games.base import GameError
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream


def session(black="human", white="first", position=None):
    return GameSession(position or Position.start(Clobber(2, 3)), (black, white), stream(1))


def test_a_person_against_a_player():
    game = session()
    game.prepare()
    assert game.has_people
    assert game.is_for_a_person
    game.play("a2b2")
    assert not game.is_for_a_person
    assert game.reply() is True
    assert game.moves[0] == "a2b2"
    assert (len(game.moves), game.result) == (2, "unfinished")
    while not game.is_over:
        if game.is_for_a_person:
            game.play(game.position.legal_moves[0])
        else:
            game.reply()
    assert game.result == str(game.position.outcome())
    game.close()


def test_undo_goes_back_to_the_last_move_of_a_person():
    game = session()
    assert not game.undo()
    game.play("a2b2")
    game.reply()
    game.play(game.position.legal_moves[0])
    assert game.undo()
    assert (len(game.moves), game.is_for_a_person) == (2, True)
    assert game.undo()
    assert game.moves == ()
    assert not game.undo()


def test_undo_stays_within_the_session():
    """A position may have a history of its own."""
    start = Position.start(Clobber(2, 3)).play("a2b2")
    game = session("human", "human", start)
    assert not game.undo()
    game.play(start.legal_moves[0])
    assert game.moves == (start.legal_moves[0],)
    assert game.undo()
    assert game.position is start


def test_an_end_that_is_taken_back_is_no_result():
    game = session("human", "human", Position.parse(Clobber(1, 2), "xo"))
    game.play("a1b1")
    assert game.result == "black wins"
    game.undo()
    assert game.result == "unfinished"


def test_resigning():
    game = session("human", "human")
    game.play("a2b2")
    game.resign()
    assert game.result == "black wins"


def test_puzzles_have_one_player():
    game = session("human", "human", Position.start(Solitaire(2, 3)))
    assert not game.is_contest
    while not game.is_over:
        assert game.is_for_a_person
        game.play(game.position.legal_moves[0])
    assert game.result.startswith("value 0.")
    game.resign()
    assert game.result == "resigned"


def test_each_side_has_its_time(monkeypatch):
    clock = iter([0.0, 1.0, 4.0, 9.0])  # made, ready, and after each move
    monkeypatch.setattr(game_session.time, "monotonic", lambda: next(clock))
    game = session("human", "human")
    game.prepare()
    game.play("a2b2")
    game.play(game.position.legal_moves[0])
    assert game.seconds == [3.0, 5.0]


def test_wrong_moves_and_players():
    game = session()
    with pytest.raises(GameError, match="not legal here"):
        game.play("a1b1")
    assert game.moves == ()
    with pytest.raises(PlayerError, match="is not a player"):
        session("chess")
    with pytest.raises(PlayerError, match="exact leaves are for clobber"):
        session("mcts:9,exact=5", "human", Position.start(Solitaire(2, 3))).prepare()


def test_a_player_that_is_not_sure_says_so():
    game = session("solver:1", "human", Position.start(Clobber(5, 6)))
    assert game.reply() is False


def test_the_record_of_a_game():
    game = session()
    game.play("a2b2")
    recorded = game.recorded
    assert (recorded.names, recorded.result) == (("human", "first"), None)
    assert recorded.position() == game.position
    game.resign()
    assert game.recorded.result == 1.0  # it was White's turn
    assert game.undo()
    assert (game.recorded.result, game.recorded.actions) == (None, ())
    puzzle = session("first", "random", Position.start(Solitaire(2, 3)))
    while not puzzle.is_over:
        puzzle.reply()
    assert puzzle.recorded.names == ("first", "")
    assert puzzle.recorded.result == puzzle.position.outcome().value


def test_sides_can_be_swapped():
    game = session()
    game.play("a2b2")
    game.swap_sides()
    assert game.names == ("first", "human")
    assert game.is_for_a_person
    game.play(game.position.legal_moves[0])
    assert not game.is_for_a_person
    assert game.undo()
    assert game.moves == ("a2b2",)
