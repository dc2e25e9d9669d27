"""Variants of our training, shrunken: a small board, two steps."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from zerolab.errors import UsageError
from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.experiments import judging
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.games.playing.score import Score
from zerolab.solver.exact_leaves import NO_ORACLE
from zerolab.studies import ablations
from zerolab.studies.ablations import VARIANTS, Scale, ablate, compare, settings
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset

GAME = Clobber(3, 4)
LIMITS = Limits(steps=2)
SCALE = Scale(2, 6)
TINY = {
    **{"actors": 0, "max_simulations": 4, "batch": 8, "nn_width": 4, "nn_depth": 1, "int8": False},
    **{"replay_buffer_size": 256, "train_batch_size": 32, "exact_stones": 6},
}


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny networks in this process."""

    def preset(name: str, game: Game) -> TrainingConfig:
        return make_preset(name, game).changed(**TINY, evaluators=0)

    monkeypatch.setattr(ablations, "make_preset", preset)
    monkeypatch.setattr(ablations, "LEVELS", 2)
    monkeypatch.setattr(ablations, "DIRECTORY", tmp_path)
    caps = {"fast_simulations": 2, "full_share": 0.25}
    monkeypatch.setitem(ablations.VARIANTS, "playout-caps", caps)


def run(*variants: str, stop: bool = False) -> Report:
    def on_progress(done: int, total: int) -> None:
        if stop:
            raise KeyboardInterrupt

    return ablate(variants, LIMITS, 3, on_progress, SCALE, GAME)


def test_a_shrunken_study() -> None:
    names = ("ours", "no-exact-own", "gumbel-32", "playout-caps")
    report = run(*names)
    assert report.is_complete
    assert [row[0] for row in report.rows[::3]] == list(names)
    assert all(len(row) == len(report.headings) for row in report.rows)
    for value, directory in zip(report.values, report.runs, strict=True):
        assert value["steps"] == LIMITS.steps
        assert len(value["exact"]["scores"]) == len(value["plain"]["scores"]) == 2
        assert 0 <= value["network_keeps"] <= 1
        assert (directory / "learner.jsonl").exists()
    study = f"3x4-{'-'.join(names)}-2steps-seed3"
    assert {directory.parents[1].name for directory in report.runs} == {study}
    assert len(set(report.runs)) == len(names)
    assert "mean scores less that of ours" in report.verdict
    assert all(name in report.verdict for name in names[1:])


def test_what_is_there_is_not_trained_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = run("ours", stop=True)
    assert (stopped.is_complete, stopped.rows) == (False, [])
    first = run("ours")  # goes on with what is there
    path = first.runs[0] / ablations.RESULT
    path.write_text("{")  # damaged: measured again
    assert run("ours").values == first.values
    assert path.read_text() != "{"

    def train(*arguments: object, **named: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ablations, "run_experiment", train)
    assert run("ours").values == first.values
    monkeypatch.setitem(TINY, "nn_width", 5)
    with pytest.raises(UsageError, match="holds another sweep, which differs in settings"):
        run("ours")


def test_a_study_stopped_while_it_judges_shows_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    judge, judged = ablations._judge, []

    def judge_once(name: str, *arguments: Any) -> ablations.Result:
        if judged:
            raise KeyboardInterrupt
        judged.append(name)
        return judge(name, *arguments)

    monkeypatch.setattr(ablations, "_judge", judge_once)
    report = run("ours", "own")
    assert not report.is_complete
    assert [value["variant"] for value in report.values] == judged == ["ours"]
    assert report.verdict.endswith("; stopped")


def test_a_variant_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ablations.VARIANTS, "own", {"learning_rate": 1e30})
    with pytest.raises(UsageError, match="the variant own failed: "):
        run("own")


