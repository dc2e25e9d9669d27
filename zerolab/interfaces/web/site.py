"""What all pages share: the rules of safety, the workers, and what people are doing.

What somebody does on a page is kept here under an id that is part of the address, so that loading
the page again, on another device or from a new server, shows the same.
"""

import secrets
from collections import OrderedDict
from typing import TypeVar

from zerolab.interfaces.web.command_process import CommandProcess
from zerolab.interfaces.web.desks.desk import Desk
from zerolab.interfaces.web.desks.desk_files import DeskFiles
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.worker_pool import WorkerPool

MOST_KEPT = 200
ID_BYTES = 6


Kept = TypeVar("Kept", bound=Desk)


class Site:
    """The server's memory."""

    def __init__(self, rules: Rules, pool: WorkerPool) -> None:
        self.rules = rules
        self.pool = pool
        self.children: dict[str, CommandProcess] = {}
        """Processes of training that were started from the page, by the name of the run."""
        self.commands: dict[str, CommandProcess] = {}
        """Studies and tournaments, likewise."""
        self._files = DeskFiles(rules)
        self._kept: OrderedDict[str, Desk] = OrderedDict()

    def keep(self, desk: Desk) -> str:
        """Keep something under a new id; the one that was not asked for the longest is dropped."""
        key = secrets.token_urlsafe(ID_BYTES)
        self._keep_as(key, desk)
        return key

    def _keep_as(self, key: str, desk: Desk) -> None:
        self._kept[key] = desk
        desk.remember = lambda: self._files.write(key, desk)
        while len(self._kept) > MOST_KEPT:
            _, oldest = self._kept.popitem(last=False)
            oldest.remember = lambda: None
            oldest.end()

    def find(self, key: str, kind: type[Kept]) -> Kept | None:
        """What is kept under an id, if it is of that kind; also from before a restart.

        UsageError if it was kept, but cannot be shown again.
        """
        found = self._kept.get(key)
        if found is None:
            found = self._files.read(key, kind, self.pool)
            if found is not None:
                self._keep_as(key, found)
        if not isinstance(found, kind):
            return None
        self._kept.move_to_end(key)
        return found

    def close(self) -> None:
        """End everything: searches, workers, training."""
        processes = [*self.children.values(), *self.commands.values()]
        for process in processes:
            process.stop()
        for each in self._kept.values():
            each.end()
        self._files.close()
        self.pool.close()
        for process in processes:
            process.end()
