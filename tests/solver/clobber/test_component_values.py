"""Components with their values."""

import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.solver.cgt.value import clobber
from zerolab.solver.clobber.component_values import valued_components


def test_components_that_can_move_have_the_values_they_have_alone():
    position = Position.parse(Clobber(3, 6), "xo.xxo|ox.o.x|x.o...")
    parts = list(valued_components(position, 8))
    assert [part.cells for part in parts] == [(0, 1, 6, 7, 12), (3, 4, 5, 9, 11)]
    assert parts[0].value is clobber("xo|ox|x.")
    assert parts[1].value is clobber("xxo|o.x")


def test_large_ones_have_none():
    position = Position.parse(Clobber(1, 7), "xoxo.xo")
    assert [part.value for part in valued_components(position, 3)] == [None, clobber("xo")]


def test_only_normal_clobber():
    for game in (Othello(), Clobber(3, 3, CANNIBAL)):
        with pytest.raises(UsageError, match="normal Clobber"):
            list(valued_components(Position.start(game), 5))
