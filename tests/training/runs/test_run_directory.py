import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from tests.training.test_continuous import TINY
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.networks.checkpoints import load_network
from zerolab.networks.header import read_metadata
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.runs.evaluations import EVAL, Evaluated, Measured
from zerolab.training.runs.logs import CONFIG, LOG
from zerolab.training.runs.run_directory import CHECKPOINT, KEY, Run

GAME = Clobber(3, 3)
SETTINGS = TINY.changed(checkpoint_freq=2)


def train(run: Run, trainer: ContinuousTrainer, steps: int) -> None:
    for step in itertools.islice(trainer.steps(), steps):
        run.trajectories += len(step.games.records)
        run.log({"step": step.number, "loss": step.losses.total})
        run.save(trainer)


@pytest.fixture(name="done")
def _done(tmp_path: Path) -> tuple[Run, ContinuousTrainer]:
    run = Run.create(tmp_path / "run", GAME, SETTINGS, seed=1)
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    train(run, trainer, 3)
    return run, trainer


def test_a_run_goes_on_where_it_was(done: tuple[Run, ContinuousTrainer]) -> None:
    run, trainer = done
    again = Run.open(run.directory, GAME)
    assert (again.config, again.seed) == (SETTINGS, 1)
    other = ContinuousTrainer(GAME, again.config, seed=5)
    again.restore(other)
    assert other.step == 3
    assert again.trajectories == run.trajectories
    assert other.replay.added == trainer.replay.added
    for name, array in trainer.learner.arrays().items():
        np.testing.assert_array_equal(array, other.learner.arrays()[name])
    # The next step of learning is the same: weights, optimizer, buffer and draws are.
    assert trainer.learn() == other.learn()
    assert other.game_seed != ContinuousTrainer(GAME, again.config, seed=5).game_seed
    newest = run.directory / "replay-000003.safetensors"
    written = newest.stat().st_mtime_ns
    train(again, other, 1)
    assert [entry["step"] for entry in again.read_log()] == [1, 2, 3, 4]
    assert newest.stat().st_mtime_ns == written  # samples that were on disk stay as they are
    assert (run.directory / "replay-000004.safetensors").exists()


