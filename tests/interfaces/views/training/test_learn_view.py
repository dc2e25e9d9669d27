"""zerolab learn: from a run of self-play, stopped, resumed, and with wrong arguments."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.clocks import ticking
from tests.records.test_sgf import random_game
from zerolab.errors import UsageError
from zerolab.experiments.experiment import run_experiment
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.learn_view import progress_line, show_learning
from zerolab.records.recorded_game import RecordedGame
from zerolab.records.sgf import write_sgf
from zerolab.training import loop
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(3, 3)
TINY = ("nn_model=zerolab", "nn_width=4", "nn_depth=1", "epochs=3", "epoch_samples=160")
TINY += ("train_batch_size=16", "validation_positions=20")


@pytest.fixture(name="played", scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("played")
    config = TrainingConfig().changed(
        **{"nn_model": "zerolab", "nn_width": 4, "nn_depth": 1, "max_simulations": 4, "batch": 8},
        **{"replay_buffer_size": 256, "replay_buffer_reuse": 2, "train_batch_size": 32},
    )
    run_experiment(GAME, config, directory, Limits(steps=2), seed=3)
    return directory


def test_learn_from_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path, played: Path) -> None:
    run = tmp_path / "run"
    show_learning(Output(True), GAME, run, Limits(), played, TINY, 1)
    found = json.loads(capsys.readouterr().out)
    assert (found["loop"], found["epochs"], found["samples"]) == ("supervised", 3, 480)
    assert 0 <= found["validation"]["accuracy"] <= 1
    assert found["stopped"] is False
    show_learning(Output(False), GAME, run, Limits(), None, (), 1)
    text = " ".join(capsys.readouterr().out.split())
    assert "3 epochs of 160 positions from" in text
    assert "learning rate 0.005, stepped" in text
    assert "The last epochs" in text
    assert (run / "plots.png").exists()


def test_learn_from_records(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records are packed once; another run may learn from the same file."""
    texts = [write_sgf(RecordedGame.of(random_game(GAME, seed))) for seed in range(60)]
    (tmp_path / "games.sgf").write_text("".join([*texts, texts[0], "(;GM[4]SZ[5];B[aa])"]))
    run, again = tmp_path / "run", tmp_path / "again"
    show_learning(Output(False), GAME, run, Limits(), tmp_path / "games.sgf", TINY, 1)
    text = " ".join(capsys.readouterr().out.split())
    assert "of 62 records in" in text
    assert "Records that were not used" in text
    assert "duplicate" in text
    show_learning(Output(True), GAME, again, Limits(), run / "games.games", TINY, 1)
    assert json.loads(capsys.readouterr().out)["epochs"] == 3
    one, other = (
        [(line["loss"], line["validation"], line["digests"]) for line in read_log(each)]
        for each in (run, again)
    )
    assert one == other
    with pytest.raises(UsageError, match=r"has games of clobber 3x3, not of clobber 3x4"):
        show_learning(
            Output(True), Clobber(3, 4), tmp_path / "x", Limits(), run / "games.games", TINY, 1
        )


def test_too_few_games_to_validate(tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_text(write_sgf(RecordedGame.of(random_game(GAME, 1))))
    with pytest.raises(UsageError, match="has no games for validation; with 1 games in all"):
        show_learning(Output(True), GAME, tmp_path / "run", Limits(), tmp_path / "one.sgf", TINY, 1)
    assert not (tmp_path / "run" / "config.json").exists()


def test_time_ends_an_epoch_which_is_gone_on_with(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    played: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that goes on by a second at each look: a batch takes two."""
    shown: list[str] = []

    @contextmanager
    def status(self: Output) -> Iterator[Callable[[str], None]]:
        yield shown.append

    clock = SimpleNamespace(
        monotonic=ticking(1.0), perf_counter=time.perf_counter, process_time=time.process_time
    )
    monkeypatch.setattr(loop, "time", clock)
    monkeypatch.setattr(Output, "status", status)
    run = tmp_path / "run"
    show_learning(Output(True), GAME, run, Limits(seconds=20), played, TINY, 1)
    written = capsys.readouterr()
    assert json.loads(written.out)["epochs"] == 1
    assert "stopped within epoch 2, which is kept; --resume continues it" in written.err
    assert shown[0] == "epoch 1 of 3: learning, 0%"
    assert any(line.startswith("epoch 2 of 3: learning") for line in shown)
    assert any("min left" in line for line in shown)
    show_learning(Output(True), GAME, run, Limits(), None, (), 1)
    whole = tmp_path / "whole"
    assert json.loads(capsys.readouterr().out)["epochs"] == 3
    show_learning(Output(True), GAME, whole, Limits(), played, TINY, 1)
    parts, all_at_once = (
        [(line["loss"], line["validation"]) for line in read_log(each)] for each in (run, whole)
    )
    assert parts == all_at_once


def test_progress_in_a_line() -> None:
    line = {
        **{"step": 4, "loss": {"policy": 1.5, "value": 0.25}, "states_per_s": 1234.5},
        "validation": {"accuracy": 0.4567, "mse": 0.12345},
    }
    assert progress_line(line) == (
        "epoch 4: loss: policy 1.500, value 0.250; validation: accuracy 45.7%, error of the value "
        "0.1235; 1,234 positions a second"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "what to learn from is not named; expected --data PATH"),
        ("--data nothing", "nothing does not exist; expected records of games, or a run"),
        ("--data nothing.games", "nothing.games"),
        ("--data . --minutes 0", "--minutes 0.0 is not possible"),
        ("--resume --epochs 3", "--resume keeps the settings of the run: leave out --data"),
        ("--resume --run nothing", "holds no run"),
        ("--data . --network nonsense", "'nonsense' is not a network"),
        ("--data . --set nonsense=1", "'nonsense=1' is not a setting"),
    ],
)
def test_what_is_wrong_gets_a_sentence(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(["learn", "clobber", "--size", "3x3", *arguments.split()])
    assert error.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_run_of_self_play_is_not_continued(played: Path) -> None:
    with pytest.raises(UsageError, match="holds a run of zerolab train"):
        show_learning(Output(True), GAME, played, Limits(), None, (), 1)
