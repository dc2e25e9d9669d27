import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from tests.evaluation.simulated import outcome_shares
from zerolab.errors import UsageError
from zerolab.evaluation.ratings.elo_scale import score_of_elo
from zerolab.evaluation.ratings.sprt import UNSEEN, Sprt

BATCH = 5


def llr(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    test = Sprt(elo0, elo1, paired=len(counts) == 5)
    test.update(counts)
    return test.llr


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "expected"),
    [
        ((10, 20, 40, 20, 10), 0, 5, -0.0345068510),
        ((2, 8, 20, 30, 40), 0, 20, 5.0759777537),
        ((0, 0, 3, 5, 12), -5, 15, 1.1346917190),
        ((120, 40, 10, 0, 0), 0, 10, -4.9633914038),
        ((10789, 19328, 33806, 19402, 10543), -3, 1, 2.1310678118),
        ((0, 0, 0, 0, 3), -1.75, 0.25, 0.0173182131),
        ((0, 0, 50), 0, 30, 4.1311759044),
        ((30, 0, 50), 0, 30, 1.4290912302),
    ],
)
def test_as_fishtest_computes_it(counts, elo0, elo1, expected):
    """LLR_logistic of official-stockfish/fishtest on the same counts."""
    assert llr(counts, elo0, elo1) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "expected"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
    ],
)
def test_as_fastchess_expects_it(counts, elo0, elo1, expected):
    """The logistic cases of its sprt_test.cpp."""
    assert llr(counts, elo0, elo1) == pytest.approx(expected, abs=0.005)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(any))
def test_agrees_with_plain_optimisation(counts):
    """The twin climbs the log-likelihood over all distributions with the mean that H says."""
    seen = np.array([count or UNSEEN for count in counts])
    values = np.linspace(0, 1, 5)

    def best(score: float) -> float:
        found = minimize(
            lambda p: -(seen * np.log(p)).sum() / seen.sum(),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ values - score},
            ],
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return float(-found.fun * seen.sum())

    expected = best(score_of_elo(60)) - best(score_of_elo(-20))
    assert llr(tuple(counts), -20, 60) == pytest.approx(expected, abs=0.02)


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5))
def test_the_other_side_sees_the_opposite(counts):
    assert llr(tuple(counts), -30, 30) == pytest.approx(
        -llr(tuple(counts[::-1]), -30, 30), abs=1e-6
    )


def test_bounds():
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    low, high = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_results_one_by_one():
    test = Sprt(0, 100)
    assert (test.llr, test.verdict, test.games, test.score) == (0, None, 0, 0)
    for scores in [(0, 0), (0.5, 0), (1, 0), (0.5, 0.5), (0.5, 1), (1, 1), (1, 1)]:
        test.add(*scores)
    assert test.counts == [1, 1, 2, 1, 2]
    assert test.games == 14
    assert test.score == pytest.approx(8 / 14)
    single = Sprt(0, 100, paired=False)
    single.add(0.5)
    single.add(1)
    assert (single.counts, single.games, single.score) == ([0, 1, 1], 2, 0.75)


@pytest.mark.parametrize("paired", [True, False])
def test_only_wins_and_only_losses(paired):
    """No variance at all, and yet it neither fails nor decides on the first result."""
    for score, verdict in ((1, "H1"), (0, "H0")):
        test = Sprt(-20, 20, paired=paired)
        test.add(*[score] * (1 + paired))
        assert math.isfinite(test.llr)
        assert test.verdict is None
        for _ in range(200):
            test.add(*[score] * (1 + paired))
        assert test.verdict == verdict


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 20000), "both from -2000 to 2000, not 0 and 20000"),
        ((-2001, 0), "both from -2000 to 2000"),
        ((5, 0), "elo0 must be below elo1"),
        ((0, math.nan), "elo0 must be below elo1"),
        ((0, 5, 0.0), "alpha and beta"),
        ((0, 5, 0.05, 0.6), "alpha and beta"),
    ],
)
def test_impossible_tests(arguments, message):
    with pytest.raises(UsageError, match=message):
        Sprt(*arguments)


def test_impossible_results():
    test = Sprt(0, 5)
    for scores in [(1,), (1, 0.7), (1, 1, 1)]:
        with pytest.raises(UsageError, match=r"2 of 0, 0\.5 and 1"):
            test.add(*scores)
    for counts in [(1, 2, 3), (0, 0, 0, 0, -1)]:
        with pytest.raises(UsageError, match="5 counts of 0 or more"):
            test.update(counts)


# Simulated matches. In each pair the candidate plays one opening from both sides.


def pair_shares(elo: float, bias: float, same: float = 0.0) -> np.ndarray:
    """How often each of the 3 x 3 results of a pair occurs, if openings favour a side by `bias`.

    With probability `same` the second game goes as the first, whoever moves first.
    """

    def apart(lead: float) -> np.ndarray:
        return np.mean(
            [
                np.outer(*(outcome_shares(lead + sign * edge, 0.2)[::-1] for sign in (1, -1)))
                for edge in (bias, -bias)
            ],
            axis=0,
        )

    def surplus(lead: float) -> float:
        return float(apart(lead).sum(axis=1) @ [0, 0.5, 1]) - score_of_elo(elo)

    shares = apart(brentq(surplus, -500, 500))
    return same * np.diag(shares.sum(axis=1)) + (1 - same) * shares


def decide(rng: np.random.Generator, shares: np.ndarray, paired: bool) -> tuple[str, int]:
    """The verdict on elo 0 against 60, and the games it took."""
    test = Sprt(0, 60, paired=paired)
    while True:
        pairs = rng.multinomial(BATCH, shares.ravel()).reshape(3, 3)
        if paired:
            test.update([int(np.fliplr(pairs).trace(2 - i)) for i in range(5)])
        else:
            test.update([int(n) for n in pairs.sum(axis=0) + pairs.sum(axis=1)])
        if test.verdict:
            return test.verdict, test.games


def error_rate(elo: float, paired: bool, **openings: float) -> tuple[float, float]:
    """How often the wrong claim is accepted, and the mean number of games."""
    rng = np.random.default_rng(7)
    shares = pair_shares(elo, **openings)
    done = [decide(rng, shares, paired) for _ in range(400)]
    wrong = "H1" if elo == 0 else "H0"
    return sum(v == wrong for v, _ in done) / 400, float(np.mean([games for _, games in done]))


@pytest.mark.parametrize("elo", [0, 60])
@pytest.mark.parametrize("paired", [True, False])
def test_errors_stay_near_alpha_and_beta(elo, paired):
    wrong, _ = error_rate(elo, paired, bias=0)
    assert wrong < 0.05 + 0.03


def test_pairs_of_one_sided_openings_need_fewer_games():
    """The edge of the opening cancels in a pair; game by game it looks like noise."""
    wrong, games = error_rate(0, True, bias=400)
    _, games_apart = error_rate(0, False, bias=400)
    assert wrong < 0.05 + 0.03
    assert games < 0.7 * games_apart


def test_pairs_that_repeat_themselves_do_not_deceive():
    """Where both games of a pair go the same way, they are hardly more proof than one."""
    wrong, _ = error_rate(0, True, bias=0, same=0.9)
    wrong_apart, _ = error_rate(0, False, bias=0, same=0.9)
    assert wrong < 0.05 + 0.03
    assert wrong_apart > 0.10


@pytest.mark.parametrize("counts", [(9, 0, 0, 0, 0), (0, 0, 0, 0, 9), (1, 2, 3, 2, 1)])
def test_the_widest_claims_there_are(counts):
    assert math.isfinite(llr(counts, -2000, 2000))
