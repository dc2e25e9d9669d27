import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerolab.evaluation.ratings.elo_scale import likelihood_of_superiority, score_of_elo


def test_known_points():
    assert score_of_elo(0) == 0.5
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert score_of_elo(-191) == pytest.approx(0.25, abs=0.0005)
    assert score_of_elo(400 * math.log10(76 / 24)) == pytest.approx(0.76)
    assert (score_of_elo(-math.inf), score_of_elo(math.inf)) == (0, 1)


@given(st.floats(-2000, 2000))
def test_odds_of_ten_to_one_are_400_points(difference):
    score = score_of_elo(difference)
    assert score + score_of_elo(-difference) == pytest.approx(1)
    assert 400 * math.log10(score / (1 - score)) == pytest.approx(difference, abs=1e-4)


def test_superiority_of_a_difference():
    assert likelihood_of_superiority(1.959964, 1) == pytest.approx(0.975)
    assert likelihood_of_superiority(-30, 20) == pytest.approx(1 - 0.9331928)
    assert likelihood_of_superiority(0, 0) == 0.5
    assert (likelihood_of_superiority(-1, 0), likelihood_of_superiority(1, 0)) == (0, 1)
