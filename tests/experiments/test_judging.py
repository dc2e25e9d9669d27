"""What a trained network is measured with, with stand-ins for games and exams."""

import pytest

from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.experiments import judging
from zerolab.experiments.judging import climb, examine_networks, networks_to_judge
from zerolab.games.clobber import Clobber
from zerolab.games.playing.score import Score
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.solver.exact_leaves import NO_ORACLE

GAME = Clobber(5, 5)


def networks(stones):
    return networks_to_judge(GAME, b"model", SearchConfig(max_simulations=30), stones)


@pytest.fixture(name="seen")
def _seen(monkeypatch):
    """Levels and oracles that were played against or measured with."""
    seen = []

    def check(network):
        assert (network.game, network.evaluate) == (GAME, b"model")
        assert (network.config.max_simulations, network.config.policy_epsilon) == (30, 0)

    def play_level(network, level, games, seed, on_progress):
        check(network)
        seen.append((level, games, seed, network.oracle))
        on_progress(games)
        won = games if network.oracle is NO_ORACLE else 0
        return LevelResult(level, 0, Score(wins=won, draws=0, losses=0))

    def measure_network(network, exam):
        check(network)
        assert exam == "exam"
        seen.append(network.oracle)
        return f"with {network.oracle}"

    monkeypatch.setattr(judging, "play_level", play_level)
    monkeypatch.setattr(judging, "measure_network", measure_network)
    monkeypatch.setattr(judging, "exam_of", lambda game, questions: "exam")
    monkeypatch.setattr(judging, "make_oracle", lambda game, stones: f"{stones} stones")
    monkeypatch.setattr(judging, "OnnxEvaluator", lambda model: model)
    return seen


def test_the_ladder_with_exact_leaves_and_without(seen):
    told = []
    climbed = list(climb(networks(7), 4, seed=3, on_progress=told.append))
    oracles = {"with exact leaves": "7 stones", "network and search": NO_ORACLE}
    assert seen == [
        (level, 4, 3 + level, oracle) for oracle in oracles.values() for level in range(5)
    ]
    assert [(name, each.level, each.score.wins) for name, each in climbed] == [
        (name, level, 0 if name == "with exact leaves" else 4)
        for name in oracles
        for level in range(5)
    ]
    assert told == list(range(4, 41, 4))


def test_the_ladder_of_a_run_without_exact_leaves(seen):
    climbed = list(climb(networks(0), 2, levels=3))
    assert [name for name, _ in climbed] == ["network and search"] * 3
    assert seen == [(level, 2, level, NO_ORACLE) for level in range(3)]


def test_exams_with_exact_leaves_and_without(seen):
    results = dict(examine_networks(networks(7)))
    assert seen == ["7 stones", NO_ORACLE]
    assert {name: each.perfect for name, each in results.items()} == {
        "with exact leaves": "with 7 stones",
        "network and search": f"with {NO_ORACLE}",
    }


def test_where_perfect_play_is_not_known_there_is_no_exam(seen, monkeypatch):
    monkeypatch.setattr(judging, "exam_of", lambda game, questions: None)
    assert list(examine_networks(networks(7))) == []
