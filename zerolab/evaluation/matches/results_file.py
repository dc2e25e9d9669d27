"""The file of a tournament: a line of JSON that describes it, then one for each game.

Lines are only appended, whole and synced to disk, so a tournament can be killed at any moment and
continued later. The file is locked while it is written.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Played
from zerolab.files import LineFile

FORMAT = "zerolab tournament 1"
_PLAYED = TypeAdapter(Played)


class Setting(NamedTuple):
    """What all games of a file have in common."""

    game: str
    opening: int
    """Plies of each opening."""
    seed: int


class ResultsFile:
    """An open file of results. Use it in a `with` statement."""

    def __init__(
        self, path: Path, setting: Setting, players: Sequence[str], is_shared: bool = False
    ) -> None:
        """Continue or create the file; a UsageError if it belongs to another tournament.

        Games of other players are an error too, unless the file `is_shared`.
        """
        header = {"format": FORMAT, "version": __version__, **setting._asdict()}
        first = _line({**header, "players": list(players)})
        self._file = LineFile(path)
        try:
            lines = self._file.lines
            if not lines and not first.startswith(self._file.unfinished):
                raise UsageError(f"{path} is not a file of results; nothing was changed")
            self.games = _read(path, lines, setting) if lines else []
            if lines and not is_shared:
                _check_players(path, lines, self.games, players)
            self._file.keep(1 + len(self.games) if lines else 0)
            if not lines:
                self._file.add(first)
        except BaseException:
            self._file.close()
            raise

    def add(self, games: Sequence[Played]) -> None:
        """Append games; they are on disk when this returns."""
        self._file.add(*(_line(_fields(each)) for each in games))
        self.games += games

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()


def read_results(path: Path) -> tuple[dict[str, Any], list[Played]]:
    """The description and the games of a file, for reading only."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    return _read_header(path, lines), _read_games(path, lines)


def _read(path: Path, lines: Sequence[bytes], setting: Setting) -> list[Played]:
    """The games of a file with the same description."""
    header = _read_header(path, lines)
    for key, value in setting._asdict().items():
        if header.get(key) != value:
            raise UsageError(
                f"{path} holds a tournament with {key} {header.get(key)}, not {value}; "
                f"continue that one, or name another file"
            )
    return _read_games(path, lines)


def _check_players(
    path: Path, lines: Sequence[bytes], games: Sequence[Played], players: Sequence[str]
) -> None:
    """Raise a UsageError if other players have played."""
    named = _read_header(path, lines)["players"]
    there = dict.fromkeys([*named, *(name for each in games for name in each[1:3])])
    missing = [name for name in there if name not in players]
    if missing:
        raise UsageError(
            f"{path} holds a tournament in which {', '.join(missing)} played too; "
            f"name all of its players, or another file"
        )


def _read_header(path: Path, lines: Sequence[bytes]) -> dict[str, Any]:
    header = _parse(lines[0]) if lines else None
    if header is None or header.get("format") != FORMAT or not _are_names(header.get("players")):
        raise UsageError(f"{path} is not a file of results; nothing was changed")
    return header


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _read_games(path: Path, lines: Sequence[bytes]) -> list[Played]:
    """All games; an unfinished last line is left out."""
    games = []
    for number, line in enumerate(lines[1:], 2):
        played = _played(line)
        if played is not None:
            games.append(played)
        elif number < len(lines):
            raise UsageError(f"{path} is damaged in line {number}")
    return games


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _fields(played: Played) -> dict[str, Any]:
    """The fields of a line; `start` and `failed` are left out where they are empty."""
    optional = Played._field_defaults
    fields = played._asdict().items()
    return {key: value for key, value in fields if key not in optional or value is not None}


def _played(line: bytes) -> Played | None:
    """The inverse of `_fields`; None if a line holds something else."""
    try:
        played = _PLAYED.validate_json(line, strict=True)
    except ValidationError:
        return None
    is_sound = played.result in (1, 0, -1) if played.failed is None else played.result is None
    return played if is_sound and line.startswith(b"{") else None  # an array would do as well


def _line(entry: dict[str, Any]) -> bytes:
    return json.dumps(entry).encode()
