"""Requests to stop a run without losing work: when its time is up, or by Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUp(Exception):  # noqa: N818  (nothing has gone wrong)
    """The time of a run is over; raised where it can stop."""


@contextmanager
def stop_requests(are_heeded: bool) -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C only set a flag within the block; a second one interrupts at once.

    Yields a function that returns whether the flag is set. Ctrl-C keeps its meaning if the requests
    are not used, and outside the main thread, which alone may change it.
    """
    is_requested = False

    def request(number: int, frame: FrameType | None) -> None:
        nonlocal is_requested
        if is_requested:
            raise KeyboardInterrupt
        is_requested = True

    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    # Where Ctrl-C is ignored, as in the background of a shell, it stays so.
    if not are_heeded or not is_main or before in (signal.SIG_IGN, None):
        yield lambda: False
        return
    signal.signal(signal.SIGINT, request)
    try:
        yield lambda: is_requested
    finally:
        signal.signal(signal.SIGINT, before)
