"""Which games are measured, and how their lengths become that of a game."""

import pytest

from tests.experiments.test_experiment import CONFIG, GAME, STAGED
from zerolab.experiments.calibration import staged_costs
from zerolab.experiments.calibration.continuous_costs import Playing, calibrate_continuous
from zerolab.experiments.calibration.measured import Budget
from zerolab.experiments.calibration.staged_costs import calibrate_staged
from zerolab.experiments.calibration.staggered import stagger
from zerolab.experiments.prediction import Part
from zerolab.training.continuous import ContinuousTrainer

PATIENT = Budget(play=1e6, learn=0.02, arena=1e6)  # whole stages
BUDGET = Budget(play=0.0, learn=0.02, arena=0.02)


def test_a_game_is_as_long_as_before_and_after_learning_on_average(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first network and the one that has learnt stand for all of a run alike."""
    first, learnt = (Part(1.0, 4.0, 0.5),), (Part(1.0, 3.0, 0.25),)
    played = iter([staged_costs.Played(first, 10.0), staged_costs.Played(learnt, 20.0)])
    real = staged_costs._play

    def play(*arguments: object) -> staged_costs.Played:
        real(*arguments)  # type: ignore[arg-type]
        return next(played)

    monkeypatch.setattr(staged_costs, "_play", play)
    costs = calibrate_staged(GAME, STAGED, PATIENT, compiling=0.0).costs
    assert costs.moves == 15.0
    assert (costs.parts, costs.learnt_parts) == (first, learnt)


def test_games_begin_after_half_the_opening_on_average() -> None:
    """From none to all of the plies of an opening are played at random, all equally likely."""
    config = CONFIG.changed(opening_plies=4)
    trainer = ContinuousTrainer(GAME, config, seed=0)
    games = Playing(GAME, config, trainer.model(), seed=0).games.unfinished()
    starts = stagger(GAME, config.batch, seed=0).positions
    plies = [len(start.actions) for start in starts]
    assert max(plies) > 2
    assert [game.opening for game in games] == [min(2, ply) for ply in plies]


def test_moves_at_random_are_no_moves_of_a_game() -> None:
    length = stagger(GAME, CONFIG.batch, seed=0).length
    for opening, moves in ((0, length), (4, length - 2), (100, 1.0)):
        config = CONFIG.changed(opening_plies=opening)
        assert calibrate_continuous(GAME, config, BUDGET, 0.0).costs.moves == pytest.approx(moves)
