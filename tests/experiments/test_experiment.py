"""A run from nothing to its end, by whoever asks for it."""

from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.experiments import experiment
from zerolab.experiments.experiment import (
    Outcome,
    open_or_create,
    prepare_experiment,
    run_experiment,
    telling_share,
)
from zerolab.experiments.judging import EXACT, PLAIN
from zerolab.games.clobber import Clobber
from zerolab.games.solitaire import Solitaire
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import parse_config
from zerolab.training.settings.staged_config import parse_staged
from zerolab.training.steps import Event, PhaseEvent, StepEvent

GAME = Clobber(3, 3)
SMALL: dict[str, object] = {
    **{"nn_width": 4, "nn_depth": 1, "max_simulations": 8, "batch": 4, "train_batch_size": 16},
    **{"replay_buffer_size": 64, "exact_stones": 4},
}
CONFIG = parse_config(SMALL)
STAGED = parse_staged(
    {
        **{"nn_model": "resnet", "nn_width": 4, "nn_depth": 1, "max_simulations": 4},
        **{"iterations": 3, "episodes": 2, "epochs": 1, "arena_games": 2, "train_batch_size": 8},
    }
)


@pytest.mark.parametrize("config", [CONFIG, STAGED], ids=["continuous", "staged"])
def test_a_run_is_created_gone_on_with_and_left_alone_when_it_is_complete(
    config: object, tmp_path: Path
) -> None:
    events: list[Event] = []
    directory = tmp_path / "run"
    first = run_experiment(GAME, config, directory, Limits(steps=1), events.append, seed=3)
    assert not first.is_stopped
    assert first.unless_stopped() is first
    assert [line["step"] for line in first.log] == [1]
    assert (first.run.seed, first.trainer.step) == (3, 1)
    steps = [event.line for event in events if isinstance(event, StepEvent)]
    assert steps == first.log
    assert any(isinstance(event, PhaseEvent) for event in events)
    again = run_experiment(GAME, config, directory, Limits(steps=2), seed=3)
    assert [line["step"] for line in again.log] == [1, 2]
    assert again.log[0] == first.log[0]
    complete = run_experiment(GAME, config, directory, Limits(steps=2), seed=3)
    assert complete.log == again.log


def test_the_trained_network_with_exact_leaves_and_without(tmp_path: Path) -> None:
    outcome = run_experiment(GAME, CONFIG, tmp_path / "run", Limits(steps=1))
    networks = outcome.networks()
    assert list(networks) == [EXACT, PLAIN]
    assert {network.config.max_simulations for network in networks.values()} == {8}
    staged = run_experiment(GAME, STAGED, tmp_path / "staged", Limits(steps=1))
    assert list(staged.networks()) == [PLAIN]


def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    def stop(event: Event) -> None:
        if isinstance(event, StepEvent) and event.line["step"] == 2:
            raise KeyboardInterrupt

    outcome = run_experiment(GAME, CONFIG, tmp_path / "run", Limits(steps=5), stop)
    assert outcome.is_stopped
    assert [line["step"] for line in outcome.log] == [1, 2]
    with pytest.raises(KeyboardInterrupt):
        outcome.unless_stopped()
    assert len(run_experiment(GAME, CONFIG, tmp_path / "run", Limits(steps=3)).log) == 3


def test_a_run_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    open_or_create(tmp_path / "run", GAME, CONFIG, seed=0)
    with pytest.raises(UsageError, match="holds a run with other settings; move it elsewhere"):
        run_experiment(GAME, CONFIG.changed(nn_width=5), tmp_path / "run", Limits(steps=1))


def test_what_cannot_work_leaves_no_directory(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a two-player game"):
        run_experiment(Solitaire(3, 3), CONFIG, tmp_path / "run", Limits(steps=1))
    impossible = CONFIG.changed(encoding="components")
    with pytest.raises(UsageError, match="components is for ordinary clobber"):
        run_experiment(Clobber(3, 3, 1), impossible, tmp_path / "run", Limits(steps=1))
    assert not (tmp_path / "run").exists()


def test_preparing_is_left_out_where_it_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prepare_experiment(GAME, CONFIG) > 0
    monkeypatch.setattr(experiment, "prepare", pytest.fail)
    outcome = run_experiment(GAME, CONFIG, tmp_path / "run", Limits(steps=1), compiling=2.5)
    assert isinstance(outcome, Outcome)
    assert outcome.log[0]["time"]["compiling"] == 2.5


def test_shares_are_those_of_the_limits() -> None:
    told: list[float] = []
    tell = telling_share(Limits(seconds=100, steps=10), told.append)
    tell(PhaseEvent("playing", 0.5))
    tell(StepEvent({"time_rel": 20.0, "step": 1}))
    tell(StepEvent({"time_rel": 30.0, "step": 5}))
    assert told == [0.2, 0.5]
