"""Objectives on networks that are known: an untrained one, and lines of a log."""

import math

import pytest

from tests.experiments.sweeps.small import small_sweep
from zerolab.errors import UsageError
from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.evaluation.matches.pairs import Played
from zerolab.experiments.experiment import run_experiment
from zerolab.experiments.sweeps import objectives
from zerolab.experiments.sweeps.objectives import (
    ANCHORS,
    OBJECTIVES,
    WHILE_TRAINING,
    Judging,
    is_sound,
    rate_all,
)
from zerolab.games.clobber import Clobber
from zerolab.games.playing.score import Score
from zerolab.training.loop import Limits
from zerolab.training.settings.staged_config import StagedConfig

JUDGING = Judging(games=4, simulations=2)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    sweep = small_sweep()
    directory = tmp_path_factory.mktemp("run")
    return run_experiment(sweep.game, sweep.base, directory, Limits(steps=1))


def test_losses_and_time_are_the_last_of_the_log(outcome):
    line = outcome.log[-1]
    expected = {
        "loss": line["loss"]["sum"],
        "policy-loss": line["loss"]["policy"],
        "value-loss": line["loss"]["value"],
        "time": outcome.run.seconds,
    }
    assert {name: OBJECTIVES[name].measure(outcome, JUDGING) for name in expected} == expected


def test_elo_is_above_random(outcome, monkeypatch):
    events = []

    def play(event, path, threads, is_shared):
        events.append((event, path, threads, is_shared))
        player = event.players[0]
        return [_game(player, "random", 1), _game("mcts:100", player, 1)] * 20, True

    monkeypatch.setattr(objectives, "play_event", play)
    elo = OBJECTIVES["elo"].measure(outcome, JUDGING._replace(threads=2, seed=5))
    assert elo > 100
    ((event, path, threads, is_shared),) = events
    assert event.players == (JUDGING.player(outcome), *ANCHORS)
    assert (event.rounds, event.seed, threads, is_shared) == (2, 5, 2, True)
    assert path.parent == outcome.run.directory


def test_elo_of_real_games(outcome):
    elo = OBJECTIVES["elo"].measure(outcome, JUDGING)
    assert math.isfinite(elo)
    name = JUDGING.player(outcome)
    path = outcome.run.directory / "tournament.jsonl"
    ratings = rate_all(outcome.run.game, [name], JUDGING, path)
    assert set(ratings) == {name, *ANCHORS}
    assert ratings["random"].rating == 0
    assert ratings["mcts:1000"].rating > ratings["random"].rating


def test_the_ladder(outcome, monkeypatch):
    asked = []

    def climb(networks, games, seed, levels):
        simulations = {name: each.config.max_simulations for name, each in networks.items()}
        asked.append((simulations, games, seed, levels))
        for level, won in enumerate((4, 3, 0)):
            yield "network and search", LevelResult(level, 10, Score(won, 0, 4 - won))

    monkeypatch.setattr(objectives, "climb", climb)
    # The run searches with 2 simulations; it is judged with as many as all others.
    found = OBJECTIVES["ladder"].measure(outcome, JUDGING._replace(seed=9, simulations=7))
    assert found == pytest.approx((1.0 + 0.5 - 1.0) / 3)
    assert asked == [({"network and search": 7}, 4, 9, 3)]


def test_perfect_play_is_not_known_everywhere(outcome):
    with pytest.raises(UsageError, match="known for Clobber on boards of up to 25 cells"):
        OBJECTIVES["perfect"].measure(outcome, JUDGING)


def test_perfect_play(tmp_path):
    config = StagedConfig().changed(
        nn_model="mlp", nn_width=4, nn_depth=1, episodes=2, max_simulations=2, epochs=1, arena=False
    )
    outcome = run_experiment(Clobber(3, 4), config, tmp_path, Limits(steps=1))
    few, many = (
        OBJECTIVES["perfect"].measure(outcome, JUDGING._replace(simulations=count))
        for count in (2, 500)
    )
    assert 0 <= few < many <= 1  # with 500 simulations the search sees the end of most games


def test_what_is_known_while_training():
    line = {
        "loss": {"sum": 3.0, "policy": 2.0, "value": 1.0},
        "eval": {"count": 3, "results": [1.0, 1.0, None]},
        "eval_plain": {"count": 3, "results": [0.5, None, -0.25]},
        "perfect": {"keeps": 0.75},
    }
    told = {name: OBJECTIVES[name].while_training(line) for name in WHILE_TRAINING}
    assert told == {
        "ladder": 0.125,
        "perfect": 0.75,
        "loss": 3.0,
        "policy-loss": 2.0,
        "value-loss": 1.0,
    }
    early = line | {"eval_plain": None, "eval": {"count": 0, "results": [None]}, "perfect": None}
    assert OBJECTIVES["ladder"].while_training(early) is None
    assert OBJECTIVES["perfect"].while_training(early) is None


def test_directions():
    wanted = {name for name, each in OBJECTIVES.items() if each.direction == "maximize"}
    assert wanted == {"elo", "ladder", "perfect"}


@pytest.mark.parametrize(("value", "sound"), [(1.0, True), (math.nan, False), (math.inf, False)])
def test_losses_that_are_no_numbers(value, sound):
    assert is_sound({"loss": {"sum": 2.0, "policy": value}}) is sound


def _game(first, second, result):
    return Played(0, first, second, result, 9, "", "", 0, (1.0, 1.0), (5, 4))
