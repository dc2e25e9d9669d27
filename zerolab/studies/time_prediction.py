"""Predicted against measured time of training runs: how good is the sum of wang, equation 2?

Each setting is predicted first, as `zerolab train --dry-run` does it, and then trained. Settings
change one at a time what the equation has in it: games, simulations, epochs, the window, the arena,
the network; in either loop, on Othello 6x6 and Clobber 5x5.

Runs are kept in directories below `runs/time-prediction`, each with its prediction; a study that
was stopped goes on where it was. What else the machine does counts: run it on an idle one.
"""

import json
import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.experiments.calibration.measured import Budget
from zerolab.experiments.dry_run import BUDGET, forecast
from zerolab.experiments.experiment import (
    open_or_create,
    prepare_experiment,
    run_experiment,
    telling_share,
)
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.settings.loops import SelfPlayConfig, loop_name
from zerolab.training.settings.presets import make_preset
from zerolab.training.settings.staged_config import parse_staged

AIM = 0.15  # relative error
FULL_FACTOR = 4
DIRECTORY = Path("runs/time-prediction")
RESULT = "prediction.json"

OTHELLO, CLOBBER = Othello(6, 6), Clobber(5, 5)

Changes = Mapping[str, object]
OnProgress = Callable[[float, float], None]

NONE: Changes = {}
STAGED: Changes = {
    **{"nn_model": "zerolab", "nn_width": 32, "nn_depth": 3},
    **{"episodes": 30, "max_simulations": 50, "epochs": 5, "arena_games": 20},
}
CONTINUOUS: Changes = {"actors": 0, "evaluators": 0, "replay_buffer_size": 2**13}


class Setting(NamedTuple):
    """A run that is predicted and made."""

    name: str
    game: Game
    config: SelfPlayConfig
    steps: int
    """Or iterations; `full` has several times as many."""


def _staged(name: str, game: Game, steps: int, changes: Changes = NONE) -> Setting:
    most = {"iterations": FULL_FACTOR * steps}
    return Setting(name, game, parse_staged({**STAGED, **changes, **most}), steps)


def _continuous(name: str, game: Game, steps: int, changes: Changes = NONE) -> Setting:
    config = make_preset("zerolab", game).changed(**{**CONTINUOUS, **changes})
    return Setting(name, game, config, steps)


def settings() -> list[Setting]:
    """Those of the study, of 10 to 60 seconds each on two idle cores."""
    wang: dict[str, object] = {
        **{"nn_model": "wang", "nn_width": None, "nn_depth": None},
        **{"episodes": 10, "max_simulations": 25, "epochs": 2, "arena_games": 4},
    }
    return [
        _staged("othello", OTHELLO, 8),
        _staged("othello-games", OTHELLO, 4, {"episodes": 90}),
        _staged("othello-simulations", OTHELLO, 6, {"max_simulations": 200}),
        _staged("othello-epochs", OTHELLO, 5, {"epochs": 15}),
        _staged("othello-window", OTHELLO, 12, {"retrain_window": 2}),
        _staged("othello-no-arena", OTHELLO, 8, {"arena": False}),
        _staged("othello-wang", OTHELLO, 2, wang),
        _staged("clobber", CLOBBER, 12),
        _staged("clobber-simulations", CLOBBER, 8, {"max_simulations": 200, "episodes": 60}),
        _staged("clobber-batch", CLOBBER, 8, {"train_batch_size": 16}),
        _staged("clobber-resnet", CLOBBER, 8, {"nn_model": "resnet", "nn_depth": 4}),
        _continuous("clobber-continuous", CLOBBER, 10),
        _continuous("clobber-no-exact", CLOBBER, 10, {"exact_stones": 0, "encoding": "own"}),
        _continuous("clobber-actors", CLOBBER, 10, {"actors": 1, "evaluators": 1}),
        _continuous("othello-continuous", OTHELLO, 8),
        _continuous("othello-actors", OTHELLO, 8, {"actors": 1}),
    ]


class Compared(NamedTuple):
    """A setting: what was predicted, and what it took."""

    setting: Setting
    directory: Path
    predicted: dict[str, float]
    """Seconds by part, and in all."""
    measured: dict[str, float]

    @property
    def ratio(self) -> float:
        """Predicted for each second measured."""
        return self.predicted["total"] / self.measured["total"]

    @property
    def error(self) -> float:
        """Relative, of the prediction."""
        return abs(self.ratio - 1)


