"""A desk: something that people have open, whatever happens to the pages that show it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.worker_pool import WorkerPool

Fields = dict[str, Any]
"""What is written of a desk, as JSON has it."""
Snapshot = Callable[[], Fields]
"""Gives the fields of a desk as it was. Called later, away from the event loop."""


class Desk(ABC):
    """Tells the pages that look at it of every change, and ends its work when none is left."""

    KIND: ClassVar[str]
    """Its name in files."""

    def __init__(self) -> None:
        self.watchers: list[Callable[[], None]] = []
        self.remember: Callable[[], None] = lambda: None
        """Called whenever something has changed that a restart of the server must not lose."""

    def tell(self) -> None:
        """Tell everybody who looks that something has changed."""
        for watcher in list(self.watchers):
            watcher()

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """All that `restored` needs."""

    @classmethod
    @abstractmethod
    def restored(cls, rules: Rules, pool: WorkerPool, fields: Fields) -> Self:
        """The desk with these fields; an error, a UsageError or another one, if it cannot be."""

    @abstractmethod
    def come_back(self) -> None:
        """Somebody looks again: go on with the work."""

    @abstractmethod
    def leave(self) -> None:
        """Nobody looks any more: end the work, keep the rest."""

    def end(self) -> None:
        """The desk is no longer needed."""
        self.leave()
