"""zerolab as a UCI engine that plays Clobber as Fairy-Stockfish does.

    engine = UciEngine(make_player("mcts:1000"), print)
    engine.receive("position startpos moves b1a1")
    engine.receive("go nodes 1000")

The protocol: Rudolf Huber and Stefan Meyer-Kahlen, "Description of the universal chess interface",
2004. It knows no errors: what cannot be understood is ignored, with a remark (`info string`).
Searches run in a thread, so that `stop`, `isready` and `quit` are answered at once.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.evaluation.players.budgeted import BudgetedPlayer
from zerolab.evaluation.players.protocol import Player
from zerolab.evaluation.players.uci import VARIANTS
from zerolab.games.clobber import Clobber
from zerolab.games.notation import format_fen, format_move, parse_fen, parse_number
from zerolab.games.position import Position
from zerolab.interfaces.engines.game_clock import moves_to_come, time_for_move
from zerolab.interfaces.engines.line_server import LONGEST_LINE
from zerolab.kernels.rng import stream
from zerolab.search.analysis import Analysis
from zerolab.search.growing_search import UNLIMITED, Budget, GrowingSearch

SLICE_SECONDS = 0.05  # of a search between two looks at whether it was stopped
INFO_SECONDS = 0.5  # between reports
PARTING_SECONDS = 2.0  # for the move of a player that cannot be stopped
PROVEN_CENTIPAWNS = 10_000  # the score of a position whose winner is known
MOST_CENTIPAWNS = 2_000  # of any other
MOST_LINES = 100

Say = Callable[[str], None]


class Go(NamedTuple):
    """The arguments of `go`: numbers by name, and whether to search until stopped."""

    numbers: dict[str, int]
    is_infinite: bool

    def budget(self, position: Position) -> Budget | None:
        """The limits of the search; None for those of the player's name."""
        numbers = self.numbers
        if self.is_infinite:
            return UNLIMITED
        seconds = None
        side = "w" if position.turn == "black" else "b"  # White moves first there
        if f"{side}time" in numbers:
            moves = numbers.get("movestogo") or moves_to_come(position)
            increment = numbers.get(f"{side}inc", 0) / 1000
            seconds = time_for_move(numbers[f"{side}time"] / 1000, moves, increment)
        if "movetime" in numbers:
            seconds = numbers["movetime"] / 1000
        nodes = max(1, numbers["nodes"]) if "nodes" in numbers else None
        return None if seconds is None and nodes is None else Budget(nodes, seconds)


NUMBERS = ("movetime", "nodes", "wtime", "btime", "winc", "binc", "movestogo", "depth", "mate")


def parse_go(words: Sequence[str]) -> Go:
    """The arguments that are understood; a UsageError names the first other one."""
    numbers, left, is_infinite = {}, list(words), False
    while left:
        word = left.pop(0)
        if word == "infinite":
            is_infinite = True
        elif word in NUMBERS and left:
            text = left.pop(0)
            number = parse_number(text.removeprefix("-"))
            if number is None:
                raise UsageError(f"'{text}' after {word} is not a number")
            numbers[word] = 0 if text.startswith("-") else number
        else:
            raise UsageError(f"'{word}' is not supported after go")
    return Go(numbers, is_infinite)


