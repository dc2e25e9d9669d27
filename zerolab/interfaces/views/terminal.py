"""A game in the terminal: the board, a prompt, and what a person may type at it."""

from rich.text import Text

from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import Player, check_player, close_player
from zerolab.games.base import (
    BLACK,
    WHITE,
    Game,
    GameError,
    State,
    num_players,
    player_to_move,
    shape,
    step,
)
from zerolab.games.boards.stones import EMPTY, stone_at
from zerolab.games.catalogue import describe
from zerolab.games.notation import (
    COLOUR_NAMES,
    Arcs,
    action_space,
    column_letter,
    format_move,
    format_position,
    legal_list,
    parse_move,
)
from zerolab.interfaces.views.output import Output
from zerolab.kernels.rng import Stream
from zerolab.search.playouts import value_for

HELP = """\
Type a move, such as {example}, or
  moves    list the legal moves         undo     take back your last move
  board    draw the board again         resign   give the game up
  help     show this                    quit     leave without a result (Ctrl-D)"""

SYMBOLS = {EMPTY: "·", BLACK: "●", WHITE: "○"}
STYLES = {EMPTY: "dim", BLACK: "bold cyan", WHITE: "bold yellow"}


class ResignedError(Exception):
    """Somebody gave the game up."""


class LeftError(Exception):
    """Somebody left; the game has no result."""


class TerminalGame:
    """One game between people at the terminal and players by name."""

    def __init__(
        self, out: Output, game: Game, start: State, names: tuple[str, str], rng: Stream
    ) -> None:
        self.out = out
        self.game = game
        self.names = names
        self.players: list[Player | None] = [
            None if name == "human" else make_player(name) for name in names
        ]
        self.rng = rng
        self.states = [start]
        self.actions: list[int] = []

    def play(self) -> None:
        """Play until the game ends, somebody resigns or leaves, and say what came out."""
        players = [player for player in self.players if player is not None]
        try:
            for player in players:
                check_player(player, self.game)
            self.play_moves()
        finally:
            for player in players:
                close_player(player)

    def play_moves(self) -> None:
        """The same, with players that can play this game."""
        who = f"black ● {self.names[0]}, white ○ {self.names[1]}"
        self.say(f"{describe(self.game)}: {who if self.is_contest() else self.names[0]}")
        if None in self.players:
            self.show_help()
        try:
            while self.legal():
                self.show_board()
                action = self.ask() if self.player() is None else self.reply()
                if action is not None:
                    self.push(action)
            self.show_board()
            result = self.outcome()
            moves = "1 move" if len(self.actions) == 1 else f"{len(self.actions)} moves"
            self.say(f"the game is over after {moves}: {result}")
        except ResignedError:
            result = f"{COLOUR_NAMES[1 - self.turn()]} wins" if self.is_contest() else "resigned"
            self.say(f"{self.colour()} resigns: {result}")
        except LeftError:
            result = "unfinished"
            self.say("left; the game has no result")
        self.out.result(
            {
                "game": describe(self.game),
                "black": self.names[0],
                "white": self.names[1],
                "moves": [format_move(self.game, action) for action in self.actions],
                "position": format_position(self.game, self.states[-1]),
                "result": result,
            }
        )

    def ask(self) -> int | None:
        """The move that somebody types, or None if a move was taken back instead."""
        while True:
            self.out.console.print(f"{self.colour()} to move> ", end="")
            try:
                text = input().strip().lower()
            except (EOFError, KeyboardInterrupt):
                self.say("")
                raise LeftError from None
            if text == "quit":
                raise LeftError
            if text == "resign":
                raise ResignedError
            if text == "undo":
                if self.undo():
                    return None
                self.say("there is nothing to take back")
            elif text == "moves":
                self.say(" ".join(format_move(self.game, action) for action in self.legal()))
            elif text == "board":
                self.show_board()
            elif text in ("help", "?"):
                self.show_help()
            elif text:
                try:
                    return parse_move(self.game, self.states[-1], text)
                except GameError as error:
                    self.say(str(error))

    def reply(self) -> int:
        """The move of a player by name."""
        player = self.player()
        assert player is not None
        doubts = getattr(player, "doubtful_moves", 0)
        action = player.choose(self.game, self.states[-1].copy(), self.rng)
        is_doubtful = getattr(player, "doubtful_moves", 0) > doubts
        remark = " (not settled within its budget)" if is_doubtful else ""
        self.say(f"{self.colour()} plays {format_move(self.game, action)}{remark}")
        return action

    def push(self, action: int) -> None:
        """Play a move."""
        state = self.states[-1].copy()
        step(self.game, state, action)
        self.states.append(state)
        self.actions.append(action)

    def undo(self) -> bool:
        """Go back to before the last move that a person made; False if there is none."""
        for index in reversed(range(len(self.actions))):
            if self.players[self.turn(index)] is None:
                del self.states[index + 1 :], self.actions[index:]
                return True
        return False

    def legal(self) -> list[int]:
        """The legal actions now."""
        return legal_list(self.game, self.states[-1])

    def turn(self, index: int = -1) -> int:
        """Who is to move in a position; in a puzzle always the first player."""
        return player_to_move(self.states[index]) if self.is_contest() else BLACK

    def colour(self) -> str:
        """The colour to move, in a puzzle too."""
        return COLOUR_NAMES[player_to_move(self.states[-1])]

    def player(self) -> Player | None:
        """Who is to move now; None is a person."""
        return self.players[self.turn()]

    def is_contest(self) -> bool:
        """Whether there are two players."""
        return num_players(self.game) == 2

    def outcome(self) -> str:
        """The result of a finished game in words."""
        value = value_for(self.game, self.states[-1], BLACK)
        if not self.is_contest():
            return f"value {value:.3f}, where 1 is perfect"
        return "a draw" if value == 0 else f"{COLOUR_NAMES[BLACK if value > 0 else WHITE]} wins"

    def say(self, text: str) -> None:
        """Print a line."""
        self.out.console.print(text)

    def show_board(self) -> None:
        """Draw the position."""
        self.out.console.print(draw_board(self.game, self.states[-1]))

    def show_help(self) -> None:
        """What can be typed."""
        self.say(HELP.format(example=format_move(self.game, (self.legal() or [0])[0])))


def draw_board(game: Game, state: State) -> Text:
    """The board with its coordinates; a graph as its vertices in a row."""
    rows, cols = shape(game)
    text = Text()
    stones = [stone_at(game, state, cell) for cell in range(rows * cols)]
    if isinstance(action_space(game), Arcs):
        for vertex, stone in enumerate(stones):
            text.append(f"{vertex}", "dim").append(f"{SYMBOLS[stone]} ", STYLES[stone])
        return text
    for row in range(rows):
        text.append(f"{rows - row:>3} ", "dim")
        for stone in stones[row * cols : (row + 1) * cols]:
            text.append(f"{SYMBOLS[stone]} ", STYLES[stone])
        text.append("\n")
    text.append("    " + " ".join(column_letter(col) for col in range(cols)), "dim")
    return text
