"""Work for crews in tests; in a file of its own, since other processes import it."""

import os
import time
from pathlib import Path

from zerolab.training.selfplay.workforce import Link


def count(link: Link, seed: int, size: int) -> None:
    """Sends its process, its seed and growing numbers, in messages of that size, without end."""
    number = 0
    while True:
        link.send((os.getpid(), seed, number, b"x" * size))
        number += 1


def keep_ledger(link: Link, seed: int, directory: Path, pause: float) -> None:
    """Sends its seed and growing numbers, each of which is in the file of its seed before."""
    path = directory / f"{seed:08x}"
    number = 0
    while True:
        number += 1
        with path.open("a") as file:
            file.write(f"{number}\n")
        link.send((seed, number))
        time.sleep(pause)


def fail(link: Link, seed: int) -> None:
    """Cannot do its work."""
    raise RuntimeError("no rules for this")


def read_models(link: Link, seed: int) -> None:
    """Sends every network it sees."""
    while True:
        found = link.new_model()
        if found is not None:
            link.send(found)
        link.check()
        time.sleep(0.01)
