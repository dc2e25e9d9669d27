"""Trials as they come: complete, pruned, diverged, failed, stopped, killed."""

import math
import multiprocessing
import os
import signal
from typing import Any

import optuna
import pytest

from tests.experiments.sweeps.small import BASE, logs, small_sweep
from zerolab.errors import UsageError
from zerolab.experiments.sweeps import objectives, trials
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import Told, run_trial, take
from zerolab.experiments.sweeps.workers import work
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log
from zerolab.training.steps import PhaseEvent, StepEvent


def states(sweep: Sweep, place: Place) -> list[str]:
    return [each.state for each in summarise(sweep, open_sweep(sweep, place)).trials]


def test_a_grid_is_made_once(tmp_path):
    sweep, place, told = small_sweep(), Place(tmp_path), []
    work(sweep, place, told.append)
    assert states(sweep, place) == ["complete"] * 4
    assert logs(tmp_path) == {f"{number:04}-0": 2 for number in range(4)}
    assert {each.number for each in told} == {0, 1, 2, 3}
    assert all(0 <= each.share <= 1 for each in told)
    for number, each in enumerate(summarise(sweep, open_sweep(sweep, place)).trials):
        loss = read_log(tmp_path / "trials" / f"{number:04}-0")[-1]["loss"]["sum"]
        assert each.values == (pytest.approx(loss),)
        assert each.steps == 2
    told.clear()
    work(sweep, place, told.append)
    assert told == []


def test_optuna_alone_reads_it(tmp_path):
    work(small_sweep(objectives=("loss", "time")), Place(tmp_path))
    (name,) = optuna.get_all_study_names(f"sqlite:///{tmp_path}/sweep.db")
    study = optuna.load_study(study_name=name, storage=f"sqlite:///{tmp_path}/sweep.db")
    assert [each.name for each in study.directions] == ["MINIMIZE", "MINIMIZE"]
    assert [each.params for each in study.trials] == [
        {"max_simulations": m, "uct_c": c} for m in (2, 3) for c in (0.5, 1.0)
    ]
    assert all(each.state.name == "COMPLETE" and len(each.values) == 2 for each in study.trials)


def test_runs_have_the_settings_of_their_trial(tmp_path, monkeypatch):
    seen: list[Any] = []

    def run(game, config, directory, limits, on_event, seed):
        seen.append((config, directory.name, limits, seed))
        raise UsageError("enough")

    monkeypatch.setattr(trials, "run_experiment", run)
    sweep = small_sweep("uct_c=0.5,1.0", repeats=2, seed=7)
    work(sweep, Place(tmp_path))
    assert seen == [
        (BASE.changed(uct_c=0.5), "0000-0", Limits(steps=2), 7),
        (BASE.changed(uct_c=1.0), "0001-0", Limits(steps=2), 7),
    ]
    assert [each.reason for each in _summary(sweep, tmp_path)] == ["enough", "enough"]


def test_repeats_have_other_seeds_and_an_error(tmp_path):
    sweep = small_sweep("uct_c=0.5,1.0", repeats=3)
    work(sweep, Place(tmp_path))
    first = _summary(sweep, tmp_path)[0]
    losses = [read_log(tmp_path / "trials" / f"0000-{n}")[-1]["loss"]["sum"] for n in range(3)]
    assert len(set(losses)) == 3
    mean = sum(losses) / 3
    error = math.sqrt(sum((loss - mean) ** 2 for loss in losses) / 2 / 3)
    assert first.values == (pytest.approx(mean),)
    assert first.errors == (pytest.approx(error),)
    assert len(first.runs) == 3
    assert first.seconds == pytest.approx(
        sum(read_log(tmp_path / "trials" / f"0000-{n}")[-1]["time_rel"] for n in range(3)), rel=0.5
    )


def test_a_trial_that_fails_is_told_why_and_others_go_on(tmp_path, monkeypatch):
    def measure(outcome, judging):
        if outcome.run.config.search.uct_c == 0.5:
            raise ZeroDivisionError("no games")
        return 1.0

    broken = objectives.OBJECTIVES["loss"]._replace(measure=measure)
    monkeypatch.setitem(objectives.OBJECTIVES, "loss", broken)
    sweep = small_sweep("uct_c=0.5,1.0")
    work(sweep, Place(tmp_path))
    assert [(each.state, each.reason) for each in _summary(sweep, tmp_path)] == [
        ("failed", "no games"),
        ("complete", None),
    ]


def test_a_run_that_diverges_is_ended_at_once(tmp_path, monkeypatch):
    def run(game, config, directory, limits, on_event, seed):
        on_event(_step(1, 2.0))
        on_event(_step(2, math.nan))
        raise AssertionError("it goes on")

    monkeypatch.setattr(trials, "run_experiment", run)
    sweep = small_sweep("uct_c=0.5,1.0")
    work(sweep, Place(tmp_path))
    assert {each.reason for each in _summary(sweep, tmp_path)} == {"diverged in step 2"}


