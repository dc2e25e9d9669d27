"""The choice of an engine, without starting Ray."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.experiments.engines.engine import RAY, THIS_MACHINE, EngineChoice, open_engine
from zerolab.interfaces.cli import main
from zerolab.training.selfplay.workforce import UNLIMITED
from zerolab.training.settings.continuous_config import TrainingConfig


def test_this_machine_is_the_default() -> None:
    with open_engine(EngineChoice()) as engine:
        assert engine == THIS_MACHINE


@pytest.mark.parametrize(
    ("name", "address", "reason"),
    [
        ("slurm", None, "'slurm' is no engine; expected local or ray"),
        ("local", "auto", "--address is that of a cluster; add --engine ray"),
        ("ray", "ray://127.0.0.1:1", "the learner is part of the cluster"),
    ],
)
def test_wrong_engines(name: str, address: str | None, reason: str) -> None:
    with pytest.raises(UsageError, match=reason), open_engine(EngineChoice(name, address)):
        pass


def test_as_many_actors_as_there_is_room_for_where_nobody_says_how_many() -> None:
    config = TrainingConfig(actors=3)
    assert EngineChoice().adapt(config) == config
    assert EngineChoice(RAY).adapt(config) == config.changed(actors=UNLIMITED)


def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, *options: str) -> str:
    arguments = ["train", "clobber", "--size", "3x3", "--run", str(tmp_path / "run"), *options]
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert not (tmp_path / "run").exists()
    return capsys.readouterr().err


def test_without_ray_a_sentence_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    error = run(capsys, tmp_path, "--engine", "ray")
    assert error == "zerolab: this needs ray; install it with pip install 'zerolab[ray]'\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--set", "actors=0", "evaluators=0"), "--engine ray is for actors"),
        (("--dry-run", "--steps", "1"), "--dry-run predicts runs of this machine"),
        (("--preset", "wang"), "the loop of wang plays in one process"),
    ],
)
def test_what_no_cluster_helps_with(
    options: tuple[str, ...],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert reason in run(capsys, tmp_path, "--engine", "ray", *options)


def test_help_and_commands_without_a_cluster_do_not_import_ray() -> None:
    script = (
        "import json, sys\n"
        "from zerolab.interfaces.cli import main\n"
        "import zerolab.interfaces.views.training.train_view\n"
        "try:\n    main(['train', '--help'])\n"
        "except SystemExit:\n    pass\n"
        "print(json.dumps('ray' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert json.loads(done.stdout.splitlines()[-1]) is False
