import itertools
import math
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize

from tests.evaluation.published import BASEBALL, PUDDINGS
from tests.evaluation.simulated import plain_log_posterior, round_robin
from zerolab.errors import UsageError
from zerolab.evaluation.ratings.bayesian_elo import (
    DISCONNECTED,
    FEW,
    NO_PRIOR,
    ONE_SIDED,
    Ratings,
    rate,
)
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.elo_scale import ELO
from zerolab.games.playing.score import Score

FIELD = {"a": -200.0, "b": -50.0, "c": 0.0, "d": 60.0, "e": 300.0}


def assert_finite(ratings: Ratings) -> None:
    for player in ratings.players:
        assert all(map(math.isfinite, [player.rating, player.error, *player.interval]))
        assert math.isfinite(player.score)
    assert np.isfinite(ratings.superiority).all()
    assert all(map(math.isfinite, [*ratings.advantage, *ratings.draws]))


# Known results


@pytest.mark.parametrize(("wins", "losses"), [(50, 50), (75, 25), (1, 99)])
def test_two_players_without_prior(wins, losses):
    """The closed form, and its error by the delta method."""
    meetings = [Meeting("a", "b", Score(wins, 0, losses))]
    a = rate(meetings, "b", prior=NO_PRIOR, advantage_prior=0).of("a")
    assert a.rating == pytest.approx(400 * math.log10(wins / losses), abs=0.01)
    assert a.error == pytest.approx(ELO * math.sqrt(1 / wins + 1 / losses), rel=1e-4)


def test_advantage_without_prior():
    """Equals who win 3 of 4 games with the first move: 3 to 1, or 191 Elo."""
    ratings = rate(
        [Meeting("a", "b", Score(30, 0, 10)), Meeting("b", "a", Score(30, 0, 10))],
        prior=NO_PRIOR,
        advantage_prior=NO_PRIOR,
    )
    assert ratings.advantage.value == pytest.approx(400 * math.log10(3), abs=1e-2)
    assert ratings.of("a").rating == pytest.approx(0, abs=1e-6)


def test_draws_between_equals():
    ratings = rate(
        [Meeting("a", "b", Score(350, 300, 350)), Meeting("b", "a", Score(350, 300, 350))]
    )
    assert ratings.draws.value == pytest.approx(0.3, abs=0.001)
    assert ratings.draws.error == pytest.approx(math.sqrt(0.3 * 0.7 / 2000), rel=0.01)


def test_a_draw_is_half_a_win_and_half_a_loss():
    with_draws = rate(
        [Meeting("a", "b", Score(30, 20, 10)), Meeting("b", "c", Score(15, 10, 35))], "c"
    )
    assert with_draws.of("a").score == pytest.approx(40 / 60)
    level = rate([Meeting("a", "b", Score(30, 10, 20)), Meeting("b", "a", Score(30, 10, 20))])
    other = rate([Meeting("a", "b", Score(25, 20, 15)), Meeting("b", "a", Score(20, 30, 10))])
    for ratings in (level, other):  # 35 of 60 each with the first move
        assert ratings.of("a").rating == pytest.approx(0, abs=1e-9)


def test_baseball_as_published():
    """Agresti's Table 10.11 and page 438, with more digits from R's BradleyTerry2."""
    fair = rate(BASEBALL, "Baltimore", prior=NO_PRIOR, advantage_prior=0)
    strengths = [player.rating / ELO for player in fair.players]
    assert strengths == pytest.approx([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0], abs=0.006)
    home = rate(BASEBALL, "Baltimore", prior=NO_PRIOR, advantage_prior=NO_PRIOR)
    assert home.advantage.value / ELO == pytest.approx(0.3023, abs=5e-5)
    shares = np.exp([player.rating / ELO for player in home.players])
    assert shares / shares.sum() == pytest.approx(
        [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044], abs=5e-4
    )


