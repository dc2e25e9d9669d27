"""Engines that speak UCI as players: ``uci:COMMAND@100ms``, ``@1000nodes``, ``@depth8``.

UCI is the protocol of chess engines. Fairy-Stockfish plays Clobber with it, as the variants
`clobber` (6 ranks, 5 files) and `clobber10` (10 x 10). There White moves first and owns the
top-left square, so our Black is their White; the squares have the same names as ours. A board of
another size is placed in the top-left corner of the smallest variant it fits in, rotated if
necessary: cells without stones are not played on, and Clobber has the same rules in every
orientation.

Positions are sent as FEN, which is complete: Clobber has no history. The protocol is small and
python-chess does not support Clobber, so the bridge is ours.
"""

import re
from typing import NamedTuple

from zerolab.evaluation.players.engine_process import Engine, split_command
from zerolab.evaluation.players.names import parse_strength
from zerolab.evaluation.players.protocol import EngineError, Player, PlayerError
from zerolab.games.base import Game, State, player_to_move, shape
from zerolab.games.catalogue import describe
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.notation import (
    COLOUR_NAMES,
    Board,
    Point,
    action_space,
    format_fen,
    format_position,
    legal_list,
)
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream

VARIANTS = {"clobber": Board(6, 5), "clobber10": Board(10, 10)}  # small ones first
START_SECONDS = 20.0  # for an engine to start and be ready
GRACE_SECONDS = 10.0  # beyond the time it is given for a move
MOVE_SECONDS = 120.0  # for a move, where nodes or depth limit it
LIMITS = {"ms": "movetime", "nodes": "nodes"}


class Placement(NamedTuple):
    """The placement of our board on that of a variant."""

    variant: str
    board: Board
    """The board of the variant."""
    on_side: bool

    def names(self, game: Game, state: State) -> dict[str, int]:
        """The legal actions by their names in UCI."""
        points = action_space(game).points
        return {
            "".join(self.board.name(self._place(point)) for point in points(action)): action
            for action in legal_list(game, state)
        }

    def fen(self, game: Game, state: State) -> str:
        """A position in Forsyth-Edwards notation, for chess engines."""
        cells = [["."] * self.board.cols for _ in range(self.board.rows)]
        for place, line in enumerate(format_position(game, state).split("|")):
            for index, symbol in enumerate(line):
                row, col = self._place((place, index))
                cells[row][col] = symbol
        text = "|".join("".join(line) for line in cells)
        return format_fen(text, COLOUR_NAMES[player_to_move(state)])

    def _place(self, point: Point) -> Point:
        return point[::-1] if self.on_side else point


def placements(game: Game) -> list[Placement]:
    """All variants that a game can be played in, the best first."""
    if not isinstance(game, Clobber) or game.variant != NORMAL:
        raise PlayerError(f"UCI engines play normal Clobber, not {describe(game)}")
    rows, cols = shape(game)
    return [
        Placement(variant, board, on_side)
        for variant, board in VARIANTS.items()
        for on_side in (False, True)
        if (cols if on_side else rows) <= board.rows and (rows if on_side else cols) <= board.cols
    ]


class UciLimit(NamedTuple):
    """How long an engine may think."""

    go: str
    """The command."""
    seconds: float
    """Time-out for its answer."""


