"""What the networks of cazenave learn from: records of Go, packed once for all studies."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.files import make_directory
from zerolab.games.base import Game, shape
from zerolab.games.catalogue import describe
from zerolab.games.go import Go
from zerolab.records.dataset import open_dataset
from zerolab.records.packing import pack_files
from zerolab.records.record_files import RecordFiles
from zerolab.records.recorded_game import RecordedGame
from zerolab.studies.shipped_games import GO_9X9

DIRECTORY = Path("runs/cazenave")
PACKED = ".games"  # ends the names of packed datasets


def pack_once(
    source: Path | None, on_progress: Callable[[float], None] = lambda share: None
) -> Path:
    """The packed games of a source, or of the shipped one; `on_progress` gets the share read.

    The name of the file contains a digest of the source, so other records never pass for it.
    """
    if source is not None and source.suffix == PACKED:
        check_board(open_dataset(source).game)
        return source
    source = source or GO_9X9
    if not source.exists():
        raise UsageError(f"{source} does not exist; expected records of Go")
    stem = source.name.split(".")[0]
    path = DIRECTORY / f"{stem}-{_digest_of(source)[:8]}" / f"games{PACKED}"
    if not path.exists():
        game = board_of(source)
        make_directory(path.parent)
        pack_files([source], game, path, on_progress=lambda games, share: on_progress(share))
    return path


def board_of(source: Path) -> Go:
    """The board of the first game in records; games on other boards are left out."""
    for record in RecordFiles([source]):
        if isinstance(record, RecordedGame):
            return check_board(record.game)
    raise UsageError(f"{source} has no game that can be read; expected records of Go")


def check_board(game: Game) -> Go:
    """Go on this board, with the usual rules and as much history as the networks see."""
    if not isinstance(game, Go):
        raise UsageError(
            f"these are games of {describe(game)}; the networks of cazenave see 21 planes of Go"
        )
    rows, cols = shape(game)
    return Go(rows, cols)


def _digest_of(source: Path) -> str:
    """A digest of the names and the contents of all files."""
    files = sorted(source.rglob("*")) if source.is_dir() else [source]
    total = hashlib.sha256()
    for file in files:
        if file.is_file():
            total.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
