import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.clocks import ticking
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.staged_view import show_staged
from zerolab.training import loop
from zerolab.training.loop import Limits
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.staged_config import StagedConfig, parse_staged

GAME = Clobber(3, 3)
LONG_ENOUGH = 130  # rounds, for two iterations and a part of the third
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


def test_stages_show_how_far_they_are_and_time_ends_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by a second at each look: each round of a stage takes one."""
    shown: list[str] = []

    @contextmanager
    def status(self: Output) -> Iterator[Callable[[str], None]]:
        yield shown.append

    clock = SimpleNamespace(
        monotonic=ticking(1.0), perf_counter=time.perf_counter, process_time=time.process_time
    )
    monkeypatch.setattr(loop, "time", clock)
    monkeypatch.setattr(Output, "status", status)
    show_staged(Output(True), GAME, tmp_path / "run", Limits(seconds=LONG_ENOUGH), False, TINY, 1)
    written = capsys.readouterr()
    result = json.loads(written.out)
    assert (result["stopped"], result["iterations"]) == (False, 2)  # of three
    assert "stopped within iteration 3, which is kept; --resume continues it" in written.err
    assert shown[0] == "iteration 1 of 3: playing, 0%"
    for phase in ("playing", "learning", "comparing"):
        shares = [
            int(line.split(f": {phase}, ")[1].split("%")[0])
            for line in shown
            if line.startswith(f"iteration 2 of 3: {phase}")
        ]
        assert shares == sorted(shares)
        assert shares[0] < 50
    assert any("min left; iteration 1: 4 games" in line for line in shown)


def test_settings() -> None:
    config = parse_staged(
        change_settings(
            StagedConfig(), ("dropout=0.2", "arena=false", "loss=product", "nn_width=none")
        )
    )
    assert (config.dropout, config.arena, config.loss) == (0.2, False, "product")
    assert config.network.nn_width is None
    for setting in ("dropout", "drop=1"):
        with pytest.raises(UsageError, match=f"'{setting}' is not a setting"):
            change_settings(StagedConfig(), (setting,))


def test_what_is_not_possible_leaves_no_directory(tmp_path: Path) -> None:
    run, out = tmp_path / "run", Output(True)
    with pytest.raises(UsageError, match="a two-player game"):
        show_staged(out, Solitaire(3, 3), run, Limits(), False, (), 1)
    with pytest.raises(UsageError, match="expected 5x5 or more"):
        show_staged(out, GAME, run, Limits(), False, (), 1)
    with pytest.raises(UsageError, match="holds no run"):
        show_staged(out, GAME, run, Limits(), True, TINY, 1)
    assert not run.exists()
