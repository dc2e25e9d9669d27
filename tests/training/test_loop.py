import itertools
import math
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.training.canned import Canned
from tests.training.jobs import count
from tests.training.test_continuous import TINY
from zerolab.games.clobber import Clobber
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.loop import Limits, make_trainer, train
from zerolab.training.runs.evaluations import EVAL, Evaluated
from zerolab.training.runs.run_directory import Run
from zerolab.training.selfplay.actors import CrewSource
from zerolab.training.selfplay.sources import LocalSource, OnStates, SelfPlayBatch
from zerolab.training.selfplay.workforce import Job
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.steps import Event, PhaseEvent, StepEvent

GAME = Clobber(3, 3)
MOST = 20  # steps: more than any of these runs has

# What OpenSpiel's analysis reads.
FIELDS = {
    *("step", "total_states", "states_per_s", "states_per_s_actor", "total_trajectories"),
    *("trajectories_per_s", "queue_size", "game_length", "game_length_hist", "outcomes"),
    *("value_accuracy", "value_prediction", "eval", "batch_size", "batch_size_hist", "loss"),
    *("cache", "time_abs", "time_rel", "time_str"),
}


def go_on(directory: Path, limits: Limits) -> tuple[Run, list[dict[str, Any]]]:
    """Begin a run, or resume it."""
    if directory.exists():
        run = Run.open(directory, GAME)
    else:
        run = Run.create(directory, GAME, TINY, seed=1)
    trainer = ContinuousTrainer(GAME, TINY, seed=1)
    run.restore(trainer)
    lines, _ = follow(run, trainer, limits)
    return run, lines


def follow(
    run: Run, trainer: ContinuousTrainer, limits: Limits
) -> tuple[list[dict[str, Any]], list[float]]:
    """Train to the end; return the lines of the log, and the learning rate of each step."""
    lines: list[dict[str, Any]] = []
    rates: list[float] = []

    def on_event(event: Event) -> None:
        if isinstance(event, PhaseEvent):
            return
        assert len(lines) < MOST, "the run does not end"
        lines.append(event.line)
        rates.append(trainer.learner.optimizer.param_groups[0]["lr"])

    train(run, trainer, limits, on_event)
    return lines, rates


def test_a_run_is_logged_in_the_words_of_open_spiel(tmp_path: Path) -> None:
    run, lines = go_on(tmp_path / "run", Limits(steps=2))
    assert run.read_log() == lines
    assert [line["step"] for line in lines] == [1, 2]
    for line in lines:
        assert set(line) >= FIELDS
        games = sum(line["outcomes"]["counts"])
        assert games == line["game_length"]["num"] == sum(line["game_length_hist"])
        assert len(line["value_accuracy"]) == 7
        loss = line["loss"]
        assert loss["sum"] == pytest.approx(loss["policy"] + loss["value"] + loss["l2reg"])
        assert line["cache"]["hits"] + line["cache"]["misses"] == line["cache"]["requests"] > 0
        assert all(math.isfinite(line[key]) for key in ("states_per_s", "time_rel", "proven"))
    assert lines[1]["total_trajectories"] > lines[0]["total_trajectories"]
    assert (run.directory / "network-000002.safetensors").exists()


def test_a_resumed_run_goes_on_counting(tmp_path: Path) -> None:
    _, first = go_on(tmp_path / "run", Limits(steps=2))
    run, second = go_on(tmp_path / "run", Limits(steps=3))
    assert [line["step"] for line in run.read_log()] == [1, 2, 3]
    assert second[0]["total_states"] > first[-1]["total_states"]
    assert second[0]["time_rel"] > first[-1]["time_rel"]
    _, nothing = go_on(tmp_path / "run", Limits(steps=3))
    assert nothing == []


def test_a_line_says_what_saving_the_step_before_took(tmp_path: Path) -> None:
    """And the first one, what compiling did."""
    run = Run.create(tmp_path / "run", GAME, TINY, seed=1)
    run.compiling = 12.5
    lines, _ = follow(run, ContinuousTrainer(GAME, TINY, seed=1), Limits(steps=2))
    times = [line["time"] for line in lines]
    assert [each["compiling"] for each in times] == [12.5, None]
    assert times[0]["checkpoint"] is None
    assert times[1]["checkpoint"] > 0
    for line, each in zip(lines, times, strict=True):
        assert each["learning"]["seconds"] == line["learn_seconds"]
        assert each["selfplay"]["moves"] >= sum(line["game_length_hist"])
        parts = each["selfplay"]["parts"]
        for key in ("seconds", "simulations"):
            assert sum(part[key] for part in parts) == pytest.approx(each["selfplay"][key])


@pytest.mark.parametrize(
    ("limits", "seconds", "steps", "expected"),
    [
        (Limits(), 1e6, 10**6, 0.0),
        (Limits(seconds=200), 50, 10**6, 0.25),
        (Limits(steps=8), 1e6, 2, 0.25),
        (Limits(seconds=200, steps=8), 50, 4, 0.5),  # whichever is nearer to its end
        (Limits(seconds=200, steps=8), 150, 4, 0.75),
        (Limits(seconds=200, steps=8), 200, 0, 1.0),
        (Limits(seconds=200, steps=8), 0, 8, 1.0),
        (Limits(seconds=200, steps=8), 900, 99, 1.0),
    ],
)
def test_progress(limits: Limits, seconds: float, steps: int, expected: float) -> None:
    assert limits.progress(seconds, steps) == expected