def compare(factor: int | None, seed: int, on_progress: OnProgress) -> Report:
    """All settings, with `factor` times their steps."""
    return compare_settings(settings(), factor or FULL_FACTOR, seed, on_progress)


def compare_settings(
    chosen: Sequence[Setting],
    factor: int,
    seed: int,
    on_progress: OnProgress = lambda done, total: None,
    budget: Budget = BUDGET,
) -> Report:
    """Predict and train these."""
    found: list[Compared] = []
    with suppress(KeyboardInterrupt):
        for number, setting in enumerate(chosen):

            def on_share(share: float, number: int = number) -> None:
                on_progress(number + share, len(chosen))

            found.append(_compare(setting, factor, seed, on_share, budget))
    return _report(found, len(chosen))


def _compare(
    setting: Setting, factor: int, seed: int, on_share: Callable[[float], None], budget: Budget
) -> Compared:
    game, config, limits = setting.game, setting.config, Limits(steps=factor * setting.steps)
    directory = DIRECTORY / f"{setting.name}-{limits.steps}steps-seed{seed}"
    compiling = prepare_experiment(game, config)
    open_or_create(directory, game, config, seed)  # one with other settings is not gone on with
    path = directory / RESULT
    if not path.exists():
        expected = forecast(game, config, limits, budget=budget).prediction
        spent = expected.spent  # a log counts the start of processes as waiting for their games
        parts = spent._replace(selfplay=spent.selfplay + expected.starting)._asdict()
        with replacing(path) as file:
            text = json.dumps({**parts, "total": expected.training}, indent=2)
            file.write(text.encode() + b"\n")
    predicted: dict[str, float] = json.loads(path.read_text("utf-8"))
    told = telling_share(limits, on_share)
    outcome = run_experiment(game, config, directory, limits, told, seed, compiling)
    on_share(1.0)
    return Compared(setting, directory, predicted, _measured(outcome.unless_stopped().log))


def _measured(log: list[dict[str, Any]]) -> dict[str, float]:
    """Seconds by part as a log has them; what no part has is that of files."""
    arena = sum(line.get("stage_seconds", {}).get("arena", 0.0) for line in log)
    playing = sum(line["play_seconds"] for line in log)
    learning = sum(line["learn_seconds"] for line in log) - arena
    whole = log[-1]["time_rel"]
    others = whole - playing - learning - arena
    parts = {"selfplay": playing, "learning": learning, "arena": arena, "others": others}
    return {**parts, "total": whole}


def _report(found: list[Compared], expected: int) -> Report:
    rows = [
        (
            *(each.setting.name, loop_name(each.setting.config)),
            *(_pair(each, part) for part in ("selfplay", "learning", "arena")),
            *(f"{seconds['total']:.1f}" for seconds in (each.predicted, each.measured)),
            f"{each.ratio:.2f}",
        )
        for each in found
    ]
    values = [
        {
            "setting": each.setting.name,
            "game": describe(each.setting.game),
            "loop": loop_name(each.setting.config),
            "run": str(each.directory),
            "predicted": each.predicted,
            "measured": each.measured,
            "ratio": each.ratio,
        }
        for each in found
    ]
    is_complete = len(found) == expected
    verdict, reproduced = "nothing was measured", None
    if found:
        median = statistics.median(each.error for each in found)
        worst = max(found, key=lambda each: each.error)
        verdict = (
            f"relative error of the predicted time: median {median:.0%}, worst {worst.error:.0%} "
            f"({worst.setting.name}); the aim is {AIM:.0%}"
        )
        reproduced = median <= AIM if is_complete else None
    return Report(
        "Time of training, predicted and measured, in seconds",
        *(
            ("setting", "loop", "self-play", "learning", "arena", "predicted", "measured", "ratio"),
            rows,
            values,
            verdict + ("" if is_complete else "; stopped"),
            is_complete,
            reproduced,
        ),
    )


def _pair(each: Compared, part: str) -> str:
    return f"{each.predicted[part]:.1f} / {each.measured[part]:.1f}"
