"""The games by name, and records made from text: the command line, configurations and headers."""

import enum
import hashlib
import importlib
import importlib.util
import sys
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from zerolab.games.base import Game, GameError, check, full_name
from zerolab.games.notation import (
    format_halves,
    is_position,
    parse_halves,
    parse_number,
    parse_size,
    size_of_position,
)
from zerolab.kernels.compiling import has_rule


class Entry(NamedTuple):
    """Where the rules of a game are."""

    module: str
    record: str
    summary: str
    preset: Mapping[str, Any] = {}
    """Fields whose default differs from the record's."""

    @property
    def path(self) -> str:
        """The module's full name."""
        return f"zerolab.games.{self.module}"


OPEN_SPIEL = "openspiel:"  # begins the name of a game of OpenSpiel
HALF = "half_"  # begins the name of a field that counts halves, as records have whole numbers only

GAMES = {
    "clobber": Entry("clobber", "Clobber", "take a neighbouring stone; last to move wins"),
    "graph-clobber": Entry("graph_clobber", "GraphClobber", "Clobber on any undirected graph"),
    "solitaire": Entry(
        "solitaire", "Solitaire", "one-player Clobber: leave as few stones as you can"
    ),
    "othello": Entry("othello", "Othello", "enclose to turn over; most stones win"),
    "connect-four": Entry(
        "connect_four", "ConnectFour", "drop stones into columns, k in a row wins"
    ),
    "go": Entry("go", "Go", "surround points and stones; the larger area wins"),
    "gobang": Entry("gobang", "Gobang", "put stones, k in a row wins"),
    "tic-tac-toe": Entry(
        "gobang", "Gobang", "Gobang 3x3, three in a row", {"rows": 3, "cols": 3, "k": 3}
    ),
}


def make_game(name: str, size: str | None = None, options: Iterable[str] = ()) -> Game:
    """A checked record from its name (or the file of its rules), ROWSxCOLS and KEY=VALUE texts."""
    if is_open_spiel(name):
        return _make_open_spiel(name, size, tuple(options))
    record, fields = _find_record(name)
    if size is not None:
        if "rows" not in record._fields:
            raise GameError(
                f"{name} has no size; set {' and '.join(record._fields)} with --options"
            )
        fields["rows"], fields["cols"] = parse_size(size)
    names = {text_name(field): field for field in record._fields}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or key not in names:
            raise GameError(
                f"'{option}' is not an option of {name}; expected KEY=VALUE with KEY one of "
                f"{', '.join(names)}"
            )
        field = names[key]
        if field.startswith(HALF):
            fields[field] = parse_halves(key, value)
        else:
            fields[field] = _parse_value(key, typing.get_type_hints(record)[field], value)
    missing = set(record._fields) - set(record._field_defaults) - set(fields)
    if missing:
        raise GameError(f"{name} needs {' and '.join(sorted(missing))}; set them with --options")
    setup = fields.get("setup", "")
    shows_board = "|" in setup or is_position(setup)
    if shows_board and "rows" in record._fields and not {"rows", "cols"} & set(fields):
        fields["rows"], fields["cols"] = size_of_position(setup)
    game = record(**fields)
    check(game)
    return game


def text_name(field: str) -> str:
    """The name of a record's field in texts.

    A record's own `start` is its start position; and a number of halves is a number there.
    """
    return "start" if field == "setup" else field.removeprefix(HALF)


def text_value(field: str, value: Any) -> str:
    """The value of a record's field in texts."""
    if field.startswith(HALF):
        return format_halves(value)
    return str(value.name if isinstance(value, enum.Enum) else value).lower()


def has_size(name: str) -> bool:
    """Whether the boards of a game have rows and columns; a graph has none."""
    return not is_open_spiel(name) and "rows" in _find_record(name)[0]._fields


