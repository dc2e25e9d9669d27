"""The seam between a learner and those who work for it: publish a network, take a message.

A worker does its job with a Link, whoever it works for and wherever it lives. Processes of this
machine are in crew.py; other engines belong to the experiments.
"""

import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

CAPACITY = 256  # messages that wait for the learner
UNLIMITED = 1024  # players: as many as there is room for
PATIENCE = 3  # early deaths of a worker in a row, until the learner gives up
SOON = 60.0  # seconds after its start in which the death of a worker is early


class Job(NamedTuple):
    """The job of a worker; it can be sent to another process."""

    name: str
    work: Callable[..., None]
    """Called with a Link, a seed and the arguments; runs until the link breaks."""
    arguments: tuple[Any, ...]
    nice: int = 0
    """Increment of the process's niceness, which lowers its priority."""


class Failure(NamedTuple):
    """The error that ended a worker."""

    text: str

    @classmethod
    def of(cls, error: Exception) -> Self:
        """The error, and the line that raised it."""
        lines = traceback.format_exception(error)
        return cls(f"{error!r} in {lines[-2].strip() if len(lines) > 1 else ''}")


class Link(Protocol):
    """A worker's connection to the learner."""

    def send(self, message: object) -> None:
        """Send a message; waits while too many are on their way."""

    def check(self) -> None:
        """End the worker if the learner is gone."""

    def new_model(self) -> tuple[int, bytes] | None:
        """The step and the bytes of the newest network; None if it was returned before."""


class Workers(Protocol):
    """The workers, seen from the learner."""

    @property
    def deaths(self) -> int:
        """Workers that have died so far, and were replaced if there was room."""

    @property
    def players(self) -> int:
        """Workers that play now."""

    @property
    def neighbours(self) -> int:
        """Those that play on the learner's machine."""

    @property
    def waiting(self) -> int:
        """Number of messages that have arrived but were not taken yet."""

    @property
    def pids(self) -> dict[str, int]:
        """The process of each worker that is at work, by the name of its job."""

    @property
    def figures(self) -> dict[str, Any]:
        """What else is counted, for the log."""

    def start(self, step: int, model: bytes, seed: int) -> None:
        """Publish the first network and begin to work."""

    def publish(self, step: int, model: bytes) -> None:
        """Replace the network that all workers use."""

    def take(self) -> object:
        """The next message; waits for one. UsageError if there will be none."""

    def close(self) -> None:
        """End all workers; the games they are playing are lost."""


class Hire(Protocol):
    """How a learner gets its workers."""

    def __call__(self, players: Sequence[Job], path: Path, others: Sequence[Job] = ()) -> Workers:
        """Workers that play, and others; a file at `path` may hold the current network."""


def cores_beside(workers: int) -> int:
    """Cores of this machine that workers leave to others, or the one that is shared with them."""
    return max(1, (os.cpu_count() or 1) - workers)


class Seeds:
    """The seeds of a worker and of its replacements, who must not repeat its games."""

    def __init__(self, seed: int, number: int) -> None:
        """The workers of a learner with this seed are numbered."""
        self._sequence = np.random.SeedSequence([seed, number])

    def take(self) -> int:
        """The next one."""
        return int(self._sequence.spawn(1)[0].generate_state(1)[0])
