"""zerolab learn: a network learns from games on disk."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import GameArguments, OptionalCount, Seed
from zerolab.interfaces.views.output import Output


def learn(
    board: GameArguments,
    data: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    network: Annotated[str | None, tyro.conf.arg(metavar="NETWORK")] = None,
    run: Annotated[Path, tyro.conf.arg(metavar="DIRECTORY")] = Path("runs/learnt"),
    minutes: float | None = None,
    epochs: OptionalCount = None,
    resume: bool = False,
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")] = (),
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train a network on the moves and results of games that are on disk.

    Examples: zerolab learn clobber --size 5x5 --data runs/demo --network zerolab --run runs/copy;
    zerolab learn go --size 9x9 --data games.sgf --network mobile.tiny.conv.bin --epochs 10

    Args:
        data: Game records (SGF, also packed or in a directory), or the directory of a run.
        network: An architecture by name (see zerolab network); default mobile.small.conv.bin.
        run: Directory of the run: settings, log, checkpoints, networks.
        minutes: Total duration of the run.
        epochs: How often accuracy and error are measured; an epoch has epoch_samples positions.
        resume: Continue the run in this directory.
        set: Settings that differ from the defaults, such as learning_rate=0.001 or
            epoch_samples=1000000.
        seed: The same seed gives the same run.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views.training.learn_view import show_learning
    from zerolab.training.loop import Limits

    if minutes is not None and not 0 < minutes <= 60 * 24 * 365:
        raise UsageError(f"--minutes {minutes} is not possible; expected more than 0, up to a year")
    record = board.make()
    if resume and (data is not None or network is not None or set or epochs is not None):
        raise UsageError(
            "--resume keeps the settings of the run: leave out --data, --network, --epochs, --set"
        )
    if not resume and data is None:
        raise UsageError("what to learn from is not named; expected --data PATH")
    changes = list(set)
    if network is not None:
        changes.append(f"nn_model={network}")
    if epochs is not None:
        changes.append(f"epochs={epochs}")
    limits = Limits(None if minutes is None else 60 * minutes)
    show_learning(Output(json), record, run, limits, data, changes, seed)
