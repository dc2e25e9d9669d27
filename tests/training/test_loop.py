import math
from pathlib import Path
from typing import Any

import pytest

from tests.training.test_trainer import TINY
from zerolab.games.clobber import Clobber
from zerolab.training.loop import Limits, train
from zerolab.training.run import Run
from zerolab.training.trainer import Trainer

GAME = Clobber(3, 3)

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
    trainer = Trainer(GAME, TINY, seed=1)
    run.restore(trainer)
    lines: list[dict[str, Any]] = []
    train(run, trainer, limits, lines.append)
    return run, lines


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


def test_time_ends_a_run(tmp_path: Path) -> None:
    _, lines = go_on(tmp_path / "run", Limits(seconds=0.001))
    assert len(lines) == 1


def test_an_interrupt_loses_one_step_at_most(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", GAME, TINY, seed=1)
    trainer = Trainer(GAME, TINY, seed=1)

    def stop(line: dict[str, Any]) -> None:
        if line["step"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(run, trainer, Limits(), stop)
    again, lines = go_on(tmp_path / "run", Limits(steps=4))
    assert [line["step"] for line in lines] == [3, 4]
    assert [line["step"] for line in again.read_log()] == [1, 2, 3, 4]
