"""zerolab as a GTP engine: the Go Text Protocol, version 2, for every game of ours.

    engine = GtpEngine(Go(9, 9), make_player("mcts:1000"))
    for text in engine.answer("1 genmove black"):
        print(text)

The specification: Gunnar Farneback, "Specification of the Go Text Protocol, version 2, draft 2",
2002. Moves are texts in our notation, in Go with capital letters.
"""

import inspect
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.evaluation.players.budgeted import BudgetedPlayer
from zerolab.evaluation.players.protocol import Player
from zerolab.games.base import BLACK, WHITE, Game, GameError
from zerolab.games.boards.stones import EMPTY
from zerolab.games.notation import format_halves, format_move, parse_halves, parse_number
from zerolab.games.position import Colour, Position
from zerolab.interfaces.engines.game_clock import GameClock, TimeSettings
from zerolab.interfaces.engines.gtp_analysis import (
    LINES,
    AnalysisRequest,
    parse_colour,
    parse_request,
)
from zerolab.interfaces.engines.gtp_game import GtpGame, handicap_points, most_handicap
from zerolab.interfaces.engines.line_server import LONGEST_LINE
from zerolab.interfaces.views import terminal
from zerolab.kernels.rng import stream
from zerolab.records.recorded_game import RecordedGame, RecordError
from zerolab.records.sgf import read_sgf, write_sgf
from zerolab.search.growing_search import UNLIMITED, Budget, GrowingSearch

SLICE_SECONDS = 0.05  # of a search between two looks at the input
LONGEST_NAME = 200  # characters of a file's name
SYNTAX = "syntax error"
_ASCII = str.maketrans(
    {terminal.SYMBOLS[BLACK]: "X", terminal.SYMBOLS[WHITE]: "O", terminal.SYMBOLS[EMPTY]: "."}
)


class Command(NamedTuple):
    """A line of input."""

    number: str
    """Its id, or nothing."""
    name: str
    words: tuple[str, ...]


def parse_line(line: str) -> Command | None:
    """A command, or None for a line without any (GTP 2, 3.1)."""
    line = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line).replace("\t", " ").partition("#")[0]
    words = [word for word in line.split(" ") if word]
    number = words.pop(0) if words and re.fullmatch(r"[0-9]{1,18}", words[0]) else ""
    if not words and not number:
        return None
    return Command(number, words[0] if words else "", tuple(words[1:]))


Answer = str | Iterator[str]  # a text, or lines that come one after the other


