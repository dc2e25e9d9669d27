"""Variants of our training, shrunken: a small board, two steps."""

from pathlib import Path

import pytest

from tests.studies.steps import STEPS, train_by_steps
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.studies import ablations
from zerolab.studies.ablations import VARIANTS, Scale, ablate, compare, settings
from zerolab.studies.report import Report
from zerolab.training.config import TrainingConfig
from zerolab.training.presets import make_preset

GAME = Clobber(3, 4)
MINUTES = 0.25
SCALE = Scale(2, 6)
TINY = {
    **{"actors": 0, "max_simulations": 4, "batch": 8, "nn_width": 4, "nn_depth": 1, "int8": False},
    **{"replay_buffer_size": 256, "train_batch_size": 32, "exact_stones": 6},
}


@pytest.fixture(autouse=True, name="given")
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Tiny networks in this process; returns the seconds that each is given."""

    def preset(name: str, game: Game) -> TrainingConfig:
        return make_preset(name, game).model_copy(update={**TINY, "evaluators": 0})

    monkeypatch.setattr(ablations, "make_preset", preset)
    monkeypatch.setattr(ablations, "LEVELS", 2)
    monkeypatch.setattr(ablations, "DIRECTORY", tmp_path)
    caps = {"fast_simulations": 2, "full_share": 0.25}
    monkeypatch.setitem(ablations.VARIANTS, "playout-caps", caps)
    return train_by_steps(monkeypatch)


def run(*variants: str, stop: bool = False) -> Report:
    def on_progress(done: int, total: int) -> None:
        if stop:
            raise KeyboardInterrupt

    return ablate(variants, MINUTES, 3, on_progress, SCALE, GAME)


def test_a_shrunken_study(given: list[float | None]) -> None:
    names = ("ours", "no-exact-own", "gumbel-32", "playout-caps")
    report = run(*names)
    assert report.is_complete
    assert [row[0] for row in report.rows[::3]] == list(names)
    assert all(len(row) == len(report.headings) for row in report.rows)
    for value, directory in zip(report.values, report.runs, strict=True):
        assert value["steps"] == STEPS
        assert len(value["exact"]["scores"]) == len(value["plain"]["scores"]) == 2
        assert 0 <= value["network_keeps"] <= 1
        assert (directory / "learner.jsonl").exists()
    assert given == [60 * MINUTES] * 4
    assert "mean scores less that of ours" in report.verdict
    assert all(name in report.verdict for name in names[1:])


def test_what_is_there_is_not_trained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not run("ours", stop=True).is_complete
    first = run("ours")  # goes on with what is there
    path = first.runs[0] / ablations.RESULT
    path.write_text("{")  # damaged: measured again
    assert run("ours").values == first.values
    assert path.read_text() != "{"

    def train(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ablations, "train_kept", train)
    assert run("ours").values == first.values
    with pytest.raises(AssertionError):
        run("ours", "forced-playouts")
    monkeypatch.setitem(TINY, "nn_width", 5)
    with pytest.raises(UsageError, match="holds a run with other settings"):
        run("ours")


def test_all_variants_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each differs from ours in exactly what it names, at full size."""
    monkeypatch.undo()
    ours = settings("ours", Clobber(5, 5)).model_dump()
    for name, changes in VARIANTS.items():
        variant = settings(name, Clobber(5, 5)).model_dump()
        assert variant == ours | changes
        assert name == "ours" or variant != ours
    assert ours["encoding"] == "components"
    assert len({str(changes) for changes in VARIANTS.values()}) == len(VARIANTS) == 9


def test_quick_and_full(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(ablations, "ablate", lambda *arguments: asked.append(arguments))
    for seconds in (90, None):
        compare(seconds, 1, print)
    assert [each[:2] for each in asked] == [(tuple(VARIANTS), 1.5), (tuple(VARIANTS), 8)]
    assert asked[0][4].games < asked[1][4].games


def test_what_is_wrong_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="'nothing' is not a variant; expected ours, own"):
        run("nothing")
    with pytest.raises(UsageError, match="choose a board of 12 to 25 cells"):
        ablate(("ours",), MINUTES, game=Clobber(6, 6))
