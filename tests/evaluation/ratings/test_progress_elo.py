import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluation.runs import make_run
from tests.evaluation.simulated import play
from zerolab.errors import UsageError
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import Event, meetings, play_event
from zerolab.evaluation.ratings.bayesian_elo import DISCONNECTED, FEW, ONE_SIDED, rate
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.progress_elo import (
    game_of,
    name_players,
    pick_steps,
    rate_progress,
    spread,
)
from zerolab.evaluation.ratings.whole_history import Moment, rate_history
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score

GAME = Clobber(3, 4)
STEPS = (10, 20, 30, 40, 47)


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("runs") / "demo", GAME, STEPS)


def round_robin(rng, strengths, games, bonus=0.0):
    """All against all, both sides first; neighbours play as if a step were `bonus` larger."""
    return [
        Meeting(str(a), str(b), Score(*play(rng, lead + 30, games)))
        for (a, one), (b, other) in itertools.permutations(sorted(strengths.items()), 2)
        for near in [is_next(strengths, a, b)]
        for lead in [one - other + near * math.copysign(bonus, a - b)]
    ]


def is_next(strengths, a, b):
    steps = sorted(strengths)
    return abs(steps.index(a) - steps.index(b)) == 1


def names(strengths):
    return {step: str(step) for step in strengths}


def drifting(rng, count=8, deviation=110):
    """A run whose strength drifts, as whole-history rating has it."""
    drift = np.cumsum([0, *rng.normal(0, deviation, count - 1)])
    return {10 * (i + 1): float(each) for i, each in enumerate(drift)}


def test_both_curves_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(4)
    held = {"training": 0, "tournament": 0}
    checked = agreed = 0
    for _ in range(60):
        truth = drifting(rng)
        elo = rate_progress(names(truth), round_robin(rng, truth, 15))
        start = truth[10]
        for each in elo.checkpoints[1:]:
            checked += 1
            for kind in held:
                low, high = getattr(each, kind).interval
                held[kind] += low <= truth[each.step] - start <= high
        agreed += elo.agree
    assert 0.90 < held["training"] / checked < 0.99
    assert 0.90 < held["tournament"] / checked < 0.99
    assert 52 <= agreed <= 60  # 57 are expected


@pytest.mark.parametrize("curve", [lambda x: 800 * x, lambda x: 600 * (1 - math.exp(-4 * x))])
def test_steady_gains_are_no_luck(curve):
    """A learner does not wander about: the drift of one that does would eat up its gains.

    (In a few games the likeliest lead is a little too large on average: 5 Elo a step here.)
    """
    rng = np.random.default_rng(6)
    truth = {10 * i: curve((i - 1) / 9) for i in range(1, 11)}
    gain = truth[100] - truth[10]
    found = [rate_progress(names(truth), round_robin(rng, truth, 10)) for _ in range(150)]
    for each in ("training", "tournament"):
        gains = [getattr(elo, each) for elo in found]
        assert np.mean([one.value for one in gains]) == pytest.approx(gain, rel=0.1)
        held = sum(one.interval.low <= gain <= one.interval.high for one in gains)
        assert held >= 0.9 * 150  # 95 in 100 are expected
    assert sum(elo.agree for elo in found) >= 135


def test_gains_that_do_not_add_up_are_noticed():
    """Each beats the one before by 80 Elo more than it is stronger: 560 in seven steps."""
    rng = np.random.default_rng(2)
    truth = {step: 3.0 * step for step in range(10, 81, 10)}
    elo = rate_progress(names(truth), round_robin(rng, truth, 40, bonus=80))
    assert elo.agree is False
    assert elo.excess.value > 250
    assert elo.training.value > elo.tournament.value + 250
    assert elo.training.interval.low < 210 + 560 < elo.training.interval.high
    honest = rate_progress(names(truth), round_robin(rng, truth, 40))
    assert honest.agree is True
    assert honest.tournament.interval.low < 210 < honest.tournament.interval.high


def test_training_elo_is_from_neighbours_and_tournament_elo_from_all():
    """The same as the raters say that are asked one by one."""
    rng = np.random.default_rng(3)
    truth = drifting(rng, 5)
    games = round_robin(rng, truth, 20)
    elo = rate_progress(names(truth), games)
    near = [each for each in games if abs(int(each.first) - int(each.second)) == 10]
    assert 0 < len(near) < len(games)
    meetings = [
        Meeting(Moment("x", int(each.first)), Moment("x", int(each.second)), each.score)
        for each in near
    ]
    history = rate_history(meetings, Moment("x", 10), w2=500**2 / 10)
    ratings = rate(games, "10")
    assert [each.step for each in elo.checkpoints] == [10, 20, 30, 40, 50]
    for each, point in zip(elo.checkpoints, history.of("x"), strict=True):
        assert each.training[1:3] == pytest.approx(point[1:3])
        assert each.training.games == point.games
        assert each.tournament == ratings.of(str(each.step))
    assert elo.checkpoints[0].training[1:3] == (0, 0)
    assert elo.training == pytest.approx(history.difference(Moment("x", 50), Moment("x", 10)))


