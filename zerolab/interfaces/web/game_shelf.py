"""Games below the directory of runs, as SGF: written while they are played, listed and read."""

import re
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.files import make_directory, replacing
from zerolab.games.catalogue import name_of
from zerolab.games.position import Position
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.records.recorded_game import RecordedGame, RecordError
from zerolab.records.sgf import parse_game, write_sgf

FOLDER = "games"
MOST_LISTED = 100
LONGEST_RECORD = 500_000  # characters
_RESULTS = {"black wins": 1.0, "white wins": -1.0, "a draw": 0.0}


class SavedGame(NamedTuple):
    """A game in a file."""

    name: str
    """Of the file, without its ending."""
    modified: datetime


def new_name(position: Position, key: str) -> str:
    """A name for a new game; `key` makes it unique."""
    now = datetime.now()
    return re.sub(r"[^\w.-]", "", f"{now:%Y%m%d-%H%M%S}-{name_of(position.game)}-{key}")


def save_game(
    rules: Rules, name: str, position: Position, names: tuple[str, str], result: str
) -> Path:
    """Write a game; `result` as a session has it."""
    path = rules.inside(f"{FOLDER}/{name}.sgf")
    make_directory(path.parent)
    recorded = RecordedGame.of(position, names)
    if recorded.result is None and result in _RESULTS:  # somebody has resigned
        recorded = recorded._replace(result=_RESULTS[result])
    with replacing(path) as file:
        file.write(write_sgf(recorded).encode())
    return path


def list_games(rules: Rules) -> list[SavedGame]:
    """The newest games first."""
    found = []
    for path in rules.inside(FOLDER).glob("*.sgf"):
        try:
            rules.inside(f"{FOLDER}/{path.name}")
            found.append(SavedGame(path.stem, datetime.fromtimestamp(path.stat().st_mtime)))
        except (OSError, UsageError):
            continue  # a link that leads outside, or nowhere
    return sorted(found, key=lambda game: game.modified, reverse=True)[:MOST_LISTED]


def load_game(rules: Rules, name: str) -> RecordedGame:
    """A saved game by its name; UsageError if there is none or it cannot be read."""
    path = rules.inside(f"{FOLDER}/{name}.sgf")
    try:
        if path.stat().st_size > LONGEST_RECORD:
            raise UsageError(f"{path.name} is too long for a game")
        return parse_record(path.read_bytes().decode("utf-8", "replace"))
    except OSError:
        raise UsageError(f"there is no game {name[:80]!a}") from None


def parse_record(text: str) -> RecordedGame:
    """A game from the text of an SGF; UsageError if it is none."""
    try:
        return parse_game(check_length(text, LONGEST_RECORD).strip().encode("utf-8", "replace"))
    except RecordError as error:
        raise UsageError(f"this game cannot be read: {error}") from None
