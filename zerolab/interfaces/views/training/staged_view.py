"""What `zerolab train --preset wang` shows: how a staged run goes, iteration by iteration."""

import time
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.games.base import Game, num_players
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.run_plots import draw_curves
from zerolab.interfaces.views.output import Output
from zerolab.training.loop import Limits, make_trainer, new_trainer, prepare, train
from zerolab.training.runs.run_directory import PAUSED, Run
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.loops import STAGED
from zerolab.training.settings.staged_config import StagedConfig, parse_staged
from zerolab.training.steps import Event, StepEvent
from zerolab.training.trainer import Trainer

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
    if num_players(game) != 2:
        raise UsageError("training needs a game for two players")
    if resume:
        run = Run.open(directory, game)
    else:
        config = parse_staged(change_settings(StagedConfig(), settings))
        new_trainer(game, config, seed)  # a board that does not fit leaves no directory
        run = Run.create(directory, game, config, seed)
    assert isinstance(run.config, StagedConfig)
    out.line(f"{describe(game)}: {in_words(run.config)}")
    with out.compiling():
        prepare(game, run.config)
    with run.hold():
        trainer = make_trainer(run)
        stopped = _train(out, run, trainer, limits)
        log = run.read_log()
    if (directory / PAUSED).exists():
        out.note(
            f"stopped within iteration {len(log) + 1}, which is kept; --resume goes on with it"
        )
    elif stopped:
        out.note(f"stopped after iteration {len(log)}; --resume goes on")
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
    """What was chosen, in a line."""
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


def _train(out: Output, run: Run, trainer: Trainer, limits: Limits) -> bool:
    """Train with a line of progress; return whether it was stopped."""
    last = ""
    started, first = time.monotonic(), limits.progress(run.seconds, trainer.step)

    def on_event(event: Event) -> None:
        nonlocal last
        if isinstance(event, StepEvent):
            last = progress_line(event.line)
            show(last)
            return
        done = limits.progress(run.seconds, trainer.step)
        left = ""
        if done > first:
            seconds = (time.monotonic() - started) * (1 - done) / (done - first)
            left = f", {seconds / 60:.1f} min left"
        iteration = f"iteration {trainer.step + 1} of {run.config.max_steps}"
        now = f"{iteration}: {event.phase}, {event.share:.0%}"
        show("; ".join(filter(None, (now + left, last))))

    with out.status() as show:
        try:
            train(run, trainer, limits, on_event)
        except KeyboardInterrupt:
            return True
    return False


def progress_line(line: dict[str, Any]) -> str:
    """How a run goes."""
    loss, seconds = line["loss"], line["stage_seconds"]
    return (
        f"iteration {line['step']}: {line['total_trajectories']:,} games, "
        f"{line['total_states']:,} states; loss: policy {loss['policy']:.3f}, value "
        f"{loss['value']:.3f}; new network {verdict(line)}; seconds: play {seconds['play']:.1f}, "
        f"train {seconds['train']:.1f}, arena {seconds['arena']:.1f}"
    )


def verdict(line: dict[str, Any]) -> str:
    """Whether a network was taken, and why."""
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
