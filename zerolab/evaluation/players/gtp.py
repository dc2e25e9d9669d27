"""Engines that speak GTP, the Go Text Protocol, as players: ``gtp:COMMAND``.

The bridge sends `protocol_version` (2 is expected), `boardsize 5` or, for a board that is not
square, KataGo's `rectangular_boardsize COLS ROWS`, `clear_board`, in Go `komi 7.5`, then for each
move of a game `play black b5b4` or `genmove white`. Moves are texts in our notation
(games/notation.py): in Clobber the two cells without a space, as in `b5b4`; in Othello and Gobang
one cell, `d3`, or `pass`; in Connect Four the column, `d`. Only in Go is the letter i skipped.
Black moves first. After `clear_board` the game is at its usual start: on a chequered board Black
owns the top-left square.

GTP has no command for a position, so the engine gets the moves that led there: only the new ones,
or after `clear_board` all of them. An engine that resigns has lost. `gtp:COMMAND@30s` gives up
after 30 seconds without an answer.
"""

import re

from zerolab.evaluation.players.engine_process import Engine, split_command
from zerolab.evaluation.players.protocol import (
    EngineError,
    Player,
    PlayerError,
    ResignationError,
    is_same_game,
)
from zerolab.games.base import Game, GameError, shape
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.catalogue import describe
from zerolab.games.clobber import CHEQUERED
from zerolab.games.go import Go
from zerolab.games.notation import Arcs, action_space, format_halves, format_move, parse_action
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream

ANSWER_SECONDS = 60.0
RESIGN = "resign"


class GtpPlayer:
    """An engine; it starts when it is first needed, and restarts after a failure."""

    def __init__(self, name: str, command: list[str], seconds: float = ANSWER_SECONDS) -> None:
        self.name = name
        self.command = command
        self.seconds = seconds
        self._engine: Engine | None = None
        self._game: Game | None = None
        self._actions: list[int] = []
        """Moves from the start to the position that the engine is in."""

    def check(self, game: Game) -> None:
        """Start it and check that it accepts the board."""
        self._guarded_reset(game)

    def choose(self, position: Position, rng: Stream) -> int:
        """The engine's move, if it is legal; a ResignationError if it gives the game up."""
        try:
            self._bring_to(position)
            text = self._ask(f"genmove {position.turn}").strip().lower()
            if text == RESIGN:
                raise ResignationError(self.name)
            try:
                action = parse_action(position.game, position.words, position.legal_actions, text)
            except GameError:
                raise EngineError(
                    self.name, f"it answered '{text}', which is not a legal move in {position.text}"
                ) from None
        except ResignationError:  # it is well, and ready for the next game
            raise
        except EngineError:
            self.close()
            raise
        self._actions.append(action)
        return action

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            engine, self._engine, self._game = self._engine, None, None
            engine.close()

    def _bring_to(self, position: Position) -> None:
        """Send the engine the moves that lead to a position."""
        game, actions = position.game, list(position.actions)
        first = position.history[0]
        knows = self._engine is not None and is_same_game(self._game, game)
        if not knows or actions[: len(self._actions)] != self._actions:
            self._reset(game)
        if first != Position.start(game):
            raise EngineError(self.name, f"GTP cannot set up {first.text}: no game begins there")
        for each in position.history[len(self._actions) + 1 :]:
            assert each.previous is not None
            assert each.action is not None
            self._ask(f"play {each.previous.turn} {format_move(game, each.action)}")
            self._actions.append(each.action)

    def _guarded_reset(self, game: Game) -> None:
        try:
            self._reset(game)
        except EngineError:
            self.close()
            raise

    def _reset(self, game: Game) -> None:
        """Start the engine if needed, and set up the start position on the right board."""
        usual = getattr(game, "setup", CHEQUERED) == CHEQUERED
        if not usual or starts_at_random(game) or isinstance(action_space(game), Arcs):
            raise PlayerError(f"GTP engines play only from usual starts, not {describe(game)}")
        if self._engine is None:
            self._engine = Engine(self.name, self.command)
            version = self._ask("protocol_version").strip()
            if version != "2":
                raise EngineError(self.name, f"it speaks GTP version '{version}', expected 2")
        rows, cols = shape(game)
        if rows == cols:
            self._ask(f"boardsize {rows}")
        else:
            self._ask(f"rectangular_boardsize {cols} {rows}")
        self._ask("clear_board")
        if isinstance(game, Go):
            self._ask(f"komi {format_halves(game.half_komi)}")
        self._game, self._actions = game, []

    def _ask(self, command: str) -> str:
        """Its answer to a command: the text after =, up to an empty line."""
        assert self._engine is not None
        self._engine.send(command)
        lines = self._engine.read_until(_Ending(), self.seconds)
        answer = " ".join(line.strip() for line in lines if line.strip())
        if not answer.startswith("="):
            raise EngineError(self.name, f"it answered '{answer}' to '{command}'")
        return re.sub(r"^=\d*\s*", "", answer)


class _Ending:
    """Finds the empty line that ends an answer; those before the answer do not."""

    def __init__(self) -> None:
        self.has_begun = False

    def __call__(self, line: str) -> bool:
        self.has_begun = self.has_begun or bool(line.strip())
        return self.has_begun and not line.strip()


def make_gtp_player(name: str, rest: str) -> Player:
    """``gtp:COMMAND``, or ``gtp:COMMAND@30s`` to time out after 30 seconds."""
    match = re.fullmatch(r"(.*)@([1-9]\d{0,5})s", rest)
    if match is None:
        return GtpPlayer(name, split_command(name, rest))
    return GtpPlayer(name, split_command(name, match[1]), float(match[2]))
