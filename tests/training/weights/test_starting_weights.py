"""Runs that begin with the weights of another network."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training import test_staged
from tests.training.test_continuous import TINY
from zerolab.errors import UsageError
from zerolab.experiments.experiment import run_experiment
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.networks.checkpoints import load_network
from zerolab.training.loop import Limits, make_trainer
from zerolab.training.runs.logs import network_of
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.loops import RunConfig

SMALL, LARGE = Clobber(3, 3), Clobber(3, 4)
STAGED = test_staged.TINY.changed(iterations=1)


@pytest.fixture(scope="module", name="source")
def _source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("source") / "run"
    run_experiment(SMALL, TINY, directory, Limits(steps=1), seed=1, compiling=0.0)
    return directory


def begun(directory: Path, game: Game, config: RunConfig) -> Any:
    return make_trainer(Run.create(directory, game, config, seed=2))


def assert_alike(trainer: Any, path: Path) -> None:
    expected = load_network(path)[0].state_dict()
    for name, weights in trainer.learner.network.state_dict().items():
        np.testing.assert_array_equal(weights.numpy(), expected[name].numpy())


@pytest.mark.parametrize("config", [TINY, STAGED])
def test_a_larger_board_begins_where_a_smaller_one_ended(
    config: RunConfig, source: Path, tmp_path: Path
) -> None:
    changed = config.changed(nn_weights=str(source), encoding=TINY.encoding)
    trainer = begun(tmp_path / "run", LARGE, changed)
    assert trainer.step == 0
    assert_alike(trainer, network_of(source))
    fresh = begun(tmp_path / "fresh", LARGE, changed.changed(nn_weights=None))
    assert trainer.model() != fresh.model()


def test_the_staged_loop_plays_with_these_weights(source: Path, tmp_path: Path) -> None:
    """Its evaluator is made before the first game, and stays until a network is accepted."""
    config = STAGED.changed(nn_weights=str(source), encoding=TINY.encoding)
    planes = np.random.default_rng(1).random((4, 3, 3, 4), np.float32)
    trainer = begun(tmp_path / "run", LARGE, config)
    rated = trainer.evaluator(planes)
    fresh = begun(tmp_path / "fresh", LARGE, config.changed(nn_weights=None)).evaluator(planes)
    assert not np.allclose(rated[0], fresh[0])
    expected = trainer._evaluator(trainer.learner.network, trainer.replay)(planes)
    np.testing.assert_allclose(rated[0], expected[0])


def test_a_file_will_do(source: Path, tmp_path: Path) -> None:
    path = network_of(source)
    trainer = begun(tmp_path / "run", SMALL, TINY.changed(nn_weights=str(path)))
    assert_alike(trainer, path)


def test_a_run_that_goes_on_does_not_need_them(source: Path, tmp_path: Path) -> None:
    copied = tmp_path / "source"
    shutil.copytree(source, copied)
    config = TINY.changed(nn_weights=str(copied))
    directory = tmp_path / "run"
    first = run_experiment(SMALL, config, directory, Limits(steps=1), seed=2, compiling=0.0)
    after = {name: each.copy() for name, each in first.trainer.learner.arrays().items()}
    shutil.rmtree(copied)
    trainer = make_trainer(Run.open(directory, SMALL))
    assert trainer.step == 1
    for name, array in trainer.learner.arrays().items():
        np.testing.assert_array_equal(array, after[name])


@pytest.mark.parametrize(
    ("game", "changes", "sentence"),
    [
        (LARGE, {"nn_weights": "missing"}, "missing cannot be read"),
        (LARGE, {"nn_width": 16}, "another kind: width is 8, not 16"),
        (LARGE, {"encoding": "components"}, "set encoding=own"),
        (Othello(4, 4), {}, "clobber 3x3, not for othello 4x4"),
        (LARGE._replace(variant="cannibal"), {}, "not for clobber 3x4 variant=cannibal"),
    ],
)
def test_weights_that_do_not_fit_leave_no_directory(
    game: Game, changes: dict[str, Any], sentence: str, source: Path, tmp_path: Path
) -> None:
    config = TINY.changed(**({"nn_weights": str(source)} | changes))
    with pytest.raises(UsageError, match=sentence):
        Run.create(tmp_path / "run", game, config, seed=1)
    assert not (tmp_path / "run").exists()


def test_dense_heads_fit_their_own_board_only(tmp_path: Path) -> None:
    config = STAGED.changed(nn_model="wang", nn_width=8, nn_depth=None)
    run_experiment(Clobber(5, 5), config, tmp_path / "a", Limits(), seed=1, compiling=0.0)
    again = config.changed(nn_weights=str(tmp_path / "a"), dropout=0.1)
    trainer = begun(tmp_path / "same", Clobber(5, 5), again)
    assert_alike(trainer, network_of(tmp_path / "a"))
    with pytest.raises(UsageError, match="fit other sizes"):
        Run.create(tmp_path / "b", Clobber(5, 6), again, seed=1)
