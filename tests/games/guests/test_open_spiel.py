"""Games of OpenSpiel: the nine laws; they are OpenSpiel's games and, where we have them, ours."""

import itertools
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import zerolab as zl
from tests.games.laws import LAWS
from tests.games.play import random_game
from zerolab.games.base import (
    GameError,
    legal_actions,
    max_plies,
    player_to_move,
    shape,
    step,
    terminal_value,
)
from zerolab.games.boards.board_picture import draw_svg
from zerolab.games.catalogue import describe, has_size, make_game, name_of, parameters_of, remake
from zerolab.games.guests import spiel_states
from zerolab.games.notation import format_move, has_board, num_actions, parse_move
from zerolab.games.perft_counts import perft
from zerolab.games.position import Position
from zerolab.interfaces.views.terminal import draw_board
from zerolab.networks.signature import signature_of
from zerolab.solver.alphabeta import Solver

pyspiel = pytest.importorskip("pyspiel")


def spiel(text):
    return make_game(f"openspiel:{text}")


TEXTS = (
    "tic_tac_toe",
    "breakthrough(rows=5,columns=4)",
    "connect_four(rows=4,columns=5,x_in_row=3)",
    "othello",  # has a pass of its own
    "dots_and_boxes(num_rows=2,num_cols=2)",  # who closes a box goes on
    "amazons",  # three actions a turn, and more than 64 cells
    "mancala",  # its tensor is a row
    "nim(pile_sizes=1;3;5)",  # texts of moves with spaces
    "misere(game=tic_tac_toe())",
)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("text", TEXTS)
def test_laws(text, law):
    law(spiel(text))


@pytest.mark.parametrize(
    "text", [*TEXTS, "chess", "connect_four(egocentric_obs_tensor=True)", "go(board_size=3)"]
)
def test_they_are_the_games_of_open_spiel(text):
    """Ply by ply: legal actions and their texts, who moves, what is observed, and the result."""
    game, theirs = spiel(text), pyspiel.load_game(text)
    position, state = Position.start(game), theirs.new_initial_state()
    black, rng = state.current_player(), np.random.default_rng(3)
    for _ in range(150):
        if state.is_terminal():
            break
        if (state.current_player() == black) != (position.turn == "black"):
            assert position.legal_moves == ("pass",)
            assert position.legal_actions == (theirs.num_distinct_actions(),)
            position = position.play("pass")
        assert [*position.legal_actions] == state.legal_actions()
        assert position.legal_moves == tuple(
            state.action_to_string(action).replace(" ", "_") for action in state.legal_actions()
        )
        observed = np.reshape(state.observation_tensor(state.current_player()), (-1, *shape(game)))
        assert (position.planes()[:-1] == observed.astype(np.float32)).all()
        assert (position.planes()[-1] == (position.turn == "black")).all()
        blacks = np.reshape(state.observation_tensor(black), (-1, *shape(game)))
        assert (position.planes("colours")[:-1] == blacks.astype(np.float32)).all()
        assert str(state) == draw_board(game, position.words).plain
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        position = position.play(action)
    if state.is_terminal():
        assert position.is_over
        assert position.outcome().value == state.returns()[black]


@pytest.mark.parametrize(
    ("text", "ours", "size", "depth"),
    [
        ("tic_tac_toe", "tic-tac-toe", None, 6),
        ("clobber(rows=3,columns=4)", "clobber", "3x4", 4),
        ("connect_four", "connect-four", None, 5),
        ("othello", "othello", "8x8", 4),
        ("go(board_size=3,komi=7.5)", "go", "3x3", 3),
    ],
)
def test_perft_agrees_with_our_rules(text, ours, size, depth):
    games = spiel(text), make_game(ours, size)
    counts = [
        [perft(game, Position.start(game).state, each) for each in range(1, depth + 1)]
        for game in games
    ]
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("text", "ours", "size"),
    [
        ("tic_tac_toe", "tic-tac-toe", None),
        ("clobber(rows=2,columns=3)", "clobber", "2x3"),
        ("clobber(rows=3,columns=3)", "clobber", "3x3"),
    ],
)
def test_solved_as_by_our_rules(text, ours, size):
    """By alpha-beta; and UCT proves wins and losses."""
    expected = Solver(make_game(ours, size)).value(Position.start(make_game(ours, size)).state)
    start = Position.start(spiel(text))
    assert Solver(start.game).value(start.state) == expected
    analysis = zl.player("mcts:5000").analyze(start)
    if expected != 0:
        assert (analysis.proven, analysis.value) == (True, expected)