def test_all_variants_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each differs from ours in exactly what it names, at full size."""
    monkeypatch.undo()
    ours = settings("ours", Clobber(5, 5)).flat()
    for name, changes in VARIANTS.items():
        variant = settings(name, Clobber(5, 5)).flat()
        assert variant == ours | changes
        assert name == "ours" or variant != ours
    assert ours["encoding"] == "components"
    assert len({str(changes) for changes in VARIANTS.values()}) == len(VARIANTS) == 11


def test_quick_and_full(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(ablations, "ablate", lambda *arguments: asked.append(arguments))
    for seconds in (90, None):
        compare(seconds, 1, print)
    limits = [Limits(seconds=90), Limits(seconds=8 * 60)]
    assert [each[:2] for each in asked] == [(tuple(VARIANTS), each) for each in limits]
    assert asked[0][4].games < asked[1][4].games


def test_what_is_wrong_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="'nothing' is not a variant; expected ours, own"):
        run("nothing")
    with pytest.raises(UsageError, match="choose a board of 12 to 25 cells"):
        ablate(("ours",), LIMITS, game=Clobber(6, 6))


# What is measured, and what is made of it, with stand-ins for games and exams


def result(variant: str, exact: list[float], plain: list[float]) -> ablations.Result:
    judged = [
        ablations.Judged(scores=scores, keeps=0.5, keeps_error=0.1, values=0.5)
        for scores in (exact, plain)
    ]
    return ablations.Result(
        **{"variant": variant, "games": 10, "questions": 6, "steps": 2, "states": 9},
        **{"exact": judged[0], "plain": judged[1], "network_keeps": 0, "network_values": 0},
    )


def test_the_verdict_is_what_variants_gain() -> None:
    """Mean scores 0.15, 0.4 and -0.1, the best first, each less that of ours.

    The error of ours: its games have the variances 0.64, 1, 1 and 1, ten games each, so that of
    the mean of four scores is sqrt(3.64 / 10) / 4 = 0.151; of the best sqrt(3.36 / 10) / 4 = 0.145,
    of the worst sqrt(3.96 / 10) / 4 = 0.157.
    """
    ours = result("ours", [0.6, 0.0], [0.0, 0.0])
    best = result("own", [0.4, 0.4], [0.4, 0.4])
    worst = result("no-exact", [-0.1, -0.1], [-0.1, -0.1])
    assert ours.score == pytest.approx(0.15)
    assert ours.error == pytest.approx(math.sqrt(0.364) / 4)
    directories = [Path(each) for each in "abc"]
    report = ablations._report(GAME, [ours, worst, best], directories, 3)
    assert report.verdict.endswith("one seed: own +0.25 ± 0.21, no-exact -0.25 ± 0.22")
    assert report.reproduced is None
    assert report.is_complete
    alone = ablations._report(GAME, [best], directories[:1], 1)
    assert alone.verdict == "nothing to compare with"
    stopped = ablations._report(GAME, [ours, best], directories[:2], 3)
    assert stopped.verdict.endswith("; stopped")
    assert (stopped.is_complete, stopped.reproduced) == (False, None)


def test_all_variants_are_judged_by_the_search_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its exact leaves, then without any, whatever the variant learnt with."""
    seen: list[tuple[Any, ...]] = []

    def climb(
        networks: dict[str, Any], games: int, seed: int, levels: int
    ) -> list[tuple[str, LevelResult]]:
        climbed = []
        for name, network in networks.items():
            config = network.config
            seen.append((config.max_simulations, config.gumbel, games, seed, levels))
            won = network.oracle is not NO_ORACLE
            result = LevelResult(0, 4, Score(2, 0, 0)) if won else LevelResult(0, 4, Score(1, 0, 1))
            climbed += [(name, result)] * levels
        return climbed

    def measure(network: Any, exam: object) -> Any:
        right = 0.25 if network.oracle is NO_ORACLE else 0.75
        share = SimpleNamespace(keeps=right, right=right, error=right / 8)
        alone = SimpleNamespace(keeps=0.125, right=0.0625)
        return SimpleNamespace(
            **{"keeps": share, "value_accuracy": share},
            **{"network_keeps": alone, "network_value_accuracy": alone},
        )

    def make_oracle(game: Game, stones: int) -> str:
        return f"{stones} stones"

    monkeypatch.setattr(ablations, "climb", climb)
    monkeypatch.setattr(ablations, "measure_network", measure)
    monkeypatch.setattr(judging, "make_oracle", make_oracle)
    monkeypatch.setattr(judging, "OnnxEvaluator", lambda model: model)
    config = settings("gumbel-32", GAME)
    trainer = SimpleNamespace(
        game=GAME, config=config, step=2, replay=SimpleNamespace(added=9), model=lambda: "model"
    )
    found = ablations._judge("gumbel-32", trainer, None, SCALE, 5)
    assert seen == [(4, False, 2, 5, 2)] * 2
    assert (found.exact.scores, found.plain.scores) == ([1, 1], [0, 0])
    assert (found.exact.keeps, found.plain.keeps) == (0.75, 0.25)
    assert (found.exact.values, found.plain.values) == (0.75, 0.25)
    assert (found.network_keeps, found.network_values) == (0.125, 0.0625)
