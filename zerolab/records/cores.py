"""Rows of arrays divided among threads. Compiled kernels release Python's lock, so they suffice."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise

Work = Callable[[int, slice], None]
"""Works on a slice of the rows; the number is that of the share, so that each has own scratch."""


def count_cores() -> int:
    """Cores of this machine."""
    return os.cpu_count() or 1


class Cores:
    """Threads that wait for work. Those of an object that is no longer used end by themselves."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or count_cores()
        self._pool = ThreadPoolExecutor(self.threads)

    def begin(self, rows: int, work: Work) -> "list[Future[None]]":
        """Begin to work on all rows, a share for each thread; return at once."""
        bounds = pairwise(rows * share // self.threads for share in range(self.threads + 1))
        return [
            self._pool.submit(work, share, slice(first, last))
            for share, (first, last) in enumerate(bounds)
        ]

    def run(self, rows: int, work: Work) -> None:
        """Work on all rows; what a thread raises is raised here."""
        if self.threads == 1:
            work(0, slice(0, rows))
            return
        for future in self.begin(rows, work):
            future.result()
