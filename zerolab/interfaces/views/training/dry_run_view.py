"""What `zerolab train --dry-run` shows: how long a run would take, before anything is trained."""

from pathlib import Path

from zerolab.experiments.dry_run import LOGGED, Forecast, forecast, forecast_run
from zerolab.experiments.experiment import prepare_experiment
from zerolab.experiments.prediction import steps_left
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log
from zerolab.training.runs.run_directory import Run, check_free
from zerolab.training.settings.continuous_config import parse_config
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.loops import STAGED, RunConfig, of_self_play
from zerolab.training.settings.presets import make_preset
from zerolab.training.settings.staged_config import StagedConfig, parse_staged

MINUTE, HOUR, DAY = 60, 3600, 86400


def show_dry_run(
    out: Output,
    game: Game,
    directory: Path,
    limits: Limits,
    resume: bool,
    preset: str | None,
    settings: tuple[str, ...],
    games: int,
) -> None:
    """Predict a new run from a calibration, or the rest of one from its log; write nothing."""
    run = Run.open(directory, game) if resume else None
    if run is None:
        check_free(directory)
    config = of_self_play(_settings(game, preset, settings) if run is None else run.config)
    steps_left(config, limits)  # one that has no end is not worth compiling for
    compiling = 0.0
    if run is None or not read_log(directory):
        with out.compiling():
            compiling = prepare_experiment(game, config)
        out.note("measuring on this machine, half a minute or so")
    if run is None:
        found = forecast(game, config, limits, games, compiling)
    else:
        found = forecast_run(run, limits, games, compiling)
    _show(out, describe(game), found)
    out.result({"game": describe(game), **found.fields})


def _settings(game: Game, preset: str | None, settings: tuple[str, ...]) -> RunConfig:
    if preset == "wang":
        return parse_staged(change_settings(StagedConfig(), settings))
    return parse_config(change_settings(make_preset(preset or "zerolab", game), settings))


def _show(out: Output, title: str, found: Forecast) -> None:
    prediction, done = found.prediction, found.done
    steps = "iterations" if found.loop == STAGED else "steps"
    before = f" after {done.steps:,}" if done.steps else ""
    source = "its own log" if found.source == LOGGED else "a calibration on this machine"
    out.line(
        f"{title}: {prediction.steps:,} {steps}{before}, {prediction.games:,.0f} games, "
        f"{prediction.states:,.0f} states, by {source}"
    )
    seconds = found.fields["seconds"]
    whole = max(seconds["total"], 1e-9)
    rows = [(name, duration(each), f"{each / whole:.0%}") for name, each in seconds.items()]
    out.table("Time", ("part", "duration", "share"), rows)
    rows = [("memory", name, size(each)) for name, each in found.fields["memory"].items()]
    rows += [("disk", name, size(each)) for name, each in found.fields["disk"].items()]
    named = [(of, name.replace("_", " "), each) for of, name, each in rows]
    out.table("Room", ("of", "part", "size"), named)
    for words in found.assumptions:
        out.line(f"assumed: {words}")


def duration(seconds: float) -> str:
    """In the unit that people would use."""
    if seconds < 2 * MINUTE:
        return f"{seconds:.1f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.1f} min"
    return f"{seconds / HOUR:.1f} h" if seconds < 2 * DAY else f"{seconds / DAY:.1f} days"


def size(count: float) -> str:
    """Bytes in the unit that people would use."""
    for unit in ("bytes", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