def test_a_win_at_once_is_found():
    position = Position.parse(spiel("tic_tac_toe"), "x(0,0) o(1,0) x(0,1) o(1,1)")
    move = zl.player("mcts:200").choose(position)
    assert move == "x(0,2)"
    assert position.play(move).outcome().winner == "black"


def test_texts():
    game = spiel("chess")  # where White is player 1, and begins
    position = Position.start(game).play("a4").play("C5").play("Nf3")
    assert position.moves == ("a4", "c5", "Nf3")
    assert (position.text, position.turn) == ("a4 c5 Nf3", "white")
    assert Position.parse(game, "a4 c5 Nf3", "white") == position
    assert repr(position) == "<openspiel:chess: a4 c5 Nf3, white to move>"
    assert pickle.loads(pickle.dumps(position)) == position
    number = position.legal_actions[0]
    assert position.play(str(number)) == position.play(number)
    assert format_move(game, number) == str(number)
    with pytest.raises(GameError, match="'e9' is not legal here; legal moves: "):
        position.play("e9")
    with pytest.raises(GameError, match="after 'a4' white is to move, not black"):
        Position.parse(game, "a4")


def test_capitals_count_where_texts_differ_by_nothing_else():
    """On c5 the pawn from b4 may take, and the bishop from e3."""
    position = Position.parse(spiel("chess"), "d3 c5 Be3 h6 b4 h5")
    assert {"bxc5", "Bxc5"} <= {*position.legal_moves}
    assert position.play("bxc5") != position.play("Bxc5")
    assert position.play("Bxc5").moves[-1] == "Bxc5"
    with pytest.raises(GameError, match="'BXC5' is not legal here"):
        position.play("BXC5")
    assert position.play("H3") == position.play("h3")


def test_passes_stand_in_the_text():
    game = spiel("dots_and_boxes(num_rows=1,num_cols=1)")
    position = Position.start(game)
    moves = []
    while not position.is_over:
        moves.append(position.legal_moves[0])
        position = position.play(moves[-1])
    assert position.text.split() == moves
    game = spiel("amazons")
    after = Position.start(game).play(Position.start(game).legal_actions[0])
    assert after.text.split()[-1] != "pass"
    after = after.play("pass")
    assert after.text.split()[-1] == "pass"
    assert Position.parse(game, after.text) == after


def test_names():
    game = spiel("breakthrough(rows=5, columns=4)")
    assert describe(game) == name_of(game) == "openspiel:breakthrough(columns=4,rows=5)"
    assert remake(name_of(game), describe(game)) == game
    assert game == spiel("breakthrough(columns=4,rows=5)") != spiel("breakthrough")
    assert len({game, spiel("breakthrough(columns=4,rows=5)"), spiel("breakthrough")}) == 2
    assert parameters_of(game) == {}
    assert not has_size(name_of(game))
    assert describe(spiel("tic_tac_toe()")) == "openspiel:tic_tac_toe"


