import json
from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.output import Output
from zerolab.interfaces.staged import show_staged
from zerolab.training.config import change_settings
from zerolab.training.loop import Limits
from zerolab.training.staged_config import StagedConfig, parse_staged

GAME = Clobber(3, 3)
TINY = ("iterations=3", "episodes=4", "max_simulations=8", "epochs=1", "arena_games=4", "batch=4")
TINY += ("nn_model=zerolab", "nn_width=8", "nn_depth=1", "train_batch_size=16")


def test_train_in_stages_and_resume(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = tmp_path / "run"
    show_staged(Output(True), GAME, run, Limits(steps=1), False, TINY, 1)
    first = json.loads(capsys.readouterr().out)
    assert (first["loop"], first["iterations"], first["games"]) == ("staged", 1, 4)
    show_staged(Output(True), GAME, run, Limits(), True, (), 1)
    again = json.loads(capsys.readouterr().out)
    assert (again["iterations"], again["games"], again["stopped"]) == (3, 12, False)
    show_staged(Output(False), GAME, run, Limits(), True, (), 1)
    text = " ".join(capsys.readouterr().out.split())
    assert "3 iterations of 4 games, 8 simulations a move" in text
    assert "an arena of 4 games, 60% of the decided ones to be won" in text
    assert "accepted (" in text or "rejected (" in text


def test_settings() -> None:
    config = parse_staged(
        change_settings(
            StagedConfig(), ("dropout=0.2", "arena=false", "loss=product", "nn_width=none")
        )
    )
    assert (config.dropout, config.arena, config.loss) == (0.2, False, "product")
    assert config.nn_width is None
    for setting in ("dropout", "drop=1"):
        with pytest.raises(UsageError, match=f"'{setting}' is not a setting"):
            change_settings(StagedConfig(), (setting,))


def test_what_is_not_possible_leaves_no_directory(tmp_path: Path) -> None:
    run, out = tmp_path / "run", Output(True)
    with pytest.raises(UsageError, match="a game for two players"):
        show_staged(out, Solitaire(3, 3), run, Limits(), False, (), 1)
    with pytest.raises(UsageError, match="expected 5x5 or more"):
        show_staged(out, GAME, run, Limits(), False, (), 1)
    with pytest.raises(UsageError, match="holds no run"):
        show_staged(out, GAME, run, Limits(), True, TINY, 1)
    assert not run.exists()
