"""Training in tests of studies: by steps, never by how fast a machine makes them."""

import pytest

from zerolab.experiments import experiment
from zerolab.training.loop import Limits, train
from zerolab.training.runs.run_directory import Run
from zerolab.training.steps import Event, OnEvent, StepEvent
from zerolab.training.trainer import Trainer

STEPS = 2


def train_by_steps(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Runs of studies end after STEPS steps, which share their time evenly.

    Returns the times that the runs were given.
    """
    given: list[float | None] = []

    def train_some(run: Run, trainer: Trainer, limits: Limits, on_event: OnEvent) -> None:
        seconds = limits.seconds
        assert seconds is not None
        given.append(seconds)

        def tell(event: Event) -> None:
            if isinstance(event, StepEvent):
                shared = {"time_rel": seconds * event.line["step"] / STEPS}
                on_event(StepEvent(event.line | shared))

        train(run, trainer, Limits(steps=STEPS), tell)

    monkeypatch.setattr(experiment, "train", train_some)
    return given
