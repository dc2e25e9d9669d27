"""The game that a GTP engine is asked about: what controllers may do to it beside playing moves.

GTP was made for Go. There a colour may move twice in a row, and a game may continue after two
passes; the board is then set up anew, without its history. In other games that is illegal.
"""

import dataclasses
from collections.abc import Callable, Sequence

from zerolab.errors import UsageError
from zerolab.games.base import Game, GameError, check, num_players, shape
from zerolab.games.catalogue import describe
from zerolab.games.clobber import CHEQUERED, RANDOM
from zerolab.games.go import Go, area_lead
from zerolab.games.notation import action_space, format_halves, format_move
from zerolab.games.position import Colour, Position
from zerolab.records.recorded_game import RecordedGame


class GtpGame:
    """Positions from the first to the last, so that any change can be undone."""

    def __init__(self, game: Game, check_player: Callable[[Game], None], seed: int = 0) -> None:
        """`check_player` raises a UsageError for a game that the player cannot play."""
        check_player(game)
        self._check_player = check_player
        self._seed = seed
        self._positions = [Position.start(game, seed)]

    @property
    def position(self) -> Position:
        """The current one."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """Its rules."""
        return self.position.game

    @property
    def is_go(self) -> bool:
        """Whether GTP's rules of Go apply."""
        return isinstance(self.game, Go)

    def resize(self, rows: int, cols: int) -> None:
        """Begin a new game on a board of another size."""
        game = self.game
        if (rows, cols) != shape(game):
            setup = getattr(game, "setup", CHEQUERED)
            if "rows" not in game._fields or setup not in (CHEQUERED, RANDOM):
                raise GameError(f"the board of {describe(game)} has a fixed size")
            game = game._replace(rows=rows, cols=cols)
            check(game)
            self._check_player(game)
        self._begin(game)

    def clear(self) -> None:
        """Begin a new game; where starts are drawn at random, with another start."""
        self._begin(self.game)

    def _begin(self, game: Game) -> None:
        self._seed += 1
        self._positions = [Position.start(game, self._seed)]

    def set_komi(self, half_komi: int) -> None:
        """Change the komi; the board stays as it is."""
        game = self.game._replace(half_komi=half_komi)
        check(game)
        self._check_player(game)
        changed: dict[int, Position] = {}
        self._positions = [_with_rules(each, game, changed) for each in self._positions]

    def turn_of(self, colour: Colour) -> Position:
        """The position, in which this colour is to move; a GameError if that cannot be."""
        position = self.position
        if self.is_go and (position.is_over or position.turn != colour):
            return Position.parse(position.game, position.text, colour)
        if position.is_over:
            raise GameError("the game is over")
        if num_players(self.game) == 2 and position.turn != colour:
            raise GameError(f"it is {position.turn}'s turn")
        return position

    def play(self, colour: Colour, text: str) -> None:
        """Make a move; a GameError says why it is not legal."""
        position = self.turn_of(colour)
        action = action_space(self.game).parse(text)
        if action not in position.legal_actions:
            raise GameError(f"{format_move(self.game, action)} is not legal here")
        self._positions.append(position.after(action))

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if len(self._positions) == 1:
            return False
        self._positions.pop()
        return True

    def set_up(self, stones: Sequence[str]) -> None:
        """Put Black's handicap stones on an empty board of Go; White moves next."""
        game, points = self.game, action_space(self.game)
        cells = [points.parse(each) for each in stones]
        rows, cols = shape(game)
        if any(cell >= rows * cols for cell in cells) or len(set(cells)) < len(cells):
            raise GameError("handicap stones are put on different points")
        if set(self.position.text) & {"x", "o"}:
            raise GameError("the board is not empty")
        symbols = ["x" if cell in cells else "." for cell in range(rows * cols)]
        lines = ["".join(symbols[row * cols : (row + 1) * cols]) for row in range(rows)]
        self._positions.append(Position.parse(game, "|".join(lines), "white"))

    def load(self, recorded: RecordedGame, count: int | None) -> None:
        """Take over a recorded game, up to `count` moves of it."""
        if type(recorded.game) is not type(self.game):
            raise UsageError(f"it is a game of {describe(recorded.game)}")
        self._check_player(recorded.game)
        moves = recorded.actions if count is None else recorded.actions[:count]
        self._positions = list(recorded._replace(actions=moves).position().history)

    def score(self) -> str:
        """The result of a game of Go, by the area that stones on the board have."""
        halves = 2 * area_lead(self.game, self.position.words) - self.game.half_komi
        if halves == 0:
            return "0"
        return f"{'B' if halves > 0 else 'W'}+{format_halves(abs(halves))}"

    def strings(self) -> list[list[str]]:
        """The connected stones of one colour each, as names."""
        rows, cols = shape(self.game)
        text = self.position.text.replace("|", "")
        left = {cell for cell in range(rows * cols) if text[cell] != "."}
        found = []
        while left:
            string, rim = [], [min(left)]
            left.discard(rim[0])
            while rim:
                cell = rim.pop()
                string.append(format_move(self.game, cell))
                row, col = divmod(cell, cols)
                for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                    near = (row + down) * cols + col + right
                    if 0 <= col + right < cols and near in left and text[near] == text[cell]:
                        left.discard(near)
                        rim.append(near)
            found.append(sorted(string))
        return found


def _with_rules(position: Position, game: Game, changed: dict[int, Position]) -> Position:
    """A position and those before it with other rules; `changed` has those done before, by id."""
    chain, each = [], position
    while id(each) not in changed:
        chain.append(each)
        if each.previous is None:
            break
        each = each.previous
    previous = changed.get(id(each))
    for each in reversed(chain):
        previous = dataclasses.replace(each, game=game, previous=previous)
        changed[id(each)] = previous
    return changed[id(position)]


def handicap_points(game: Game, count: int) -> list[str]:
    """Where handicap stones are put (GTP 2, 4.1.1); a GameError where there is no such place."""
    most = most_handicap(game)
    if not 2 <= count <= most:
        allowed = f"2 to {most}" if most else "no"
        raise GameError(f"{count} handicap stones have no place; this board has {allowed} places")
    rows, cols = shape(game)
    low, middle, high = zip(_lines_of(rows), _lines_of(cols), strict=True)
    corners = [(low[0], low[1]), (high[0], high[1]), (high[0], low[1]), (low[0], high[1])]
    sides = [(middle[0], low[1]), (middle[0], high[1]), (low[0], middle[1]), (high[0], middle[1])]
    points = (corners + sides)[: count if count in (2, 3, 4, 6, 8) else count - 1]
    if count in (5, 7, 9):
        points.append(middle)
    # Row 0 is at the top, as everywhere.
    return [format_move(game, (rows - 1 - row) * cols + col) for row, col in points]


def most_handicap(game: Game) -> int:
    """How many handicap stones have a place on a board; 0 if none have."""
    rows, cols = shape(game)
    if min(rows, cols) < 7:
        return 0
    return 4 if rows % 2 == 0 or cols % 2 == 0 or 7 in (rows, cols) else 9


def _lines_of(size: int) -> tuple[int, int, int]:
    """The lines of handicap points, from the edge."""
    low = 2 if size < 12 else 3  # as in GNU Go
    return low, size // 2, size - 1 - low
