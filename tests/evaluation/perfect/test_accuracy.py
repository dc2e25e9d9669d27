import math

import numpy as np
import pytest

from tests.evaluation.enumeration import Enumeration
from tests.search.evaluators import uniform
from zerolab.encodings.views import encode_states, make_view
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import (
    keeping_share,
    measure_network,
    player_share,
    sign_accuracy,
)
from zerolab.evaluation.perfect.exam_positions import draw_exam
from zerolab.evaluation.players.players import make_player
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.compiling import lean
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.exact_leaves import make_exact_leaves

GAME = Clobber(3, 4)


@pytest.fixture(scope="module")
def exam():
    return draw_exam(GAME, 40, 40, seed=1)


def test_perfect_play_keeps_all_and_its_opposite_none(exam):
    truth = Enumeration(GAME)
    share = keeping_share(exam.critical, truth.choose)
    assert share.keeps == 1
    assert share.positions == 40 == sum(stage.positions for stage in share.stages.values())
    assert 0 < share.error < 0.1

    def err(states):
        return np.array(
            [min(set(legal_list(GAME, state)) - truth.keeping(state)) for state in states]
        )

    assert keeping_share(exam.critical, err).keeps == 0


def test_random_play_keeps_as_many_as_there_are():
    game = Clobber(4, 4)
    positions = draw_exam(game, 60, 0, seed=1).critical
    moves = [len(legal_list(game, state)) for state in positions.states]
    chances = positions.keeps.sum(axis=1) / moves
    rounds = 20
    shares = [player_share(positions, make_player("random"), seed).keeps for seed in range(rounds)]
    error = math.sqrt((chances * (1 - chances)).sum() / rounds) / len(chances)
    assert abs(np.mean(shares) - chances.mean()) < 4 * error


def test_stages_add_up(exam):
    share = player_share(exam.critical, make_player("first"))
    parts = [stage.right * stage.positions for stage in share.stages.values()]
    assert sum(parts) == pytest.approx(share.keeps * share.positions)
    assert set(share.stages) <= {"early", "middle", "late"}


def test_a_network_that_knows_nothing(exam):
    result = measure_network(
        SearchingNetwork(GAME, uniform(GAME), SearchConfig(max_simulations=2)), exam
    )
    assert result.network_value_accuracy.right == 0.5
    first = player_share(exam.critical, make_player("first"))
    assert result.network_keeps == first


@pytest.mark.parametrize("gumbel", [False, True])
def test_exact_leaves_make_play_perfect(exam, gumbel):
    config = SearchConfig(max_simulations=100, gumbel=gumbel, gumbel_considered=32)
    result = measure_network(
        SearchingNetwork(GAME, uniform(GAME), config, make_exact_leaves(GAME, 12)), exam
    )
    assert result.keeps.keeps == 1
    assert result.value_accuracy.right == 1
    assert result.value_accuracy.positions == 40


@pytest.mark.parametrize("encoding", ["own", "components"])
def test_values_are_those_of_the_player_to_move(exam, encoding):
    """A network that knows the answers by heart, and one that says the opposite."""
    answers = {}
    view = make_view(GAME, encoding)
    for positions in exam:
        all_planes = np.zeros((len(positions.states), view.planes, 3, 4), np.float32)
        encode_states(view, lean(GAME), positions.states, all_planes)
        for planes, keeps, value in zip(all_planes, positions.keeps, positions.values, strict=True):
            answers[planes.tobytes()] = keeps, value
    nothing = np.zeros(num_actions(GAME)), 0

    def knowing(sign):
        def evaluate(planes):
            rows = [answers.get(each.tobytes(), nothing) for each in planes]
            logits = np.array([keeps for keeps, _ in rows], np.float32)
            return sign * logits, np.array([sign * 0.9 * value for _, value in rows], np.float32)

        return evaluate

    config = SearchConfig(max_simulations=1, encoding=encoding)
    right, wrong = (
        measure_network(SearchingNetwork(GAME, knowing(sign), config), exam) for sign in (1, -1)
    )
    assert right.network_value_accuracy.right == 1 == right.network_keeps.keeps
    assert wrong.network_value_accuracy.right == 0 == wrong.network_keeps.keeps
    assert right.value_accuracy.right == 1


def test_playout_cap_randomisation_is_off(exam):
    """The same with and without it: an examined network plays its best."""
    full = SearchConfig(max_simulations=30)
    capped = SearchConfig(max_simulations=30, fast_simulations=1, full_share=0.01)
    results = [
        measure_network(SearchingNetwork(GAME, uniform(GAME), config), exam)
        for config in (full, capped)
    ]
    assert results[0] == results[1]


def test_sign_accuracy():
    share = sign_accuracy(np.array([0.1, -0.2, 0.0, 0.9]), np.array([1, 1, -1, 1]))
    assert share.right == pytest.approx((1 + 0 + 0.5 + 1) / 4)
    assert math.isnan(sign_accuracy(np.zeros(0), np.zeros(0, np.int64)).right)


def test_no_positions():
    none = draw_exam(Clobber(1, 2), 3, 0).critical
    with pytest.raises(UsageError, match="no positions"):
        player_share(none, make_player("first"))
    with pytest.raises(UsageError, match="no positions"):
        keeping_share(none, lambda states: np.zeros(len(states), np.int64))
