"""Lines from standard input, read in a thread, so that a search can notice that one is waiting."""

import os
import queue
import sys
import threading
from collections.abc import Iterator

LONGEST_LINE = 2**16  # bytes; of a longer line only the beginning is kept
MOST_WAITING = 1024  # lines; then the sender has to wait
_BLOCK = 2**16
_END = None


class LineReader:
    """The lines of a file descriptor, up to its end, whatever bytes they consist of."""

    def __init__(self, descriptor: int) -> None:
        # Not sys.stdin: at the end of the process a thread must not hold the lock of its buffer.
        self._descriptor = descriptor
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        threading.Thread(target=self._read, daemon=True).start()

    def is_waiting(self) -> bool:
        """Whether a line, or the end, has arrived that was not taken yet."""
        return not self._lines.empty()

    def __iter__(self) -> Iterator[str]:
        while (line := self._lines.get()) is not _END:
            yield line

    def _read(self) -> None:
        line = b""
        while block := self._next_block():
            first, *others = block.split(b"\n")
            line = (line + first)[: LONGEST_LINE + 1]
            for each in others:
                self._put(line)
                line = each[: LONGEST_LINE + 1]
        if line:
            self._put(line)
        self._lines.put(_END)

    def _next_block(self) -> bytes:
        try:
            return os.read(self._descriptor, _BLOCK)
        except OSError:  # closed
            return b""

    def _put(self, line: bytes) -> None:
        self._lines.put(line.decode("utf-8", "replace"))


class LineWriter:
    """Standard output, for several threads; a reader that went away is no error."""

    def __init__(self) -> None:
        self.is_closed = False
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        """Print a text of one or more lines."""
        with self._lock:
            if self.is_closed:
                return
            try:
                print(text.encode("ascii", "replace").decode(), flush=True)
            except (BrokenPipeError, ValueError):
                self.is_closed = True
                _discard_output()


def _discard_output() -> None:
    """Have what Python still flushes at its end go nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # it has no descriptor, as in tests
        return
