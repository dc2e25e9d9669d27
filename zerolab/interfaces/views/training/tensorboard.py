"""Training curves as event files for TensorBoard."""

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError


def check_events() -> None:
    """Fail before the work is done, not after."""
    if importlib.util.find_spec("tensorboardX") is None:
        raise UsageError("event files need tensorboardX: pip install 'zerolab[tensorboard]'")


@contextmanager
def event_writer(
    directory: Path, first_step: int = 1
) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yields a function that writes the numbers of a line of the log.

    Existing events from `first_step` on belong to a run that was resumed from before it.
    """
    import tensorboardX

    try:
        opened = tensorboardX.SummaryWriter(str(directory), purge_step=first_step)
    except OSError as error:
        raise UsageError(f"{directory} cannot be written: {error.strerror}") from None
    with opened as writer:

        def write(line: dict[str, Any]) -> None:
            for name, number in scalars(line):
                writer.add_scalar(name, number, line["step"], walltime=line["time_abs"])
            writer.flush()

        yield write


def scalars(fields: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """All numbers of a line by name; those of lists are numbered, histograms left out."""
    for name, value in fields.items():
        if name.endswith("_hist"):
            continue
        if isinstance(value, list):
            value = {str(number): each for number, each in enumerate(value)}
        if isinstance(value, dict):
            yield from scalars(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{name}", float(value)
