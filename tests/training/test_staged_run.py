import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.test_loop import FIELDS
from tests.training.test_staged import GAME, TINY, same, weights
from tests.training.test_trainer import TINY as CONTINUOUS
from zerolab.errors import UsageError
from zerolab.networks.checkpoints import load_network
from zerolab.training.loop import Limits
from zerolab.training.run import CHECKPOINT, CONFIG, Run, loop_of
from zerolab.training.staged import StagedTrainer
from zerolab.training.staged_run import StagedRun, train_staged


def go_on(directory: Path, limits: Limits) -> tuple[StagedRun, StagedTrainer, list[dict[str, Any]]]:
    """Begin a run, or resume it."""
    if directory.exists():
        run = StagedRun.open(directory, GAME)
    else:
        run = StagedRun.create(directory, GAME, TINY, seed=1)
    trainer = StagedTrainer(GAME, run.config, run.seed)
    run.restore(trainer)
    lines: list[dict[str, Any]] = []
    train_staged(run, trainer, limits, lines.append)
    return run, trainer, lines


def test_the_log_has_the_words_of_open_spiel_and_of_stages(tmp_path: Path) -> None:
    run, _, lines = go_on(tmp_path / "run", Limits())
    assert run.read_log() == lines
    assert [line["step"] for line in lines] == [1, 2, 3]  # all iterations that were asked for
    for line in lines:
        assert set(line) >= FIELDS
        assert sum(line["outcomes"]["counts"]) == 6
        assert line["arena"]["wins"] + line["arena"]["draws"] + line["arena"]["losses"] == 4
        assert line["accepted"] in (True, False)
        assert line["loss"]["sum"] == line["epoch_losses"][-1]["total"]
        assert len(line["window"]) == min(2, line["step"])
        assert all(seconds > 0 for seconds in line["stage_seconds"].values())
    about = json.loads((run.directory / CONFIG).read_text())
    assert (about["loop"], about["retrain_window"]) == ("staged", 2)


def test_a_resumed_run_is_the_run_that_was_not_stopped(tmp_path: Path) -> None:
    _, whole, lines = go_on(tmp_path / "whole", Limits())
    go_on(tmp_path / "parts", Limits(steps=1))
    _, middle, _ = go_on(tmp_path / "parts", Limits(steps=2))
    assert (middle.step, len(middle.replay.sizes)) == (2, 2)
    run, parts, _ = go_on(tmp_path / "parts", Limits())
    assert parts.step == whole.step == 3
    assert same(weights(whole), weights(parts))
    for name, array in whole.replay.arrays().items():
        np.testing.assert_array_equal(array, parts.replay.arrays()[name])
    assert whole.replay.added == parts.replay.added
    assert whole.draw.bit_generator.state == parts.draw.bit_generator.state
    for line, other in zip(lines, run.read_log(), strict=True):
        for field in ("step", "epoch_losses", "arena", "accepted", "window", "total_trajectories"):
            assert line[field] == other[field]
    _, _, nothing = go_on(tmp_path / "parts", Limits())
    assert nothing == []


def test_a_run_that_was_killed_repeats_the_iteration(tmp_path: Path) -> None:
    run = StagedRun.create(tmp_path / "run", GAME, TINY, seed=1)
    trainer = StagedTrainer(GAME, TINY, seed=1)

    def stop(line: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_staged(run, trainer, Limits(), stop)
    run.log({"step": 2})  # killed between log and checkpoint
    trainer.play()  # or in the middle of the next games
    again, other, lines = go_on(tmp_path / "run", Limits(steps=2))
    assert [line["step"] for line in again.read_log()] == [1, 2]
    _, whole, _ = go_on(tmp_path / "whole", Limits(steps=2))
    assert same(weights(whole), weights(other))
    assert len(lines) == 1


def test_the_last_network_is_kept(tmp_path: Path) -> None:
    run, trainer, _ = go_on(tmp_path / "run", Limits(steps=2))
    network, header = load_network(run.directory / "network-000002.safetensors")
    assert header.step == 2
    assert network.config == TINY.recipe.network
    mine = trainer.learner.network.state_dict()
    assert all((mine[name] == each).all() for name, each in network.state_dict().items())


def test_loops_are_not_confused(tmp_path: Path) -> None:
    StagedRun.create(tmp_path / "staged", GAME, TINY, seed=1)
    Run.create(tmp_path / "continuous", GAME, CONTINUOUS, seed=1)
    with pytest.raises(UsageError, match="a run of the staged loop, not of the continuous one"):
        Run.open(tmp_path / "staged", GAME)
    with pytest.raises(UsageError, match="a run of the continuous loop, not of the staged one"):
        StagedRun.open(tmp_path / "continuous", GAME)
    assert loop_of(tmp_path / "staged") == "staged"
    assert loop_of(tmp_path / "continuous") == loop_of(tmp_path / "nowhere") == "continuous"
    path = tmp_path / "continuous" / CONFIG
    about = json.loads(path.read_text())
    del about["loop"]  # as before there were two
    path.write_text(json.dumps(about))
    assert Run.open(tmp_path / "continuous", GAME).config == CONTINUOUS


def test_damaged_files_get_a_sentence(tmp_path: Path) -> None:
    run, _, _ = go_on(tmp_path / "run", Limits(steps=1))
    config, checkpoint = run.directory / CONFIG, run.directory / CHECKPOINT
    about = json.loads(config.read_text())
    config.write_text(json.dumps(about | {"epochs": 0}))
    with pytest.raises(UsageError, match="epochs: Input should be"):
        StagedRun.open(run.directory, GAME)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    with pytest.raises(UsageError, match=r"only a part of one|is damaged"):
        run.restore(StagedTrainer(GAME, TINY, seed=1))
