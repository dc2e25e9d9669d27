import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.test_playthroughs import GAMES
from zerolab.games.base import GameError, player_to_move, step
from zerolab.games.boards.stones import ENCODINGS, encode, initial_state, num_planes
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import format_move, format_position, legal_list
from zerolab.games.othello import Othello
from zerolab.games.position import Outcome, Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import random_below, stream
from zerolab.search.playouts import value_for


def random_end(game, seed):
    """The end of a random game."""
    rng, position = stream(seed), Position.start(game, seed)
    while not position.is_over:
        legal = position.legal_actions
        position = position.play(legal[random_below(rng, len(legal))])
    return position


def test_a_whole_game():
    position = Position.start(Clobber(2, 2))
    assert (position.text, position.turn, position.player) == ("xo|ox", "black", 0)
    assert position.legal_moves == ("a2a1", "a2b2", "b1b2", "b1a1")
    assert position.outcome() is None
    for move in ("a2b2", "a1b1", "b2b1"):
        position = position.play(move)
    assert (position.text, position.turn, position.is_over) == ("..|.x", "white", True)
    assert position.moves == ("a2b2", "a1b1", "b2b1")
    assert position.outcome() == Outcome("black", 1.0)
    assert str(position.outcome()) == "black wins"
    assert position.undo().text == ".x|.o"
    assert repr(position.undo()) == "<clobber 2x2: .x|.o, black to move>"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_agrees_with_the_rules(game):
    """Move by move, with what kernels get."""
    end = random_end(game, 3)
    state = initial_state(game, stream(3))
    for position in end.history:
        if position.action is not None:
            step(game, state, position.action)
        assert (position.state == state).all()
        assert position.text == format_position(game, state)
        assert position.player == player_to_move(state)
        assert position.legal_actions == tuple(legal_list(game, state))
        assert position.legal_moves == tuple(
            format_move(game, action) for action in legal_list(game, state)
        )
        assert (position.outcome() is None) == bool(legal_list(game, state))
    assert end.outcome().value == value_for(game, state, 0)


@given(seed=st.integers(0, 100))
def test_nothing_changes_a_position(seed):
    end = random_end(Clobber(3, 3), seed)
    before = [(each.text, each.turn) for each in end.history]
    position = end
    while position.previous is not None:
        words = position.state
        words[:] = 0
        for move in position.previous.legal_moves:
            position.previous.play(move)
        assert position.undo() is position.previous
        position = position.undo()
    assert position.undo() is position
    assert [(each.text, each.turn) for each in end.history] == before


def test_positions_are_equal_however_they_came_about():
    game = Clobber(3, 3)
    one = Position.start(game).play("a3b3").play("a2a1").play("c1c2")
    other = Position.start(game).play("c1c2").play("a2a1").play("a3b3")
    assert one == other
    assert hash(one) == hash(other)
    assert one.moves != other.moves
    assert one != one.undo()
    assert Position.parse(game, one.text, "white") == one != Position.parse(game, one.text)
    assert Position.start(Gobang(4, 5, 3)) != Position.start(ConnectFour(4, 5, 3))
    assert one != "xoxo"


def test_illegal_moves_are_named():
    position = Position.start(Clobber(2, 2))
    with pytest.raises(GameError, match=r"'a1b1' is not legal here; legal moves: a2a1 a2b2 b1b2"):
        position.play("a1b1")
    with pytest.raises(GameError, match=r"'1' is not legal here; legal moves: 2 3 12 13"):
        position.play(1)
    with pytest.raises(GameError, match="'z' in 'z9' is not a column"):
        position.play("z9a1")
    with pytest.raises(GameError, match="none, the game is over"):
        random_end(Clobber(2, 2), 1).play("a1a2")


@pytest.mark.parametrize(
    ("game", "text", "first", "outcome", "words"),
    [
        (Gobang(3, 3, 3), "xxx|oo.|...", "white", Outcome("black", 1.0), "black wins"),
        (Gobang(3, 3, 3), "xox|xox|oxo", "white", Outcome(None, 0.0), "a draw"),
        (Clobber(1, 2), "x.", "black", Outcome("white", -1.0), "white wins"),
        (Clobber(1, 2), "x.", "white", Outcome("black", 1.0), "black wins"),
    ],
)
def test_outcomes(game, text, first, outcome, words):
    found = Position.parse(game, text, first).outcome()
    assert found == outcome
    assert str(found) == words


def test_a_puzzle_has_a_value_and_no_winner():
    outcome = random_end(Solitaire(3, 3), 1).outcome()
    assert outcome.winner is None
    assert 0 < outcome.value <= 1


def test_a_long_game_can_be_pickled():
    end = random_end(Othello(8, 8), 1)
    again = pickle.loads(pickle.dumps(end))
    assert again == end
    assert again.moves == end.moves
    assert again.history == end.history


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("game", [Clobber(3, 4), Othello(4, 4)], ids=str)
def test_planes(game, encoding):
    position = Position.start(game)
    position = position.play(position.legal_actions[0])
    number = ENCODINGS.index(encoding)
    expected = np.zeros((num_planes(game, number), game.rows, game.cols), np.float32)
    encode(game, position.state, number, expected)
    assert (position.planes(encoding) == expected).all()


def test_planes_of_components():
    """xo is won by whoever begins; the lone stone is dead."""
    planes = Position.parse(Clobber(1, 4), "xo.x").planes("components")
    assert planes[:, 0].tolist() == [
        [1, 0, 0, 1],  # own
        [0, 1, 0, 0],  # the opponent's
        [0, 0, 0, 1],  # dead
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [1, 1, 0, 0],  # whoever begins wins
        [0, 0, 0, 1],  # whoever begins loses
    ]


def circles(position):
    root = ElementTree.fromstring(position.svg())
    assert position._repr_svg_() == position.svg()
    return [each.get("fill") for each in root.iter("{http://www.w3.org/2000/svg}circle")]


def test_a_picture_has_a_disc_for_each_stone_and_marks_the_last_move():
    start = Position.start(Clobber(3, 4))
    assert circles(start).count("#222222") == circles(start).count("#fdfdfd") == 6
    after = start.play("a3b3")
    assert (circles(after).count("#222222"), circles(after).count("#fdfdfd")) == (6, 5)
    assert circles(after).count("#e4572e") == 1
    assert "<text" in after.svg()


@pytest.mark.parametrize("game", [GraphClobber(), Othello(4, 4), ConnectFour(4, 5)], ids=str)
def test_every_kind_of_board_has_a_picture(game):
    for position in random_end(game, 2).history:
        stones = len(position.text) - position.text.count(".") - position.text.count("|")
        found = circles(position)
        assert found.count("#222222") + found.count("#fdfdfd") == stones
