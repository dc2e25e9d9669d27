"""The records of files and directories, one after the other; and files of games to write.

| name | content |
| --- | --- |
| `.sgf` | a game or a collection of games |
| `.sgfl` | a game on each line |
| `.txt`, `.txt.0` | training text of Leela Zero |
| `.xz`, `.gz` after any of these | the same, compressed; any other `.gz` is Leela Zero's |
| `.zip` | files of these names |

Nothing that is in a file ends the reading of the others: what cannot be used is a RecordError.
Games are written as `.sgf` and `.sgfl`, also with `.xz`.
"""

import lzma
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import BinaryIO

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.records.expanding import UNREADABLE, expand, members_of
from zerolab.records.leela_zero import read_training_text
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError
from zerolab.records.sgf import read_lines, read_sgf, write_sgf

Record = RecordedGame | RecordError
Reader = Callable[[BinaryIO, str], Iterator[Record]]
_COMPRESSED = (".xz", ".gz")
_WRITTEN = (".sgf", ".sgfl", ".sgf.xz", ".sgfl.xz")
_LEELA_ZERO = re.compile(r".*\.txt(\.[0-9]+)?")


def games_in(path: Path) -> Iterator[Record]:
    """The records of a file, or of all files in a directory, in the order of their names."""
    return iter(RecordFiles([path]))


class RecordFiles:
    """The records of files and directories, to be read once."""

    def __init__(self, paths: Sequence[Path]) -> None:
        files = [file for path in paths for file in _files_at(path)]
        self._sizes = {file: file.stat().st_size for file in files}
        self._done = 0
        self._open: BinaryIO | None = None

    @property
    def share(self) -> float:
        """How much has been read, in bytes of the files."""
        within = self._open.tell() if self._open and not self._open.closed else 0
        return min(1.0, (self._done + within) / max(1, sum(self._sizes.values())))

    def __iter__(self) -> Iterator[Record]:
        for path, size in self._sizes.items():
            try:
                with path.open("rb") as file:
                    self._open = file
                    yield from _read(file, path.name, str(path), size)
            except UNREADABLE as error:
                yield _unreadable(str(path), error)
            self._done += size


def _files_at(path: Path) -> Iterator[Path]:
    """A file, or the files in a directory that could be records."""
    if path.is_file():
        yield path
    elif path.is_dir():
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                file = Path(folder, name)
                if (file.suffix == ".zip" or _find_reader(name)) and file.is_file():
                    yield file
    else:
        raise UsageError(f"there is no file or directory {path}")


def _find_reader(name: str) -> Reader | None:
    """How a file of that name is read; None if it is not a record."""
    path = PurePath(name)
    inner = path.stem if path.suffix in _COMPRESSED else name
    kinds: dict[str, Reader] = {".sgf": read_sgf, ".sgfl": read_lines}
    if reader := kinds.get(PurePath(inner).suffix):
        return reader
    return read_training_text if _LEELA_ZERO.fullmatch(inner) or path.suffix == ".gz" else None


def _read(file: BinaryIO, name: str, source: str, size: int) -> Iterator[Record]:
    """The records of one file; an error if there is none."""
    reader = _find_reader(name)
    if PurePath(name).suffix == ".zip":
        records = _read_members(file, source)
    elif reader is not None:
        records = reader(expand(file, PurePath(name).suffix, size), source)
    else:
        raise OSError("its name is not that of a record: .sgf, .sgfl, .txt, also .xz, .gz, .zip")
    is_empty = True
    for record in records:
        is_empty = False
        yield record
    if is_empty:
        yield RecordError("there is no game in it").at(source)


def _read_members(file: BinaryIO, source: str) -> Iterator[Record]:
    """The records in a zip archive. Archives in an archive are passed over."""
    for member in members_of(file):
        if _find_reader(member.name) is None:
            continue
        where = f"{source}, {member.name}"
        try:
            with member.open() as stream:
                yield from _read(stream, member.name, where, member.size)
        except UNREADABLE as error:
            yield _unreadable(where, error)


def _unreadable(where: str, error: BaseException) -> RecordError:
    what = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return RecordError(f"it cannot be read: {what}", Reason.UNREADABLE).at(where)


def check_games_file(path: Path, game: Game) -> None:
    """Raise a UsageError if games cannot be written there: before they are played."""
    if _written_kind(path) is None:
        raise UsageError(
            f"'{path}' is not a name for games; expected one that ends in .sgf, .sgfl (a game on "
            f"each line), .sgf.xz or .sgfl.xz"
        )
    if not path.parent.is_dir():
        raise UsageError(f"there is no directory '{path.parent}'")
    if path.is_dir():
        raise UsageError(f"{path} cannot be written: it is not a file")
    write_sgf(RecordedGame(game, (), None))


def write_games(path: Path, games: Iterable[RecordedGame]) -> None:
    """Write games in the format that the name of the file says; an existing file is replaced."""
    kind = _written_kind(path) or ""
    format_game = _one_line if kind.startswith(".sgfl") else write_sgf
    data = "".join(map(format_game, games)).encode()
    with replacing(path) as file:
        file.write(lzma.compress(data) if kind.endswith(".xz") else data)


def _written_kind(path: Path) -> str | None:
    kind = "".join(path.suffixes[-2:]) if path.suffix == ".xz" else path.suffix
    return kind if kind in _WRITTEN else None


def _one_line(recorded: RecordedGame) -> str:
    # A line break in a name means a space (FF[4], SimpleText); there is none in any other value.
    return " ".join(write_sgf(recorded, width=None).split("\n")).rstrip() + "\n"
