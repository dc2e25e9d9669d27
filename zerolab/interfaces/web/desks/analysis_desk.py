"""A position under analysis: what is set up, what searches and the solver say about it.

Whenever the position changes, everything that was being computed is cancelled and begins anew.
"""

from collections.abc import Callable
from typing import NamedTuple, Self

from zerolab.errors import UsageError
from zerolab.games.boards.board_picture import Arrow, Overlay
from zerolab.games.catalogue import GAMES, name_of
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.mcgs_notation import is_mcgs, parse_mcgs
from zerolab.games.notation import COLOUR_NAMES, size_of_position
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.desk import Desk, Fields, Snapshot
from zerolab.interfaces.web.game_shelf import parse_record, text_of
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.interfaces.web.workers.search_tasks import (
    AskNetwork,
    Opinion,
    SeenTree,
    Solve,
    ValuedPart,
    Values,
    Verdict,
    Watch,
)
from zerolab.interfaces.web.workers.search_worker import Task
from zerolab.interfaces.web.workers.worker_pool import Job, WorkerPool

SOLVER_SECONDS = 30.0
MOST_ARROWS = 5
NETWORK_COLOUR = "#CC79A7"
WINNING_COLOUR = "#009E73"
# Okabe and Ito's colours, lightened: stones must stand out on them.
PART_COLOURS = ("#8ec7ea", "#f6b98a", "#8fd6bd", "#e6bdd3", "#f3e391", "#b9b9c9")
NEXT_STONE = {".": "x", "x": "o", "o": "."}


class Wishes(NamedTuple):
    """What is to be computed."""

    player: str = "mcts:100000"
    """The search; none if empty."""
    network: str = ""
    """The run whose bare network is asked; none if empty."""
    solves: bool = True