def test_measures():
    assert (shape(spiel("breakthrough(rows=5,columns=4)")), num_actions(spiel("oware"))) == (
        (5, 4),
        7,
    )
    assert Position.start(spiel("gomoku(size=5)")).planes().shape == (4, 1, 25)  # its tensor: 3, 25
    assert shape(spiel("mancala")) == (1, 16)
    assert max_plies(spiel("tic_tac_toe")) == 18
    assert not has_board(spiel("othello"))
    signature = signature_of(spiel("othello"))
    assert (signature.input_shape, signature.actions, signature.layout) == ((4, 8, 8), 66, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clober", "OpenSpiel has no game 'clober'; expected a name such as clobber"),
        ("", r"OpenSpiel has no game ''; expected a name such as breakthrough\(rows=6,columns=6\)"),
        ("breakthrough(rows", "cannot make 'breakthrough.rows': Missing closing bracket"),
        ("breakthrough(side=3)", "cannot make 'breakthrough.side=3.': Unknown parameter 'side'"),
        ("kuhn_poker", "'kuhn_poker' of OpenSpiel has chance; expected a game for two players"),
        ("backgammon", "has chance"),
        ("matrix_rps", "has simultaneous moves"),
        ("phantom_ttt", "has hidden information"),
        ("matrix_pd", "has simultaneous moves"),
        ("chinese_checkers(players=3)", "has 3 players"),
        ("python_catch", "has no game"),
        ("catch", "has 1 players"),
    ],
)
def test_unsuitable_games_are_refused(text, message, capfd):
    with pytest.raises(GameError, match=message):
        spiel(text)
    assert capfd.readouterr().err == ""


def test_parameters_belong_to_the_name():
    for arguments in (("5x5",), (None, ["rows=5"])):
        with pytest.raises(GameError, match="belong to its name, such as openspiel:breakthrough"):
            make_game("openspiel:breakthrough", *arguments)


def test_a_record_of_other_measures_is_refused():
    with pytest.raises(GameError, match="has other measures; make it with make_game"):
        Position.parse(spiel("tic_tac_toe")._replace(boards=4), "")


def test_states_that_were_forgotten_are_made_again(monkeypatch):
    game = spiel("dots_and_boxes(num_rows=2,num_cols=2)")
    expected = random_game(game, 5)
    monkeypatch.setattr(spiel_states, "MOST_STATES", 1)
    states = [ply.state.copy() for ply in expected]
    for ply, state in reversed([*zip(expected, states, strict=True)]):
        actions = np.empty(num_actions(game), np.int64)
        assert (*actions[: legal_actions(game, state, actions)],) == ply.legal
    for (before, after), state in zip(itertools.pairwise(expected), states, strict=False):
        step(game, state, before.action)
        assert (state == after.state).all()
    assert terminal_value(game, states[-1]) == terminal_value(game, expected[-1].state)
    assert len(spiel_states.load(game.source.text)._known) == 1


def test_a_game_longer_than_promised_is_no_game(monkeypatch):
    """There is no room in a state for more actions; a write would destroy other memory."""
    game = spiel("tic_tac_toe")
    monkeypatch.setattr(spiel_states.load("tic_tac_toe"), "longest", 2)
    position = Position.start(game).play(0).play(1)
    with pytest.raises(GameError, match="tic_tac_toe lasts longer than the 2 moves"):
        position.play(2)


def test_pictures():
    position = Position.start(spiel("tic_tac_toe")).play(4)
    assert draw_board(position.game, position.words).plain == "...\n.x.\n..."
    assert ">.x.</text>" in draw_svg(position.game, position.words)
    assert player_to_move(position.words) == 1


def test_moves_by_text():
    game = spiel("nim(pile_sizes=1;3;5)")
    state = Position.start(game).state
    assert parse_move(game, state, "PILE:1,_TAKE:1;") == parse_move(game, state, "0")


PLAY = """
import pickle, sys
from zerolab.evaluation.matches.series import play_series
from zerolab.games.catalogue import make_game
make_game("openspiel:othello")  # so that another game has the first number
game = pickle.loads(bytes.fromhex(sys.argv[1]))
print(play_series(game, ("mcts:30", "random"), 12, 1).result[:4])
"""


def test_other_processes_play_the_same_games():
    """Compiled, from the cache, and without the compiler; numbers of games differ by process."""
    game = pickle.dumps(spiel("tic_tac_toe")).hex()
    command = [sys.executable, "-W", "ignore", "-c", PLAY, game]
    printed = {
        subprocess.run(
            command,
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "0", "1")
    }
    assert len(printed) == 1
    assert printed.pop().startswith("(")
