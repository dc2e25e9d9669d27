"""Slow, obvious twins of the games: rules on nested lists of characters, moves as text.

They are written from the rules alone and share nothing with zerolab: cells are (row, col), row 0 at
the top; players are the characters x, who moves first, and o; `legal` lists moves in the order that
zerolab gives its actions.
"""

from abc import ABC, abstractmethod

from zerolab.games.base import Game
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire

Cell = tuple[int, int]

OTHER = {"x": "o", "o": "x"}
EIGHT_WAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Twin(ABC):
    """A board of characters and a player."""

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        self.board = [list(row) for row in text.split("|")]
        self.player = "x"

    def text(self) -> str:
        return "|".join("".join(row) for row in self.board)

    def cells(self) -> list[Cell]:
        return [(row, col) for row in range(len(self.board)) for col in range(len(self.board[0]))]

    def at(self, cell: Cell) -> str:
        """The character on a cell; a blank off the board."""
        row, col = cell
        if 0 <= row < len(self.board) and 0 <= col < len(self.board[0]):
            return self.board[row][col]
        return " "

    def put(self, cell: Cell, stone: str) -> None:
        self.board[cell[0]][cell[1]] = stone

    def name(self, cell: Cell) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[cell[1]] + str(len(self.board) - cell[0])

    def cell(self, name: str) -> Cell:
        return next(cell for cell in self.cells() if self.name(cell) == name)

    def count(self, stone: str) -> int:
        return sum(row.count(stone) for row in self.board)

    @abstractmethod
    def legal(self) -> list[str]: ...

    @abstractmethod
    def play(self, move: str) -> None: ...

    @abstractmethod
    def value(self) -> float:
        """What the end of the game is worth to the player to move."""


class ClobberTwin(Twin):
    """A stone takes a neighbour; who cannot move loses."""

    def may_move(self, stone: str) -> bool:
        return stone == self.player or (stone in "xo" and self.game.variant == IMPARTIAL)

    def may_take(self, stone: str, target: str) -> bool:
        return target == OTHER[stone] or (target == stone and self.game.variant == CANNIBAL)

    def steps(self) -> list[tuple[Cell, Cell]]:
        found = []
        for row, col in self.cells():
            stone = self.at((row, col))
            if self.may_move(stone):
                for target in ((row - 1, col), (row, col - 1), (row + 1, col), (row, col + 1)):
                    if self.may_take(stone, self.at(target)):
                        found.append(((row, col), target))
        return found

    def legal(self) -> list[str]:
        return [self.name(source) + self.name(target) for source, target in self.steps()]

    def play(self, move: str) -> None:
        source, target = self.steps()[self.legal().index(move)]
        self.put(target, self.at(source))
        self.put(source, ".")
        self.pass_turn()

    def pass_turn(self) -> None:
        self.player = OTHER[self.player]

    def value(self) -> float:
        return -1.0


class SolitaireTwin(ClobberTwin):
    """One player: 1 for one stone left, -1 for a full board, evenly between."""

    def may_move(self, stone: str) -> bool:
        return stone == self.player or (stone in "xo" and not self.game.alternate)

    def may_take(self, stone: str, target: str) -> bool:
        return target == OTHER[stone]

    def pass_turn(self) -> None:
        if self.game.alternate:
            self.player = OTHER[self.player]

    def value(self) -> float:
        cells = len(self.cells())
        left = self.count("x") + self.count("o")
        return ((cells - left) - (left - 1)) / (cells - 1)


class GraphClobberTwin(Twin):
    """Clobber across the edges of a graph, whose vertices are the cells of one row."""

    def __init__(self, game: GraphClobber, text: str) -> None:
        super().__init__(game, text)
        pairs = [pair.split("-") for pair in game.edges.replace(",", " ").split()]
        self.edges = {frozenset((int(one), int(two))) for one, two in pairs}

    def legal(self) -> list[str]:
        moves = []
        for one, two in sorted(tuple(sorted(edge)) for edge in self.edges):
            for source, target in ((one, two), (two, one)):
                here, there = self.board[0][source], self.board[0][target]
                if here == self.player and there == OTHER[self.player]:
                    moves.append(f"{source}-{target}")
        return moves

    def play(self, move: str) -> None:
        source, target = (int(vertex) for vertex in move.split("-"))
        self.board[0][target] = self.player
        self.board[0][source] = "."
        self.player = OTHER[self.player]

    def value(self) -> float:
        return -1.0


class OthelloTwin(Twin):
    """Enclosed stones turn over; a player without a move passes; most stones win."""

    def turned_by(self, cell: Cell, player: str) -> list[Cell]:
        turned = []
        for down, right in EIGHT_WAYS:
            line = []
            row, col = cell[0] + down, cell[1] + right
            while self.at((row, col)) == OTHER[player]:
                line.append((row, col))
                row, col = row + down, col + right
            if self.at((row, col)) == player:
                turned += line
        return turned

    def places(self, player: str) -> list[str]:
        return [
            self.name(cell)
            for cell in self.cells()
            if self.at(cell) == "." and self.turned_by(cell, player)
        ]

    def legal(self) -> list[str]:
        if self.places(self.player):
            return self.places(self.player)
        return ["pass"] if self.places(OTHER[self.player]) else []

    def play(self, move: str) -> None:
        if move != "pass":
            cell = self.cell(move)
            for each in [cell, *self.turned_by(cell, self.player)]:
                self.put(each, self.player)
        self.player = OTHER[self.player]

    def value(self) -> float:
        own, other = self.count(self.player), self.count(OTHER[self.player])
        return float(own > other) - float(own < other)


