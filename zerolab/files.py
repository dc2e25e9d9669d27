"""Files that are written whole or not at all, or by one process at a time."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from zerolab.errors import UsageError

if sys.platform != "win32":  # which has no such locks
    import fcntl


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write that takes the place of `path` at the end: there is the old or the new one.

    A directory that is not there or a full disk is a UsageError, and changes nothing.
    """
    path = path.resolve()  # a link stays, and what it leads to is replaced
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be written: it is no file")
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


def lock(file: BinaryIO) -> bool:
    """Keep other processes from locking a file until it is closed; False if one has done so."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _umask() -> int:
    """The only way to read it is to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
