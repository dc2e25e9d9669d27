"""What trainers and the loop tell: the steps of a run, and events while it goes on."""

from collections.abc import Callable
from typing import Any, NamedTuple

from zerolab.training.arena import ArenaResult
from zerolab.training.learner import LossValues
from zerolab.training.selfplay.sources import SelfPlayBatch

PLAYING, LEARNING, COMPARING = "playing", "learning", "comparing"  # the phases of a step
OnPhase = Callable[[str, float], None]


class Stages(NamedTuple):
    """What only a step of the staged loop has, which is an iteration."""

    epochs: list[LossValues]
    """Means over the batches of each epoch."""
    arena: ArenaResult | None
    accepted: bool
    """Whether the new network took the place of the old one."""
    window: list[int]
    """Examples of each iteration that is kept, the oldest first."""
    seconds: dict[str, float]
    """How long each stage took, by its phase."""


class Step(NamedTuple):
    """What one step did: it took games in, then the network learnt from the samples."""

    number: int
    """Counted from 1."""
    games: SelfPlayBatch
    losses: LossValues
    """Means over the batches of this step; in the staged loop, of its last epoch."""
    play_seconds: float
    """Time until there were enough games."""
    learn_seconds: float
    """Time of all that follows the games."""
    learn_processor_seconds: float
    """Processor time of learning, over all threads of this process."""
    stages: Stages | None = None


class PhaseEvent(NamedTuple):
    """How far the step under way is."""

    phase: str
    share: float
    """Of the phase, from 0 to 1."""
    progress: float = 0.0
    """Of the run, from 0 to 1, where its limits tell."""


class StepEvent(NamedTuple):
    """A step is complete and on disk."""

    line: dict[str, Any]
    """The line of the log that was written."""


Event = PhaseEvent | StepEvent
OnEvent = Callable[[Event], None]
