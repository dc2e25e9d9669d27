"""Verdicts on invented numbers, just inside and just outside each bound."""

import pytest

from zerolab.studies.cazenave.statements import (
    ACCURACY,
    FAILS,
    HOLDS,
    MSE,
    UNKNOWN,
    Better,
    Close,
    Gap,
    Unlearnt,
    judge_all,
)

# Two seeds that differ by 0.02 have a variance of 0.0002. Three networks of that kind: a difference
# of means has a standard error of sqrt(2 * 0.0002 / 2) = 0.014142 with 3 degrees of freedom, whose
# 97.5 % point is 3.182446. So a difference is sure above 0.045006.
SURE = 0.045006


def seeds(mean: float) -> tuple[float, float]:
    return mean - 0.01, mean + 0.01


def numbers(a: float, b: float, c: float, measure: str = ACCURACY) -> dict:
    return {measure: {"a": seeds(a), "b": seeds(b), "c": seeds(c)}}


def test_a_gap_has_the_interval_of_the_t_distribution():
    gap = Gap(0.1, 0.02, 3)
    assert (gap.low, gap.high) == pytest.approx((0.1 - 3.182446 * 0.02, 0.1 + 3.182446 * 0.02))


@pytest.mark.parametrize(
    ("lead", "verdict"),
    [(SURE + 1e-4, HOLDS), (SURE - 1e-4, UNKNOWN), (1e-4 - SURE, UNKNOWN), (-SURE - 1e-4, FAILS)],
)
def test_better_means_beyond_chance(lead, verdict):
    statement = Better("V", "a is better", ACCURACY, ("a",), ("b",))
    assert statement.judge(numbers(0.5 + lead, 0.5, 0.5))[1] == verdict


def test_a_smaller_error_is_better():
    statement = Better("V", "a is better", MSE, ("a",), ("b",))
    assert statement.judge(numbers(0.1, 0.2, 0.2, MSE))[1] == HOLDS
    assert statement.judge(numbers(0.2, 0.1, 0.2, MSE))[1] == FAILS


def test_every_pair_counts():
    statement = Better("V", "a is best", ACCURACY, ("a",), ("b", "c"))
    assert statement.judge(numbers(0.6, 0.5, 0.5)) == (
        "smallest lead +10.0 points, 2 of 2 pairs",
        HOLDS,
    )
    assert statement.judge(numbers(0.6, 0.5, 0.58)) == (
        "smallest lead +2.0 points, 2 of 2 pairs",
        UNKNOWN,
    )
    assert statement.judge(numbers(0.6, 0.5, 0.7)) == (
        "smallest lead -10.0 points, 1 of 2 pairs",
        FAILS,
    )


def test_one_seed_tells_nothing():
    alone = {ACCURACY: {"a": (0.9,), "b": (0.1,)}}
    assert Better("V", "", ACCURACY, ("a",), ("b",)).judge(alone)[1] == UNKNOWN
    assert Close("V", "", "a", "b").judge(alone)[1] == UNKNOWN


def exact(a: float, b: float) -> dict:
    """Two seeds that agree: no spread, so the bounds themselves are seen."""
    return {ACCURACY: {"a": (a, a), "b": (b, b)}}


@pytest.mark.parametrize(
    ("lead", "both_sides", "one_side"),
    [
        (0.0099, HOLDS, HOLDS),
        (0.0101, FAILS, FAILS),
        (-0.0099, HOLDS, HOLDS),
        (-0.0101, FAILS, HOLDS),
    ],
)
def test_close_is_within_a_point(lead, both_sides, one_side):
    found = exact(0.5 + lead, 0.5)
    assert Close("V", "", "a", "b").judge(found)[1] == both_sides
    assert Close("V", "", "a", "b", one_sided=True).judge(found)[1] == one_side


def test_close_needs_an_interval_within_a_point():
    assert Close("V", "", "a", "b").judge(numbers(0.5, 0.5, 0.5))[1] == UNKNOWN
    assert Close("V", "", "a", "b").judge(numbers(0.6, 0.5, 0.5))[1] == FAILS


def test_a_value_that_is_not_learnt():
    def judge(*errors):
        return Unlearnt("V", "", "a").judge({MSE: {"a": errors}})[1]

    assert judge(0.241, 0.25) == HOLDS
    assert judge(0.239, 0.25) == UNKNOWN
    assert judge(0.239, 0.24) == FAILS


def test_a_report_is_reproduced_if_all_hold():
    better = Better("V.A", "a above b", ACCURACY, ("a",), ("b",))
    worse = Better("V.B", "b above a", ACCURACY, ("b",), ("a",))
    unclear = Better("V.C", "c above b", ACCURACY, ("c",), ("b",))
    found = numbers(0.6, 0.5, 0.5)
    report = judge_all("title", [better], found)
    assert report.reproduced is True
    assert report.rows == [("V.A", "a above b", "smallest lead +10.0 points", HOLDS)]
    assert report.values[0]["verdict"] == HOLDS
    assert judge_all("title", [better, unclear], found).reproduced is None
    mixed = judge_all("title", [better, unclear, worse], found)
    assert mixed.reproduced is False
    assert mixed.verdict.startswith("1 holds, 1 does not hold, 1 cannot be told")
