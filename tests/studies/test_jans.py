"""The experiments of jans, shrunken: one board, two steps."""

import math
from pathlib import Path
from typing import Any

import pytest

from tests.studies.steps import STEPS, train_by_steps
from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.games.base import Game
from zerolab.games.playing.score import Score
from zerolab.studies import jans
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset


@pytest.fixture(autouse=True, name="given")
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Tiny networks in this process; returns the seconds that each is given."""

    def preset(name: str, game: Game) -> TrainingConfig:
        update = {"actors": 0, "evaluators": 0, "max_simulations": 4, "batch": 8, "nn_depth": 1}
        return make_preset(name, game).changed(**update)

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


# Appendix B, where there is a range its smallest value, and reuse 3 of "2 or 3"; the depth of large
# boards is "within one of" their longer side.
SMALL_BOARDS = {
    **{"learning_rate": 0.01, "replay_buffer_size": 2**14, "replay_buffer_reuse": 4},
    **{"evaluation_window": 50, "max_simulations": 25, "policy_alpha": 0.25},
    **{"temperature_drop": 4, "nn_width": 128, "nn_depth": 2},
}
LARGE_BOARDS = {
    **{"learning_rate": 0.001, "replay_buffer_size": 2**16, "replay_buffer_reuse": 3},
    **{"evaluation_window": 100, "max_simulations": 100, "policy_alpha": 1.0},
    **{"temperature_drop": 10, "nn_width": 128},
}


def test_the_paper_at_full_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each board with the settings of Appendix B, for an hour, then 100 games on each level."""
    monkeypatch.undo()
    given: list[tuple[object, ...]] = []

    def run(experiment: jans.Experiment, directory: Path, *scale: object) -> jans.Outcome:
        given.append((experiment, *scale[:3]))
        return outcome(experiment, 0)

    monkeypatch.setattr(jans, "_run", run)
    for study in (jans.boards, jans.buffers, jans.encodings):
        study(None, 5, lambda done, total: None)
    assert {each[1:] for each in given} == {(3600, 100, 5)}
    configs = [(each[0].name, each[0].config.flat()) for each in given]
    for name, config in configs[:4]:
        expected = SMALL_BOARDS if name in ("3x3", "4x4") else LARGE_BOARDS
        assert {key: config[key] for key in expected} == expected
    assert [name for name, _ in configs[:4]] == ["3x3", "4x4", "5x5", "5x6"]
    assert configs[2][1]["nn_depth"] in (4, 5, 6)
    assert configs[3][1]["nn_depth"] in (5, 6, 7)
    sizes = [(config["replay_buffer_size"], config["replay_buffer_reuse"]) for _, config in configs]
    assert sizes[4:9] == [(2**10, 4), (2**12, 4), (2**14, 4), (2**16, 4), (2**16, 16)]
    assert [(name, config["encoding"]) for name, config in configs[9:]] == [
        ("first: colours", "colours"),
        ("second: own", "own"),
    ]


# Verdicts, on invented outcomes


def outcome(
    experiment: jans.Experiment, lead: int, last: float = 0.9, games: int = 100
) -> jans.Outcome:
    """On each of five levels this many more wins than losses; the sum of losses was 1 at first."""
    wins = (games + lead) // 2
    levels = [LevelResult(n, 100, Score(wins, 0, games - wins)) for n in range(5)]
    losses = [{"sum": loss, "policy": loss, "value": 0.0} for loss in (1.0, last)]
    return jans.Outcome(experiment, Path(experiment.name), 9, 99, *losses, levels)


def invent(monkeypatch: pytest.MonkeyPatch, *outcomes: tuple[Any, ...]) -> None:
    """What comes of the experiments of a study; of those that follow nothing, as if stopped."""

    def run_all(study: str, experiments: list[jans.Experiment], *_: object) -> list[jans.Outcome]:
        return [outcome(one, *rest) for one, rest in zip(experiments, outcomes, strict=False)]

    monkeypatch.setattr(jans, "_run_all", run_all)


def silent(done: int, total: int) -> None:
    pass


@pytest.mark.parametrize(
    ("second", "reproduced", "falling", "ahead"),
    [
        ((0, 0.999), True, 2, 2),  # as often won as lost
        ((0, 1.0), False, 1, 2),
        ((0, 1.001), False, 1, 2),
        ((-2, 0.9), False, 2, 1),
        ((-2, 1.1), False, 1, 1),
    ],
)
def test_the_verdict_on_boards(
    monkeypatch: pytest.MonkeyPatch,
    second: tuple[int, float],
    reproduced: bool,
    falling: int,
    ahead: int,
) -> None:
    invent(monkeypatch, (10, 0.5), second)
    report = jans.boards(1, 3, silent)
    assert report.reproduced is reproduced
    assert f"falls on {falling} of 2 boards" in report.verdict
    assert report.verdict.endswith(f"more often than won on {ahead}")
    invent(monkeypatch, (10, 0.5))
    assert jans.boards(1, 3, silent).reproduced is None


def test_only_the_lowest_level_of_a_board_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_all(study: str, experiments: list[jans.Experiment], *_: object) -> list[jans.Outcome]:
        found = [outcome(each, -100) for each in experiments]
        return [
            each._replace(levels=[LevelResult(0, 100, Score(5, 0, 5)), *each.levels[1:]])
            for each in found
        ]

    monkeypatch.setattr(jans, "_run_all", run_all)
    assert jans.boards(1, 3, silent).reproduced is True


# A lead of L in 100 games is a score of s = L / 100, the same on five levels: its standard error is
# sqrt((1 - s^2) / 500). Two errors of the difference to an even score, sqrt((2 - s^2) / 500), are
# less than s where s^2 > 8 / 504: from 0.126 on. Leads are even numbers.
@pytest.mark.parametrize(
    ("lead", "reproduced"), [(0, False), (12, False), (14, True), (100, True), (-14, False)]
)
def test_verdicts_need_two_standard_errors(
    monkeypatch: pytest.MonkeyPatch, lead: int, reproduced: bool
) -> None:
    error = math.sqrt((2 - (lead / 100) ** 2) / 500)
    gain = f"{lead / 100:+.2f} ± {error:.2f}"
    invent(monkeypatch, (0,), (lead,))
    report = jans.encodings(1, 3, silent)
    assert report.reproduced is reproduced
    assert report.verdict == f"the second in place of the first: {gain}"
    # The smallest ratio beside 64 times that; the others do not matter.
    invent(monkeypatch, (0,), (50,), (-50,), (lead,), (-20,))
    report = jans.buffers(1, 3, silent)
    assert report.reproduced is reproduced
    assert report.verdict.startswith(f"64 times the ratio in the same time: {gain}; best: size ")
    best = "size 128, reuse 4, ratio 32" if lead < 50 else "size 1024, reuse 4, ratio 256"
    assert report.verdict.endswith(best)


def test_scores_and_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of 0.6 and 0: variances 0.64 and 1 in ten games each, 0.82 on average in 20."""
    some = outcome(jans.Experiment("some", jans.Clobber(2, 3), jans.TrainingConfig()), 0)
    some = some._replace(
        levels=[LevelResult(0, 9, Score(8, 0, 2)), LevelResult(1, 9, Score(4, 2, 4))]
    )
    assert some.score == pytest.approx(0.3)
    assert some.error == pytest.approx(math.sqrt(0.82 / 20))
