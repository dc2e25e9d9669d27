"""Our games in OpenSpiel: its own tests, its algorithms, and that they are our games."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from tests.games.sizes import label
from zerolab.errors import UsageError
from zerolab.games.catalogue import GAMES, make_game
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import random_below, stream
from zerolab.solver.alphabeta import Solver

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.algorithms import mcts, minimax, minimax_solver  # noqa: E402
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402

from zerolab.interfaces.adapters.open_spiel_games import spiel_name  # noqa: E402

EXAMPLES = [
    *map(spiel_name, GAMES),
    "zerolab_clobber(rows=4,columns=5)",
    "zerolab_clobber(rows=3,columns=4,variant=cannibal)",
    "zerolab_clobber(rows=2,columns=3,start=xox|oxo)",
    "zerolab_graph_clobber(edges=0-1 1-2 2-0,stones=xox)",
    "zerolab_othello(rows=4,columns=4)",
    "zerolab_connect_four(rows=5,columns=5,k=3)",
    "zerolab_go(rows=3,columns=3,komi=2.0)",
    "zerolab_solitaire(rows=3,columns=3,alternate=False)",
]


@pytest.fixture(autouse=True)
def silent(capfd):
    """The tests of OpenSpiel print whole games."""
    yield
    capfd.readouterr()


@pytest.mark.parametrize("text", EXAMPLES)
def test_random_games_of_open_spiel(text):
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)


def checks_of_the_api(text):
    class Checks(api_test.EnforceAPIOnPartialTreeBase):
        game = pyspiel.load_game(text)
        game_name = text

        def runTest(self):  # noqa: N802  # as unittest calls it
            for name in dir(self):
                if name.startswith("test_"):
                    getattr(self, name)()

    return Checks


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_api_of_open_spiel(text):
    checks = checks_of_the_api(text)
    checks.setUpClass()
    checks().runTest()


@pytest.mark.parametrize(
    ("text", "game"),
    [
        *((spiel_name(name), make_game(name)) for name in GAMES),
        ("zerolab_clobber(rows=4,columns=5)", Clobber(4, 5)),
        ("zerolab_clobber(rows=2,columns=3,start=.xo|xxo)", Clobber(2, 3, setup=".xo|xxo")),
        ("zerolab_go(rows=3,columns=4,komi=2.5,history=2)", Go(3, 4, 5, history=2)),
        ("zerolab_solitaire(rows=3,columns=3,alternate=False)", Solitaire(3, 3, False)),
    ],
    ids=lambda each: each if isinstance(each, str) else label(each),
)
def test_they_are_our_games(text, game):
    """Ply by ply: who moves, what is legal, what both see, what it is called, who wins."""
    theirs = pyspiel.load_game(text)
    for seed in range(3):
        state, position, rng = theirs.new_initial_state(), Position.start(game), stream(seed)
        while not position.is_over:
            assert state.legal_actions() == [*position.legal_actions]
            assert state.returns() == [0.0] * theirs.num_players()
            if theirs.num_players() == 2:
                assert state.current_player() == position.player
            observed = state.observation_tensor(state.current_player())
            assert (
                np.reshape(observed, theirs.observation_tensor_shape()) == position.planes()
            ).all()
            moves = [state.action_to_string(action) for action in state.legal_actions()]
            assert moves == [*position.legal_moves]
            action = position.legal_actions[random_below(rng, len(moves))]
            state.apply_action(action)
            position = position.play(action)
        assert state.is_terminal()
        value = position.outcome().value
        assert state.returns() == [value, -value][: theirs.num_players()]


def test_both_players_see_their_own_stones_first():
    state = pyspiel.load_game("zerolab_clobber(rows=2,columns=2)").new_initial_state()
    black, white = (np.reshape(state.observation_tensor(player), (3, 4)) for player in (0, 1))
    assert black.tolist() == [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 1, 1]]
    assert white.tolist() == [[0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 0, 0]]
    assert str(state) == state.observation_string(1) == "xo\nox\nblack to move"


def test_perfect_recall_is_the_list_of_moves():
    game = pyspiel.load_game("zerolab_clobber(rows=2,columns=2)")
    state = game.new_initial_state()
    state.apply_action(0 * 4 + 3)
    assert make_observation(game, INFO_STATE_OBS_TYPE).string_from(state, 0) == "3"
    assert state.information_state_string(0) == "3"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("zerolab_clobber(rows=2,columns=3)", Clobber(2, 3)),
        ("zerolab_clobber(rows=3,columns=3)", Clobber(3, 3)),
        ("zerolab_tic_tac_toe", make_game("tic-tac-toe")),
        ("zerolab_connect_four(rows=3,columns=3,k=3)", ConnectFour(3, 3, 3)),
    ],
)
def test_their_minimax_agrees_with_our_solver(text, game):
    expected = Solver(game).value(Position.start(game).state)
    theirs = minimax_solver.MinimaxSolver(text)
    theirs.solve()
    start = pyspiel.load_game(text).new_initial_state()
    assert theirs.values_from_string(str(start)) == expected
    if game == Clobber(2, 3):
        assert minimax.alpha_beta_search(start.get_game())[0] == expected


def test_mcts_of_open_spiel_wins():
    game = pyspiel.load_game("zerolab_tic_tac_toe")
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):  # x threatens to win at once
        state.apply_action(action)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 100, evaluator, random_state=np.random.RandomState(2))
    assert bot.step(state) == 2
    state.apply_action(2)
    assert state.returns() == [1, -1]


def test_a_clone_goes_its_own_way():
    state = pyspiel.load_game("zerolab_tic_tac_toe").new_initial_state()
    clone = state.clone()
    clone.apply_action(4)
    assert (str(state)[:3], str(clone)[:11]) == ("...", "...\n.x.\n...")
    assert state.legal_actions() == [*range(9)]
    assert pickle.loads(pickle.dumps(clone)).legal_actions() == clone.legal_actions()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zerolab_clobber(rows=0)", "a board of 0x6 is not possible"),
        ("zerolab_clobber(start=random)", "a start drawn at random is not possible in OpenSpiel"),
        ("zerolab_clobber(rows=2,columns=2,start=xx|xx)", "it is over before it begins"),
        ("zerolab_go(komi=-1.0)", "komi=-1.0 is not possible"),
    ],
)
def test_impossible_parameters(text, message):
    with pytest.raises(UsageError, match=message):
        pyspiel.load_game(text)


def test_no_state_from_parts_and_no_parameters_of_observations():
    game = pyspiel.load_game("zerolab_tic_tac_toe")
    with pytest.raises(UsageError, match="a state is not rebuilt from its parts"):
        game.new_initial_state({"board": []})
    with pytest.raises(UsageError, match="an observation has no parameters, such as colours"):
        make_observation(game, params={"colours": 1})


def test_a_process_ends_in_peace():
    """OpenSpiel frees its games after Python's end."""
    lines = (
        "import pyspiel, zerolab.interfaces.adapters.open_spiel_games",
        "import pickle; print(pickle.loads(pickle.dumps(pyspiel.load_game('zerolab_go'))))",
    )
    command = [sys.executable, "-W", "ignore", "-c", "; ".join(lines)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == (
        "zerolab_go(columns=9,history=4,komi=7.5,limit=0,rows=9)\n"
    )
