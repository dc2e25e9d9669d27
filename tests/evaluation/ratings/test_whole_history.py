import math

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.evaluation.simulated import play
from zerolab.errors import UsageError
from zerolab.evaluation.ratings.bayesian_elo import (
    DISCONNECTED,
    FEW,
    NO_PRIOR,
    ONE_SIDED,
    rate,
)
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.elo_scale import ELO
from zerolab.evaluation.ratings.whole_history import History, Moment, rate_history
from zerolab.games.playing.score import Score

OPPONENTS = {"weak": -250.0, "middle": 0.0, "strong": 200.0}


def drifting(
    rng: np.random.Generator, points: int, w2: float, games: int = 8
) -> tuple[dict[Moment, float], list[Meeting]]:
    """A player that changes at random, every 10 units of time against three that do not."""
    truth = {Moment(name): strength for name, strength in OPPONENTS.items()}
    meetings = [
        Meeting(
            Moment(a),
            Moment(b),
            Score(*play(rng, truth[Moment(a)] - truth[Moment(b)] + 50, 20, 0.1)),
        )
        for a in OPPONENTS
        for b in OPPONENTS
        if a != b
    ]
    strength = rng.normal(0, 100)
    for time in range(0, 10 * points, 10):
        now = Moment("run", time)
        truth[now] = strength
        for name, other in OPPONENTS.items():
            fixed = Moment(name)
            meetings.append(
                Meeting(now, fixed, Score(*play(rng, strength - other + 50, games, 0.1)))
            )
            meetings.append(
                Meeting(fixed, now, Score(*play(rng, other - strength + 50, games, 0.1)))
            )
        strength += rng.normal(0, math.sqrt(w2 * 10))
    return truth, meetings


def mean_square_miss(history: History, truth: dict[Moment, float]) -> float:
    points = history.of("run")
    return float(
        np.mean([(p.rating - truth[p.moment] + truth[Moment("middle")]) ** 2 for p in points])
    )


@pytest.mark.parametrize(("virtual", "ratings"), [(1, [-43, -45, -45]), (0.5, [-50, -51, -52])])
def test_published_examples(virtual, ratings):
    """Of the library whole_history_rating, 1.5 and 3.6: `virtual` wins and losses as the prior."""
    still = Moment("still")
    meetings = [
        Meeting(Moment("shusaku", 1), Moment("shusai", 1), Score(1, 0, 0)),
        Meeting(Moment("shusaku", 2), Moment("shusai", 2), Score(0, 0, 1)),
        Meeting(Moment("shusaku", 3), Moment("shusai", 3), Score(0, 0, 1)),
        Meeting(Moment("shusaku", 1), still, Score(virtual, 0, virtual)),
        Meeting(Moment("shusai", 1), still, Score(virtual, 0, virtual)),
    ]
    history = rate_history(meetings, "still", w2=300, prior=NO_PRIOR, advantage_prior=0)
    assert [round(point.rating) for point in history.of("shusaku")] == ratings
    assert [round(point.rating) for point in history.of("shusai")] == [-r for r in ratings]


def test_agrees_with_plain_optimisation():
    """The log posterior as Coulom writes it, with numeric gradients."""
    wins = [1, 3, 9, 6]
    times = [0, 1, 3, 10]
    meetings = [
        Meeting(Moment("run", time), Moment("still"), Score(won, 0, 10 - won))
        for time, won in zip(times, wins, strict=True)
    ]

    def depth(x: np.ndarray) -> float:
        *run, still, advantage = 100 * x
        total = (run[0] ** 2 + still**2) / (2 * 500**2) + advantage**2 / (2 * 200**2)
        for i in range(1, 4):
            total += (run[i] - run[i - 1]) ** 2 / (2 * 2000 * (times[i] - times[i - 1]))
        for rating, won in zip(run, wins, strict=True):
            lead = (rating - still + advantage) / ELO
            total += won * np.log1p(np.exp(-lead)) + (10 - won) * np.log1p(np.exp(lead))
        return float(total)

    found = 100 * minimize(depth, np.zeros(6), method="BFGS", options={"gtol": 1e-6}).x
    history = rate_history(meetings, "still", w2=2000)
    expected = [rating - found[4] for rating in found[:4]]
    assert [p.rating for p in history.of("run")] == pytest.approx(expected, abs=0.05)
    assert history.advantage.value == pytest.approx(found[5], abs=0.05)


@pytest.mark.parametrize("w2", [0, 1e-9])
def test_without_drift_it_is_the_static_rating(w2):
    _, meetings = drifting(np.random.default_rng(3), 5, 100)
    history = rate_history(meetings, "middle", w2=w2)
    static = rate([Meeting(m.first.name, m.second.name, m.score) for m in meetings], "middle")
    for point in history.points:
        same = static.of(point.moment.name)
        assert point.rating == pytest.approx(same.rating, abs=1e-3)
        assert point.error == pytest.approx(same.error, abs=1e-3)
    assert history.advantage == pytest.approx(static.advantage)
    assert history.draws == pytest.approx(static.draws)


