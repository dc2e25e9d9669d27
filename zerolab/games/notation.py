"""Coordinates and text. No other module does this arithmetic.

| system   | example     | meaning                                                            |
| -------- | ----------- | ------------------------------------------------------------------ |
| cell     | 5           | row * cols + col, counted from the top-left                        |
| point    | (1, 1)      | row and column, from zero, row 0 at the top                        |
| name     | b3          | column letter, then row number, row 1 at the bottom; Go has no i   |
| action   | 20          | a number below `num_actions`; what it means is the action space's  |
| move     | b3b4        | an action as text                                                  |
| position | xoxo|ox..   | rows from the top joined by |, x Black, o White, . empty            |
| FEN      | PpPp/pP2 w  | rows from the top, numbers for empty cells; our Black is White, P  |
"""

import re
import string
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from zerolab.games.base import (
    BLACK,
    WHITE,
    Game,
    GameError,
    State,
    check,
    legal_actions,
    shape,
    step,
)
from zerolab.games.boards.stones import EMPTY, complete, put_stone, state_words, stone_at
from zerolab.kernels.compiling import generic

STONES = {"x": BLACK, "o": WHITE, ".": EMPTY}
SYMBOLS = {stone: symbol for symbol, stone in STONES.items()}
COLOUR_NAMES = ("black", "white")
LETTERS = string.ascii_lowercase
GO_LETTERS = LETTERS.replace("i", "")  # too much like l in print
FEN_SIDES = {"black": "w", "white": "b"}
DIRECTIONS = ((-1, 0), (0, -1), (1, 0), (0, 1))  # up, left, down, right (damhuis, section 4.2)

Point = tuple[int, int]


class Board(NamedTuple):
    """A rectangle of cells and their names."""

    rows: int
    cols: int
    letters: str = LETTERS
    """Of the columns; there may be more than columns."""

    def name(self, point: Point) -> str:
        """The name of a point on the board."""
        return f"{self.letters[point[1]]}{self.rows - point[0]}"

    def parse(self, text: str) -> Point:
        """The point that a name means."""
        letter, number = text[:1], text[1:]
        col = parse_column(letter, self.letters[: self.cols], text)
        row = parse_number(number)
        if row is None or not 1 <= row <= self.rows:
            raise GameError(
                f"'{number}' in '{text}' is not a row: after the column letter comes a number "
                f"from 1 to {self.rows}"
            )
        return self.rows - row, col


def parse_number(text: str) -> int | None:
    """A whole number in plain digits, not too long, or None."""
    plain = text.isascii() and text.isdigit() and len(text) <= 9
    return int(text) if plain and str(int(text)) == text else None


def parse_column(letter: str, letters: str, text: str) -> int:
    """The column of a letter, out of those of the board; `text` is the whole input, for errors."""
    if len(letter) != 1 or letter not in letters:
        skipped = "" if letters in LETTERS else " except i"
        raise GameError(
            f"'{letter}' in '{text}' is not a column: expected a letter from a to "
            f"{letters[-1]}{skipped}"
        )
    return letters.index(letter)


class ActionSpace(Protocol):
    """What the numbers of a game's actions mean."""

    @property
    def size(self) -> int:
        """A: how many actions there are, legal or not."""

    @property
    def letters(self) -> str:
        """The letters of the columns; none on a graph."""

    def text(self, action: int) -> str:
        """An action as a move."""

    def parse(self, text: str) -> int:
        """A move as an action, legal or not."""

    def points(self, action: int) -> tuple[Point, ...]:
        """The points that define an action; symmetries move them, even off the board."""


class Cells(NamedTuple):
    """Action = cell, as in Gobang; where `can_pass` is set one more is a pass, as in Othello."""

    rows: int
    cols: int
    can_pass: bool = False
    letters: str = LETTERS

    @property
    def size(self) -> int:
        return self.rows * self.cols + self.can_pass

    def text(self, action: int) -> str:
        if action == self.rows * self.cols:
            return "pass"
        return Board(self.rows, self.cols, self.letters).name(divmod(action, self.cols))

    def parse(self, text: str) -> int:
        if self.can_pass and text == "pass":
            return self.rows * self.cols
        row, col = Board(self.rows, self.cols, self.letters).parse(text)
        return row * self.cols + col

    def points(self, action: int) -> tuple[Point, ...]:
        return () if action == self.rows * self.cols else (divmod(action, self.cols),)


class Columns(NamedTuple):
    """Action = column, as in Connect Four. A point of the top row stands for it."""

    cols: int

    @property
    def size(self) -> int:
        return self.cols

    @property
    def letters(self) -> str:
        return LETTERS

    def text(self, action: int) -> str:
        return self.letters[action]

    def parse(self, text: str) -> int:
        return parse_column(text, self.letters[: self.cols], text)

    def points(self, action: int) -> tuple[Point, ...]:
        return ((0, action),)


