import numpy as np
import pytest

from tests.evaluation.enumeration import Enumeration
from zerolab.evaluation.perfect.exam_positions import draw_exam, random_game
from zerolab.evaluation.perfect.judge import Judge
from zerolab.games.boards.symmetry import symmetries, turn_state
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.notation import legal_list, parse_position
from zerolab.kernels.rng import stream


@pytest.mark.parametrize("game", [Clobber(3, 3), Clobber(3, 4), Gobang(3, 3, 3)])
def test_answers_agree_with_plain_enumeration(game):
    truth = Enumeration(game)
    exam = draw_exam(game, 25, 20, seed=1)
    assert len(exam.critical.states) > 10
    for positions in exam:
        for state, keeps, value in zip(
            positions.states, positions.keeps, positions.values, strict=True
        ):
            assert set(np.flatnonzero(keeps)) == truth.keeping(state)
            assert value == truth.value(state)


def test_critical_means_that_a_win_can_be_kept_and_lost():
    game = Clobber(4, 4)
    seen = []
    positions = draw_exam(game, 40, 0, seed=2, on_progress=seen.append).critical
    assert len(positions.states) == 40 == seen[-1]
    assert (positions.values == 1).all()
    for state, keeps in zip(positions.states, positions.keeps, strict=True):
        assert 0 < keeps.sum() < len(legal_list(game, state))


def test_as_many_won_as_lost():
    positions = draw_exam(Clobber(4, 4), 0, 40, seed=2).balanced
    assert sorted(positions.values) == [-1] * 20 + [1] * 20


def test_one_position_a_game_from_all_stages():
    game = Clobber(4, 4)
    positions = draw_exam(game, 60, 0, seed=3).critical
    stones = [
        int(black).bit_count() + int(white).bit_count() for _, black, white in positions.states
    ]
    assert (16 - np.array(stones) == positions.plies).all()
    assert positions.plies.min() == 2
    assert set(positions.stages) == {0, 1, 2}
    assert (np.diff(positions.stages[np.argsort(positions.plies)]) >= 0).all()
    assert positions.games >= 60
    assert positions.skipped == 0
    later = draw_exam(game, 20, 0, seed=3, first_ply=5).critical
    assert later.plies.min() >= 5


def test_no_position_twice_not_even_turned():
    game = Clobber(3, 3)
    states = draw_exam(game, 150, 0, seed=1).critical.states
    assert 10 < len(states) < 150  # there are no more
    forms = {
        min(turn_state(game, state, symmetry).tobytes() for symmetry in symmetries(game))
        for state in states
    }
    assert len(forms) == len(states)


def test_the_seed_decides():
    first, again, other = (draw_exam(Clobber(4, 4), 10, 0, seed).critical for seed in (1, 1, 2))
    for ours, theirs in zip(first, again, strict=True):
        assert np.array_equal(ours, theirs)
    assert not np.array_equal(first.states, other.states)


def test_positions_beyond_the_budget_are_counted():
    game = Clobber(4, 5)
    positions = draw_exam(game, 20, 0, seed=1, judge=Judge(game, max_nodes=1)).critical
    plain = draw_exam(game, 20, 0, seed=1).critical
    assert positions.skipped > 0 == plain.skipped
    assert positions.plies.mean() > plain.plies.mean()  # the early ones are missing


def test_boards_without_critical_positions():
    exam = draw_exam(Clobber(1, 2), 5, 4)
    assert len(exam.critical.states) == 0
    assert exam.balanced.keeps.shape == (0, 8)


def test_judge_gives_symmetric_answers():
    game = Clobber(4, 4)
    judge = Judge(game)
    line = random_game(game, stream(5))
    for state in [position.words for position in line[2:]]:
        values = judge.move_values(state)
        assert values is not None
        assert max(values.values()) == judge.value(state)
        for symmetry in symmetries(game):
            turned = judge.move_values(turn_state(game, state, symmetry))
            assert turned == {int(symmetry.actions[action]): v for action, v in values.items()}


def test_judge_knows_draws():
    game = Gobang(3, 3, 3)
    values = Judge(game).move_values(parse_position(game, "xx.|oo.|..."))
    assert values is not None
    assert (values[2], values[5], values[8]) == (1, 0, -1)  # win, block, neither
    assert Judge(game).value(parse_position(game, "...|...|...")) == 0
