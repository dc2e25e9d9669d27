"""zerolab train --dry-run."""

from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.test_cli import TINY, run_json
from zerolab.experiments import dry_run
from zerolab.experiments.calibration.measured import Budget
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.training.dry_run_view import duration, size

STAGED = ("train", "clobber", "--size", "3x3", "--preset", "wang", "--set", "nn_model=resnet")
STAGED += ("nn_width=4", "nn_depth=1", "max_simulations=4", "iterations=3", "episodes=2")
STAGED += ("epochs=1", "arena_games=2", "train_batch_size=8")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(play=0.02, learn=0.02, arena=0.02)
    monkeypatch.setattr(dry_run.forecast, "__defaults__", (0, 0.0, budget))


def dry(capsys: Any, *arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = run_json(capsys, *arguments, "--dry-run")
    return result


@pytest.mark.parametrize("command", [(*TINY, "--steps", "4"), STAGED], ids=["continuous", "staged"])
def test_nothing_is_written(
    command: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    found = dry(capsys, *command, "--run", "run", "--games", "0")
    assert list(tmp_path.iterdir()) == []
    assert found["steps"] == (3 if command is STAGED else 4)
    assert found["loop"] == ("staged" if command is STAGED else "continuous")
    main([*command, "--run", "run", "--games", "0", "--dry-run"])
    shown = capsys.readouterr().out
    for words in ("clobber 3x3: ", "selfplay", "learning", "memory", "checkpoint", "assumed: "):
        assert words in shown
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_predicted_from_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = "--run", str(tmp_path / "run"), "--games", "0"
    run_json(capsys, *TINY, *where, "--steps", "2")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
    found = dry(capsys, *TINY[:4], *where, "--steps", "5", "--resume")
    assert (found["source"], found["steps"]) == ("log", 3)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((*TINY,), "goes on until Ctrl-C: give one of them"),
        ((*TINY, "--minutes", "-1"), "--minutes -1.0 is not possible"),
        ((*TINY, "--run", "README.md", "--steps", "1"), "README.md cannot be created"),
        ((*TINY[:4], "--resume", "--run", "nowhere"), "nowhere holds no run"),
        (("train", "clobber", "--set", "speed=1", "--steps", "1"), "'speed=1' is not a setting"),
    ],
)
def test_wrong_arguments_get_a_sentence(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--dry-run"])
    assert stop.value.code == 2
    assert complaint in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_units() -> None:
    seconds = (0.0, 119.9, 120, 7199, 7200, 172_799, 172_800)
    said = ["0.0 s", "119.9 s", "2.0 min", "120.0 min", "2.0 h", "48.0 h", "2.0 days"]
    assert [duration(each) for each in seconds] == said
    counts = (999, 1000, 2_500_000, 10**12)
    assert [size(each) for each in counts] == ["999 bytes", "1.0 KB", "2.5 MB", "1000.0 GB"]
