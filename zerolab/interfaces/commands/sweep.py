"""zerolab sweep: training under many settings."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    Address,
    Count,
    EngineOption,
    GameArguments,
    OptionalCount,
    Seed,
)
from zerolab.interfaces.views.output import Output


def sweep(
    board: GameArguments,
    over: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUES")],
    dir: Annotated[Path, tyro.conf.arg(metavar="DIRECTORY")],
    preset: Literal["zerolab", "jans", "wang"] | None = None,
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")] = (),
    minutes: float | None = None,
    steps: OptionalCount = None,
    objective: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = ("elo",),
    method: Literal["grid", "one-at-a-time", "tpe", "nsga2"] | None = None,
    trials: OptionalCount = None,
    repeats: Count = 1,
    prune: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    games: Count = 20,
    simulations: OptionalCount = None,
    workers: Count = 1,
    cores: OptionalCount = None,
    engine: EngineOption = "local",
    address: Address = None,
    storage: Annotated[str | None, tyro.conf.arg(metavar="URL")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train under many settings, and report which of them matter.

    The same command goes on with a sweep that was stopped. Run it in another terminal to help.
    Optuna keeps the trials; optuna-dashboard opens the sweep.db in the directory.

    Examples: zerolab sweep clobber --size 4x4 --over uct_c=0.5,1,2 --minutes 1 --dir sweeps/c;
    zerolab sweep othello --size 6x6 --preset wang --over max_simulations=25,100,200
    uct_c=0.5..2.0 --minutes 3 --trials 30 --objective elo time --dir sweeps/demo

    Args:
        over: What is varied: values (uct_c=0.5,1,2) or a range (learning_rate=1e-4..1e-2, which is
            searched by orders of magnitude if its ends differ fifty-fold).
        dir: Where the sweep is kept: its trials, their runs, the report.
        preset: The settings that are not varied: ours (zerolab, if none is named), those of jans,
            or the staged loop of wang.
        set: Settings that differ from the preset in all trials.
        minutes: How long each run takes.
        steps: How many steps each run takes.
        objective: What to look for, one or more: elo (of the final network, above Random), ladder
            (mean result against levels 0 to 2), perfect (critical positions whose win is kept),
            loss, policy-loss, value-loss, time (seconds of a run).
        method: grid: all combinations. one-at-a-time: each value with the others at their
            defaults. tpe: proposals from what was found so far. nsga2: likewise, for several
            objectives. Without it: grid if all have values and --trials is not given, else tpe, or
            nsga2 for several objectives.
        trials: How many trials, for tpe and nsga2; more can be asked for later.
        repeats: Runs of each trial, with different seeds; tables show the mean and its error.
        prune: End a run early that is worse than the median of earlier ones by this measure:
            ladder, perfect, loss, policy-loss or value-loss.
        games: Games against each opponent that networks are judged by.
        simulations: Simulations of the networks in those games; without it, the preset's.
        workers: Processes that train at the same time; they share the cores, or on a cluster begin
            as soon as there is room.
        cores: With --engine ray: cores of each worker (2).
        engine: Where trials are made: local, on this machine; ray, on a cluster, whose machines
            must share the directory.
        address: Of the cluster of Ray that this machine is part of, such as auto; without it
            --engine ray uses this machine alone.
        storage: A database that Optuna takes, instead of the file sweep.db in the directory.
        seed: The same seed gives the same trials with one worker.
        json: Print one JSON object and nothing else.
    """
    from zerolab.experiments.engines.engine import LOCAL, EngineChoice
    from zerolab.experiments.sweeps.asking import GRID, NSGA2, TPE
    from zerolab.experiments.sweeps.axes import Range, parse_axes
    from zerolab.experiments.sweeps.definition import Place, Sweep
    from zerolab.experiments.sweeps.objectives import Judging
    from zerolab.interfaces.views.results.sweep_view import show_sweep
    from zerolab.training.loop import Limits
    from zerolab.training.settings.presets import choose_settings

    if minutes is not None and not 0 < minutes <= 60 * 24 * 365:
        raise UsageError(f"--minutes {minutes} is not possible; expected more than 0, up to a year")
    where = EngineChoice(engine, address)
    where.check()
    if cores is not None and engine == LOCAL:
        raise UsageError("--cores is for --engine ray; here all workers share the cores")
    game = board.make()
    base = choose_settings(preset, game, set)
    axes = parse_axes(base, over)
    is_listed = trials is None and not any(isinstance(axis, Range) for axis in axes)
    proposing = NSGA2 if len(objective) > 1 else TPE
    chosen = Sweep(
        game,
        base,
        axes,
        Limits(None if minutes is None else 60 * minutes, steps),
        objective,
        method or (GRID if is_listed else proposing),
        trials,
        repeats,
        prune,
        Judging(games, simulations or base.search.max_simulations, seed=seed),
        seed,
    )
    show_sweep(
        Output(json),
        chosen,
        Place(dir if engine == LOCAL else dir.resolve(), storage),
        workers,
        cores,
        where,
    )
