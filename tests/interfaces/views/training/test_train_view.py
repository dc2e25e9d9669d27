"""Options of `zerolab train`: each reaches the run."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.test_cli import TINY, run_json
from tests.training.settings.test_presets import APPENDIX_B, BY_LENGTH, NOT_IN_JANS, OURS
from tests.training.test_loop import Timed

SET = {
    "replay_buffer_size": 64,
    "nn_width": 4,
    "nn_depth": 1,
    "max_simulations": 8,
    "batch": 4,
    "train_batch_size": 16,
    "actors": 0,
    "evaluators": 0,
    "int8": False,
}


@pytest.fixture(autouse=True)
def _timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Always the same game, and 40 seconds for every step; nothing is drawn."""
    source = Timed()
    monkeypatch.setattr("zerolab.training.continuous.LocalSource", lambda game, config: source)
    monkeypatch.setattr("zerolab.training.loop.time", source)
    monkeypatch.setattr(
        "zerolab.interfaces.views.training.train_view.draw_curves", lambda out, directory: None
    )


@pytest.fixture(name="train")
def _train(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Trains with some options in a directory of that name; returns what is said at the end."""

    def train(name: str, *options: str) -> dict[str, Any]:
        new = "--resume" not in options
        command = (*TINY, "int8=false") if new else TINY[: TINY.index("--set")]
        where = "--run", str(tmp_path / name), "--games", "0"
        result: dict[str, Any] = run_json(capsys, *command, *where, *options)
        return result

    return train


def config_of(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "config.json").read_text())
    return found


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        (("--minutes", "2"), 3),
        (("--minutes", "1.5"), 3),  # after 80 seconds there are 10 left
        (("--minutes", "2", "--steps", "100"), 3),
        (("--minutes", "60", "--steps", "2"), 2),
    ],
)
def test_minutes_and_steps(train: Any, options: tuple[str, ...], steps: int) -> None:
    result = train("run", *options)
    assert (result["steps"], result["seconds"], result["stopped"]) == (steps, 40 * steps, False)


def test_the_seed_makes_the_run(train: Any, tmp_path: Path) -> None:
    """The games are the same here: weights and batches are what the seed gives."""
    seeds = {"first": 5, "again": 5, "other": 6, "none": None}
    losses = {}
    for name, seed in seeds.items():
        option = () if seed is None else ("--seed", str(seed))
        losses[name] = train(name, "--steps", "1", *option)["loss"]["sum"]
    assert losses["first"] == losses["again"]
    assert len(set(losses.values())) == 3
    assert [config_of(tmp_path / name)["seed"] for name in seeds] == [5, 5, 6, 0]


def test_a_preset_is_taken_and_settings_differ_from_it(train: Any, tmp_path: Path) -> None:
    by_length = {name: rule(5.4) for name, rule in BY_LENGTH.items()}  # of random games on 3x3
    jans = {name: small for name, ((small,), _) in APPENDIX_B.items()} | NOT_IN_JANS
    for option, expected in (
        (("--preset", "jans"), jans | {"encoding": "colours", "temperature_drop": 4}),
        ((), OURS | by_length),  # ours, if none is named
    ):
        directory = tmp_path / "-".join(("run", *option))
        train(directory.name, "--steps", "1", *option)
        found = config_of(directory)
        assert {name: found[name] for name in expected | SET} == expected | SET


def test_a_run_that_goes_on_has_its_own_seed_and_settings(train: Any, tmp_path: Path) -> None:
    train("run", "--steps", "1", "--seed", "5", "--preset", "jans")
    before = config_of(tmp_path / "run")
    whole = train("whole", "--steps", "2", "--seed", "5", "--preset", "jans")
    again = train("run", "--resume", "--steps", "2", "--seed", "6")
    assert config_of(tmp_path / "run") == before
    assert (again["steps"], again["seconds"]) == (2, 80)
    assert again["loss"] == whole["loss"]
