"""Components that cancel each other."""

import pytest

from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_position
from zerolab.solver.clobber.sum_solver import SumSolver

# Ten stones each, too many for a looked-up value; the right part is the left one with the colours
# swapped, as it stands and turned half round.
PAIRS = ["xxoox.ooxxo|oxoxo.xoxox", "xxoox.xoxox|oxoxo.oxxoo"]


@pytest.mark.parametrize("text", PAIRS)
@pytest.mark.parametrize("player", [0, 1])
def test_a_component_and_its_negative_are_nothing(text, player):
    game = Clobber(2, 11)
    solver = SumSolver(game)
    assert solver.value(parse_position(game, text, player)) == -1
    assert solver.nodes <= 1  # without cancelling it takes hundreds