class UciPlayer:
    """An engine; it starts when it is first needed, and restarts after a failure."""

    def __init__(
        self, name: str, command: list[str], limit: UciLimit, options: dict[str, str]
    ) -> None:
        self.name = name
        self.command = command
        self.limit = limit
        self.options = options
        self._engine: Engine | None = None
        self._offered: dict[str, list[str]] = {}
        self._placement: Placement | None = None
        self._stones = 0  # in the last position

    def check(self, game: Game) -> None:
        """Start it and check that it has a variant for the game."""
        self._ready(game)

    def choose(self, position: Position, rng: Stream) -> int:
        """The engine's move, if it is legal."""
        game, state = position.game, position.state
        engine, placement = self._ready(game)
        fen = placement.fen(game, state)
        try:
            self._notice_new_game(engine, fen)
            engine.send(f"position fen {fen}")
            engine.send(self.limit.go)
            answer = engine.read_until(_is_best_move, self.limit.seconds)[-1]
        except EngineError:
            self.close()
            raise
        move = "".join(answer.split()[1:2])
        legal = placement.names(game, state)
        if move not in legal:
            self.close()
            text = position.text
            raise EngineError(
                self.name, f"it answered '{answer}', which is not a legal move in {text}"
            )
        return legal[move]

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            engine, self._engine, self._placement = self._engine, None, None
            engine.close()

    def ask(self, game: Game, state: State, command: str, last: str) -> list[str]:
        """The engine's answer to a command in a position, up to a line with this beginning."""
        engine, placement = self._ready(game)
        engine.send(f"position fen {placement.fen(game, state)}")
        engine.send(command)
        return engine.read_until(lambda line: line.startswith(last), MOVE_SECONDS)

    def _ready(self, game: Game) -> tuple[Engine, Placement]:
        """The engine, started and set to the variant for this game."""
        possible = placements(game)
        try:
            if self._engine is None:
                self._engine = Engine(self.name, self.command)
                self._introduce(self._engine)
            offered = self._offered.get("UCI_Variant", [])
            fitting = [each for each in possible if each.variant in offered]
            if not fitting:
                wanted = " or ".join(dict.fromkeys(each.variant for each in possible))
                missing = f"it offers no variant {wanted}" if wanted else "no variant is so large"
                raise EngineError(self.name, f"it cannot play {describe(game)}: {missing}")
            if self._placement is None or self._placement.variant != fitting[0].variant:
                self._engine.send(f"setoption name UCI_Variant value {fitting[0].variant}")
                self._wait(self._engine)
            self._placement = fitting[0]
        except EngineError:
            self.close()
            raise
        return self._engine, self._placement

    def _introduce(self, engine: Engine) -> None:
        """Query its options, and set those of the name."""
        engine.send("uci")
        lines = engine.read_until(lambda line: line.strip() == "uciok", START_SECONDS)
        self._offered = dict(_parse_option(line) for line in lines if line.startswith("option "))
        for option, value in self.options.items():
            if option not in self._offered:
                names = ", ".join(self._offered) or "none"
                raise EngineError(self.name, f"it has no option '{option}'; its options: {names}")
            engine.send(f"setoption name {option} value {value}")
        self._wait(engine)

    def _notice_new_game(self, engine: Engine, fen: str) -> None:
        """Announce a new game, so that earlier games do not influence this one."""
        before, self._stones = self._stones, fen.lower().count("p")
        if self._stones >= before:
            engine.send("ucinewgame")
            self._wait(engine)

    def _wait(self, engine: Engine) -> None:
        engine.send("isready")
        engine.read_until(lambda line: line.strip() == "readyok", START_SECONDS)


def make_uci_player(name: str, rest: str) -> Player:
    """``uci:COMMAND@LIMIT``, with options of the engine after commas."""
    command, at, strength = rest.rpartition("@")
    if not at:
        raise PlayerError(
            f"'{name}' has no limit: expected uci:COMMAND@100ms, @1000nodes or @depth8"
        )
    word, *options = strength.split(",")
    settings = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not (key and equals):
            raise PlayerError(f"'{option}' in '{name}' is not an option; expected NAME=VALUE")
        settings[key] = value
    return UciPlayer(name, split_command(name, command), _parse_limit(name, word), settings)


def _parse_limit(name: str, text: str) -> UciLimit:
    match = re.fullmatch(r"(\d+)(ms|nodes)|depth(\d+)", text)
    if match is None:
        raise PlayerError(
            f"'{text}' in '{name}' is not a limit; expected 100ms, 1000nodes or depth8"
        )
    amount, unit, depth = match.groups()
    number = parse_strength(name, amount or depth, "100ms")
    if depth is not None:
        return UciLimit(f"go depth {number}", MOVE_SECONDS)
    seconds = number / 1000 + GRACE_SECONDS if unit == "ms" else MOVE_SECONDS
    return UciLimit(f"go {LIMITS[unit]} {number}", seconds)


def _parse_option(line: str) -> tuple[str, list[str]]:
    """The name of an option that an engine offers, and its values where it lists them."""
    name, _, values = line.removeprefix("option name ").partition(" type ")
    return name, re.split(r" var ", values)[1:]


def _is_best_move(line: str) -> bool:
    return line.split(" ")[0] == "bestmove"
