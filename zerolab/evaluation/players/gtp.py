"""Engines that speak GTP, the Go Text Protocol, as players: ``gtp:COMMAND``.

What is sent: `protocol_version` (2 is expected), `boardsize 5` or, for a board that is no square,
`rectangular_boardsize COLS ROWS` as KataGo has it, `clear_board`, then for each move of a game
`play black b5b4` or `genmove white`. Moves are texts in our notation (games/notation.py): in
Clobber the two cells without a space, as in `b5b4`; in Othello and Gobang one cell, `d3`, or
`pass`; in Connect Four the column, `d`. No letter is left out, unlike in Go. Black moves first.
After `clear_board` the game is at its usual start: on a chequered board Black owns the top-left
square.

GTP has no command for a position, so the bridge finds out by which moves it came about: from the
position that the engine is in, or else from the start. An engine that resigns has not finished the
game; that counts as a failure. `gtp:COMMAND@30s` gives up after 30 seconds without an answer.
"""

import re

from zerolab.evaluation.players.engine_process import Engine, split_command
from zerolab.evaluation.players.protocol import EngineError, Player, PlayerError, is_same_game
from zerolab.games.base import Game, GameError, State, player_to_move, shape, step
from zerolab.games.boards.stones import EMPTY, initial_state, starts_at_random, stone_at
from zerolab.games.catalogue import describe
from zerolab.games.clobber import CHEQUERED
from zerolab.games.notation import (
    COLOUR_NAMES,
    Arcs,
    action_space,
    format_move,
    format_position,
    legal_list,
    parse_move,
)
from zerolab.kernels.rng import Stream, stream

ANSWER_SECONDS = 60.0
MOST_POSITIONS = 20_000  # looked at on the way to one


class GtpPlayer:
    """An engine; it starts when it is first needed, and anew after it failed."""

    def __init__(self, name: str, command: list[str], seconds: float = ANSWER_SECONDS) -> None:
        self.name = name
        self.command = command
        self.seconds = seconds
        self._engine: Engine | None = None
        self._game: Game | None = None
        self._state: State | None = None  # the position that the engine is in

    def check(self, game: Game) -> None:
        """Start it and see whether it takes the board."""
        self._guarded_reset(game)

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """The engine's move, if it is legal."""
        try:
            self._bring_to(game, state)
            text = self._ask(f"genmove {COLOUR_NAMES[player_to_move(state)]}").strip().lower()
            try:
                action = parse_move(game, state, text)
            except GameError:
                position = format_position(game, state)
                raise EngineError(
                    self.name, f"it answered '{text}', which is no move in {position}"
                ) from None
        except EngineError:
            self.close()
            raise
        self._state = state.copy()
        step(game, self._state, action)
        return action

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            engine, self._engine, self._game = self._engine, None, None
            engine.close()

    def _bring_to(self, game: Game, state: State) -> None:
        """Have the engine play the moves that lead to a position."""
        moves = None
        if self._engine is not None and self._state is not None and is_same_game(self._game, game):
            moves = find_moves(game, self._state, state)
        if moves is None:
            self._reset(game)
            assert self._state is not None
            moves = find_moves(game, self._state, state)
        if moves is None:
            position = format_position(game, state)
            raise EngineError(
                self.name, f"GTP cannot tell it of {position}: no moves found that lead there"
            )
        for action in moves:
            assert self._state is not None
            colour = COLOUR_NAMES[player_to_move(self._state)]
            self._ask(f"play {colour} {format_move(game, action)}")
            step(game, self._state, action)

    def _guarded_reset(self, game: Game) -> None:
        try:
            self._reset(game)
        except EngineError:
            self.close()
            raise

    def _reset(self, game: Game) -> None:
        """An empty board of the right size, in an engine that runs."""
        usual = getattr(game, "start", CHEQUERED) == CHEQUERED
        if not usual or starts_at_random(game) or isinstance(action_space(game), Arcs):
            raise PlayerError(f"engines over GTP know only usual starts, not {describe(game)}")
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
        self._game, self._state = game, initial_state(game, stream(0))

    def _ask(self, command: str) -> str:
        """What it answers to a command: text after =, up to an empty line."""
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


def find_moves(game: Game, start: State, goal: State) -> list[int] | None:
    """Moves that lead from one position to another, or None if there are none or too many ways."""
    wanted, stones = goal.tobytes(), _stones(game, goal)
    if start.tobytes() == wanted:
        return []
    takes = _takes_stones(game, start)
    seen: set[bytes] = set()

    def search(state: State) -> list[int] | None:
        for action in legal_list(game, state):
            after = state.copy()
            step(game, after, action)
            key = after.tobytes()
            if key == wanted:
                return [action]
            if key in seen or not _may_become(_stones(game, after), stones, takes):
                continue
            if len(seen) == MOST_POSITIONS:
                return None
            seen.add(key)
            rest = search(after)
            if rest is not None:
                return [action, *rest]
        return None

    return search(start)


def _may_become(stones: list[int], goal: list[int], takes: bool) -> bool:
    """Whether a position can be on the way to another.

    Where moves take stones, as in Clobber, empty cells stay empty, each move makes one more, and
    changes one other cell. Elsewhere cells that are full stay full.
    """
    if not takes:
        return all(b != EMPTY for a, b in zip(stones, goal, strict=True) if a != EMPTY)
    moves = goal.count(EMPTY) - stones.count(EMPTY)
    wrong = sum(a != b for a, b in zip(stones, goal, strict=True))
    return wrong <= 2 * moves and all(
        b == EMPTY for a, b in zip(stones, goal, strict=True) if a == EMPTY
    )


def _takes_stones(game: Game, state: State) -> bool:
    """Whether a move leaves more cells empty than before."""
    after = state.copy()
    for action in legal_list(game, state)[:1]:
        step(game, after, action)
    return _stones(game, after).count(EMPTY) > _stones(game, state).count(EMPTY)


def _stones(game: Game, state: State) -> list[int]:
    rows, cols = shape(game)
    return [int(stone_at(game, state, cell)) for cell in range(rows * cols)]


def make_gtp_player(name: str, rest: str) -> Player:
    """``gtp:COMMAND``, or ``gtp:COMMAND@30s`` to give up after so long without an answer."""
    match = re.fullmatch(r"(.*)@([1-9]\d{0,5})s", rest)
    if match is None:
        return GtpPlayer(name, split_command(name, rest))
    return GtpPlayer(name, split_command(name, match[1]), float(match[2]))