class AnalysisDesk(Desk):
    """One position, and the way there."""

    KIND = "analyse"

    def __init__(self, rules: Rules, pool: WorkerPool) -> None:
        super().__init__()
        self.rules = rules
        self.pool = pool
        self.game_name = "clobber"
        self.position = Position.parse(rules.game("clobber", "4x6"), "xo.xxo|ox.o.x|x....o|oxoxx.")
        self.editing = False
        self.wishes = Wishes()
        self.error = ""
        self.is_compiling = False
        self.seen: SeenTree | None = None
        self.verdict: Verdict | None = None
        self.opinion: Opinion | None = None
        self.parts: list[ValuedPart] = []
        self.line: tuple[str, ...] = ()
        """Expected play that somebody points at."""
        self._jobs: list[Job] = []

    # What people do.

    def set_game(self, name: str, size: str, options: str) -> None:
        """The start of a game; UsageError if there is no such game."""
        position = Position.start(self.rules.game(name, size, options))
        self.game_name = name
        self._change(position)

    def set_text(self, text: str, turn: str) -> None:
        """Analyse a position from its text; UsageError if it is none."""
        self._change(self.read(text, turn))

    def look_at(self, position: Position) -> None:
        """Analyse a position of a game that the page has shown."""
        self.game_name = name_of(position.game)
        self.position = position
        self.remember()

    def read(self, text: str, turn: str) -> Position:
        """A position from its text, ours or MCGS's; UsageError if it is none."""
        text = check_length(text).strip()
        if is_mcgs(text):
            if self.game_name != "clobber":
                raise UsageError("positions of MCGS are positions of Clobber: choose that game")
            text, first = parse_mcgs(text)
            turn = "white" if first == "white" else "black" if first == "black" else turn
        text = "|".join(text.split())
        game = self.position.game
        if hasattr(game, "rows") and size_of_position(text) != (game.rows, game.cols):
            rows, cols = size_of_position(text)
            if isinstance(game, Clobber) and game.variant != NORMAL:
                game = self.rules.game(
                    self.game_name, f"{rows}x{cols}", f"variant={game.variant.name.lower()}"
                )
            else:
                game = self.rules.game(self.game_name, f"{rows}x{cols}")
        return Position.parse(game, text, turn)

    def click_stone(self, cell: int) -> None:
        """Change what is on a cell: empty, Black, White, and again."""
        lines = [list(line) for line in self.position.text.split("|")]
        row, col = divmod(cell, len(lines[0]))
        if 0 <= row < len(lines):
            lines[row][col] = NEXT_STONE[lines[row][col]]
            self.set_text("|".join("".join(line) for line in lines), self.position.turn)

    def set_turn(self, turn: str) -> None:
        """Who is to move."""
        if turn in COLOUR_NAMES and turn != self.position.turn:
            self._change(Position.parse(self.position.game, self.position.text, turn))

    def play(self, move: str) -> None:
        """Go on with a move; UsageError if it is not legal."""
        self._change(self.position.play(move))

    def back(self) -> None:
        """Take the last move back."""
        if self.position.previous is not None:
            self._change(self.position.undo())

    def set_editing(self, editing: bool) -> None:
        """Whether clicks set stones or make moves."""
        self.editing = editing
        self.remember()
        self.tell()

    def wish(self, wishes: Wishes) -> None:
        """Compute something else; UsageError if a name is not allowed."""
        self.wishes = self._checked(wishes)
        self._change(self.position)

    def _checked(self, wishes: Wishes) -> Wishes:
        """The wishes themselves; UsageError if a name is not allowed."""
        if wishes.player:
            self.rules.player(wishes.player)
        if wishes.network:
            self.rules.player(f"net:{wishes.network}")
        return wishes

    def point_at(self, line: tuple[str, ...]) -> None:
        """Show a line of expected play on the board."""
        if line != self.line:
            self.line = line
            self.tell()

    def leave(self) -> None:
        """Nobody looks any more."""
        for job in self._jobs:
            job.cancel()
        self._jobs.clear()

    def come_back(self) -> None:
        """Somebody looks again."""
        if not self._jobs:
            self._begin_work()

    # What a restart of the server must not lose.

    def snapshot(self) -> Snapshot:
        """The position, the way there, and what is wanted."""
        position, wishes = self.position, list(self.wishes)
        fields = {"name": self.game_name, "editing": self.editing, "wishes": wishes}
        return lambda: {**fields, "game": text_of(position)}

    @classmethod
    def restored(cls, rules: Rules, pool: WorkerPool, fields: Fields) -> Self:
        """The same position; its analysis begins anew."""
        desk = cls(rules, pool)
        if fields["name"] not in GAMES:
            raise ValueError(fields["name"])
        desk.game_name = fields["name"]
        desk.position = parse_record(rules, str(fields["game"])).position()
        desk.editing = bool(fields["editing"])
        player, network, solves = fields["wishes"]
        desk.wishes = desk._checked(Wishes(str(player), str(network), bool(solves)))
        return desk

    # What there is to see.

    @property
    def is_searching(self) -> bool:
        """Whether anything is being computed."""
        return any(not job.is_over for job in self._jobs)

    def overlay(self) -> Overlay:
        """Arrows for good moves, colours for components."""
        tints = {
            cell: PART_COLOURS[number % len(PART_COLOURS)]
            for number, part in enumerate(self.parts if len(self.parts) > 1 else [])
            for cell in part.cells
        }
        if self.line:
            return Overlay(self._line_arrows(), tints)
        if self.opinion is not None:
            best = sorted(self.opinion.policy.items(), key=lambda item: -item[1])[:8]
            most = max((share for _, share in best), default=1.0)
            arrows = [
                Arrow(action, share / most, f"{share:.0%}", NETWORK_COLOUR)
                for action, share in best
                if share >= 0.01
            ]
            return Overlay(tuple(arrows), tints)
        winning = set() if self.verdict is None else set(self.verdict.winning)
        found = () if self.seen is None else self.seen.moves[:MOST_ARROWS]
        most = max((move.share for move in found), default=0) or 1.0
        return Overlay(
            tuple(
                Arrow(
                    move.action,
                    move.share / most,
                    f"{move.value:+.2f}",
                    WINNING_COLOUR if move.move in winning else Arrow(0, 0).colour,
                )
                for move in found
                if move.visits > 0
            ),
            tints,
        )

    def _line_arrows(self) -> tuple[Arrow, ...]:
        arrows, position = [], self.position
        for number, move in enumerate(self.line[:6], 1):
            try:
                position = position.play(move)
            except UsageError:
                break
            assert position.action is not None
            arrows.append(Arrow(position.action, 1 - number / 8, str(number)))
        return tuple(arrows)

    # How it goes on.

    def _change(self, position: Position) -> None:
        self.position = position
        self.error = ""
        self.remember()
        self._begin_work()

    def _begin_work(self) -> None:
        self.leave()
        position = self.position
        self.line = ()
        self.seen = self.verdict = self.opinion = None
        self.parts = []
        self.is_compiling = False
        game, wishes = position.game, self.wishes
        if isinstance(game, Clobber) and game.variant == NORMAL:
            self._begin(Values(position), self._valued)
        if not position.is_over:
            if wishes.network:
                self._begin(
                    AskNetwork(self.rules.player(f"net:{wishes.network}"), position), self._opined
                )
            if wishes.player:
                player = self.rules.player(wishes.player)
                self._begin(Watch(player, position), self._saw, slow=True)
            if wishes.solves and self.game_name != "solitaire":
                self._begin(Solve(position, SOLVER_SECONDS), self._solved, slow=True)
        self.tell()

    def _begin(self, task: Task, on_message: Callable[..., None], slow: bool = False) -> None:
        job = self.pool.submit(task, on_message, self._ended, slow, self._compiling)
        self._jobs.append(job)

    def _compiling(self) -> None:
        self.is_compiling = True
        self.tell()

    def _valued(self, part: ValuedPart) -> None:
        self.parts.append(part)
        self.tell()

    def _opined(self, opinion: Opinion) -> None:
        self.opinion = opinion
        self.tell()

    def _saw(self, seen: SeenTree) -> None:
        self.seen, self.is_compiling = seen, False
        self.tell()

    def _solved(self, verdict: Verdict) -> None:
        self.verdict, self.is_compiling = verdict, False
        self.tell()

    def _ended(self, failure: str) -> None:
        if failure:
            self.error = self.rules.public(failure)
        self.tell()