@pytest.mark.parametrize("objective", ["loss", "elo"])
def test_hopeless_runs_are_pruned(tmp_path, monkeypatch, objective):
    """Losses of four runs stand at 1 to 4 after half the time; the next one has 9, then one 0."""
    losses = iter([1.0, 2.0, 3.0, 4.0, 9.0, 0.0])

    def run(game, config, directory, limits, on_event, seed):
        loss = next(losses)
        on_event(PhaseEvent("playing", 0.5, 0.25))
        on_event(_step(2, loss))
        return Stub(tmp_path, loss)

    monkeypatch.setattr(trials, "run_experiment", run)
    known = objectives.OBJECTIVES[objective]._replace(measure=lambda outcome, judging: 1.0)
    monkeypatch.setitem(objectives.OBJECTIVES, objective, known)
    sweep = small_sweep(
        "uct_c=0.5..2.0",
        objectives=(objective,),
        method="tpe",
        trials=6,
        prune="loss",
        limits=Limits(steps=4),
    )
    work(sweep, Place(tmp_path))
    summary = summarise(sweep, open_sweep(sweep, Place(tmp_path)))
    assert [each.state for each in summary.trials] == ["complete"] * 4 + ["pruned", "complete"]
    assert summary.trials[4].steps == 2
    assert summary.trials[4].seconds == 5.0
    # Five runs of 10 s and one of 5 s, where six would have taken 60 s.
    assert summary.time_saved == pytest.approx(5 / 60)
    assert summary.is_complete


def test_only_the_first_run_of_a_trial_is_pruned(tmp_path, monkeypatch):
    losses = iter([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 0.0, 9.0])

    def run(game, config, directory, limits, on_event, seed):
        loss = next(losses)
        on_event(_step(2, loss))
        return Stub(tmp_path, loss)

    monkeypatch.setattr(trials, "run_experiment", run)
    sweep = small_sweep("uct_c=0.5..2.0", method="tpe", trials=5, repeats=2, prune="loss")
    sweep = sweep._replace(limits=Limits(steps=4))
    work(sweep, Place(tmp_path))
    assert [each.state for each in _summary(sweep, tmp_path)] == ["complete"] * 5


class Stub:
    """An outcome with one line in its log."""

    def __init__(self, directory, loss):
        self.log = [_step(4, loss).line]
        self.run = self.trainer = self
        self.directory, self.seconds, self.step = directory, 10.0, 4

    def unless_stopped(self):
        return self


def test_ctrl_c_puts_the_trial_back_and_its_run_goes_on(tmp_path):
    sweep, place = small_sweep("uct_c=0.5,1.0", limits=Limits(steps=3)), Place(tmp_path)

    def interrupt(told: Told) -> None:
        if told.number == 1 and told.text.startswith("step 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(sweep, place, interrupt)
    assert states(sweep, place) == ["complete", "waiting"]
    before = read_log(tmp_path / "trials" / "0001-0")
    assert len(before) == 2
    work(sweep, place)
    assert states(sweep, place) == ["complete", "complete"]
    assert read_log(tmp_path / "trials" / "0001-0")[:2] == before  # its steps were not made again
    assert logs(tmp_path) == {"0000-0": 3, "0001-0": 3}


def _die(sweep: Sweep, place: Place) -> None:
    def kill(told: Told) -> None:
        if told.number == 1 and told.text.startswith("step 1"):
            os.kill(os.getpid(), signal.SIGKILL)

    work(sweep, place, kill)


def test_kill_loses_the_trial_in_hand_at_most(tmp_path):
    sweep, place = small_sweep("uct_c=0.5,1.0,2.0"), Place(tmp_path)
    process = multiprocessing.get_context("spawn").Process(target=_die, args=(sweep, place))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert states(sweep, place) == ["complete", "running", "waiting"]
    first = read_log(tmp_path / "trials" / "0000-0")
    work(sweep, place)
    assert states(sweep, place) == ["complete", "complete", "complete"]
    assert read_log(tmp_path / "trials" / "0000-0") == first
    assert logs(tmp_path) == {"0000-0": 2, "0001-0": 2, "0002-0": 2}


def test_a_trial_in_hand_is_not_taken_from_a_living_process(tmp_path):
    sweep, place = small_sweep("uct_c=0.5,1.0"), Place(tmp_path)
    mine, yours = open_sweep(sweep, place), open_sweep(sweep, place)
    first, second = take(sweep, mine, place), take(sweep, yours, place)
    assert first is not None
    assert second is not None
    assert (first.trial.number, second.trial.number) == (0, 1)
    assert take(sweep, mine, place) is None
    for study, taken in ((mine, first), (yours, second)):
        run_trial(sweep, study, place, taken, lambda told: None)
    assert states(sweep, place) == ["complete", "complete"]


def test_a_run_that_was_begun_with_another_share_of_the_cores_goes_on(tmp_path, monkeypatch):
    from zerolab.training.runs.run_directory import Run
    from zerolab.training.settings.continuous_config import TrainingConfig

    base = TrainingConfig(actors=2)
    sweep, place = small_sweep("uct_c=0.5,1.0", base=base), Place(tmp_path)
    begun = base.changed(uct_c=0.5, actors=1)
    Run.create(place.run(0, 0), sweep.game, begun, 0)
    seen = []

    def run(game, config, *rest):
        seen.append(config)
        raise UsageError("enough")

    monkeypatch.setattr(trials, "run_experiment", run)
    work(sweep, place)
    assert seen == [begun, base.changed(uct_c=1.0)]


def _step(number: int, loss: float) -> StepEvent:
    return StepEvent({"step": number, "time_rel": 2.5 * number, "loss": {"sum": loss}})


def _summary(sweep: Sweep, directory: Any) -> Any:
    return summarise(sweep, open_sweep(sweep, Place(directory))).trials
