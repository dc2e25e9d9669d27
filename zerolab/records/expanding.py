"""Compressed files, read as streams in bounded memory, however much a hostile one expands."""

import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, Protocol

MOST_MEMORY = 2**28  # bytes for the dictionary of xz, whose largest is 4 GB
MOST_EXPANSION = 1000  # of what a whole file may be; records expand about tenfold
_FREE = 2**26  # bytes that a file may expand to in any case
_BLOCK = 2**16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the dictionaries of others have no bound

UNREADABLE = (
    *(OSError, EOFError, lzma.LZMAError, zlib.error),
    *(zipfile.BadZipFile, struct.error, NotImplementedError, OverflowError),
)
"""What reading a damaged file may raise."""


class Member(NamedTuple):
    """A file of a zip archive."""

    name: str
    size: int
    """In bytes, as the archive claims."""
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def open(self) -> BinaryIO:
        """The content as a stream."""
        if self.info.flag_bits & 1:
            raise OSError("it is encrypted")
        if self.info.compress_type not in _METHODS:
            raise OSError("it is compressed by a method other than deflate")
        return _bounded(self.archive.open(self.info), self.info.compress_size)


def expand(file: BinaryIO, suffix: str, size: int) -> BinaryIO:
    """The content of a file of `size` bytes, expanded if its name ends in .gz or .xz."""
    if suffix == ".gz":
        return _bounded(gzip.GzipFile(fileobj=file), size)
    if suffix == ".xz":
        return _bounded(_Xz(file), size)
    return file


def members_of(file: BinaryIO) -> Iterator[Member]:
    """The files of a zip archive, in the order of their names."""
    try:
        archive = zipfile.ZipFile(file)
    except ValueError as error:  # of a damaged directory
        raise zipfile.BadZipFile(str(error)) from None
    with archive:
        for info in sorted(archive.infolist(), key=lambda info: info.filename):
            if not info.is_dir():
                yield Member(info.filename, info.file_size, archive, info)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Xz:
    """Python's own reader of xz sets no bound to the memory of the dictionary."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._expander = _make_expander()

    def read(self, size: int, /) -> bytes:
        while True:
            data = b""
            if self._expander.eof:  # another stream may follow, after padding
                data = self._expander.unused_data.lstrip(b"\0") or self._next_block()
                if not data:
                    return b""
                self._expander = _make_expander()
            elif self._expander.needs_input:
                data = self._file.read(_BLOCK)
                if not data:
                    raise EOFError("it ends too early")
            if expanded := self._expander.decompress(data, size):
                return expanded

    def _next_block(self) -> bytes:
        while block := self._file.read(_BLOCK):
            if data := block.lstrip(b"\0"):
                return data
        return b""


def _make_expander() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(memlimit=MOST_MEMORY)


class _Bounded(io.RawIOBase):
    """Ends with an error when far more was read than a file of that size should hold."""

    def __init__(self, file: _Readable, size: int) -> None:
        self._file = file
        self._left = max(_FREE, MOST_EXPANSION * size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise OSError(f"it expands more than {MOST_EXPANSION:,} times")
        buffer[: len(data)] = data
        return len(data)


def _bounded(file: _Readable, size: int) -> BinaryIO:
    return io.BufferedReader(_Bounded(file, size), _BLOCK)