def test_intervals_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(11)
    covered, checked, advantage = 0, 0, 0
    for _ in range(120):
        truth, meetings = drifting(rng, 18, 60)
        history = rate_history(meetings, "middle", w2=60)
        for point in history.of("run"):
            covered += point.interval.low <= truth[point.moment] <= point.interval.high
            checked += 1
        advantage += history.advantage.interval.low <= 50 <= history.advantage.interval.high
    assert checked >= 2000
    assert 0.92 < covered / checked < 0.98
    assert advantage >= 106


def test_finds_the_drift():
    """And so well that the intervals still hold the truth; by the games alone they would not."""
    rng = np.random.default_rng(5)
    found, covered = [], 0
    for _ in range(20):
        truth, meetings = drifting(rng, 30, 60)
        history = rate_history(meetings, "middle")
        found.append(history.w2)
        covered += sum(
            point.interval.low <= truth[point.moment] <= point.interval.high
            for point in history.of("run")
        )
    assert 40 < np.median(found) < 110
    assert min(found) > 5
    assert 0.92 < covered / 600 < 0.98
    still = [rate_history(drifting(rng, 30, 0)[1], "middle").w2 for _ in range(5)]
    assert np.median(still) < 20


def test_smooths():
    """Better than each time for itself, and than no change at all."""
    rng = np.random.default_rng(8)
    misses = np.zeros(3)
    for _ in range(5):
        truth, meetings = drifting(rng, 20, 60)
        for i, w2 in enumerate([60, 1e7, 0]):
            misses[i] += mean_square_miss(rate_history(meetings, "middle", w2=w2), truth)
    assert misses[0] < 0.7 * misses[1]
    assert misses[0] < 0.7 * misses[2]


def test_a_time_without_games_lies_between_its_neighbours():
    meetings = [
        Meeting(Moment("run", 0), Moment("still"), Score(10, 0, 30)),
        Meeting(Moment("run", 10), Moment("still"), Score(30, 0, 10)),
        Meeting(Moment("run", 4), Moment("still"), Score(0, 0, 0)),
        Meeting(Moment("run", 15), Moment("still"), Score(0, 0, 0)),
    ]
    begin, between, end, after = rate_history(meetings, "still", w2=500).of("run")
    assert between.rating == pytest.approx(0.6 * begin.rating + 0.4 * end.rating)
    assert after.rating == pytest.approx(end.rating)
    assert between.error > begin.error
    assert after.error == pytest.approx(math.sqrt(end.error**2 + 5 * 500))


def test_against_its_earlier_self():
    meetings = [Meeting(Moment("run", 1), Moment("run", 0), Score(70, 0, 30))]
    meetings += [Meeting(Moment("run", 0), Moment("run", 1), Score(30, 0, 70))]
    history = rate_history(meetings, Moment("run", 0), 100, w2=1e5)
    assert history.points[0][1:3] == (pytest.approx(100), pytest.approx(0))
    assert 200 < history.points[1].rating < 250
    gain = history.difference(Moment("run", 1), Moment("run", 0))
    assert gain.error == pytest.approx(history.points[1].error)
    assert history.superiority_of(Moment("run", 1), Moment("run", 0)) > 0.99


def test_stays_finite_and_says_why_not_to_rely_on_it():
    meetings = [
        Meeting(Moment("run", 0), Moment("still"), Score(0, 0, 20)),
        Meeting(Moment("run", 5), Moment("still"), Score(0, 0, 20)),
        Meeting(Moment("x"), Moment("y"), Score(1, 0, 1)),
    ]
    history = rate_history(meetings, "still")
    values = [value for point in history.points for value in (point.rating, *point.interval)]
    assert all(map(math.isfinite, values))
    assert history.flags["run"] == (ONE_SIDED,)
    assert history.flags["x"] == (DISCONNECTED, FEW)
    assert history.groups == (("run", "still"), ("x", "y"))


@pytest.mark.parametrize(
    ("meetings", "options", "message"),
    [
        ([], {}, "no games to rate"),
        (
            [Meeting(Moment("a"), Moment("b"), Score(1, 0, 0))],
            {"anchor": "z"},
            "'z' has played no games",
        ),
        (
            [Meeting(Moment("a", 1), Moment("b"), Score(1, 0, 0))],
            {"anchor": "a"},
            "'a' has played no games; there are a at 1",
        ),
        ([Meeting(Moment("a", 1), Moment("a"), Score(1, 0, 0))], {}, "one kind only"),
        ([Meeting(Moment("a", 1), Moment("a", 1), Score(1, 0, 0))], {}, "against itself"),
        ([Meeting(Moment("a", math.inf), Moment("b"), Score(1, 0, 0))], {}, "must be finite"),
        ([Meeting(Moment("a"), Moment("b"), Score(1, 0, 0))], {"w2": -1}, "w2 must be 0 or more"),
    ],
)
def test_what_cannot_be_rated(meetings, options, message):
    with pytest.raises(UsageError, match=message):
        rate_history(meetings, **options)
