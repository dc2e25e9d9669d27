"""What trainers and the loop report: the steps of a run, and events during it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from zerolab.training.arena import ArenaResult
from zerolab.training.learner import LossValues
from zerolab.training.selfplay.sources import SelfPlayBatch

PLAYING, LEARNING, COMPARING = "playing", "learning", "comparing"  # the phases of a step
MEASURING = "measuring"  # after learning, in the supervised loop
OnPhase = Callable[[str, float], None]


class Stages(NamedTuple):
    """The part of a step that only the staged loop has; its steps are iterations."""

    epochs: list[LossValues]
    """Means over the batches of each epoch."""
    arena: ArenaResult | None
    accepted: bool
    """Whether the new network replaced the old one."""
    window: list[int]
    """Number of examples of each stored iteration, oldest first."""
    seconds: dict[str, float]
    """Duration of each stage, by its phase."""
    processor_seconds: dict[str, float]
    """Processor time of each stage over all threads, which other programs hardly change."""


class Step(NamedTuple):
    """One step: games arrived, then the network learnt from the samples."""

    number: int
    """Counted from 1."""
    games: SelfPlayBatch
    losses: LossValues
    """Means over the batches of this step; in the staged loop, of its last epoch."""
    play_seconds: float
    """Time until there were enough games."""
    learn_seconds: float
    """Time of everything after the games."""
    learn_processor_seconds: float
    """Processor time of learning, over all threads of this process."""
    stages: Stages | None = None
    batches: int = 0
    """That were learnt."""


class Lesson(NamedTuple):
    """A step of the supervised loop: an epoch, then a look at validation games."""

    number: int
    """Counted from 1."""
    samples: int
    """Positions learnt so far."""
    losses: LossValues
    """Means over the batches of the epoch."""
    learning_rate: float
    """Of its last batch."""
    validation: dict[str, float]
    seconds: float
    """Of learning."""
    processor_seconds: float
    batches: int
    digests: dict[str, str]
    """What identifies the games of training and validation."""


class PhaseEvent(NamedTuple):
    """Progress of the current step."""

    phase: str
    share: float
    """Share of the phase that is done, from 0 to 1."""
    progress: float = 0.0
    """Share of the run that is done, from 0 to 1, if its limits define one."""


class StepEvent(NamedTuple):
    """A step is complete and on disk."""

    line: dict[str, Any]
    """The line of the log that was written."""


Event = PhaseEvent | StepEvent
OnEvent = Callable[[Event], None]
