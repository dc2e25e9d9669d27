"""What `zerolab learn` shows: a supervised run, epoch by epoch."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.experiments.experiment import Outcome, prepare_experiment, run_experiment
from zerolab.files import make_directory
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.run_plots import draw_curves
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.step_progress import telling_steps
from zerolab.records.packing import pack_files
from zerolab.training.lesson_sources import digest_of, is_run, open_lessons
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import CONFIG, read_log
from zerolab.training.runs.run_directory import PAUSED, Run, check_free
from zerolab.training.settings.flat_names import change_settings
from zerolab.training.settings.loops import SUPERVISED
from zerolab.training.settings.supervised_config import SupervisedConfig, parse_supervised
from zerolab.training.steps import LEARNING, PhaseEvent

ROWS = 10  # epochs of the table at the end
PACKED = ".games"  # ends the names of packed datasets


def show_learning(
    out: Output,
    game: Game,
    directory: Path,
    limits: Limits,
    data: Path | None,
    settings: Sequence[str],
    seed: int,
) -> None:
    """Learn, then show the last epochs; without `data` the run in the directory is continued."""
    if data is None:
        config = Run.open(directory, game).config
        if not isinstance(config, SupervisedConfig):
            raise UsageError(f"{directory} holds a run of zerolab train; continue it with that")
    else:
        check_free(directory)
        parse_supervised(change_settings(SupervisedConfig(), settings))  # said before packing
        config = _settings(game, _packed(out, game, data, directory), settings, seed)
    out.line(f"{describe(game)}: {in_words(config)}")
    with out.compiling():  # a board that does not fit leaves no directory
        compiling = prepare_experiment(game, config)
    outcome = _learn(out, game, config, directory, limits, seed, compiling)
    run, log = outcome.run, outcome.log
    if (directory / PAUSED).exists():
        out.note(f"stopped within epoch {len(log) + 1}, which is kept; --resume continues it")
    elif len(log) < config.epochs:
        out.note(f"stopped after epoch {len(log)}; --resume continues it")
    _show_log(out, log[-ROWS:])
    if log:
        draw_curves(out, directory)
    out.result(
        {
            "run": str(directory),
            "game": describe(game),
            "loop": SUPERVISED,
            "epochs": len(log),
            "samples": log[-1]["total_states"] if log else 0,
            "seconds": run.seconds,
            "loss": log[-1]["loss"] if log else None,
            "validation": log[-1]["validation"] if log else None,
            "digests": log[-1]["digests"] if log else None,
            "stopped": outcome.is_stopped,
        }
    )


def _packed(out: Output, game: Game, data: Path, directory: Path) -> Path:
    """What a run can learn from: records are packed into its directory first."""
    if is_run(data) or data.suffix == PACKED:
        return data
    if not data.exists():
        raise UsageError(f"{data} does not exist; expected records of games, or a run")
    make_directory(directory)
    with out.status() as show:
        dataset = pack_files(
            [data],
            game,
            directory / f"games{PACKED}",
            on_progress=lambda games, share: show(f"reading {data}: {share:.0%}, {games:,} games"),
        )
    header = dataset.header
    out.line(
        f"{header.games:,} games with {header.moves:,} moves of {header.read:,} records in "
        f"{dataset.path}, {header.validation_games:,} games for validation"
    )
    if header.rejected:
        rows = [
            (reason, f"{each['number']:,}", str(each["first"]))
            for reason, each in header.rejected.items()
        ]
        out.table("Records that were not used", ("reason", "records", "the first"), rows)
    return dataset.path


def _settings(game: Game, data: Path, settings: Sequence[str], seed: int) -> SupervisedConfig:
    """The settings of a new run, with a digest of its games."""
    changed = change_settings(SupervisedConfig(), settings)
    config = parse_supervised(changed | {"data": str(data.resolve()), "digest": ""})
    return config.changed(digest=digest_of(open_lessons(game, config, seed)))


def in_words(config: SupervisedConfig) -> str:
    """The main settings in one line."""
    words = [
        f"{config.epochs} epochs of {config.epoch_samples:,} positions from {config.data}",
        f"network {config.network.nn_model}",
        f"batches of {config.learner.train_batch_size}",
        f"learning rate {config.learner.learning_rate:g}, {config.schedule}",
    ]
    return ", ".join(words)


def _learn(
    out: Output,
    game: Game,
    config: SupervisedConfig,
    directory: Path,
    limits: Limits,
    seed: int,
    compiling: float,
) -> Outcome:
    """Learn with a line of progress."""
    complete = len(read_log(directory)) if (directory / CONFIG).exists() else 0

    def done_of(event: PhaseEvent, complete: int) -> float:
        share = event.share if event.phase == LEARNING else 1.0  # measuring takes little time
        return (complete + share) / config.epochs

    with out.status() as show:
        on_event = telling_steps(
            *(show, "epoch", config.epochs, complete, progress_line),
            done_of=done_of,
        )
        return run_experiment(game, config, directory, limits, on_event, seed, compiling)


def progress_line(line: dict[str, Any]) -> str:
    """The progress of a run in one line."""
    loss, found = line["loss"], line["validation"]
    return (
        f"epoch {line['step']}: loss: policy {loss['policy']:.3f}, value {loss['value']:.3f}; "
        f"validation: accuracy {found['accuracy']:.1%}, error of the value {found['mse']:.4f}; "
        f"{line['states_per_s']:,.0f} positions a second"
    )


def _show_log(out: Output, log: list[dict[str, Any]]) -> None:
    rows = [
        (
            *(str(line["step"]), f"{line['total_states']:,}", f"{line['learning_rate']:g}"),
            *(f"{line['loss'][part]:.3f}" for part in ("policy", "value")),
            f"{line['validation']['accuracy']:.1%}",
            f"{line['validation']['mse']:.4f}",
        )
        for line in log
    ]
    if rows:
        losses = ("policy loss", "value loss")
        out.table(
            "The last epochs",
            ("epoch", "positions", "rate", *losses, "accuracy", "error of the value"),
            rows,
        )
