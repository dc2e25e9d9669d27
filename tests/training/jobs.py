"""Work for crews in tests; in a file of its own, since other processes import it."""

import os
import time

from zerolab.training.selfplay.crew import Link


def count(link: Link, seed: int, size: int) -> None:
    """Sends its process, its seed and growing numbers, in messages of that size, without end."""
    number = 0
    while True:
        link.send((os.getpid(), seed, number, b"x" * size))
        number += 1


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
