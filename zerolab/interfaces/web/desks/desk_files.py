"""What people have open, on disk: a small file for each desk, so that a new server shows the same.

Files are written by a thread of their own, each change as soon as the one before it is written.
"""

import contextlib
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from zerolab.errors import UsageError
from zerolab.files import make_directory, replacing
from zerolab.interfaces.web.desks.desk import Desk, Snapshot
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.worker_pool import WorkerPool

FOLDER = ".open"  # below the runs
KEY = re.compile(r"[\w-]{8}", re.ASCII)
FORMAT = 1
LONGEST = 200_000  # bytes
MOST = 500  # files; the oldest are deleted when a server starts

AnyDesk = TypeVar("AnyDesk", bound=Desk)


class DeskFiles:
    """The files of one directory of runs."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._waiting: dict[str, tuple[str, Snapshot]] = {}
        self._lock = threading.Lock()
        self._writer = ThreadPoolExecutor(1)
        self._writer.submit(self._delete_old)

    def write(self, key: str, desk: Desk) -> None:
        """Write a desk as it is now, soon."""
        with self._lock:
            is_waiting = key in self._waiting
            self._waiting[key] = desk.KIND, desk.snapshot()
        if not is_waiting:
            self._writer.submit(self._write, key)

    def read(self, key: str, kind: type[AnyDesk], pool: WorkerPool) -> AnyDesk | None:
        """The desk of that kind and key as it was; None if there is none.

        UsageError if its file is damaged, or tells of something that is gone.
        """
        path = self._path(key)
        if path is None or not path.is_file():
            return None
        try:
            if path.stat().st_size > LONGEST:
                raise UsageError("its file is too long")
            fields = json.loads(path.read_bytes())
            if fields["format"] != FORMAT:
                raise UsageError("its file is of another version")
            return kind.restored(self._rules, pool, fields) if fields["kind"] == kind.KIND else None
        except UsageError as error:
            reason = self._rules.public(str(error))
            raise UsageError(f"what was open here cannot be shown again: {reason}") from None
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise UsageError(
                "what was open here cannot be shown again: its file is damaged"
            ) from None

    def close(self) -> None:
        """Wait until everything is written."""
        self._writer.shutdown()

    def _path(self, key: str) -> Path | None:
        if KEY.fullmatch(key) is None:
            return None
        with contextlib.suppress(UsageError):  # a link that leads outside
            return self._rules.inside(f"{FOLDER}/{key}.json")
        return None

    def _write(self, key: str) -> None:
        with self._lock:
            kind, snapshot = self._waiting.pop(key)
        path = self._path(key)
        if path is None:
            return
        text = json.dumps({"format": FORMAT, "kind": kind, **snapshot()})
        with contextlib.suppress(UsageError):  # a full disk: the page itself goes on
            make_directory(path.parent)
            with replacing(path) as file:
                file.write(text.encode())

    def _delete_old(self) -> None:
        with contextlib.suppress(OSError, UsageError):
            files = [(path.stat().st_mtime, path) for path in self._rules.inside(FOLDER).glob("*")]
            for _, path in sorted(files, reverse=True)[MOST:]:
                path.unlink()
