"""Work that is divided into shares, each done by a thread of its own.

How many shares there are, and what is in them, depends on settings alone. So a run is the same on
every machine: more cores finish it sooner. Compiled kernels and ONNX Runtime let other threads run,
and they take more than nine tenths of the time of a game, so threads are enough.
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
OnRound = Callable[[], None]
Work = Callable[[OnRound], None]
"""Works to its end, calls what it is given every few milliseconds, and stops where that raises."""

LEAST = 5  # games at once in a share: fewer positions in a call of the network cost too much
_TICK = 0.1  # seconds


def count_shares(games: int, batch: int, most: int) -> int:
    """How many shares games are divided into, of which `batch` are played at once in all shares."""
    return max(1, min(most, min(games, batch) // LEAST))


def deal(items: Sequence[T], shares: int) -> list[Sequence[T]]:
    """Items dealt out like cards: the first shares have one more where they do not divide."""
    return [items[share::shares] for share in range(shares)]


def work_side_by_side(works: Sequence[Work], on_round: OnRound) -> None:
    """Do all works; return, or raise, when no thread is at work any more.

    `on_round` is called in this thread, often. What it raises stops all works where they can stop,
    and so does what one of them raises.
    """
    if len(works) == 1:
        works[0](on_round)
        return
    stopping = threading.Event()

    def check() -> None:
        if stopping.is_set():
            raise _Stopped

    def work_on(work: Work) -> None:
        with contextlib.suppress(_Stopped):
            try:
                work(check)
            except BaseException:
                stopping.set()
                raise

    with ThreadPoolExecutor(len(works)) as threads:
        try:
            on_round()
            futures = [threads.submit(work_on, work) for work in works]
            while wait(futures, _TICK).not_done:
                on_round()
        finally:
            stopping.set()
    for future in futures:
        future.result()


class _Stopped(Exception):  # noqa: N818  (nothing has gone wrong)
    """Another share, or whoever waits for all, has reason to stop."""
