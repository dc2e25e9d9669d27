"""The experiments of jans, shrunken: one board, two steps."""

from pathlib import Path

import pytest

from tests.studies.steps import STEPS, train_by_steps
from zerolab.games.base import Game
from zerolab.studies import jans
from zerolab.training.config import TrainingConfig
from zerolab.training.presets import make_preset


@pytest.fixture(autouse=True, name="given")
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Tiny networks in this process; returns the seconds that each is given."""

    def preset(name: str, game: Game) -> TrainingConfig:
        update = {"actors": 0, "evaluators": 0, "max_simulations": 4, "batch": 8, "nn_depth": 1}
        return make_preset(name, game).model_copy(update=update)

    monkeypatch.setattr(jans, "make_preset", preset)
    monkeypatch.setattr(jans, "BOARDS", ((2, 3), (3, 3)))
    monkeypatch.setattr(jans, "QUICK_WIDTH", 8)
    monkeypatch.setattr(jans, "QUICK_STATES", 64)
    monkeypatch.setattr(jans, "QUICK_GAMES", 2)
    monkeypatch.setattr(jans, "LEVELS", 2)
    monkeypatch.setattr(jans, "DIRECTORY", tmp_path)
    return train_by_steps(monkeypatch)


def test_boards(given: list[float | None]) -> None:
    seen: list[tuple[int, int]] = []
    report = jans.boards(10, 3, lambda done, total: seen.append((done, total)))
    assert report.is_complete
    assert given == [10, 10]
    assert [row[0] for row in report.rows] == ["2x3", "3x3"]
    assert seen == [(5, 20), (10, 20), (15, 20), (20, 20)]
    for value, directory in zip(report.values, report.runs, strict=True):
        assert value["steps"] == STEPS
        assert [level["wins"] + level["losses"] for level in value["ladder"]] == [2, 2]
        assert (directory / "learner.jsonl").exists()
    # What is there is not trained again.
    again = jans.boards(10, 3, lambda done, total: None)
    assert again.values == report.values


def test_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jans, "BUFFERS", ((1 / 4, 4), (4, 4)))
    report = jans.buffers(1, 3, lambda done, total: None)
    assert report.is_complete
    assert [row[0] for row in report.rows] == [
        "size 128, reuse 4, ratio 32",
        "size 1024, reuse 4, ratio 256",
    ]
    assert "in the same time" in report.verdict


def test_encodings() -> None:
    report = jans.encodings(1, 3, lambda done, total: None)
    assert [row[0] for row in report.rows] == ["first: colours", "second: own"]
    assert "the second in place of the first" in report.verdict


def test_a_stopped_study_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    report = jans.encodings(1, 3, stop)
    assert not report.is_complete
    assert report.reproduced is None


def test_the_paper_at_full_scale() -> None:
    """Settings of Appendix B, untouched."""
    game = jans.Clobber(5, 5)
    assert jans._settings(game, None) == jans.make_preset("jans", game)
    ratios = [(int(share * 2**14), reuse) for share, reuse in jans.BUFFERS]
    assert (2**14, 4) in ratios  # the paper's for small boards
