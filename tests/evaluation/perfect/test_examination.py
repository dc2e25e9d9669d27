import pytest

from tests.evaluation.players.closing import Unable, counted
from tests.networks.making import CONFIGS, make_network
from zerolab.evaluation.perfect import examination
from zerolab.evaluation.perfect.accuracy import sign_accuracy
from zerolab.evaluation.perfect.examination import draw_questions, examine, play_itself, values_of
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.players.players import PlayerError, make_player
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.notation import legal_list
from zerolab.games.othello import Othello
from zerolab.networks.checkpoints import save_network
from zerolab.networks.header import Header

GAME = Clobber(3, 4)


@pytest.fixture(scope="module", name="questions")
def _questions():
    return draw_questions(Judge(GAME), positions=30, games=8, seed=1)


@pytest.fixture(scope="module", name="network")
def _network(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "net.safetensors"
    config = CONFIGS["resnet none"]
    save_network(path, make_network(config, GAME), Header.of(GAME, config, "own"))
    return path


def test_the_solver_is_perfect(questions):
    judged = []
    found = examine(questions, "solver", judged.append)
    assert found.random.keeps == 1 == found.selfplay.overall.keeps.right
    assert found.selfplay.overall.regret == 0 == found.selfplay.skipped
    assert found.values == {}
    assert judged == list(range(1, 9))


def test_random_play_is_not(questions):
    found = examine(questions, "random")
    critical = questions.exam.critical
    moves = [len(legal_list(GAME, state)) for state in critical.states]
    chance = (critical.keeps.sum(axis=1) / moves).mean()
    assert abs(found.random.keeps - chance) < 4 * found.random.error
    assert found.selfplay.overall.regret > 0
    assert found.selfplay.overall.critical.right < found.selfplay.overall.keeps.right < 1


def test_values_of_a_search(questions):
    """On so small a board 1,000 simulations prove nearly all."""
    found = examine(questions, "mcts:1000").values
    assert set(found) == {"search"}
    assert found["search"].overall.right > 0.9
    assert sum(each.positions for each in found["search"].stages.values()) == 30


def test_values_of_networks(questions, network):
    positions, exact = questions.exam.balanced.positions, questions.exam.balanced.values
    alone = values_of(make_player(f"net:{network}"), positions)
    searching = values_of(make_player(f"az:{network}@50,exact=12"), positions)
    assert set(alone) == {"network"}
    assert set(searching) == {"search", "network"}
    assert (alone["network"] == searching["network"]).all()
    assert sign_accuracy(searching["search"], exact).right == 1
    found = examine(questions, f"az:{network}@50,exact=12")
    assert found.values["search"].overall.right == 1
    assert found.selfplay.overall.regret == 0


def test_a_tree_that_is_kept_is_kept_by_each_side(questions):
    """Its first move has no tree to go on from, so it is that of the same player without."""
    openings = questions.openings
    kept = play_itself(GAME, make_player("mcts:20,reuse"), openings, seed=3)
    fresh = play_itself(GAME, make_player("mcts:20,exact=1"), openings[:1], seed=3)
    assert len(kept) == len(openings)
    assert kept[0].chosen[0] == fresh[0].chosen[0]
    assert kept[0].chosen[0].previous == openings[0]


@pytest.mark.parametrize("game", [Othello(4, 4), Gobang(4, 4, 3)], ids=str)
def test_games_with_passes_and_draws(game):
    questions = draw_questions(Judge(game), positions=10, games=2, seed=1)
    found = examine(questions, "solver")
    assert found.random.keeps == 1
    assert found.selfplay.overall.regret == 0
    assert found.selfplay.skipped == 0
    assert examine(questions, "random").selfplay.overall.regret > 0


def test_players_are_closed(questions, monkeypatch):
    made = []
    monkeypatch.setattr(examination, "make_player", counted(made))
    examine(questions, "first")
    assert [player.closed for player in made] == [1, 1]  # it plays against a second one
    monkeypatch.setattr(examination, "make_player", counted(made, Unable))
    with pytest.raises(PlayerError, match="not this game"):
        examine(questions, "first")
    assert [player.closed for player in made] == [1, 1, 1]


def test_the_seed_decides():
    results = [
        examine(draw_questions(Judge(GAME), 10, 4, seed=seed), "mcts:10") for seed in (1, 1, 2)
    ]
    assert results[0] == results[1] != results[2]


def test_on_boards_out_of_reach_the_drawing_ends():
    game = Clobber(5, 5)
    questions = draw_questions(Judge(game, max_nodes=1), positions=20, games=1)
    assert questions.exam.critical.skipped == 5
    assert len(questions.exam.critical.states) < 20
