"""Either loop calibrated for a moment: what is measured is there, however fast the machine."""

from typing import Any

import pytest

from tests.experiments.test_experiment import CONFIG, GAME, STAGED
from zerolab.experiments.calibration import continuous_costs, staged_costs
from zerolab.experiments.calibration.continuous_costs import calibrate_continuous
from zerolab.experiments.calibration.ladder_costs import ladder_seconds
from zerolab.experiments.calibration.measured import Budget, Calibration
from zerolab.experiments.calibration.staged_costs import calibrate_staged
from zerolab.experiments.judging import LEVELS
from zerolab.experiments.prediction import move_seconds
from zerolab.training.continuous import ContinuousTrainer

BUDGET = Budget(play=0.0, learn=0.02, arena=0.02)  # no stage fits in
PATIENT = Budget(play=1e6, learn=0.02, arena=1e6)  # whole stages


def check(found: Calibration, simulations: int) -> None:
    """All costs are there, and within what a search can be."""
    costs, sizes = found
    for parts in (costs.parts, costs.learnt_parts):
        assert len(parts) == 7
        assert sum(part.share for part in parts) == pytest.approx(1)
        assert all(0 <= part.simulations <= simulations for part in parts)
        assert all(part.seconds >= 0 for part in parts)
        assert move_seconds(parts) > 0
    assert min(costs.moves, costs.batch, costs.publishing, costs.checkpoint) > 0
    assert min(sizes.weights, sizes.model, sizes.branching) > 0
    assert costs.compiling == 4.5


@pytest.mark.parametrize("budget", [BUDGET, PATIENT], ids=["a moment", "whole stages"])
def test_staged(budget: Budget) -> None:
    found = calibrate_staged(GAME, STAGED, budget, compiling=4.5)
    check(found, simulations=4)
    assert found.costs.arena > 0
    assert 0 < found.costs.arena_simulations <= 4 * 8  # 8 moves at most on 3x3
    assert found.costs.starting == 0
    assert (found.costs.parts == found.costs.learnt_parts) == (budget is BUDGET)


def test_whole_stages_have_the_games_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """And if there is no time for them, searches are made shorter, and games never run out."""
    config = STAGED.changed(max_simulations=100)
    whole, short = (
        staged_costs._shape(GAME, config, staged_costs.StagedTrainer(GAME, config, 0).model(), each)
        for each in (1e6, 0.0)
    )
    assert (whole.is_whole, whole.config, whole.scale) == (True, config, 1)
    assert (short.is_whole, short.config.search.max_simulations, short.scale) == (False, 8, 12.5)
    assert short.config.episodes == staged_costs.MANY
    assert short.config.batch == config.episodes == len(short.starts.positions)


def test_no_arena() -> None:
    costs = calibrate_staged(GAME, STAGED.changed(arena=False), BUDGET, 4.5).costs
    assert (costs.arena, costs.arena_simulations) == (0, 0)


@pytest.mark.parametrize(
    "changes", [{}, {"fast_simulations": 2, "full_share": 0.5}, {"opening_plies": 4}]
)
def test_continuous(changes: dict[str, Any]) -> None:
    found = calibrate_continuous(GAME, CONFIG.changed(**changes), BUDGET, compiling=4.5)
    check(found, simulations=8)
    assert (found.costs.starting, found.sizes.worker) == (0, 0)


def test_of_a_few_moves_nothing_is_learnt() -> None:
    """With twice the epochs of five batches it is, and with fewer the weights are as before."""
    trainer = ContinuousTrainer(GAME, CONFIG, seed=0)
    playing = continuous_costs.Playing(GAME, CONFIG, trainer.model(), seed=0)
    while playing.games.moves < 40:
        playing.round()
    before, records = trainer.model(), playing.records()
    batches = continuous_costs._fill(trainer, records)
    assert batches >= 5
    few = next([record] for record in records if record.full.any())
    assert continuous_costs._learn_a_little(trainer, few, 0.02) > 0
    assert trainer.model() == before
    continuous_costs._learn_a_little(trainer, records, 0.02)
    assert trainer.model() != before


def test_with_actors_and_an_evaluator() -> None:
    config = CONFIG.changed(actors=1, evaluators=1)
    found = calibrate_continuous(GAME, config, BUDGET, compiling=4.5)
    check(found, simulations=8)
    assert found.costs.starting > 0


def test_the_ladder() -> None:
    """With exact leaves two networks are judged; the network's moves cost what they do."""
    costs = calibrate_continuous(GAME, CONFIG, BUDGET, 4.5).costs
    slow = costs._replace(
        learnt_parts=tuple(part._replace(seconds=1e6) for part in costs.learnt_parts)
    )
    alone = ladder_seconds(GAME, CONFIG.changed(exact_stones=0), slow)
    assert ladder_seconds(GAME, CONFIG, slow) == pytest.approx(2 * alone, rel=1e-3)
    own = LEVELS * move_seconds(slow.learnt_parts)
    assert alone == pytest.approx(own * 5.4 / 2, rel=0.1)  # random games on 3x3 have 5.4 plies
    assert ladder_seconds(GAME, CONFIG, costs) > 0