def test_networks_are_kept_now_and_then(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    kept = sorted(path.name for path in run.directory.glob("network-*"))
    assert kept == ["network-000002.safetensors"]
    network, header = load_network(run.directory / kept[0])
    assert (header.step, header.game) == (2, "clobber 3x3")
    assert network.config == SETTINGS.recipe.network


def test_log_lines_after_the_checkpoint_are_dropped(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    run.log({"step": 4})
    with (run.directory / LOG).open("a") as file:
        file.write('{"step": 5, "lo')  # the writer was killed
    (run.directory / f"{CHECKPOINT}.x7w").write_bytes(b"half a checkpoint")
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    run.restore(trainer)
    assert [entry["step"] for entry in run.read_log()] == [1, 2, 3]
    assert len(list(run.directory.glob(f"{CHECKPOINT}*"))) == 1


def test_a_run_without_checkpoint_begins_anew(tmp_path: Path) -> None:
    run = Run.create(tmp_path, GAME, SETTINGS, seed=1)
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    run.restore(trainer)
    assert trainer.step == 0


def test_settings_that_are_missing_are_not_made_up(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    path = run.directory / CONFIG
    before = path.read_text()
    about = json.loads(before)
    del about["max_simulations"]
    path.write_text(json.dumps(about))
    with pytest.raises(UsageError, match="damaged or of another version"):
        Run.open(run.directory, GAME)
    path.write_text(before)
    assert Run.open(run.directory, GAME).config == SETTINGS


def test_nothing_is_overwritten(done: tuple[Run, ContinuousTrainer], tmp_path: Path) -> None:
    run, _ = done
    before = (run.directory / CONFIG).read_bytes()
    with pytest.raises(UsageError, match="already holds a run; continue with --resume"):
        Run.create(run.directory, GAME, SETTINGS, seed=1)
    with pytest.raises(UsageError, match="holds a run of clobber 3x3, not of othello 4x4"):
        Run.open(run.directory, Othello(4, 4))
    with pytest.raises(UsageError, match="holds no run: No such file"):
        Run.open(tmp_path / "nowhere", GAME)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be created"):
        Run.create(tmp_path / "file", GAME, SETTINGS, seed=1)
    assert (run.directory / CONFIG).read_bytes() == before


def test_damaged_files_get_a_sentence(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    checkpoint, config = run.directory / CHECKPOINT, run.directory / CONFIG
    data = checkpoint.read_bytes()
    for length in (0, 10, 3000, len(data) - 1):
        checkpoint.write_bytes(data[:length])
        with pytest.raises(UsageError, match=r"only part of one|is damaged"):
            run.restore(ContinuousTrainer(GAME, SETTINGS, seed=1))
    about = json.loads(config.read_text())
    for wrong, message in (
        ("[]", "is damaged"),
        ("{", "is damaged"),
        (json.dumps(about | {"uct_c": -1}), "uct_c: Input should be"),
        (json.dumps({key: about[key] for key in ("game", "seed")}), "is damaged"),
    ):
        config.write_text(wrong)
        with pytest.raises(UsageError, match=message):
            Run.open(run.directory, GAME)


def test_config_has_the_names_of_open_spiel(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    about = json.loads((run.directory / CONFIG).read_text())
    for name in ("game", "nn_model", "nn_width", "nn_depth", "observation_shape", "output_size"):
        assert name in about


def test_two_processes_cannot_go_on_with_one_run(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", GAME, SETTINGS, seed=1)
    with run.hold(), pytest.raises(UsageError, match="another process"), run.hold():
        pass
    with run.hold():  # and it is free again
        pass


def test_results_of_evaluators_are_kept(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", GAME, SETTINGS, seed=1)
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    trainer.notice(Evaluated(EVAL, level=1, result=-1.0))
    trainer.notice(Measured({"keeps": 0.5}))
    train(run, trainer, 1)
    other = ContinuousTrainer(GAME, SETTINGS, seed=1)
    run.restore(other)
    assert other.evaluations[EVAL].means()[:2] == [None, -1.0]
    assert other.measured == Measured({"keeps": 0.5})


def test_runs_from_before_a_setting_open_as_what_they_did(tmp_path):
    """Games of earlier runs began at the start; nothing else may be missing."""
    run = Run.create(tmp_path / "run", GAME, TINY.changed(opening_plies=3), seed=1)
    path = run.directory / CONFIG
    about = json.loads(path.read_text())
    del about["opening_plies"]
    path.write_text(json.dumps(about))
    assert Run.open(run.directory, GAME).config.search.opening_plies == 0
    del about["learning_rate"]
    path.write_text(json.dumps(about))
    with pytest.raises(UsageError, match="is damaged or of another version"):
        Run.open(run.directory, GAME)


def test_checkpoints_grow_with_what_is_new(tmp_path: Path) -> None:
    """A buffer of 256 takes 64 new positions a step, or a few more: five segments at most."""
    run = Run.create(tmp_path / "run", GAME, SETTINGS, seed=1)
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    sizes = []
    for step in itertools.islice(trainer.steps(), 8):
        run.save(trainer)
        kept = sorted(run.directory.glob("replay-*"))
        assert len(kept) <= 5
        assert kept[-1].name == f"replay-{step.number:06}.safetensors"
        sizes.append((run.directory / CHECKPOINT).stat().st_size)
    assert max(sizes) < min(sizes) + 1000  # the buffer is not in it
    other = ContinuousTrainer(GAME, SETTINGS, seed=5)
    Run.open(run.directory, GAME).restore(other)
    for one, another in zip(trainer.replay.samples, other.replay.samples, strict=True):
        np.testing.assert_array_equal(one, another)


def test_killed_between_segment_and_checkpoint(done: tuple[Run, ContinuousTrainer]) -> None:
    """The run goes on from the checkpoint, which names what it needs and nothing else."""
    run, trainer = done
    checkpoint = run.directory / CHECKPOINT
    before, needed = checkpoint.read_bytes(), {path.name for path in run.directory.glob("replay-*")}
    gone = {path: path.read_bytes() for path in run.directory.glob("replay-*")}
    train(run, trainer, 1)
    checkpoint.write_bytes(before)
    for path, data in gone.items():  # not deleted yet
        path.write_bytes(data)
    again = Run.open(run.directory, GAME)
    other = ContinuousTrainer(GAME, SETTINGS, seed=1)
    again.restore(other)
    assert {path.name for path in run.directory.glob("replay-*")} == needed
    train(again, other, 1)
    assert again.read_log()[-1]["step"] == 4
    Run.open(run.directory, GAME).restore(ContinuousTrainer(GAME, SETTINGS, seed=1))


def test_a_segment_that_is_missing_gets_a_sentence(done: tuple[Run, ContinuousTrainer]) -> None:
    run, _ = done
    path = max(run.directory.glob("replay-*"))
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(UsageError, match=r"replay-000003.safetensors, which the checkpoint needs"):
        run.restore(ContinuousTrainer(GAME, SETTINGS, seed=1))
    path.unlink()
    with pytest.raises(UsageError, match=r"replay-000003.*: No such file"):
        run.restore(ContinuousTrainer(GAME, SETTINGS, seed=1))


@pytest.mark.parametrize("missing", [0, -1])
def test_a_checkpoint_that_lacks_a_segment_is_damaged(
    done: tuple[Run, ContinuousTrainer], missing: int
) -> None:
    run, _ = done
    path = run.directory / CHECKPOINT
    data = path.read_bytes()
    progress = json.loads(read_metadata(path, data)[KEY])
    del progress["segments"][missing]
    path.write_bytes(save(load(data), {KEY: json.dumps(progress)}))
    with pytest.raises(UsageError, match="is damaged or of another version"):
        run.restore(ContinuousTrainer(GAME, SETTINGS, seed=1))