class LineTwin(Twin):
    """k in a row wins; a full board is a draw."""

    def has_line(self, stone: str) -> bool:
        for row, col in self.cells():
            for down, right in EIGHT_WAYS:
                line = [(row + i * down, col + i * right) for i in range(self.game.k)]
                if all(self.at(cell) == stone for cell in line):
                    return True
        return False

    def over(self) -> bool:
        return self.has_line("x") or self.has_line("o")

    def value(self) -> float:
        return float(self.has_line(self.player)) - float(self.has_line(OTHER[self.player]))


class GobangTwin(LineTwin):
    """Stones go anywhere."""

    def legal(self) -> list[str]:
        if self.over():
            return []
        return [self.name(cell) for cell in self.cells() if self.at(cell) == "."]

    def play(self, move: str) -> None:
        self.put(self.cell(move), self.player)
        self.player = OTHER[self.player]


class ConnectFourTwin(LineTwin):
    """Stones fall to the lowest empty cell of a column."""

    def legal(self) -> list[str]:
        if self.over():
            return []
        return [
            self.name((0, col))[0] for col in range(self.game.cols) if self.board[0][col] == "."
        ]

    def play(self, move: str) -> None:
        col = "abcdefghijklmnopqrstuvwxyz".index(move)
        empty = [row for row in range(self.game.rows) if self.board[row][col] == "."]
        self.put((max(empty), col), self.player)
        self.player = OTHER[self.player]


class GoTwin(Twin):
    """Groups without liberties are captured; no suicide, no repetition; the larger area wins."""

    def __init__(self, game: Go, text: str) -> None:
        super().__init__(game, text)
        self.earlier: list[str] = []
        self.moves: list[str] = []

    def name(self, cell: Cell) -> str:
        return "abcdefghjklmnopqrstuvwxyz"[cell[1]] + str(len(self.board) - cell[0])

    def neighbours(self, cell: Cell) -> list[Cell]:
        row, col = cell
        around = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
        return [other for other in around if self.at(other) != " "]

    def region(self, start: Cell) -> set[Cell]:
        """All cells with the same character that are connected with a cell."""
        found = {start}
        while True:
            edge = {other for cell in found for other in self.neighbours(cell)} - found
            more = {cell for cell in edge if self.at(cell) == self.at(start)}
            if not more:
                return found
            found |= more

    def bordering(self, region: set[Cell]) -> set[str]:
        """The characters next to a region."""
        return {self.at(other) for cell in region for other in self.neighbours(cell)} - {
            self.at(next(iter(region)))
        }

    def put_and_capture(self, cell: Cell) -> bool:
        """Put a stone and take what it captures; return whether it has a liberty then."""
        self.put(cell, self.player)
        for other in self.neighbours(cell):
            if self.at(other) == OTHER[self.player]:
                group = self.region(other)
                if "." not in self.bordering(group):
                    for each in group:
                        self.put(each, ".")
        return "." in self.bordering(self.region(cell))

    def is_legal(self, cell: Cell) -> bool:
        if self.at(cell) != ".":
            return False
        before = self.text()
        has_liberty = self.put_and_capture(cell)
        after = self.text()
        self.board = [list(row) for row in before.split("|")]
        return has_liberty and after not in self.earlier[-self.game.history :]

    def legal(self) -> list[str]:
        limit = self.game.limit or 2 * len(self.cells())
        if self.moves[-2:] == ["pass", "pass"] or len(self.moves) == limit:
            return []
        return [self.name(cell) for cell in self.cells() if self.is_legal(cell)] + ["pass"]

    def play(self, move: str) -> None:
        self.earlier.append(self.text())
        self.moves.append(move)
        if move != "pass":
            self.put_and_capture(self.cell(move))
        self.player = OTHER[self.player]

    def area(self, stone: str) -> int:
        regions = [self.region(cell) for cell in self.cells() if self.at(cell) == "."]
        enclosed = sum(self.bordering(region) == {stone} for region in regions)
        return self.count(stone) + enclosed

    def value(self) -> float:
        lead = self.area("x") - self.area("o") - self.game.half_komi / 2
        lead = lead if self.player == "x" else -lead
        return float(lead > 0) - float(lead < 0)


TWINS = {
    Clobber: ClobberTwin,
    Solitaire: SolitaireTwin,
    GraphClobber: GraphClobberTwin,
    Othello: OthelloTwin,
    ConnectFour: ConnectFourTwin,
    Gobang: GobangTwin,
    Go: GoTwin,
}


def twin_of(game: Game, text: str) -> Twin:
    """The twin of a game, with these stones and x to move."""
    return TWINS[type(game)](game, text)


def start_text(game: Game) -> str:
    """The position a game starts from, as far as it is not drawn by lot."""
    if isinstance(game, GraphClobber):
        return game.stones
    if getattr(game, "setup", "chequered") != "chequered":
        return str(game.setup)
    board = [["."] * game.cols for _ in range(game.rows)]
    if isinstance(game, Clobber | Solitaire):
        board = [["xo"[(r + c) % 2] for c in range(game.cols)] for r in range(game.rows)]
    if isinstance(game, Othello):
        middle = game.rows // 2
        board[middle - 1][middle - 1 : middle + 1] = "ox"
        board[middle][middle - 1 : middle + 1] = "xo"
    return "|".join("".join(row) for row in board)
