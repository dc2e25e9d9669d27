import numpy as np
import pytest

from tests.evaluation.matches.plain_games import play_in_python
from tests.training.online_twin import choose
from zerolab.benchmarks.measuring import random_position
from zerolab.evaluation.matches.compiled_games import MatchResult, play_match
from zerolab.evaluation.players.mlp_player import make_mlp_player
from zerolab.evaluation.players.players import PlayerError, make_player
from zerolab.evaluation.players.protocol import check_player
from zerolab.games.base import player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.networks.mlp.mlp import empty_mlp, make_mlp
from zerolab.networks.mlp.mlp_files import save_mlp
from zerolab.training.online_learning import OnlineConfig, train_online

RANDOM, FIRST = make_player("random"), make_player("first")


def random_positions(game, count):
    rng = stream(5)
    states = (random_position(game, number % 8, rng) for number in range(count))
    return [state for state in states if state is not None]


@pytest.mark.parametrize("game", [Clobber(4, 5), Clobber(10, 10), Othello(4, 4)])
@pytest.mark.parametrize(("hidden", "slope"), [((9,), 0.0), ((6, 4), 0.01)])
def test_chooses_what_the_twin_chooses_as_either_colour(game, hidden, slope):
    mlp = make_mlp(game.rows * game.cols, hidden, slope, stream(1))
    mlp.weights[:] -= 0.4
    player, rng, colours = make_mlp_player(mlp), stream(1), set()
    for state in random_positions(game, 16):
        before = state.copy()
        colour = player_to_move(state)
        expected, _ = choose(game, mlp.matrices, slope, state, colour)
        assert player.choose(Position(game, state), rng) == expected
        assert np.array_equal(state, before)
        colours.add(colour)
    assert colours == {0, 1}


def test_dead_and_diverged_networks_play_the_first_move():
    game = Clobber(4, 5)
    dead = empty_mlp(20, (6,), 0.0)
    dead.matrices[-1][-1] = -1.0
    nothing = make_mlp(20, (6,), 0.01, stream(1))
    nothing.weights[:] = np.nan
    infinite = make_mlp(20, (6,), 0.01, stream(1))
    infinite.weights[:] = np.inf
    first = play_match(game, FIRST, RANDOM, 400, seed=3)
    for mlp in (dead, nothing, infinite):
        assert play_match(game, make_mlp_player(mlp), RANDOM, 400, seed=3) == first


@pytest.mark.parametrize("cell", [1, 6])
def test_a_score_that_is_no_number_neither_beats_nor_is_beaten(cell):
    game = Clobber(2, 4, setup="xo..|..ox")  # Black takes b2 (cell 1) or c1 (cell 6)
    state = initial_state(game, stream(0))
    mlp = empty_mlp(8, (2,), 0.0)
    mlp.matrices[0][[cell, -1]] = 1e308  # with that stone taken both nodes have infinite values
    mlp.matrices[1][:, 0] = [1.0, -1.0, 1.0]
    assert (
        make_mlp_player(mlp).choose(Position(game, state), stream(0)) == legal_list(game, state)[0]
    )


def test_ties_go_to_the_first_move():
    game = Clobber(2, 4, setup="xo..|..ox")
    state = initial_state(game, stream(0))
    mlp = empty_mlp(8, (1,), 0.0)
    mlp.matrices[-1][0] = 1.0
    row = mlp.matrices[0][:-1, 0]
    row[1] = row[6] = 1.0  # b2 and c1: whichever is taken, the score is the same
    assert (
        make_mlp_player(mlp).choose(Position(game, state), stream(0)) == legal_list(game, state)[0]
    )
    row[6] = 2.0
    assert (
        make_mlp_player(mlp).choose(Position(game, state), stream(0)) == legal_list(game, state)[1]
    )


def test_training_makes_it_better_than_it_was_and_than_the_first_move():
    game, config = Clobber(4, 4), OnlineConfig(alpha=2e-5, target=100.0)
    start = train_online(game, config, 0, 1)
    trained = train_online(game, config, 30_000, 1)
    shares = [
        play_match(game, player, RANDOM, 4000, seed=5).black_score
        for player in (make_mlp_player(start), make_mlp_player(trained), FIRST)
    ]
    assert shares[1] > 0.75 > shares[0] + 0.1
    assert shares[1] > shares[2] + 0.3


@pytest.mark.parametrize("other", ["mc:2", "mcts:5", "first"])
def test_plays_against_others_with_either_colour(tmp_path, other):
    game, path = Clobber(3, 4), tmp_path / "net.npz"
    save_mlp(path, make_mlp(12, (5,), 0.0, stream(1)), game)
    for names in ((f"mlp:{path}", other), (other, f"mlp:{path}")):
        assert play_match(game, *map(make_player, names), 3).games == 3


def test_two_networks_of_different_shapes_play_each_other():
    game = Clobber(3, 4)
    small, large = make_mlp(12, (5,), 0.0, stream(1)), make_mlp(12, (9, 9), 0.01, stream(1))
    fast = make_mlp_player(small), make_mlp_player(large)
    slow = _SlowPlayer(small), _SlowPlayer(large)
    end = play_in_python(game, slow, 0, seed=0)
    assert end.actions == play_in_python(game, fast, 0, seed=0).actions
    result = MatchResult(Score.of([end.outcome().value]), len(end.actions))
    assert play_match(game, *fast, 1) == result


class _SlowPlayer:
    name = "twin"

    def __init__(self, mlp):
        self.mlp = mlp

    def choose(self, position, rng):
        return choose(
            position.game, self.mlp.matrices, self.mlp.slope, position.words, position.player
        )[0]


def test_another_board_is_told_in_one_sentence(tmp_path):
    path = tmp_path / "net.npz"
    save_mlp(path, make_mlp(12, (5,), 0.0, stream(1)), Clobber(3, 4))
    player = make_player(f"mlp:{path}")
    check_player(player, Clobber(3, 4))
    for game in (Clobber(4, 3), Clobber(4, 4)):
        with pytest.raises(PlayerError, match=f"for clobber 3x4, not for clobber 4x{game.cols}"):
            play_match(game, player, RANDOM, 1)
    with pytest.raises(PlayerError, match="12 squares, not for clobber 4x4, which has 16"):
        play_match(Clobber(4, 4), make_mlp_player(make_mlp(12, (5,), 0.0, stream(1))), RANDOM, 1)


def test_files_that_are_not_there_or_no_networks(tmp_path):
    (tmp_path / "text").write_text("hello")
    for name, message in (
        ("mlp:", "names no file"),
        ("mlp", "names no file"),
        (f"mlp:{tmp_path / 'none'}", "No such file"),
        (f"mlp:{tmp_path / 'text'}", "not a small network"),
    ):
        with pytest.raises(PlayerError, match=message):
            make_player(name)