def name_of(game: Game) -> str:
    """The name under which `make_game` finds the rules of this game."""
    if full_name(game):
        return full_name(game)
    for name, entry in GAMES.items():
        if (type(game).__module__, type(game).__name__) == (entry.path, entry.record):
            return name
    return str(sys.modules[type(game).__module__].__file__)


def describe(game: Game) -> str:
    """A game as text that `make_game` accepts: name, size, and what differs from the defaults."""
    if full_name(game):
        return full_name(game)
    fields = game._asdict()
    words = [Path(name_of(game)).stem]
    if "rows" in fields:
        words.append(f"{fields.pop('rows')}x{fields.pop('cols')}")
    for key, value in fields.items():
        if value != game._field_defaults.get(key):
            words.append(f"{text_name(key)}={text_value(key, value).replace(' ', ',')}")
    return " ".join(words)


def parameters_of(game: Game) -> dict[str, int | str]:
    """All parameters of a game, by the names that `make_game` takes as options."""
    if full_name(game):
        return {}
    return {
        text_name(key): value if _is_plain(key, value) else text_value(key, value)
        for key, value in game._asdict().items()
    }


def _is_plain(field: str, value: Any) -> bool:
    """Whether a value is its own text, but for its type."""
    return type(value) in (int, str) and not field.startswith(HALF)


def remake(rules: str, description: str) -> Game:
    """The game that `describe` described, by the rules of that name."""
    _, *words = description.split(" ")
    size = words.pop(0) if words and words[0][:1].isdigit() else None
    return make_game(rules, size, words)


def is_open_spiel(name: str) -> bool:
    """Whether this names a game of OpenSpiel."""
    return name.startswith(OPEN_SPIEL)


def _make_open_spiel(name: str, size: str | None, options: tuple[str, ...]) -> Game:
    if size is not None or options:
        raise GameError(
            f"the parameters of a game of OpenSpiel belong to its name, such as "
            f"{OPEN_SPIEL}breakthrough(rows=6,columns=6)"
        )
    module = importlib.import_module("zerolab.games.guests.open_spiel")
    return module.make_open_spiel(name.removeprefix(OPEN_SPIEL))


def _find_record(name: str) -> tuple[Any, dict[str, Any]]:
    if name.endswith(".py"):
        return _record_in(_load_guest(Path(name)), name), {}
    entry = GAMES.get(name.lower().replace("_", "-"))
    if entry is None:
        raise GameError(
            f"'{name}' is not a game; expected {', '.join(GAMES)}, a file such as mygame.py, or "
            f"{OPEN_SPIEL}NAME"
        )
    module = importlib.import_module(entry.path)
    return getattr(module, entry.record), dict(entry.preset)


def _load_guest(path: Path) -> ModuleType:
    """Import a file of rules, only once: a second module would have other rules."""
    path = path.resolve()
    name = f"zerolab_guest_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    try:
        is_file = path.is_file()
    except OSError:  # no name that a file could have
        is_file = False
    if not is_file:
        raise GameError(f"there is no file of rules '{path}'")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise GameError(f"'{path}' cannot be imported: {type(error).__name__}: {error}") from error
    return module


def _record_in(module: ModuleType, path: str) -> Any:
    for value in vars(module).values():
        is_own = isinstance(value, type) and value.__module__ == module.__name__
        if is_own and has_rule(value, "legal_actions"):
            return value
    raise GameError(f"'{path}' has no game: a NamedTuple with @rule(...) def legal_actions")


def _parse_value(key: str, kind: Any, text: str) -> Any:
    """Text as a value of a field's type."""
    if kind is int:
        number = parse_number(text)
        if number is None:
            raise GameError(f"{key}={text} is not possible; expected a whole number")
        return number
    if kind is bool:
        if text not in ("true", "false"):
            raise GameError(f"{key}={text} is not possible; expected true or false")
        return text == "true"
    if issubclass(kind, enum.Enum):
        names = {member.name.lower(): member for member in kind}
        if text not in names:
            raise GameError(f"{key}={text} is not possible; expected {', '.join(names)}")
        return names[text]
    return text
