"""What all pages share: the rules of safety, the workers, and what people are doing.

What somebody does on a page is kept here under an id that is part of the address, so that loading
the page again, or on another device, shows the same.
"""

import secrets
from collections import OrderedDict
from typing import Protocol, TypeVar

from zerolab.interfaces.web.command_process import CommandProcess
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.worker_pool import WorkerPool

MOST_KEPT = 200
ID_BYTES = 6


class CanEnd(Protocol):
    """Something with work that ends."""

    def end(self) -> None:
        """End its work."""


Kept = TypeVar("Kept", bound=CanEnd)


class Site:
    """The server's memory."""

    def __init__(self, rules: Rules, pool: WorkerPool) -> None:
        self.rules = rules
        self.pool = pool
        self.children: dict[str, CommandProcess] = {}
        """Processes that were started from the page; those of training by the name of the run."""
        self._kept: OrderedDict[str, CanEnd] = OrderedDict()

    def keep(self, thing: CanEnd) -> str:
        """Keep something under a new id; the one that was not asked for the longest is dropped."""
        key = secrets.token_urlsafe(ID_BYTES)
        self._kept[key] = thing
        while len(self._kept) > MOST_KEPT:
            _, oldest = self._kept.popitem(last=False)
            oldest.end()
        return key

    def find(self, key: str, kind: type[Kept]) -> Kept | None:
        """What is kept under an id, if it is of that kind."""
        found = self._kept.get(key)
        if not isinstance(found, kind):
            return None
        self._kept.move_to_end(key)
        return found

    def close(self) -> None:
        """End everything: searches, workers, training."""
        for child in self.children.values():
            child.stop()
        for each in self._kept.values():
            each.end()
        self.pool.close()
        for child in self.children.values():
            child.end()