class Steps(NamedTuple):
    """Action = cell * 4 + direction, to a neighbour up, left, down or right, as in Clobber."""

    rows: int
    cols: int

    @property
    def size(self) -> int:
        return self.rows * self.cols * 4

    @property
    def letters(self) -> str:
        return LETTERS

    def text(self, action: int) -> str:
        board = Board(self.rows, self.cols)
        source, target = self.points(action)
        return board.name(source) + board.name(target)

    def parse(self, text: str) -> int:
        board = Board(self.rows, self.cols)
        # The second name begins at the second letter.
        middle = next((i for i in range(1, len(text)) if text[i].isalpha()), len(text))
        if middle == len(text):
            example = "a1b1" if self.cols > 1 else "a1a2"
            raise GameError(f"'{text}' is not a move: expected two cells, such as {example}")
        (row, col), (to_row, to_col) = board.parse(text[:middle]), board.parse(text[middle:])
        if (to_row - row, to_col - col) not in DIRECTIONS:
            raise GameError(
                f"'{text}' is not a move: {text[middle:]} is not a neighbour of {text[:middle]}"
            )
        return (row * self.cols + col) * 4 + DIRECTIONS.index((to_row - row, to_col - col))

    def points(self, action: int) -> tuple[Point, ...]:
        row, col = divmod(action // 4, self.cols)
        down, right = DIRECTIONS[action % 4]
        return (row, col), (row + down, col + right)


class Arcs(NamedTuple):
    """Action = 2 * edge + direction on a graph: from the lower vertex to the higher, or back."""

    edges: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        return 2 * len(self.edges)

    @property
    def letters(self) -> str:
        return ""

    def text(self, action: int) -> str:
        (_, source), (_, target) = self.points(action)
        return f"{source}-{target}"

    def parse(self, text: str) -> int:
        source, target = parse_edge(text)
        edge = (min(source, target), max(source, target))
        if edge not in self.edges:
            raise GameError(f"'{text}' is not a move: the graph has no edge {edge[0]}-{edge[1]}")
        return 2 * self.edges.index(edge) + (source > target)

    def points(self, action: int) -> tuple[Point, ...]:
        source, target = self.edges[action // 2]
        return ((0, target), (0, source)) if action % 2 else ((0, source), (0, target))


class Numbers(NamedTuple):
    """Actions that lie nowhere on a board; their own texts depend on the position (move_text)."""

    size: int

    @property
    def letters(self) -> str:
        return ""

    def text(self, action: int) -> str:
        return str(action)

    def parse(self, text: str) -> int:
        number = parse_number(text)
        if number is None:
            raise GameError(f"'{text}' is not a move: expected a number below {self.size}")
        return number

    def points(self, action: int) -> tuple[Point, ...]:
        return ((0, action),)


def parse_edge(text: str) -> tuple[int, int]:
    """Two vertices joined by a hyphen."""
    parts = text.split("-")
    if len(parts) != 2:
        raise GameError(f"'{text}' is not an edge: expected two vertices, such as 0-1")
    vertices = []
    for part in parts:
        vertex = parse_number(part)
        if vertex is None:
            raise GameError(f"'{part}' in '{text}' is not a vertex: vertices are numbers from 0")
        vertices.append(vertex)
    return vertices[0], vertices[1]


@generic
def action_space(game: Game) -> ActionSpace:
    """What the numbers of this game's actions mean."""
    raise TypeError("this game binds no rule action_space")


def has_board(game: Game) -> bool:
    """Whether actions lie on rows and columns; on a graph there are none."""
    return not isinstance(action_space(game), Arcs | Numbers)


def num_actions(game: Game) -> int:
    """A: how many actions there are, legal or not."""
    return action_space(game).size


def legal_list(game: Game, state: State) -> list[int]:
    """The legal actions as a list, for use from Python."""
    actions = np.empty(num_actions(game), np.int64)
    return [int(action) for action in actions[: legal_actions(game, state, actions)]]


def format_move(game: Game, action: int) -> str:
    """An action as text."""
    return action_space(game).text(action)


@generic
def move_text(game: Game, state: State, action: int) -> str:
    """A legal action as text. Bound where the text depends on the position."""
    return format_move(game, action)


@generic
def move_action(game: Game, state: State, text: str) -> int:
    """The action of a text, legal or not. Bound together with `move_text`."""
    return action_space(game).parse(text)


def line_texts(game: Game, state: State, actions: Iterable[int]) -> list[str]:
    """Moves that are played one after the other, as texts."""
    after, texts = state.copy(), []
    for action in actions:
        texts.append(move_text(game, after, action))
        step(game, after, action)
    return texts


def parse_move(game: Game, state: State, text: str) -> int:
    """A legal action from its text."""
    return parse_action(game, state, legal_list(game, state), text)


def parse_action(game: Game, state: State, legal: Sequence[int], move: str | int) -> int:
    """One of the legal actions, given as text or as its number."""
    is_text = isinstance(move, str)
    action = move_action(game, state, move) if isinstance(move, str) else int(move)
    if action not in legal:
        moves = " ".join(move_text(game, state, each) if is_text else str(each) for each in legal)
        raise GameError(
            f"'{move}' is not legal here; legal moves: {moves or 'none, the game is over'}"
        )
    return action


@generic
def format_position(game: Game, state: State) -> str:
    """The position as text: its stones."""
    rows, cols = shape(game)
    symbols = [SYMBOLS[stone_at(game, state, cell)] for cell in range(rows * cols)]
    return "|".join("".join(symbols[row * cols : (row + 1) * cols]) for row in range(rows))


def parse_position(game: Game, text: str, player: int = BLACK) -> State:
    """The state of a position, given as text, with that player to move."""
    check(game)
    if player not in (BLACK, WHITE):
        raise GameError(f"player {player} is not possible; expected 0 (Black) or 1 (White)")
    return read_position(game, text, player)


@generic
def read_position(game: Game, text: str, player: int) -> State:
    """The state of a text that `format_position` could have written; bound together with it."""
    state = np.zeros(state_words(game), np.uint64)
    state[0] = player
    for cell, stone in enumerate(parse_stones(text, *shape(game))):
        if stone != EMPTY:
            put_stone(game, state, cell, stone)
    complete(game, state)
    return state


def parse_stones(text: str, rows: int, cols: int) -> list[int]:
    """What is on each cell of a position."""
    lines = text.split("|")
    if len(lines) != rows:
        raise GameError(f"'{text}' has {len(lines)} rows, expected {rows} (rows are joined by |)")
    stones = []
    for line in lines:
        if len(line) != cols:
            raise GameError(f"row '{line}' has {len(line)} cells, expected {cols}")
        for symbol in line:
            if symbol not in STONES:
                raise GameError(f"'{symbol}' in row '{line}' is not a cell: expected x, o or .")
            stones.append(STONES[symbol])
    return stones


def is_position(text: str) -> bool:
    """Whether a text is rows of cells, perhaps one, and no word such as ``random``."""
    return text != "" and set(text) <= {*STONES, "|"}


def size_of_position(text: str) -> tuple[int, int]:
    """Rows and columns of a position, according to its text."""
    lines = text.split("|")
    return len(lines), len(lines[0])


def format_fen(position: str, turn: str) -> str:
    """A Clobber position in Forsyth-Edwards notation, in which White moves first."""
    lines = [re.sub(r"\.+", lambda gap: str(len(gap[0])), line) for line in position.split("|")]
    stones = "/".join(lines).replace("x", "P").replace("o", "p")
    return f"{stones} {FEN_SIDES[turn]} - - 0 1"


def parse_fen(text: str, board: Board) -> tuple[str, str]:
    """The position and the colour to move; what follows these two in a FEN is not needed."""
    stones, side, *_ = [*text.split(), "", ""]
    turns = {letter: turn for turn, letter in FEN_SIDES.items()}
    if side not in turns:
        raise GameError(f"'{text}' is not a FEN: after the board comes w or b")
    lines = []
    for line in stones.split("/"):
        tokens = re.findall(r"[Pp]|[1-9][0-9]?", line)
        if "".join(tokens) != line:
            raise GameError(f"'{line}' is not a row of a FEN: expected P, p and numbers")
        cells = "".join("." * int(token) if token.isdigit() else token for token in tokens)
        if len(cells) != board.cols:
            raise GameError(f"row '{line}' has {len(cells)} cells, expected {board.cols}")
        lines.append(cells.replace("P", "x").replace("p", "o"))
    if len(lines) != board.rows:
        raise GameError(f"the FEN has {len(lines)} rows, expected {board.rows}")
    return "|".join(lines), turns[side]


def parse_size(text: str) -> tuple[int, int]:
    """ROWSxCOLS."""
    rows, cols = (parse_number(part) for part in text.partition("x")[::2])
    if rows is None or cols is None:
        raise GameError(f"'{text}' is not a size: expected ROWSxCOLS, such as 5x6")
    return rows, cols


def format_halves(halves: int) -> str:
    """A number of halves as a number: 15 is 7.5, 14 is 7."""
    return f"{halves // 2}{'.5' if halves % 2 else ''}"


def parse_halves(name: str, text: str) -> int:
    """A number of halves from a number; `name` is what it is for, for errors."""
    whole, point, rest = text.partition(".")
    number = parse_number(whole)
    if number is None or (point and rest not in ("0", "5")):
        raise GameError(f"{name}={text} is not possible; expected a number such as 7 or 7.5")
    return 2 * number + (rest == "5")
