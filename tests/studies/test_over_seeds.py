"""Means over seeds, worked out by hand."""

import pytest

from zerolab.studies.over_seeds import in_words, mean_curve, standard_error, with_error


def test_numbers_in_words():
    assert in_words([10.0, 14.0], "{:+.0f}") == "+12 ± 2"
    assert in_words([0.5], "{:.1%}") == "50.0%"
    assert with_error(-1.0, 0.25, "{:+.2f}") == "-1.00 ± 0.25"
    assert with_error(-1.0, None, "{:+.2f}") == "-1.00"


def test_the_standard_error_is_of_the_mean():
    # Deviations -3, 1, 2 from the mean 4: variance 14 / 2, divided by 3 values.
    assert standard_error([1.0, 5.0, 6.0]) == pytest.approx((14 / 2 / 3) ** 0.5)
    assert standard_error([1.0]) is None


def test_a_curve_goes_as_far_as_every_seed_does():
    curve = mean_curve("loss", [10, 20, 30], [[1.0, 2.0, 9.0], [3.0, 6.0]])
    assert curve.x == (10.0, 20.0)
    assert curve.y == (2.0, 4.0)
    assert curve.errors == (1.0, 2.0)  # half the difference of two values


def test_one_seed_has_no_errors():
    curve = mean_curve("loss", [1, 2], [[4.0, 3.0]])
    assert curve.y == (4.0, 3.0)
    assert curve.errors == ()