class Timed(Canned):
    """Games of which each takes 40 seconds, by a clock that stands still otherwise."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def gather(self, states: int, on_states: OnStates) -> SelfPlayBatch:
        self.now += 40
        assert len(self.wanted) < MOST, "the run does not end"
        return super().gather(states, on_states)


def go_on_timed(
    patch: pytest.MonkeyPatch, directory: Path, limits: Limits, config: TrainingConfig = TINY
) -> tuple[Run, list[dict[str, Any]], list[float]]:
    """As `go_on`, with that clock."""
    source = Timed()
    patch.setattr("zerolab.training.loop.time", source)
    if directory.exists():
        run = Run.open(directory, GAME)
    else:
        run = Run.create(directory, GAME, config, seed=1)
    trainer = ContinuousTrainer(GAME, run.config, seed=1, source=source)
    run.restore(trainer)
    return run, *follow(run, trainer, limits)


@pytest.mark.parametrize(
    ("limits", "steps"),
    [
        (Limits(seconds=100), 3),  # after 40 and 80 seconds there is time left
        (Limits(seconds=120), 3),
        (Limits(steps=2), 2),
        (Limits(seconds=100, steps=2), 2),
        (Limits(seconds=100, steps=20), 3),
        (Limits(seconds=0.001), 1),
    ],
)
def test_a_run_ends_at_the_first_of_its_limits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limits: Limits, steps: int
) -> None:
    run, lines, _ = go_on_timed(monkeypatch, tmp_path / "run", limits)
    assert [line["step"] for line in lines] == list(range(1, steps + 1))
    assert [line["time_rel"] for line in lines] == [40.0 * step for step in range(1, steps + 1)]
    assert run.seconds == 40 * steps
    assert (run.directory / f"network-{steps:06}.safetensors").exists()


def test_the_time_before_a_run_was_resumed_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    go_on_timed(monkeypatch, tmp_path / "run", Limits(steps=2))
    _, lines, _ = go_on_timed(monkeypatch, tmp_path / "run", Limits(seconds=150))
    assert [line["time_rel"] for line in lines] == [120, 160]
    _, lines, _ = go_on_timed(monkeypatch, tmp_path / "run", Limits(seconds=150))
    assert lines == []


def test_the_learning_rate_falls_over_the_time_or_the_steps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A cosine: (1 + cos) / 2 of 0, 45, 90 and 135 degrees, then of 0, 60 and 120."""
    config = TINY.changed(schedule="cosine", learning_rate=0.02)
    for limits, expected in (
        (Limits(steps=4), [1, 0.853553, 0.5, 0.146447]),
        (Limits(seconds=160), [1, 0.853553, 0.5, 0.146447]),
        (Limits(seconds=120, steps=4), [1, 0.75, 0.25]),
    ):
        *_, rates = go_on_timed(monkeypatch, tmp_path / str(limits), limits, config)
        assert [rate / 0.02 for rate in rates] == pytest.approx(expected, abs=1e-6)
    # A run that is resumed goes on with the rate of where it is.
    directory = tmp_path / "resumed"
    go_on_timed(monkeypatch, directory, Limits(steps=2), config)
    *_, rates = go_on_timed(monkeypatch, directory, Limits(steps=4))
    assert [rate / 0.02 for rate in rates] == pytest.approx([0.5, 0.146447], abs=1e-6)


def test_the_steps_of_the_configuration_end_a_run_without_limits(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = TINY.changed(max_steps=3)
    _, lines, _ = go_on_timed(monkeypatch, tmp_path / "run", Limits(), config)
    assert len(lines) == 3
    _, lines, _ = go_on_timed(monkeypatch, tmp_path / "other", Limits(steps=4), config)
    assert len(lines) == 4


@pytest.mark.parametrize("actors", [0, 2])
def test_processes_play_if_the_settings_say_so(tmp_path: Path, actors: int) -> None:
    """And what their evaluators find reaches the trainer."""
    config = TINY.changed(actors=actors)
    run = Run.create(tmp_path / "run", GAME, config, seed=7)
    trainer = make_trainer(run, [Job("evaluator 1", count, (10,))])
    if actors == 0:
        assert isinstance(trainer.source, LocalSource)
    else:
        assert isinstance(trainer.source, CrewSource)
        names = [job.name for job in trainer.source.crew._jobs]
        assert names == ["actor 1", "actor 2", "evaluator 1"]
        trainer.source._on_message(Evaluated(EVAL, level=0, result=1.0))
        assert trainer.evaluations[EVAL].means()[0] == 1.0
    assert trainer.game_seed == 7


def test_an_interrupt_loses_one_step_at_most(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", GAME, TINY, seed=1)
    trainer = ContinuousTrainer(GAME, TINY, seed=1)

    def stop(event: Event) -> None:
        if isinstance(event, StepEvent) and event.line["step"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(run, trainer, Limits(), stop)
    again, lines = go_on(tmp_path / "run", Limits(steps=4))
    assert [line["step"] for line in lines] == [3, 4]
    assert [line["step"] for line in again.read_log()] == [1, 2, 3, 4]


def test_phases_are_told_and_ctrl_c_acts_at_once(tmp_path: Path) -> None:
    """A step of this loop cannot be kept half done, so nothing is gained by waiting for its end."""
    run = Run.create(tmp_path / "run", GAME, TINY, seed=1)
    told: list[str] = []
    before = signal.getsignal(signal.SIGINT)

    def on_event(event: Event) -> None:
        told.append(event.phase if isinstance(event, PhaseEvent) else "step")
        assert signal.getsignal(signal.SIGINT) is before

    train(run, make_trainer(run), Limits(steps=2), on_event)
    assert [phase for phase, _ in itertools.groupby(told)] == ["playing", "learning", "step"] * 2
