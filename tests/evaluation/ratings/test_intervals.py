import math
import random

import pytest

from zerolab.evaluation.ratings.intervals import standard_error, wilson_interval, z_score


def test_wilson_interval_by_hand():
    # 8 of 10, z = 1.96: centre (0.8 + 0.19207) / 1.38415 = 0.71674,
    # spread 1.96 * sqrt(0.016 + 0.0096036) / 1.38415 = 0.22658
    low, high = wilson_interval(8, 10)
    assert low == pytest.approx(0.71674 - 0.22658, abs=1e-4)
    assert high == pytest.approx(0.71674 + 0.22658, abs=1e-4)


def test_interval_of_nothing_and_of_extremes():
    assert wilson_interval(0, 0) == (0, 1)
    assert wilson_interval(0, 50)[0] == pytest.approx(0)
    assert 0 < wilson_interval(0, 50)[1] < 0.1
    assert wilson_interval(50, 50)[1] == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.9])
def test_interval_covers_the_truth_95_times_in_100(rate):
    draw = random.Random(5)
    covered = 0
    for _ in range(2000):
        wins = sum(draw.random() < rate for _ in range(100))
        low, high = wilson_interval(wins, 100)
        covered += low <= rate <= high
    assert covered / 2000 == pytest.approx(0.95, abs=0.03)


def test_z_score_by_hand():
    # (501/1002) rate 0.5: error sqrt(0.25 / 1000) = 0.0158 each, sqrt(2) of it for the difference.
    assert standard_error(500, 1000) == pytest.approx(math.sqrt(0.25 / 1000))
    assert z_score(550, 1000, 500, 1000) == pytest.approx(0.05 / (0.01581 * math.sqrt(2)), rel=0.01)
    assert z_score(0, 1000, 0, 1000) == 0
    assert z_score(0, 1000, 1000, 1000) < -100
