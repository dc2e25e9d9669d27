"""zerolab train: a network trained from scratch."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    Address,
    EngineOption,
    GameArguments,
    OptionalCount,
    Seed,
    at_least,
)
from zerolab.interfaces.views.output import Output


def train(
    board: GameArguments,
    run: Annotated[Path, tyro.conf.arg(metavar="DIRECTORY")] = Path("runs/last"),
    minutes: float | None = None,
    steps: OptionalCount = None,
    resume: bool = False,
    dry_run: bool = False,
    preset: Literal["zerolab", "jans", "wang"] | None = None,
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")] = (),
    games: Annotated[int, at_least(0)] = 50,
    tensorboard: bool = False,
    engine: EngineOption = "local",
    address: Address = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train a network from scratch by self-play, then measure it on the ladder of jans.

    Examples: zerolab train clobber --size 4x4 --run runs/demo --minutes 2;
    zerolab train clobber --size 5x5 --run runs/jans --preset jans --set max_simulations=50

    Args:
        run: Directory of the run: settings, log, checkpoints, networks.
        minutes: Total duration of the run; without it and --steps, until Ctrl-C.
        steps: Total number of steps of learning, or of iterations of the staged loop.
        resume: Continue the run in this directory.
        dry_run: Train nothing and write nothing; predict the duration, memory and disk of the run
            from half a minute of measuring, or with --resume from its log.
        preset: Our settings (zerolab, the default), those of jans, or the staged loop of wang:
            self-play, training and arena in turn.
        set: Settings that differ from the preset, such as learning_rate=0.01.
        games: Games against each level of the ladder at the end; 0 for no ladder and no exam.
            The staged loop has no ladder.
        tensorboard: Write event files for TensorBoard into the directory events of the run.
        engine: Where actors and evaluators live: local, processes of this machine; ray, wherever a
            cluster has processors free, as many actors as there are unless --set actors=N.
        address: Of the cluster of Ray that this machine is part of, such as auto; without it
            --engine ray uses this machine alone.
        seed: The same seed gives the same run with --steps and --set actors=0 evaluators=0.
        json: Print one JSON object and nothing else.
    """
    from zerolab.experiments.engines.engine import LOCAL, EngineChoice
    from zerolab.interfaces.views.training.staged_view import show_staged
    from zerolab.interfaces.views.training.train_view import show_training
    from zerolab.training.loop import Limits
    from zerolab.training.runs.run_directory import loop_of
    from zerolab.training.settings.loops import STAGED

    if minutes is not None and not 0 < minutes <= 60 * 24 * 365:
        raise UsageError(f"--minutes {minutes} is not possible; expected more than 0, up to a year")
    limits = Limits(None if minutes is None else 60 * minutes, steps)
    record = board.make()
    if resume and (preset is not None or set):
        raise UsageError("--resume keeps the settings of the run: leave out --preset and --set")
    where = EngineChoice(engine, address)
    where.check()
    if dry_run:
        if engine != LOCAL:
            raise UsageError("--dry-run predicts runs of this machine; leave out --engine")
        from zerolab.interfaces.views.training.dry_run_view import show_dry_run

        show_dry_run(Output(json), record, run, limits, resume, preset, set, games)
    elif preset == "wang" or (resume and loop_of(run) == STAGED):
        if tensorboard:
            raise UsageError("--tensorboard is for the continuous loop, not for the loop of wang")
        if engine != LOCAL:
            raise UsageError("the loop of wang plays in one process; leave out --engine")
        show_staged(Output(json), record, run, limits, resume, set, seed)
    else:
        how = preset, set, seed, games, tensorboard, where
        show_training(Output(json), record, run, limits, resume, *how)
