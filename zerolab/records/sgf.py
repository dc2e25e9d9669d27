"""Games as SGF, read and written with sgfmill.

| property | meaning |
| --- | --- |
| `GM` | 1 Go, 2 Othello, 4 Gobang; other games have no number in the standard |
| `ZL` | ours: the game by name, then its parameters, `ZL[clobber][rows=5][cols=5]` |
| `SZ` | the size, `SZ[19]` or `SZ[columns:rows]` |
| `KM` | komi of Go |
| `AB`, `AW`, `PL` | the first position, if it is not the start of the game, and who moves |
| `B`, `W` | moves (games/sgf_notation.py) |
| `RE` | `B+...`, `W+...`, `0` or `Draw`; for a puzzle its value; anything else is not known |

Of a tree of variations the first one is read.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import BinaryIO

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.games.base import Game, GameError, num_players, shape
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.catalogue import GAMES, make_game, name_of, parameters_of
from zerolab.games.notation import COLOUR_NAMES
from zerolab.games.position import Colour
from zerolab.games.sgf_notation import (
    format_sgf_move,
    format_sgf_point,
    parse_sgf_move,
    parse_sgf_points,
)
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError, check_moves
from zerolab.records.sgf_collections import split_collection

_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,20})?")
NUMBERS = {"go": 1, "othello": 2, "gobang": 4}
LONGEST = 2**20  # bytes of a record
MOST_MOVES = 5_000
Node = Mapping[str, Sequence[bytes]]
"""The values of each property, as they are in the file."""


def read_sgf(stream: BinaryIO, source: str = "") -> Iterator[RecordedGame | RecordError]:
    """The games of a collection, each checked against the rules; errors stand for bad ones."""
    for number, text in enumerate(split_collection(stream, LONGEST), 1):
        where = source if number == 1 else f"{source}, game {number}"
        yield parse_or_say_why(text, where)


def read_lines(stream: BinaryIO, source: str = "") -> Iterator[RecordedGame | RecordError]:
    """The games of a file that has one on each line."""
    number = 0
    while line := stream.readline(LONGEST + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(LONGEST)):
            pass  # a line that is too long is not kept
        if text := line.strip():
            yield parse_or_say_why(text, f"{source}, line {number}")


def parse_or_say_why(text: bytes, where: str) -> RecordedGame | RecordError:
    """One game, or why it cannot be used, with the place where it was found."""
    try:
        return parse_game(text, where)
    except RecordError as error:
        return error.at(where)


def parse_game(text: bytes, source: str = "") -> RecordedGame:
    """One game; a RecordError says why it cannot be used."""
    if len(text) > LONGEST:
        raise RecordError(f"it is longer than {LONGEST:,} bytes", Reason.TOO_LONG)
    grammar = _grammar()
    try:
        nodes = list(grammar.main_sequence_iter(grammar.parse_sgf_game(text)))
    except (ValueError, RecursionError):
        raise RecordError("it is not SGF") from None
    root = nodes[0]
    try:
        game = _game_of(root)
    except GameError as error:
        raise RecordError(str(error), Reason.UNKNOWN_GAME) from None
    try:
        start, turn = _first_position(game, root, nodes)
        actions = tuple(_moves(game, nodes, turn))
        recorded = RecordedGame(
            *(game, actions, _parse_result(game, _text(root, "RE"))),
            names=(_text(root, "PB"), _text(root, "PW")),
            start=start,
            turn=turn,
            source=source,
        )
        check_moves(recorded)
    except GameError as error:
        raise RecordError(str(error), Reason.ILLEGAL_MOVE) from None
    return recorded


def write_sgf(recorded: RecordedGame, width: int | None = 79) -> str:
    """A game as the text of a file, in lines of about this width or in one line."""
    game = recorded.game
    if name_of(game) not in GAMES:
        raise UsageError("games by rules in a file, or of OpenSpiel, are not written as SGF")
    rows, cols = shape(game)
    root: dict[str, list[bytes]] = {"FF": [b"4"], "CA": [b"UTF-8"]}
    root["AP"] = [f"zerolab:{__version__}".encode()]
    name, parameters = name_of(game), parameters_of(game)
    if name in NUMBERS:
        root["GM"] = [str(NUMBERS[name]).encode()]
    root["SZ"] = [(f"{rows}" if rows == cols else f"{cols}:{rows}").encode()]
    if "komi" in parameters:
        root["KM"] = [str(parameters["komi"]).encode()]
    options = [f"{key}={value}" for key, value in parameters.items()]
    root["ZL"] = [_escape(each) for each in (name, *options)]
    for key, text in zip(("PB", "PW"), recorded.names, strict=True):
        if text:
            root[key] = [_escape(text)]
    if recorded.result is not None:
        root["RE"] = [_format_result(game, recorded.result)]
    root |= _set_up(recorded)
    first = COLOUR_NAMES.index(recorded.turn)
    nodes: list[dict[str, list[bytes]]] = [root]
    for number, action in enumerate(recorded.actions):
        nodes.append({"BW"[(first + number) % 2]: [_escape(format_sgf_move(game, action))]})
    grammar = _grammar()
    tree = grammar.Coarse_game_tree()
    tree.sequence = nodes
    return str(grammar.serialise_game_tree(tree, wrap=width).decode())


def _game_of(root: Node) -> Game:
    """The rules of a record."""
    if "ZL" in root:
        name, *options = (_decode(value) for value in root["ZL"])
        if name not in GAMES:
            raise RecordError(f"'{name}' is not a game", Reason.UNKNOWN_GAME)
        return make_game(name, options=options)
    number = _text(root, "GM") or "1"
    names = {str(number): name for name, number in NUMBERS.items()}
    if number not in names or names[number] not in GAMES:
        raise RecordError(f"GM[{number}] is not a game that can be read", Reason.UNKNOWN_GAME)
    size = _text(root, "SZ") or "19"
    cols, _, rows = size.partition(":")
    options = []
    komi = _text(root, "KM")
    if names[number] == "go" and _is_komi(komi):
        options.append(f"komi={komi}")
    return make_game(names[number], f"{rows or cols}x{cols}", options)


def _is_komi(text: str) -> bool:
    """Whether it is a komi that our rules have; some records have a question mark."""
    komi = _number(text)
    return komi is not None and (2 * komi).is_integer() and 0 <= komi < 1000


def _number(text: str) -> float | None:
    """A finite number in plain digits, or None."""
    return float(text) if _NUMBER.fullmatch(text) else None


def _first_position(game: Game, root: Node, nodes: Sequence[Node]) -> tuple[str | None, Colour]:
    """The text of a first position that was set up, if one was, and who moves first."""
    if not {"AB", "AW"} & set(root):
        return None, "black"
    moving = next((key for node in nodes for key in ("B", "W") if key in node), "B")
    turn = {"B": "black", "W": "white"}.get(_text(root, "PL")[:1].upper() or moving, "black")
    rows, cols = shape(game)
    cells = [["."] * cols for _ in range(rows)]
    for key, stone in (("AB", "x"), ("AW", "o")):
        for value in root.get(key, ()):
            for row, col in parse_sgf_points(_decode(value), rows, cols):
                cells[row][col] = stone
    return "|".join("".join(row) for row in cells), turn


def _set_up(recorded: RecordedGame) -> dict[str, list[bytes]]:
    """The properties of a first position that is not the start of the game."""
    if recorded.start is None and not starts_at_random(recorded.game):
        return {}
    stones: dict[str, list[bytes]] = {"AB": [], "AW": []}
    for row, line in enumerate(recorded.first.text.split("|")):
        for col, symbol in enumerate(line):
            if symbol in "xo":
                key = "AB" if symbol == "x" else "AW"
                stones[key].append(format_sgf_point((row, col)).encode())
    found = {key: points for key, points in stones.items() if points}
    return found | {"PL": [b"B" if recorded.turn == "black" else b"W"]}


def _moves(game: Game, nodes: Sequence[Node], turn: Colour) -> Iterator[int]:
    """The actions of the main line; colours must alternate."""
    player = COLOUR_NAMES.index(turn)
    count = 0
    for number, node in enumerate(nodes):
        if number and {"AB", "AW", "AE"} & set(node):
            raise RecordError(f"stones are set up after move {count}", Reason.ILLEGAL_MOVE)
        for key in ("B", "W"):
            if key not in node:
                continue
            if key != "BW"[player]:
                raise RecordError(
                    f"move {count + 1} is not {COLOUR_NAMES[player]}'s", Reason.ILLEGAL_MOVE
                )
            count += 1
            if count > MOST_MOVES:
                raise RecordError(f"it has more than {MOST_MOVES:,} moves", Reason.TOO_LONG)
            yield _parse_move(game, node[key][0])
            player = 1 - player


@functools.lru_cache(maxsize=2**14, typed=True)  # records of two games may be equal as tuples
def _parse_move(game: Game, value: bytes) -> int:
    return parse_sgf_move(game, _decode(value).strip())


def _format_result(game: Game, result: float) -> bytes:
    if num_players(game) == 1:
        return repr(result).encode()
    return {1.0: b"B+", 0.0: b"0", -1.0: b"W+"}[result]


def _parse_result(game: Game, text: str) -> float | None:
    if num_players(game) == 1:
        value = _number(text)
        return value if value is not None and -1 <= value <= 1 else None
    if text[:2] in ("B+", "W+"):
        return 1.0 if text[0] == "B" else -1.0
    return 0.0 if text in ("0", "Draw", "Jigo") else None


def _text(node: Node, key: str) -> str:
    """The value of a property, or nothing."""
    values = node.get(key)
    return _decode(values[0]).strip() if values else ""


def _decode(value: bytes) -> str:
    # Old files are in many encodings; everything that is read here, names apart, is ASCII.
    return bytes(_grammar().simpletext_value(value)).decode("utf-8", "replace")


def _escape(text: str) -> bytes:
    return bytes(_grammar().escape_text(text.encode()))


def _grammar() -> ModuleType:
    try:
        from sgfmill import sgf_grammar
    except ImportError:
        raise UsageError("SGF needs sgfmill; install zerolab[go]") from None
    module: ModuleType = sgf_grammar
    return module
