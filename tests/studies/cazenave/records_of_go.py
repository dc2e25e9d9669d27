"""Records of random games of Go for shrunken studies."""

from pathlib import Path

from tests.records.making import as_line, random_recorded
from zerolab.games.go import Go

BOARD = Go(4, 4)
GAMES = 120  # some of them are for validation


def write_games(path: Path) -> Path:
    """Random games, one on a line."""
    path.write_bytes(b"\n".join(map(as_line, random_recorded(BOARD, GAMES, longest=12))))
    return path
