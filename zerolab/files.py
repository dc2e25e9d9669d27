"""Files that are written atomically, or by one process at a time."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self

from zerolab.errors import UsageError

if sys.platform != "win32":  # which has no such locks
    import fcntl


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write that replaces `path` atomically at the end.

    A missing directory or a full disk is a UsageError, and changes nothing.
    """
    path = path.resolve()  # a link stays, and what it leads to is replaced
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be written: it is not a file")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())  # mkstemp's are for the owner alone
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        raise


def make_directory(path: Path) -> None:
    """Create a directory and its parents, if they are missing; a UsageError if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


class LineFile:
    """A file that grows by whole lines, written by one process at a time. Use it in a `with`.

    Lines are on disk when `add` returns, so a writer can be killed at any moment; an unfinished
    line is not among `lines`, and the next call of `keep` removes it.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file; `lines` are the existing ones."""
        self.path = path
        try:
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        if not lock(self._file):
            self._file.close()
            raise UsageError(f"{path} is being written by another process")
        *self.lines, self.unfinished = self._file.read().split(b"\n")

    def keep(self, count: int) -> None:
        """Cut the file off after a number of lines."""
        self.lines, self.unfinished = self.lines[:count], b""
        end = sum(len(line) + 1 for line in self.lines)
        self._file.truncate(end)
        self._file.seek(end)

    def add(self, *lines: bytes) -> None:
        """Write lines, given without their ends."""
        try:
            self._file.write(b"".join(line + b"\n" for line in lines))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror}") from None

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def lock(file: BinaryIO, wait: bool = False) -> bool:
    """Lock a file against other processes until it is closed; False if it is already locked.

    With `wait` it waits until the other process has let go.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            return False
    return True


def _umask() -> int:
    """The umask, which can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