class GtpEngine:
    """Takes lines and answers each; `has_quit` after the last one."""

    def __init__(self, game: Game, player: Player, seed: int = 0) -> None:
        """A PlayerError says that the player cannot play this game."""
        self.has_quit = False
        self._player = BudgetedPlayer(player)
        self._rng = stream(seed)
        self._game = GtpGame(game, self._player.check, seed)
        self._clock = GameClock()
        self._is_interrupted: Callable[[], bool] = lambda: False
        self._commands = self._list()

    def warm_up(self) -> None:
        """Have the player load and compile what it needs."""
        self._player.warm_up(self._game.position)

    def answer(
        self, line: str, is_interrupted: Callable[[], bool] = lambda: False
    ) -> Iterator[str]:
        """The lines of an answer, as they arise; an analysis ends as soon as it is interrupted."""
        command = parse_line(line[:LONGEST_LINE])
        if command is None:
            return
        self._is_interrupted = is_interrupted
        try:
            if len(line) > LONGEST_LINE:
                raise UsageError(f"the line is longer than {LONGEST_LINE} bytes")
            handler = self._commands.get(command.name)
            if handler is None:
                raise UsageError("unknown command")
            result = handler(*command.words) if _fits(handler, command.words) else None
            if result is None:
                raise UsageError(SYNTAX)
        except UsageError as error:
            yield f"?{command.number} {_one_line(str(error))}\n"
            return
        if isinstance(result, str):
            yield f"={command.number} {result}\n"
            return
        yield f"={command.number}"
        try:
            yield from result
        except UsageError as error:  # too late for another answer
            yield f"info error {_one_line(str(error))}"
        yield ""

    def _list(self) -> dict[str, Callable[..., Answer]]:
        """The commands that apply to the game and the player."""
        commands: dict[str, Callable[..., Answer]] = {
            "protocol_version": lambda: "2",
            "name": lambda: "zerolab",
            "version": lambda: f"{__version__} ({self._player.player.name})",
            "known_command": lambda name: "true" if name in self._commands else "false",
            "list_commands": lambda: "\n".join(self._commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._rectangular_boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._showboard,
            "all_legal": self._all_legal,
            "loadsgf": self._loadsgf,
            "printsgf": self._printsgf,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
        }
        if self._game.is_go:
            commands |= {
                "komi": self._komi,
                "get_komi": lambda: format_halves(self._game.game.half_komi),
                "fixed_handicap": self._fixed_handicap,
                "place_free_handicap": self._place_free_handicap,
                "set_free_handicap": self._set_free_handicap,
                "final_score": self._game.score,
                "final_status_list": self._final_status_list,
            }
        if self._player.can_analyse:
            for style in LINES:
                commands[f"{style}-analyze"] = self._analyzer(style)
                commands[f"{style}-genmove_analyze"] = self._move_analyzer(style)
        return commands

    def _quit(self) -> str:
        self.has_quit = True
        return ""

    # The board

    def _boardsize(self, size: str) -> str:
        return self._rectangular_boardsize(size, size)

    def _rectangular_boardsize(self, columns: str, rows: str) -> str:
        """KataGo's extension."""
        try:
            self._game.resize(_whole(rows), _whole(columns))
        except GameError as error:
            raise UsageError(f"unacceptable size: {error}") from None
        self._clock.restart()
        return ""

    def _clear_board(self) -> str:
        self._game.clear()
        self._clock.restart()
        return ""

    def _komi(self, komi: str) -> str:
        number = re.fullmatch(r"\+?0*([0-9]+(?:\.[05]?)?)0*", komi)
        if number is None:
            raise UsageError(f"{SYNTAX}: '{komi}' is not a komi; expected one such as 6.5, not < 0")
        self._game.set_komi(parse_halves("komi", number[1].removesuffix(".")))
        return ""

    def _fixed_handicap(self, count: str) -> str:
        points = handicap_points(self._game.game, _whole(count))
        return self._handicap(points)

    def _place_free_handicap(self, count: str) -> str:
        game = self._game.game
        return self._handicap(handicap_points(game, min(_whole(count), most_handicap(game))))

    def _set_free_handicap(self, *points: str) -> str:
        if len(points) < 2:
            raise UsageError(SYNTAX)
        self._handicap([point.lower() for point in points])
        return ""

    def _handicap(self, points: list[str]) -> str:
        self._game.set_up(points)
        return " ".join(map(str.upper, points))

    # Moves

    def _play(self, colour: str, move: str) -> str:
        player = _colour(colour)
        try:
            self._game.play(player, move.lower())
        except GameError as error:
            raise UsageError(f"illegal move: {error}") from None
        return ""

    def _undo(self) -> str:
        if not self._game.undo():
            raise UsageError("cannot undo")
        return ""

    def _genmove(self, colour: str) -> str:
        started, player = time.monotonic(), _colour(colour)
        search = self._begin(self._game.turn_of(player), player)
        _run(search)
        return self._play_found(search, player, started)

    def _reg_genmove(self, colour: str) -> str:
        """A move that is not played, and does not depend on earlier moves."""
        position = self._game.turn_of(_colour(colour))
        search = self._player.begin(position, stream(0))
        _run(search)
        return self._name(search.best_action())

    def _begin(self, position: Position, colour: Colour) -> GrowingSearch:
        """The player's search, in the time that its clock has for it."""
        seconds = self._clock.seconds_for(position, colour)
        budget = None if seconds is None else Budget(seconds=seconds)
        return self._player.begin(position, self._rng, budget)

    def _play_found(self, search: GrowingSearch, colour: Colour, started: float) -> str:
        """Play the move that was found; its name."""
        action = search.best_action()
        self._game.play(colour, format_move(self._game.game, action))
        self._clock.spend(colour, time.monotonic() - started)
        return self._name(action)

    def _all_legal(self, colour: str) -> str:
        """GNU Go's extension."""
        position = self._game.turn_of(_colour(colour))
        return " ".join(map(self._name, position.legal_actions))

    # Analysis

    def _analyzer(self, style: str) -> Callable[..., Answer]:
        def analyze(*words: str) -> Answer:
            request, position = self._asked(words)
            search = self._player.begin(position, self._rng, UNLIMITED)
            return self._follow(search, style, request)

        return analyze

    def _move_analyzer(self, style: str) -> Callable[..., Answer]:
        def genmove(*words: str) -> Answer:
            request, position = self._asked(words)
            return self._follow_and_play(style, request, position)

        return genmove

    def _asked(self, words: Iterable[str]) -> tuple[AnalysisRequest, Position]:
        request = parse_request(tuple(words))
        colour = request.colour or self._game.position.turn
        return request._replace(colour=colour), self._game.turn_of(colour)

    def _follow_and_play(
        self, style: str, request: AnalysisRequest, position: Position
    ) -> Iterator[str]:
        assert request.colour is not None
        started = time.monotonic()
        search = self._begin(position, request.colour)
        yield from self._follow(search, style, request, stops=False)
        yield f"play {self._play_found(search, request.colour, started)}"

    def _follow(
        self, search: GrowingSearch, style: str, request: AnalysisRequest, stops: bool = True
    ) -> Iterator[str]:
        """A line at each interval while the search runs, and one at its end."""
        shown = time.monotonic()
        while True:
            search.run(min(SLICE_SECONDS, request.seconds))
            is_over = search.is_done or (stops and self._is_interrupted())
            if is_over or time.monotonic() - shown >= request.seconds:
                shown = time.monotonic()
                yield LINES[style](search.tree.analyse(), self._name, request.most)
            if is_over:
                return

    # Time

    def _time_settings(self, main: str, period: str, stones: str) -> str:
        self._clock.set(TimeSettings(_seconds(main), _seconds(period), _whole(stones)))
        return ""

    def _time_left(self, colour: str, seconds: str, stones: str) -> str:
        self._clock.tell(_colour(colour), _seconds(seconds), _whole(stones))
        return ""

    # Results and files

    def _final_status_list(self, status: str) -> str:
        """All stones on the board count as alive, as in the score."""
        if status not in ("alive", "dead", "seki"):
            raise UsageError(f"{SYNTAX}: expected alive, dead or seki")
        strings = self._game.strings() if status == "alive" else []
        return "\n".join(" ".join(string).upper() for string in strings)

    def _showboard(self) -> str:
        position = self._game.position
        board = terminal.draw_board(position.game, position.words).plain.translate(_ASCII)
        lines = [line.rstrip() for line in board.split("\n")]
        if self._game.is_go:
            lines[-1] = lines[-1].upper()
        over = position.outcome()
        state = f"{position.turn} to move" if over is None else f"the game is over: {over}"
        return "\n".join(["", *lines, state])

    def _loadsgf(self, name: str, number: str = "") -> str:
        """The position before that move; without a number, the last one."""
        count = max(0, _whole(number) - 1) if number else None
        try:
            if len(name) > LONGEST_NAME or not Path(name).is_file():
                raise UsageError(f"there is no file '{name[:LONGEST_NAME]}'")
            with Path(name).open("rb") as file:
                recorded = next(iter(read_sgf(file)), RecordError("it holds no game"))
            if isinstance(recorded, RecordError):
                raise recorded
            self._game.load(recorded, count)
        except (OSError, RecordError, UsageError) as error:
            raise UsageError(f"cannot load file: {error}") from None
        return ""

    def _printsgf(self) -> str:
        """KataGo's and GNU Go's extension."""
        return write_sgf(RecordedGame.of(self._game.position)).strip()

    def _name(self, action: int) -> str:
        """A move as this protocol has it."""
        text = format_move(self._game.game, action)
        return text.upper() if self._game.is_go and text != "pass" else text


def _run(search: GrowingSearch) -> None:
    while not search.is_done:
        search.run(SLICE_SECONDS)


def _fits(handler: Callable[..., Answer], words: tuple[str, ...]) -> bool:
    """Whether a handler takes this number of arguments."""
    try:
        inspect.signature(handler).bind(*words)
    except TypeError:
        return False
    return True


def _whole(text: str) -> int:
    number = parse_number(text)
    if number is None:
        raise UsageError(f"{SYNTAX}: '{text}' is not a whole number")
    return number


def _seconds(text: str) -> float:
    """Whole seconds, or with a fraction, which some controllers send."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise UsageError(f"{SYNTAX}: '{text}' is not a time in seconds")
    return float(text)


def _colour(text: str) -> Colour:
    colour = parse_colour(text)
    if colour is None:
        raise UsageError(f"{SYNTAX}: '{text}' is not a colour")
    return colour


def _one_line(text: str) -> str:
    return " ".join(text.split())
