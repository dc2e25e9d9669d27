"""A game in the terminal: the board, a prompt, and what a person may type at it."""

from rich.text import Text

from zerolab.experiments.game_session import GameSession
from zerolab.games.base import BLACK, WHITE, Game, GameError, State, shape
from zerolab.games.boards.stones import EMPTY, picture_text, stone_at
from zerolab.games.catalogue import describe
from zerolab.games.notation import Arcs, action_space
from zerolab.interfaces.views.output import Output

HELP = """\
Type a move, such as {example}, or
  moves    list the legal moves         undo     take back your last move
  board    draw the board again         resign   give the game up
  help     show this                    quit     leave without a result (Ctrl-D)"""

SYMBOLS = {EMPTY: "·", BLACK: "●", WHITE: "○"}
STYLES = {EMPTY: "dim", BLACK: "bold cyan", WHITE: "bold yellow"}


class TerminalGame:
    """A session played in the terminal."""

    def __init__(self, out: Output, session: GameSession) -> None:
        self.out = out
        self.session = session

    def play(self) -> None:
        """Play until the game ends or a person resigns or quits, and show the result."""
        session = self.session
        try:
            session.prepare()
            self._play_moves()
        finally:
            session.close()
        self.out.result(
            {
                "game": describe(session.position.game),
                "black": session.names[0],
                "white": session.names[1],
                "moves": list(session.moves),
                "position": session.position.text,
                "result": session.result,
            }
        )

    def _play_moves(self) -> None:
        session = self.session
        black, white = session.names
        who = f"black ● {black}, white ○ {white}" if session.is_contest else black
        self._say(f"{describe(session.position.game)}: {who}")
        if session.has_people:
            self._show_help()
        while not session.is_over:
            self._show_board()
            if not session.is_for_a_person:
                self._reply()
            elif not self._ask():
                return
        self._show_board()
        count = len(session.moves)
        moves = "1 move" if count == 1 else f"{count} moves"
        self._say(f"the game is over after {moves}: {session.result}")

    def _reply(self) -> None:
        """The move of a player by name."""
        before = self.session.position
        is_sure = self.session.reply()
        if self.session.position is before:
            self._say(f"{before.turn} resigns")
            return
        remark = "" if is_sure else " (not settled within its budget)"
        self._say(f"{before.turn} plays {self.session.moves[-1]}{remark}")

    def _ask(self) -> bool:
        """Let a person move or undo a move; return whether the game continues."""
        session = self.session
        while True:
            self.out.console.print(f"{session.position.turn} to move> ", end="")
            try:
                typed = input().strip()
            except (EOFError, KeyboardInterrupt):
                self._say("")
                typed = "quit"
            text = typed.lower()
            if text == "quit":
                self._say("left; the game has no result")
                return False
            if text == "resign":
                colour = session.position.turn
                session.resign()
                self._say(f"{colour} resigns: {session.result}")
                return False
            if text == "undo":
                if session.undo():
                    return True
                self._say("there is nothing to take back")
            elif text == "moves":
                self._say(" ".join(session.position.legal_moves))
            elif text == "board":
                self._show_board()
            elif text in ("help", "?"):
                self._show_help()
            elif text:
                try:
                    session.play(typed if typed in session.position.legal_moves else text)
                    return True
                except GameError as error:
                    self._say(str(error))

    def _say(self, text: str) -> None:
        self.out.console.print(text)

    def _show_board(self) -> None:
        position = self.session.position
        self.out.console.print(draw_board(position.game, position.words))

    def _show_help(self) -> None:
        """What can be typed."""
        moves = self.session.position.legal_moves or ("a move",)
        self._say(HELP.format(example=moves[0]))


def draw_board(game: Game, state: State) -> Text:
    """The board with its coordinates; a graph as its vertices in a row."""
    if picture_text(game, state):
        return Text(picture_text(game, state))
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
    text.append("    " + " ".join(action_space(game).letters[:cols]), "dim")
    return text
