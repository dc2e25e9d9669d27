"""What `zerolab train` shows: the progress of a run, and its network's strength at the end."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.experiments.engines.engine import LOCAL, Engine, EngineChoice, open_engine
from zerolab.experiments.experiment import Outcome, prepare_experiment, run_experiment
from zerolab.experiments.judging import (
    LEVELS,
    ExamResult,
    Networks,
    climb,
    examine_networks,
)
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.run_plots import draw_curves
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.strength_view import show_exams, show_ladders
from zerolab.interfaces.views.training.tensorboard import check_events, event_writer
from zerolab.interfaces.views.training.training_panel import TrainingView
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import CONFIG, read_log
from zerolab.training.runs.run_directory import Run, check_free
from zerolab.training.settings.continuous_config import TrainingConfig, parse_config
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.presets import make_preset
from zerolab.training.steps import Event, PhaseEvent

Line = dict[str, Any]  # of the log


def show_training(
    out: Output,
    game: Game,
    directory: Path,
    limits: Limits,
    resume: bool,
    preset: str | None,
    settings: tuple[str, ...],
    seed: int,
    games: int,
    tensorboard: bool,
    where: EngineChoice,
) -> None:
    """Train, then play on the ladder."""
    if tensorboard:
        check_events()
    if resume:
        config = Run.open(directory, game).config
        assert isinstance(config, TrainingConfig)
    else:
        check_free(directory)
        defaults = where.adapt(make_preset(preset or "zerolab", game))
        config = parse_config(change_settings(defaults, settings))
    out.line(f"{describe(game)}: {in_words(config)}")
    if config.actors == 0 and where.name != LOCAL:
        raise UsageError(f"--engine {where.name} is for actors; with actors=0 there are none")
    with open_engine(where) as engine:
        with out.compiling():
            compiling = prepare_experiment(game, config)
        how = limits, seed, tensorboard, compiling, engine
        outcome = _train(out, game, config, directory, *how)
    run, log, stopped = outcome.run, outcome.log, outcome.is_stopped
    if stopped:
        out.note(f"stopped after step {len(log)}; --resume continues it")
    ladders: dict[str, list[LevelResult]] = {}
    exams: dict[str, ExamResult] = {}
    if not stopped and games > 0:
        networks = outcome.networks()
        ladders = _climb(out, networks, games)
        show_ladders(out, ladders)
        exams = _examine(out, networks)
        show_exams(out, exams)
    if log:
        draw_curves(out, directory)
    out.result(
        {
            "run": str(directory),
            "game": describe(game),
            "steps": len(log),
            "states": outcome.trainer.replay.added,
            "games": run.trajectories,
            "seconds": run.seconds,
            "loss": log[-1]["loss"] if log else None,
            "stopped": stopped,
            "ladder": {
                name: [level.fields for level in levels] for name, levels in ladders.items()
            },
            "perfect": {name: result.fields for name, result in exams.items()},
        }
    )


def in_words(config: TrainingConfig) -> str:
    """The main settings, and the reasons for them, in one line."""
    weights = ", in 8 bits for speed" if config.int8 else ""
    search, network = config.search, config.network
    words = [
        f"network {network.nn_model} {network.nn_width}x{network.nn_depth}{weights}",
        f"{search.max_simulations} simulations a move",
    ]
    if config.exact_stones:
        words.append(
            f"leaves as hard as a component of {config.exact_stones} stones solved exactly, which "
            f"gains most"
        )
    if search.encoding == "components":
        words.append("who wins small components shown to the network, which learns that slowly")
    if config.learner.symmetries:
        words.append("positions turned at random, as good as more of them")
    if search.opening_plies:
        words.append(
            f"games begin with 0 to {search.opening_plies} random moves, so that they do not repeat"
        )
    words.append(f"variety by temperature for {search.temperature_drop} plies, then the best moves")
    return "; ".join(words)


def _train(
    out: Output,
    game: Game,
    config: TrainingConfig,
    directory: Path,
    limits: Limits,
    seed: int,
    tensorboard: bool,
    compiling: float,
    engine: Engine,
) -> Outcome:
    """Train with a live view."""
    before = read_log(directory) if (directory / CONFIG).exists() else []
    view = TrainingView(describe(game), config, limits, before)
    events = directory / "events"
    with (
        event_writer(events, len(before) + 1) if tensorboard else nullcontext(_ignore) as on_line,
        out.view(view.panel, view.line) as refresh,
    ):

        def on_event(event: Event) -> None:
            if isinstance(event, PhaseEvent):
                view.set_phase(event.phase, event.share)
            else:
                view.add(event.line)
                on_line(event.line)
            refresh()

        try:
            how = limits, on_event, seed, compiling, engine.hire
            return run_experiment(game, config, directory, *how)
        finally:
            for words in view.warnings.values():
                out.note(f"warning: {words}")


def _climb(out: Output, networks: Networks, games: int) -> dict[str, list[LevelResult]]:
    ladders: dict[str, list[LevelResult]] = {name: [] for name in networks}
    try:
        with out.progress("ladder", games * LEVELS * len(networks), "games") as advance_to:
            for name, level in climb(networks, games, on_progress=advance_to):
                ladders[name].append(level)
    except KeyboardInterrupt:
        out.note("the ladder was stopped")
    return ladders


def _examine(out: Output, networks: Networks) -> dict[str, ExamResult]:
    exams: dict[str, ExamResult] = {}
    try:
        with out.progress("perfect play", None, "players examined") as advance_to:
            for name, result in examine_networks(networks):
                exams[name] = result
                advance_to(len(exams))
    except KeyboardInterrupt:
        out.note("the exam was stopped")
    return exams


def _ignore(line: Line) -> None:
    """Ignore events."""
