"""The choice of an engine. Only the files named after Ray import it, when it is chosen."""

import functools
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.threads import PlayPlanned, play_planned
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.workforce import UNLIMITED, Hire

if TYPE_CHECKING:
    from zerolab.training.settings.continuous_config import TrainingConfig

LOCAL, RAY = "local", "ray"


class EngineChoice(NamedTuple):
    """An engine by name."""

    name: str = LOCAL
    address: str | None = None
    """Of a cluster that is there already."""

    def check(self) -> None:
        """Raise a UsageError if there is no such engine; ModuleNotFoundError without Ray."""
        if self.name not in (LOCAL, RAY):
            raise UsageError(f"'{self.name}' is no engine; expected {LOCAL} or {RAY}")
        if self.name == LOCAL and self.address is not None:
            raise UsageError("--address is that of a cluster; add --engine ray")
        if self.name == RAY and importlib.util.find_spec("ray") is None:
            raise ModuleNotFoundError("No module named 'ray'", name="ray")

    def adapt(self, config: "TrainingConfig") -> "TrainingConfig":
        """Settings for this engine, where nobody has said how many actors there should be."""
        return config if self.name == LOCAL else config.changed(actors=UNLIMITED)


HERE = EngineChoice()


class Engine(NamedTuple):
    """Where work is done."""

    name: str
    hire: Hire
    """How a learner gets its workers."""
    play: PlayPlanned = play_planned
    """How games of a tournament are played."""
    hire_with: Callable[[int], Hire] = lambda processors: Crew
    """How workers are got of whom each takes several processors."""


THIS_MACHINE = Engine(LOCAL, Crew)


@contextmanager
def open_engine(choice: EngineChoice) -> Iterator[Engine]:
    """An engine that can be used within the block."""
    choice.check()
    if choice.name == LOCAL:
        yield THIS_MACHINE
        return
    from zerolab.experiments.engines.ray_cluster import connected
    from zerolab.experiments.engines.ray_crew import RayCrew
    from zerolab.experiments.engines.ray_tasks import play_on_cluster

    with connected(choice.address):
        yield Engine(
            *(RAY, RayCrew, play_on_cluster),
            lambda processors: functools.partial(RayCrew, processors=processors),
        )
