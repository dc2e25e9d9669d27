"""The study of openings, shrunken: a small board, a step or two."""

from pathlib import Path

import pytest

from tests.studies.test_ablations import TINY
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.studies import ablations, opening_plies
from zerolab.studies.ablations import JudgedRun, Result, Scale
from zerolab.studies.opening_plies import compare, compare_openings
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset

GAME = Clobber(3, 4)


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny networks in this process."""

    def preset(name: str, game: Game) -> TrainingConfig:
        return make_preset(name, game).changed(**TINY, evaluators=0)

    monkeypatch.setattr(ablations, "make_preset", preset)
    monkeypatch.setattr(ablations, "LEVELS", 1)
    monkeypatch.setattr(ablations, "DIRECTORY", tmp_path)


def test_a_shrunken_study() -> None:
    told: list[float] = []
    report = compare_openings(
        Limits(steps=1),
        range(3, 5),
        lambda done, total: told.append(done / total),
        Scale(2, 6),
        GAME,
    )
    assert report.is_complete
    assert [row[:2] for row in report.rows] == [(name, "2") for name in opening_plies.VARIANTS]
    assert all(len(row) == len(report.headings) for row in report.rows)
    assert len(report.runs) == 6
    for value in report.values:
        assert len(value["network keeps"]) == 2
        assert all(0 < share <= 1 for share in value["distinct positions"])
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_means_and_errors_over_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three invented seeds: 0.5, 0.6 and 0.7 have the mean 0.6 and the error 0.1 / sqrt(3)."""
    keeps = {1: 0.5, 2: 0.6, 3: 0.7}

    def result(name: str, seed: int) -> Result:
        judged = {"scores": [0.2, 0.4], "keeps": 0.8, "keeps_error": 0.1, "values": 0.9}
        return Result.model_validate(
            {
                **{"variant": name, "games": 2, "questions": 6, "steps": 1, "states": 9},
                **{"exact": judged, "plain": judged | {"scores": [-0.5, 0.1]}},
                **{"network_keeps": keeps[seed], "network_values": 0.5},
            }
        )

    def judge(
        variants: list[str], limits: Limits, seeds: range, *rest: object
    ) -> dict[str, list[JudgedRun]]:
        return {
            name: [JudgedRun(result(name, seed), Path(f"{name}-{seed}")) for seed in seeds]
            for name in variants
        }

    monkeypatch.setattr(opening_plies, "judge_variants", judge)
    monkeypatch.setattr(opening_plies, "_distinct_states", lambda directory: 0.75)
    report = compare(4, 1, lambda done, total: None)
    assert report.is_complete
    row = report.rows[0]
    assert row[0] == "no-openings"
    assert row[2:4] == ("0.750 ± 0.000", "0.600 ± 0.058")
    assert row[-2:] == ("-0.200 ± 0.000", "0.300 ± 0.000")


def test_a_study_that_was_stopped_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: dict[str, list[JudgedRun]] = {name: [] for name in opening_plies.VARIANTS}
    monkeypatch.setattr(opening_plies, "judge_variants", lambda *arguments: nothing)
    report = compare(None, 1, lambda done, total: None)
    assert not report.is_complete
    assert report.rows == []
    assert report.verdict.endswith("stopped")
