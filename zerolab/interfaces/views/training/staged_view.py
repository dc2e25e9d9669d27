"""What `zerolab train --preset wang` shows: a staged run, iteration by iteration."""

from pathlib import Path
from typing import Any

from zerolab.experiments.experiment import Outcome, prepare_experiment, run_experiment
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.run_plots import draw_curves
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.step_progress import telling_steps
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import CONFIG, read_log
from zerolab.training.runs.run_directory import PAUSED, Run, check_free
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.loops import STAGED
from zerolab.training.settings.staged_config import StagedConfig, parse_staged

ROWS = 10  # iterations of the table at the end


def show_staged(
    out: Output,
    game: Game,
    directory: Path,
    limits: Limits,
    resume: bool,
    settings: tuple[str, ...],
    seed: int,
) -> None:
    """Train in stages, then show the last iterations."""
    if resume:
        config = Run.open(directory, game).config
        assert isinstance(config, StagedConfig)
    else:
        check_free(directory)
        config = parse_staged(change_settings(StagedConfig(), settings))
    out.line(f"{describe(game)}: {in_words(config)}")
    with out.compiling():  # a board that does not fit leaves no directory
        compiling = prepare_experiment(game, config)
    outcome = _train(out, game, config, directory, limits, seed, compiling)
    run, log, stopped = outcome.run, outcome.log, outcome.is_stopped
    if (directory / PAUSED).exists():
        out.note(f"stopped within iteration {len(log) + 1}, which is kept; --resume continues it")
    elif stopped:
        out.note(f"stopped after iteration {len(log)}; --resume continues it")
    _show_log(out, log[-ROWS:])
    if log:
        draw_curves(out, directory)
    out.result(
        {
            "run": str(directory),
            "game": describe(game),
            "loop": STAGED,
            "iterations": len(log),
            "accepted": sum(line["accepted"] for line in log),
            "states": log[-1]["total_states"] if log else 0,
            "games": run.trajectories,
            "seconds": run.seconds,
            "loss": log[-1]["loss"] if log else None,
            "stopped": stopped,
        }
    )


def in_words(config: StagedConfig) -> str:
    """The main settings in one line."""
    words = [
        f"{config.iterations} iterations of {config.episodes} games",
        f"{config.search.max_simulations} simulations a move",
        f"{config.epochs} epochs over the last {config.retrain_window} iterations",
        f"network {config.network.nn_model}",
    ]
    if config.arena:
        share = f"{config.update_threshold:.0%} of the decided ones"
        words.append(f"an arena of {config.arena_games} games, {share} to be won")
    else:
        words.append("no arena")
    return ", ".join(words)


def _train(
    out: Output,
    game: Game,
    config: StagedConfig,
    directory: Path,
    limits: Limits,
    seed: int,
    compiling: float,
) -> Outcome:
    """Train with a line of progress."""
    complete = len(read_log(directory)) if (directory / CONFIG).exists() else 0
    with out.status() as show:
        on_event = telling_steps(
            *(show, "iteration", config.max_steps, complete, progress_line),
            done_of=lambda event, complete: event.progress,
        )
        return run_experiment(game, config, directory, limits, on_event, seed, compiling)


def progress_line(line: dict[str, Any]) -> str:
    """The progress of a run in one line."""
    loss, seconds = line["loss"], line["stage_seconds"]
    return (
        f"iteration {line['step']}: {line['total_trajectories']:,} games, "
        f"{line['total_states']:,} states; loss: policy {loss['policy']:.3f}, value "
        f"{loss['value']:.3f}; new network {verdict(line)}; seconds: play {seconds['play']:.1f}, "
        f"train {seconds['train']:.1f}, arena {seconds['arena']:.1f}"
    )


def verdict(line: dict[str, Any]) -> str:
    """Whether a network was accepted, and why."""
    word = "accepted" if line["accepted"] else "rejected"
    arena = line["arena"]
    if arena is None:
        return f"{word} without arena"
    return f"{word} ({arena['wins']} won, {arena['draws']} drawn, {arena['losses']} lost)"


def _show_log(out: Output, log: list[dict[str, Any]]) -> None:
    rows = [
        (
            *(str(line["step"]), f"{line['game_length']['num']:,}", f"{sum(line['window']):,}"),
            *(f"{line['loss'][part]:.3f}" for part in ("policy", "value")),
            verdict(line),
        )
        for line in log
    ]
    if rows:
        out.table(
            "The last iterations",
            ("iteration", "games", "examples", "policy loss", "value loss", "new network"),
            rows,
        )