class UciEngine:
    """Takes lines and says lines, from several threads; `has_quit` after the last one."""

    def __init__(self, player: Player, say: Say, seed: int = 0) -> None:
        self.has_quit = False
        self._name = player.name
        self._player = BudgetedPlayer(player)
        self._say = say
        self._rng = stream(seed)
        self._variant = next(iter(VARIANTS))
        self._lines = 1
        self._position = self._start()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._ready: set[str] = set()
        """Variants for which the player has loaded and compiled."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": lambda words: self._introduce(),
            "isready": lambda words: self._is_ready(),
            "setoption": self._set_option,
            "ucinewgame": lambda words: self._set_position(self._start()),
            "position": self._read_position,
            "go": self._go,
            "stop": lambda words: self._stop(),
            "d": lambda words: self._show(),
            "quit": lambda words: self._quit(),
        }

    def receive(self, line: str) -> None:
        """Obey a line."""
        words = line.split()
        # Words before a command are to be ignored, as the protocol says.
        while words and words[0] not in self._commands:
            words.pop(0)
        if not words or len(line) > LONGEST_LINE:
            return
        try:
            self._commands[words[0]](words[1:])
        except UsageError as error:
            self._remark(str(error))

    def close(self) -> None:
        """Stop searching, without waiting long for a player that cannot be stopped."""
        self._stop(PARTING_SECONDS)

    def wait(self) -> None:
        """Wait until the search has ended."""
        if self._thread is not None:
            self._thread.join()

    def _introduce(self) -> None:
        first, *_ = VARIANTS
        self._say(f"id name zerolab {__version__} {self._name}")
        self._say("id author the authors of zerolab")
        variants = " ".join(f"var {variant}" for variant in VARIANTS)
        self._say(f"option name UCI_Variant type combo default {first} {variants}")
        self._say("option name Threads type spin default 1 min 1 max 1024")
        self._say("option name Hash type spin default 16 min 1 max 1048576")
        self._say(f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}")
        self._say("uciok")

    def _is_ready(self) -> None:
        is_searching = self._thread is not None and self._thread.is_alive()
        try:
            if not is_searching and self._variant not in self._ready:
                self._player.warm_up(self._start())
                self._ready.add(self._variant)
        finally:
            self._say("readyok")

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).partition(" value ")
        name = name.removeprefix("name ").lower()
        if name == "uci_variant":
            if value not in VARIANTS:
                raise UsageError(f"UCI_Variant is {' or '.join(VARIANTS)}, not '{value}'")
            self._variant = value
            self._set_position(self._start())
        elif name == "multipv":
            number = parse_number(value)
            if number is None or not 1 <= number <= MOST_LINES:
                raise UsageError(f"MultiPV is a number from 1 to {MOST_LINES}, not '{value}'")
            self._lines = number
        elif name not in ("threads", "hash"):  # one thread, and memory as it is needed
            raise UsageError(f"there is no option '{name}'")

    def _read_position(self, words: list[str]) -> None:
        where = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"] and where == 1:
            position = self._start()
        elif words[:1] == ["fen"]:
            text, turn = parse_fen(" ".join(words[1:where]), VARIANTS[self._variant])
            position = Position.parse(self._start().game, text, turn)
        else:
            raise UsageError("expected position startpos or position fen FEN, then moves")
        for move in words[where + 1 :]:
            position = position.play(move)
        self._set_position(position)

    def _go(self, words: list[str]) -> None:
        self._stop()
        go = parse_go(words)
        self._stopping = threading.Event()
        search = (self._position, go, self._stopping, self._lines)
        self._thread = threading.Thread(target=self._search, args=search, daemon=True)
        self._thread.start()

    def _search(self, position: Position, go: Go, stopping: threading.Event, lines: int) -> None:
        """The thread of a search: reports, and the move at its end."""
        best = "(none)"
        try:
            if position.is_over:
                self._say("info depth 0 score mate 0")
            else:
                search = self._player.begin(position, self._rng, go.budget(position))
                self._grow(search, position, stopping, lines)
                best = format_move(position.game, search.best_action())
        except UsageError as error:
            self._remark(str(error))
        if go.is_infinite:
            stopping.wait()  # the move of an infinite search is not to be sent before
        self._say(f"bestmove {best}")

    def _grow(
        self, search: GrowingSearch, position: Position, stopping: threading.Event, lines: int
    ) -> None:
        started = shown = time.monotonic()
        while True:
            search.run(SLICE_SECONDS)
            now = time.monotonic()
            is_over = search.is_done or stopping.is_set()
            if self._player.can_analyse and (is_over or now - shown >= INFO_SECONDS):
                shown = now
                for line in info_lines(position, search.tree.analyse(), now - started, lines):
                    self._say(line)
            if is_over:
                return

    def _stop(self, seconds: float | None = None) -> None:
        if self._thread is not None:
            self._stopping.set()
            self._thread.join(seconds)

    def _show(self) -> None:
        """Not in the protocol; Fairy-Stockfish has it too."""
        position = self._position
        self._say("\n".join(position.text.split("|")))
        self._say(f"Fen: {format_fen(position.text, position.turn)}")

    def _quit(self) -> None:
        self.has_quit = True

    def _start(self) -> Position:
        rows, cols, _ = VARIANTS[self._variant]
        return Position.start(Clobber(rows, cols))

    def _set_position(self, position: Position) -> None:
        self._position = position

    def _remark(self, text: str) -> None:
        self._say(f"info string {' '.join(text.split())}")


def info_lines(position: Position, analysis: Analysis, seconds: float, lines: int) -> list[str]:
    """A report of a search: the best lines, and how much was searched."""
    milliseconds = round(1000 * seconds)
    speed = round(analysis.simulations / max(seconds, 0.001))
    found = []
    for number, each in enumerate(analysis.candidates[:lines], 1):
        moves = " ".join(format_move(position.game, action) for action in each.line)
        found.append(
            f"info depth {len(each.line)} multipv {number} "
            f"score cp {centipawns(each.value, each.proven)} nodes {analysis.simulations} "
            f"nps {speed} time {milliseconds} pv {moves}"
        )
    return found


def centipawns(value: float, is_proven: bool) -> int:
    """The score of a value: 400 for odds of ten to one, as in Elo; a fixed one if it is proven."""
    if is_proven and value != 0:
        return int(math.copysign(PROVEN_CENTIPAWNS, value))
    chance = (1 + value) / 2
    if not 0 < chance < 1:
        return int(math.copysign(MOST_CENTIPAWNS, value))
    score = 400 * math.log10(chance / (1 - chance))
    return round(max(-MOST_CENTIPAWNS, min(score, MOST_CENTIPAWNS)))
