"""The kernel that is written by hand plays the same game as the rules."""

import numpy as np
import pytest

from zerolab.benchmarks.playout_speed import clobber_5x5_by_hand
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.search.playouts import mean_length


def test_games_by_hand_are_as_long_as_random_games():
    games = 40_000
    by_hand = clobber_5x5_by_hand(games, stream(1)) / games
    # A standard deviation of about 1.6 moves: 0.03 is 2.6 standard errors of the difference.
    assert by_hand == pytest.approx(mean_length(Clobber(5, 5), games), abs=0.03)
    assert np.isfinite(by_hand)
