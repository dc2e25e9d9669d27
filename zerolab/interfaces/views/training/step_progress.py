"""One line of progress for a run whose steps take minutes: `iteration 3 of 12: playing, 40%`."""

import time
from collections.abc import Callable
from typing import Any

from zerolab.training.steps import Event, OnEvent, PhaseEvent, StepEvent


def telling_steps(
    show: Callable[[str], None],
    unit: str,
    steps: int,
    complete: int,
    line_of: Callable[[dict[str, Any]], str],
    done_of: Callable[[PhaseEvent, int], float],
) -> OnEvent:
    """Turn events into lines for `show`: what goes on, the time left, and the last step.

    Steps are called by `unit`; `complete` of them are there already. `line_of` puts a line of the
    log into words. `done_of` gets an event and the number of complete steps, and returns the share
    of the run that is done.
    """
    started, last = time.monotonic(), ""
    first: float | None = None

    def on_event(event: Event) -> None:
        nonlocal last, complete, first
        if isinstance(event, StepEvent):
            complete, last = event.line["step"], line_of(event.line)
            show(last)
            return
        done, left = done_of(event, complete), ""
        first = done if first is None else first
        if done > first:
            seconds = (time.monotonic() - started) * (1 - done) / (done - first)
            left = f", {seconds / 60:.1f} min left"
        now = f"{unit} {complete + 1} of {steps}: {event.phase}, {event.share:.0%}"
        show("; ".join(filter(None, (now + left, last))))

    return on_event
