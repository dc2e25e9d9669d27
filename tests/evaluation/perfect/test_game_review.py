"""Games judged move by move."""

import pytest

from zerolab.evaluation.perfect.game_review import (
    Judge,
    Judged,
    find_mistakes,
    value_for_black,
)
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.solver.solvers import make_solver, move_values


def test_small_positions_are_solved():
    position = Position.start(Clobber(3, 4))
    judged = Judge().judge(position)
    values = move_values(make_solver(position.game, position.state), position.state)
    assert judged.is_exact
    assert judged.value == max(values.values())
    assert set(judged.best) == {each for each, value in values.items() if value == judged.value}


def test_a_judge_goes_from_game_to_game():
    judge = Judge()
    for game in (Gobang(3, 3, 3), Clobber(2, 3), Gobang(3, 3, 3)):
        assert judge.judge(Position.start(game)).is_exact


def test_others_are_searched():
    judged = Judge(nodes=1, simulations=50).judge(Position.start(Clobber(6, 6)))
    assert not judged.is_exact
    assert -1 < judged.value < 1
    assert len(judged.best) == 1


def test_the_end_of_a_game_is_judged_for_the_player_to_move():
    over = Position.parse(Clobber(1, 3), "x..", "white")
    assert Judge().judge(over) == Judged(-1.0, True, ())
    assert value_for_black(over, Judged(-1.0, True, ())) == 1.0


def test_a_puzzle_has_a_value_of_its_own():
    judged = Judge(simulations=200).judge(Position.start(Solitaire(2, 2)))
    assert judged.value > 0
    over = Position.parse(Solitaire(2, 2), "x.|..")
    assert Judge().judge(over).value == pytest.approx(over.outcome().value)


def test_mistakes_are_moves_that_give_value_away():
    first = Position.start(Clobber(2, 3))
    positions = [first]
    for _ in range(3):
        positions.append(positions[-1].play(positions[-1].legal_moves[0]))

    def judged(*values, exact=True):
        return [None if value is None else Judged(value, exact, ()) for value in values]

    found = find_mistakes(positions, judged(1, 1, -1, 1))
    assert [(each.ply, each.loss, each.is_exact) for each in found] == [(0, 2, True)]
    # By search only large losses count, and what is not known counts as none.
    assert [
        each.ply for each in find_mistakes(positions, judged(0.2, 0.2, 0.4, 0, exact=False))
    ] == [1]
    assert find_mistakes(positions, judged(1, None, 1, -1)) == []
