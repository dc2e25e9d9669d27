"""What a trained network is measured with, with stand-ins for games and exams."""

from types import SimpleNamespace

import pytest

from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.games.clobber import Clobber
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training import strength_view as strength
from zerolab.interfaces.views.training.strength_view import climb, examine
from zerolab.solver.exact_leaves import NO_ORACLE
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(5, 5)


def trainer(exact_stones):
    config = TrainingConfig(max_simulations=30, exact_stones=exact_stones)
    return SimpleNamespace(game=GAME, config=config, model=lambda: "model")


@pytest.fixture(name="seen")
def _seen(monkeypatch):
    """Levels and oracles that were played against or measured with."""
    seen = []

    def play_level(game, evaluate, search, level, games, seed, oracle, on_progress):
        assert (game, evaluate, search.max_simulations) == (GAME, "model", 30)
        seen.append((level, games, oracle))
        return LevelResult(level, 0, wins=games if oracle is NO_ORACLE else 0, draws=0, losses=0)

    def measure_network(game, evaluate, search, exam, oracle):
        assert (game, evaluate, search.max_simulations) == (GAME, "model", 30)
        seen.append(oracle)
        return f"with {oracle}"

    monkeypatch.setattr(strength, "play_level", play_level)
    monkeypatch.setattr(strength, "measure_network", measure_network)
    monkeypatch.setattr(strength, "make_exam", lambda game, questions: "exam")
    monkeypatch.setattr(strength, "make_oracle", lambda game, stones: f"{stones} stones")
    monkeypatch.setattr(strength, "OnnxEvaluator", lambda model: model)
    return seen


def test_the_ladder_with_exact_leaves_and_without(seen):
    ladders = climb(Output(json=True), trainer(7), 4)
    oracles = {"with exact leaves": "7 stones", "network and search": NO_ORACLE}
    assert seen == [(level, 4, oracle) for oracle in oracles.values() for level in range(5)]
    assert list(ladders) == list(oracles)
    assert {each.wins for each in ladders["with exact leaves"]} == {0}
    assert {each.wins for each in ladders["network and search"]} == {4}


def test_the_ladder_of_a_run_without_exact_leaves(seen):
    assert list(climb(Output(json=True), trainer(0), 2)) == ["network and search"]
    assert seen == [(level, 2, NO_ORACLE) for level in range(5)]
    assert climb(Output(json=True), trainer(7), 0) == {}


def test_exams_with_exact_leaves_and_without(seen):
    results = examine(Output(json=True), trainer(7))
    assert seen == ["7 stones", NO_ORACLE]
    assert {name: each.perfect for name, each in results.items()} == {
        "with exact leaves": "with 7 stones",
        "network and search": f"with {NO_ORACLE}",
    }
