"""The processes of a server: which there are, what they compute, what is left of them."""

import os
import time
from pathlib import Path
from typing import NamedTuple

QUIET = 0.05  # seconds of processor time that an idle worker may use in a second
IDLE = 60.0  # seconds after which closed pages must have no work left
ENDING = 5.0  # seconds after the server in which all of its processes must have ended
HAS_PROC = Path("/proc/self/stat").exists()


class SeenProcess(NamedTuple):
    """What the system says of a process."""

    number: int
    parent: int
    started: int
    ticks: int
    """Processor time, in the system's ticks."""

    @property
    def identity(self) -> tuple[int, int]:
        """Numbers are used again, but not with the same time of starting."""
        return self.number, self.started


def all_processes() -> list[SeenProcess]:
    """All that run; none where there is no /proc."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended just now
        if fields[0] != "Z":
            found.append(
                SeenProcess(
                    *(int(path.parent.name), int(fields[1]), int(fields[19])),
                    ticks=int(fields[11]) + int(fields[12]),
                )
            )
    return found


def family_of(root: int) -> set[tuple[int, int]]:
    """A process, its children, and theirs."""
    everything = all_processes()
    numbers, count = {root}, 0
    while len(numbers) > count:
        count = len(numbers)
        numbers |= {process.number for process in everything if process.parent in numbers}
    return {process.identity for process in everything if process.number in numbers}


def left_of(family: set[tuple[int, int]]) -> int:
    """How many of these are alive after a moment.

    Helpers of Python end just after their parents.
    """
    deadline = time.monotonic() + ENDING
    while True:
        left = len(family & {process.identity for process in all_processes()})
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.1)


def workers_of(server: int) -> dict[int, int]:
    """The worker processes of a server, and their processor time."""
    return {
        process.number: process.ticks
        for process in all_processes()
        if process.parent == server and "spawn_main" in _command(process.number)
    }


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text("utf-8", "replace")
    except OSError:
        return ""


def seconds_until_idle(server: int) -> float | None:
    """Until the workers of a server compute nothing any more."""
    started = time.monotonic()
    a_second = os.sysconf("SC_CLK_TCK")
    before = workers_of(server)
    while time.monotonic() - started < IDLE:
        time.sleep(1.0)
        now = workers_of(server)
        if all(ticks - before.get(each, 0) <= QUIET * a_second for each, ticks in now.items()):
            return time.monotonic() - started - 1.0
        before = now
    return None