@pytest.mark.parametrize(
    ("anchor", "strengths", "errors"),
    [
        (
            "1",
            [0, 0.2202, 0.1530, 0.1753, 0.1339, 0.3771],
            [0, 0.1872, 0.1935, 0.1882, 0.1927, 0.1924],
        ),
        (
            None,
            [-0.176581, 0.043664, -0.023617, -0.001295, -0.042726, 0.200555],
            [0.121949, 0.121818, 0.126823, 0.122003, 0.127054, 0.126594],
        ),
    ],
)
def test_puddings_as_published(anchor, strengths, errors):
    """Davidson's example with ties, as in the manual of R's PlackettLuce (7 iterations)."""
    ratings = rate(PUDDINGS, anchor, prior=NO_PRIOR, advantage_prior=0)
    players = sorted(ratings.players)
    assert [p.rating / ELO for p in players] == pytest.approx(strengths, abs=2e-4)
    assert [p.error / ELO for p in players] == pytest.approx(errors, abs=1e-4)
    weight = 0.7468  # of a tie, where each pudding of two equals has the weight 1
    assert ratings.draws.value == pytest.approx(weight / (2 + weight), abs=2e-4)
    assert ratings.draws.error == pytest.approx(
        0.0825 * ratings.draws.value * (1 - ratings.draws.value), rel=1e-3
    )


# The slow twin


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_plain_optimisation(seed):
    """Numeric gradients and a numeric Hessian of the log posterior as it is written down."""
    rng = np.random.default_rng(seed)
    strengths = dict(itertools.islice(FIELD.items(), 3))
    meetings = round_robin(rng, strengths, 20, advantage=80, draws=0.2)

    def depth(scaled: np.ndarray) -> float:
        return -plain_log_posterior(scaled * [100, 100, 100, 100, 1], meetings, 500, 200)

    found = minimize(depth, np.zeros(5), method="BFGS", options={"gtol": 1e-7}).x
    hessian = approx_fprime(found, lambda x: approx_fprime(x, depth, 1e-5), 1e-4)
    covariance = np.linalg.inv((hessian + hessian.T) / 2)
    against_c = np.array([1, 0, -1, 0, 0.0])

    ratings = rate(meetings, "c")
    assert ratings.of("a").rating == pytest.approx(100 * (found[0] - found[2]), abs=0.05)
    assert ratings.of("b").rating == pytest.approx(100 * (found[1] - found[2]), abs=0.05)
    assert ratings.advantage.value == pytest.approx(100 * found[3], abs=0.05)
    assert ratings.draws.value == pytest.approx(1 / (1 + 2 * math.exp(-found[4])), abs=1e-4)
    error = 100 * math.sqrt(against_c @ covariance @ against_c)
    assert ratings.of("a").error == pytest.approx(error, rel=0.01)
    assert ratings.advantage.error == pytest.approx(100 * math.sqrt(covariance[3, 3]), rel=0.01)


# Laws

counts = st.integers(0, 40)
names = st.sampled_from(["a", "b", "c", "d"])
meeting_lists = st.lists(
    st.builds(Meeting, names, names, st.builds(Score, counts, counts, counts)).filter(
        lambda each: each.first != each.second
    ),
    min_size=1,
    max_size=8,
).filter(lambda meetings: any(each.score.games for each in meetings))


