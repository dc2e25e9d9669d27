"""Many independent experiments over all cores, each kept in a file as soon as it is done.

A file has a line of JSON for the study it belongs to, then one for each experiment: its job and its
result. A study that was stopped or killed continues with what is missing, and more experiments can
be added later.
"""

import json
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from pathlib import Path
from typing import Any, NamedTuple

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.files import LineFile

FORMAT = "zerolab cells 1"
POLL_SECONDS = 0.5

Record = dict[str, Any]
"""What JSON can hold."""


class Job(NamedTuple):
    """A planned experiment."""

    about: Record
    """Its description, which identifies it in the file."""
    cost: float
    """Its expected duration, relative to others."""
    run: Callable[[Callable[[float], None]], Record]
    """Runs it. The argument is a function to call with the share that is done; it raises
    CancelledError if the job should stop."""


class Cells(NamedTuple):
    """The results of a study."""

    records: list[Record | None]
    """The result of each job, in order."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return None not in self.records


def run_cells(
    path: Path,
    study: str,
    jobs: Sequence[Job],
    on_progress: Callable[[float, float], None],
    threads: int | None = None,
) -> Cells:
    """Run the jobs that the file does not have yet; Ctrl-C ends with those that are done.

    `on_progress` gets the cost of what is done and the total cost. Compiled code releases
    Python's lock, so threads are enough.
    """
    with LineFile(path) as file:
        found = _open(file, study)
        shares = _Shares(jobs, [_key(job.about) in found for job in jobs])
        missing = [index for index, job in enumerate(jobs) if _key(job.about) not in found]
        with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
            running = {
                pool.submit(jobs[index].run, shares.teller(index)): index for index in missing
            }
            try:
                while running:
                    done, _ = wait(running, POLL_SECONDS, FIRST_COMPLETED)
                    for future in sorted(done, key=running.__getitem__):
                        _keep(file, found, jobs[running.pop(future)], future)
                    on_progress(*shares.done())
            except BaseException as error:
                shares.stop.set()
                for future in running:
                    future.cancel()
                if not isinstance(error, KeyboardInterrupt):
                    raise
    return Cells([found.get(_key(job.about)) for job in jobs])


class _Shares:
    """The progress of all jobs, shared by threads."""

    def __init__(self, jobs: Sequence[Job], done: Sequence[bool]) -> None:
        self.stop = threading.Event()
        self._costs = [job.cost for job in jobs]
        self._shares = [float(each) for each in done]

    def teller(self, index: int) -> Callable[[float], None]:
        """The function to which a job reports its share."""

        def tell(share: float) -> None:
            if self.stop.is_set():
                raise CancelledError
            self._shares[index] = share

        return tell

    def done(self) -> tuple[float, float]:
        """The cost of what is done, and of all."""
        done = sum(share * cost for share, cost in zip(self._shares, self._costs, strict=True))
        return done, sum(self._costs)


def _open(file: LineFile, study: str) -> dict[str, Record]:
    """The results in the file; a new file gets its first line."""
    header = _line({"format": FORMAT, "study": study})
    if not file.lines and not header.startswith(file.unfinished):
        raise UsageError(f"{file.path} is not a file of experiments; nothing was changed")
    found, sound = _read(file.path, file.lines, study) if file.lines else ({}, 0)
    file.keep(sound)
    if not sound:
        file.add(header)
    return found


def _read(path: Path, lines: Sequence[bytes], study: str) -> tuple[dict[str, Record], int]:
    """The results by key, and the number of complete lines: the last one may be unfinished."""
    header = _parse(lines[0]) if lines else None
    if header is None or header.get("format") != FORMAT:
        raise UsageError(f"{path} is not a file of experiments; nothing was changed")
    if header.get("study") != study:
        raise UsageError(f"{path} belongs to the study {header.get('study')}, not to {study}")
    found: dict[str, Record] = {}
    for number, line in enumerate(lines[1:], 2):
        entry = _parse(line)
        if entry is None or not isinstance(entry.get("about"), dict) or "result" not in entry:
            if number < len(lines):
                raise UsageError(f"{path} is damaged in line {number}")
            return found, number - 1
        found[_key(entry["about"])] = entry["result"]
    return found, len(lines)


def _keep(file: LineFile, found: dict[str, Record], job: Job, future: "Future[Record]") -> None:
    result = future.result()
    file.add(_line({"about": job.about, "version": __version__, "result": result}))
    found[_key(job.about)] = result


def _key(about: Record) -> str:
    # Convert through JSON, in which a tuple is a list.
    return json.dumps(about, sort_keys=True)


def _parse(line: bytes) -> Record | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _line(entry: Record) -> bytes:
    return json.dumps(entry).encode()
