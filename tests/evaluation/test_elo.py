import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerolab.evaluation.elo import (
    elo_of_score,
    likelihood_of_superiority,
    score_of_elo,
    superiority_of_two,
)


def test_known_points():
    assert score_of_elo(0) == 0.5
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert score_of_elo(-191) == pytest.approx(0.25, abs=0.0005)
    assert elo_of_score(0.76) == pytest.approx(400 * math.log10(76 / 24))
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    assert (score_of_elo(-math.inf), score_of_elo(math.inf)) == (0, 1)


@given(st.floats(-2000, 2000))
def test_there_and_back(difference):
    assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference, abs=1e-4)
    assert score_of_elo(difference) + score_of_elo(-difference) == pytest.approx(1)


def test_superiority_of_a_difference():
    assert likelihood_of_superiority(1.959964, 1) == pytest.approx(0.975)
    assert likelihood_of_superiority(-30, 20) == pytest.approx(1 - 0.9331928)
    assert likelihood_of_superiority(0, 0) == 0.5
    assert (likelihood_of_superiority(-1, 0), likelihood_of_superiority(1, 0)) == (0, 1)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (3, 5), (12, 4)])
def test_superiority_of_two_is_the_upper_half_of_the_posterior(wins, losses):
    share = np.linspace(0, 1, 100_001)
    density = share**wins * (1 - share) ** losses
    expected = density[share > 0.5].sum() / density.sum()
    assert superiority_of_two(wins, losses) == pytest.approx(expected, abs=1e-4)