def test_the_order_of_games_and_players_does_not_matter():
    rng = np.random.default_rng(3)
    truth = drifting(rng, 4)
    games = round_robin(rng, truth, 10)
    turned = rate_progress(dict(reversed(names(truth).items())), games[::-1])
    for one, other in zip(
        rate_progress(names(truth), games).checkpoints, turned.checkpoints, strict=True
    ):
        assert one.training[1:3] == pytest.approx(other.training[1:3])
        assert one.tournament[1:3] == pytest.approx(other.tournament[1:3])


def test_two_checkpoints_leave_nothing_to_compare():
    games = [Meeting("1", "2", Score(10, 0, 30)), Meeting("2", "1", Score(30, 0, 10))]
    elo = rate_progress({1: "1", 2: "2"}, games)
    assert elo.excess is None
    assert elo.agree is None
    assert elo.training.value == pytest.approx(elo.tournament.value, rel=0.15)


def test_what_is_not_known_is_flagged():
    """The second has won all; of the third no game has come yet."""
    elo = rate_progress({1: "1", 2: "2", 3: "3"}, [Meeting("2", "1", Score(20, 0, 0))])
    assert elo.is_guess
    last = elo.checkpoints[-1]
    assert (last.training.games, last.tournament.games) == (0, 0)
    assert set(last.training.flags) == set(last.tournament.flags) == {DISCONNECTED, FEW}
    assert ONE_SIDED in elo.checkpoints[1].training.flags
    assert all(math.isfinite(each.training.rating) for each in elo.checkpoints)
    with pytest.raises(UsageError, match="no games to rate"):
        rate_progress({1: "1", 2: "2"}, [])


@given(st.sets(st.integers(0, 500), min_size=2, max_size=60), st.integers(2, 70))
def test_steps_are_spread_with_both_ends(found, count):
    steps = sorted(found)
    picked = spread(steps, count)
    assert len(picked) == min(count, len(steps))
    assert (picked[0], picked[-1]) == (steps[0], steps[-1])
    places = [steps.index(step) for step in picked]
    gaps = {b - a for a, b in itertools.pairwise(places)}
    assert min(gaps) >= 1
    assert max(gaps) - min(gaps) <= 1


def test_steps_of_a_run(run, tmp_path):
    assert pick_steps(run, 10) == list(STEPS)
    assert pick_steps(run, 3) == [10, 30, 47]
    assert pick_steps(run, 2) == [10, 47]
    with pytest.raises(UsageError, match="there is no directory"):
        pick_steps(tmp_path / "nowhere", 5)
    with pytest.raises(UsageError, match="holds no network; at least two are needed"):
        pick_steps(tmp_path, 5)
    (tmp_path / "network-000010.safetensors").touch()
    (tmp_path / "network-best.safetensors").touch()
    with pytest.raises(UsageError, match="holds one network, of step 10; at least two"):
        pick_steps(tmp_path, 5)
    (tmp_path / "network-1000000.safetensors").touch()
    (tmp_path / "network-999999.safetensors").touch()
    assert pick_steps(tmp_path, 5) == [10, 999999, 1000000]


def test_the_game_of_a_run(run):
    assert game_of(run) == GAME == game_of(run, "clobber")
    assert game_of(run, size="5x5") == Clobber(5, 5)
    assert game_of(run, "othello", "4x4") == Othello(4, 4)


def test_names_mean_the_same_from_everywhere(run, monkeypatch):
    monkeypatch.chdir(run.parent)
    from_here = name_players(run.relative_to(run.parent), (10, 20), 5)
    assert from_here == name_players(run, (10, 20), 5)
    assert from_here[10] == f"az:{run.resolve()}#10@5"
    assert name_players(run, (10,)) == {10: f"net:{run.resolve()}#10"}


def test_a_shared_file_holds_games_of_others(run, tmp_path):
    """So a run that went on, and other numbers of simulations, need no other file."""
    path = tmp_path / "elo.jsonl"
    few = Event(GAME, tuple(name_players(run, (10, 30)).values()), 2)
    more = few._replace(players=tuple(name_players(run, (10, 20, 30)).values()))
    other = few._replace(players=tuple(name_players(run, (20, 40)).values()))
    play_event(few, path, is_shared=True)
    told = []
    games, _ = play_event(more, path, on_progress=lambda *news: told.append(news), is_shared=True)
    assert told[0] == (4, 12)
    assert len(games) == 12
    games, _ = play_event(other, path, is_shared=True)
    assert len(games) == 4
    assert len(read_results(path)[1]) == 16
    games, _ = play_event(more, path, is_shared=True)
    assert len(games) == 12
    assert sum(each.score.games for each in meetings(games)) == 12
    with pytest.raises(UsageError, match="played too"):
        play_event(few, path)


def test_neighbours_play_first():
    pairings = Event(GAME, ("a", "b", "c", "d"), 1).pairings
    assert pairings == [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)]
    gauntlet = Event(GAME, ("a", "b", "c", "d"), 1, is_gauntlet=True).pairings
    assert gauntlet == [(0, 1), (0, 2), (0, 3)]