@given(meeting_lists, st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(meetings, shuffler: random.Random):
    new = dict(zip("abcd", shuffler.sample(["p", "q", "r", "s"], 4), strict=True))
    renamed = [Meeting(new[t.first], new[t.second], t.score) for t in meetings]
    shuffler.shuffle(renamed)
    one, other = rate(meetings), rate(renamed)
    assert_finite(one)
    for player in one.players:
        same = other.of(new[player.name])
        assert same.rating == pytest.approx(player.rating, abs=1e-5)
        assert same.error == pytest.approx(player.error, abs=1e-5)
        assert (same.games, same.score) == (player.games, player.score)
    assert other.advantage == pytest.approx(one.advantage, abs=1e-5)


@given(meeting_lists)
def test_laws_of_ratings(meetings):
    ratings = rate(meetings)
    named = {name for tally in meetings for name in tally[:2]}
    assert {player.name for player in ratings.players} == named
    values = [player.rating for player in ratings.players]
    assert values == sorted(values, reverse=True)
    assert sum(values) == pytest.approx(0, abs=1e-6)
    assert np.allclose(ratings.superiority + ratings.superiority.T, 1)
    assert sum(player.games for player in ratings.players) == 2 * sum(
        t.score.games for t in meetings
    )
    assert sorted(name for group in ratings.groups for name in group) == sorted(named)
    anchor = ratings.players[-1].name
    moved = rate(meetings, anchor, 1000)
    assert moved.of(anchor)[1:3] == (pytest.approx(1000), pytest.approx(0))
    assert [p.rating - 1000 for p in moved.players] == pytest.approx(
        [value - values[-1] for value in values], abs=1e-6
    )
    for player in moved.players:  # the anchor's column of superiority is its own error
        certainty = ratings.superiority_of(player.name, anchor)
        assert moved.superiority_of(player.name, anchor) == pytest.approx(certainty)


def test_more_games_less_error():
    errors = [
        rate([Meeting("a", "b", Score(6 * n, 0, 4 * n)), Meeting("b", "a", Score(4 * n, 0, 6 * n))])
        .of("a")
        .error
        for n in (1, 10, 100)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[1] / errors[2] == pytest.approx(math.sqrt(10), rel=0.05)


def test_one_who_always_moves_first_may_owe_it_to_that():
    """No number of games tells strength from the first move then, and the error says so."""
    always = rate([Meeting("a", "b", Score(7000, 0, 3000))]).of("a")
    both = rate(
        [Meeting("a", "b", Score(3500, 0, 1500)), Meeting("b", "a", Score(1500, 0, 3500))]
    ).of("a")
    assert always.error > 80
    assert both.error < 3


# Calibration


def test_intervals_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(17)
    covered, checked, sure = 0, 0, {step: [0, 0.0, 0] for step in range(5)}
    for _ in range(500):
        truth = {name: rng.normal(0, 200) for name in "abcdef"}
        ratings = rate(round_robin(rng, truth, 15, advantage=70, draws=0.25), "a")
        for player in ratings.players:
            if player.name != "a":
                low, high = player.interval
                covered += low <= truth[player.name] - truth["a"] <= high
                checked += 1
        covered += ratings.advantage.interval.low <= 70 <= ratings.advantage.interval.high
        covered += ratings.draws.interval.low <= 0.25 <= ratings.draws.interval.high
        checked += 2
        for one, other in itertools.combinations(ratings.players, 2):
            claim = ratings.superiority_of(one.name, other.name)  # 0.5 or more: the better rated
            seen = sure[min(4, int(10 * claim - 5))]
            seen[0] += truth[one.name] > truth[other.name]
            seen[1] += claim
            seen[2] += 1
    assert checked >= 2000
    assert 0.935 < covered / checked < 0.965
    for right, claimed, times in sure.values():
        assert times > 200
        assert right / times == pytest.approx(claimed / times, abs=0.05)


# Where the games do not say enough


def test_one_sided():
    ratings = rate([Meeting("a", "b", Score(20, 0, 0)), Meeting("b", "c", Score(10, 5, 10))], "c")
    assert_finite(ratings)
    assert ONE_SIDED in ratings.of("a").flags
    assert ONE_SIDED not in ratings.of("b").flags
    assert ratings.of("a").rating > ratings.of("b").rating + 200
    assert ratings.of("a").error > 2 * ratings.of("b").error


def test_a_million_games_all_won():
    ratings = rate([Meeting("a", "b", Score(10**6, 0, 0))])
    assert_finite(ratings)
    assert ratings.superiority_of("a", "b") > 0.99
    assert [player.flags for player in ratings.players] == [(ONE_SIDED,), (ONE_SIDED,)]


huge = st.sampled_from([0, 0, 1, 1000, 10**9])


@settings(max_examples=60)
@given(
    st.lists(st.tuples(names, names, huge, huge, huge), min_size=1, max_size=8),
    st.sampled_from([1.0, 500.0, NO_PRIOR]),
)
def test_finite_whatever_the_games(games, prior):
    meetings = [Meeting(a, b, Score(*counts)) for a, b, *counts in games if a != b]
    if any(each.score.games for each in meetings):
        assert_finite(rate(meetings, prior=prior))


def test_a_group_that_won_all_against_another():
    """Nobody won all games, and yet only the prior says how far a and b are above c and d."""
    meetings = [
        Meeting("a", "b", Score(20, 0, 20)),
        Meeting("c", "d", Score(20, 0, 20)),
        Meeting("a", "c", Score(50, 0, 0)),
    ]
    flagged = {p.name for p in rate(meetings, "d").players if ONE_SIDED in p.flags}
    assert flagged == {"a", "b"}


def test_disconnected():
    meetings = [
        Meeting("a", "b", Score(30, 0, 10)),
        Meeting("b", "c", Score(20, 0, 20)),
        Meeting("x", "y", Score(10, 0, 30)),
        Meeting("y", "x", Score(30, 0, 10)),
        Meeting("a", "x", Score(0, 0, 0)),
    ]
    ratings = rate(meetings, "b")
    assert_finite(ratings)
    assert ratings.groups == (("a", "b", "c"), ("x", "y"))
    assert {p.name for p in ratings.players if DISCONNECTED in p.flags} == {"x", "y"}
    assert ratings.of("x").error > 300
    assert ratings.superiority_of("y", "x") > 0.95
    assert {p.name for p in rate(meetings, "x").players if DISCONNECTED in p.flags} == set("abc")


def test_a_single_game():
    ratings = rate([Meeting("a", "b", Score(1, 0, 0))])
    assert_finite(ratings)
    assert ratings.players[0].name == "a"
    assert ratings.players[0].flags == (ONE_SIDED, FEW)
    assert 0.5 < ratings.superiority_of("a", "b") < 0.9


def test_only_draws():
    ratings = rate([Meeting("a", "b", Score(0, 100, 0))])
    assert_finite(ratings)
    assert ratings.of("a").rating == pytest.approx(0, abs=30)
    assert ratings.draws.value > 0.9
    assert ratings.of("a").flags == ()


def test_a_player_without_games():
    ratings = rate([Meeting("a", "b", Score(30, 0, 30)), Meeting("a", "c", Score(0, 0, 0))])
    assert_finite(ratings)
    assert ratings.of("c").flags == (DISCONNECTED, FEW)
    assert ratings.of("c").games == 0


def test_no_draws_at_all():
    assert rate([Meeting("a", "b", Score(30, 0, 20))]).draws == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "there are no games"),
        (([Meeting("a", "b", Score(0, 0, 0))],), "there are no games"),
        (
            ([Meeting("a", "b", Score(1, 0, 0))], "z"),
            "'z' has played no games; the players are a, b",
        ),
        (([Meeting("a", "a", Score(1, 0, 0))],), "against itself"),
        (([Meeting("a", "b", Score(1, 0, -1))],), "0 or more"),
    ],
)
def test_what_cannot_be_rated(arguments, message):
    with pytest.raises(UsageError, match=message):
        rate(*arguments)


@pytest.mark.parametrize("prior", [0, -1, 1e6, math.inf, math.nan])
def test_impossible_priors(prior):
    with pytest.raises(UsageError, match="standard deviations"):
        rate([Meeting("a", "b", Score(1, 0, 0))], prior=prior)


def test_needs_no_scipy():
    """Ratings belong to playing; scipy comes with the train extra."""
    code = (
        "import sys; sys.modules['scipy'] = None\n"
        "from zerolab.evaluation.ratings.bayesian_elo import rate\n"
        "from zerolab.evaluation.ratings.bradley_terry import Meeting\n"
        "from zerolab.games.playing.score import Score\n"
        "print(round(rate([Meeting('a', 'b', Score(1, 0, 1))]).of('a').rating))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
