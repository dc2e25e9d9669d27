"""Games below the directory of runs, as SGF: written while they are played, listed and read.

Games can also be read and written as text:

    clobber 5x5
    b4b3 c2c3 d5e5

A second line such as ``from xoxo|ox.. white`` tells the first position, where it is not the start
of the game, and who moves first.
"""

import re
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.files import make_directory, replacing
from zerolab.games.catalogue import describe, name_of
from zerolab.games.notation import COLOUR_NAMES
from zerolab.games.position import Position
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.records.recorded_game import RecordedGame, RecordError
from zerolab.records.sgf import parse_game, write_sgf

FOLDER = "games"
BEGINNING = "from"  # begins the line of a first position
FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}", re.ASCII)
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
    with replacing(path) as file:
        file.write(sgf_of(position, names, result).encode())
    return path


def sgf_of(position: Position, names: tuple[str, str], result: str) -> str:
    """A game as SGF."""
    recorded = RecordedGame.of(position, names)
    if recorded.result is None and result in _RESULTS:  # somebody has resigned
        recorded = recorded._replace(result=_RESULTS[result])
    return write_sgf(recorded)


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
        return parse_record(rules, path.read_bytes().decode("utf-8", "replace"))
    except OSError:
        raise UsageError(f"there is no game {name[:80]!a}") from None


def parse_record(rules: Rules, text: str) -> RecordedGame:
    """A game from an SGF or from plain text; UsageError if it is neither."""
    if not text.lstrip().startswith("("):
        return _parse_text(rules, check_length(text))
    try:
        return parse_game(check_length(text, LONGEST_RECORD).strip().encode("utf-8", "replace"))
    except RecordError as error:
        raise UsageError(f"this game cannot be read: {error}") from None


def text_of(position: Position) -> str:
    """A game as text."""
    recorded = RecordedGame.of(position)
    lines = [describe(position.game)]
    if recorded.start is not None or recorded.turn != "black":
        lines.append(f"{BEGINNING} {recorded.first.text} {recorded.turn}")
    return "\n".join([*lines, " ".join(position.moves)]) + "\n"


def _parse_text(rules: Rules, text: str) -> RecordedGame:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if not lines:
        raise UsageError("paste an SGF, or a line such as 'clobber 5x5' and the moves below it")
    name, *rest = lines.pop(0)
    size = rest.pop(0) if rest and rest[0][:1].isdigit() else ""
    position = Position.start(rules.game(name, size, " ".join(rest)))
    if lines and lines[0][0] == BEGINNING:
        _, *words = lines.pop(0)
        turn = words.pop() if words and words[-1] in COLOUR_NAMES else "black"
        position = Position.parse(position.game, "|".join(words), turn)
    for move in (each for line in lines for each in line):
        position = position.play(move)
    return RecordedGame.of(position)
