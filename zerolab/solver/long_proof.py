"""A proof too long for one run: the root split into subproblems, solved positions kept in a file.

The first plies are a proof-number search (Allis, van der Meulen & van den Herik, "Proof-number
search", Artificial Intelligence 66(1), 1994): in each position, how much work is it to prove that
the player to move wins, and how much to prove a loss? For a position that was not searched, both
are the expected work of a solver, estimated from the number of legal moves; so the numbers at the
root are the least work that is left, if the estimates are right. The most relevant subproblem is
solved next, or split further if that takes too long. A move that has won elsewhere is tried before
others: what refutes one first move often refutes the next. The solver knows the positions that
earlier runs have settled.

The first line of the file names the game. Then there is a line for each solved position, with Black
to move: the position, win or loss for Black, positions searched, seconds. 0 positions were searched
where the result follows from other lines, and 1 where it was known from the search of another
position. Lines are only appended, each at once, so a run can be stopped at any moment; one process
at a time uses a file, and files of several machines can be joined with cat. `zerolab verify` checks
them (verification/).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

from zerolab.errors import UsageError
from zerolab.files import LineFile
from zerolab.games.base import BLACK, Game, GameError, State, step
from zerolab.games.boards.canonical import make_forms, make_key
from zerolab.games.catalogue import describe
from zerolab.games.notation import format_position, legal_list, parse_position
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.progress import Progress

# A solver's work grows like exp(WORK_PER_MOVE x moves); measured from 4x6 to 5x6.
WORK_PER_MOVE = 0.49
WORK_WITHOUT_MOVES = 0.003
DEFAULT_BUDGET = 100_000_000  # nodes for one subproblem, minutes on two cores
WON_BEFORE = 0.01  # a move that won elsewhere is tried as if it had this little work

KNOWN = 1  # the nodes of a position that was known from the search of another
TABLE_HIT = 100  # a position with fewer nodes was almost known

WORDS = {1: "win", -1: "loss"}
RESULTS = {word: value for value, word in WORDS.items()}


class Settled(NamedTuple):
    """A line of the file."""

    value: int
    nodes: int
    seconds: float


class Report(NamedTuple):
    """The progress of a campaign."""

    value: int | None
    """The value of the root for the player to move, once it is known."""
    settled: int
    """Positions in the file."""
    solved: int
    """Those that took a search, this time and before."""
    nodes: int
    """Positions looked at for them."""
    seconds: float
    left_to_win: float
    """Positions still to be looked at before the player to move at the root is proved to win,
    should that be so and the moves that look best be the best."""
    left_to_lose: float
    """Positions still to be looked at before that player is proved to lose, on the same terms."""
    doing: str
    """The current subproblem."""
    progress: Progress | None


class OutOfTimeError(Exception):
    """The time limit is reached."""


@dataclass
class Node:
    """A position of the first plies."""

    state: State
    win: float
    """Work to prove that the player to move wins; 0 when it is proved."""
    loss: float
    children: list["Node"] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    """What leads to the children: actions, turned to a standard form."""

    @property
    def is_settled(self) -> bool:
        """Whether the winner is known."""
        return self.win == 0 or self.loss == 0


class Campaign:
    """The proof of one position's value. Use it in a `with`: its file is locked."""

    def __init__(
        self, game: Game, state: State, path: Path, solver: SumSolver, budget: int = DEFAULT_BUDGET
    ) -> None:
        self.game = game
        self.solver = solver
        self.budget = budget
        self._forms = make_forms(game, turned=True, swapped=True)
        self._nodes: dict[str, Node] = {}
        self._won_before: set[int] = set()
        self._file = LineFile(path)
        try:
            self.settled = _go_on(self._file, game)
            self.root = self._node(state)
            for name, settled in self.settled.items():
                solver.remember(parse_position(game, name, BLACK), settled.value)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()

    def run(self, seconds: float, on_report: Callable[[Report], None]) -> Report:
        """Continue until the root is solved or the time is over."""
        end = time.monotonic() + seconds

        def watch(progress: Progress) -> None:
            on_report(self.report(name, progress))
            if time.monotonic() > end:
                raise OutOfTimeError

        while not self.root.is_settled and time.monotonic() < end:
            path = self._most_proving()
            leaf = path[-1]
            name = self._name(leaf.state)
            value = None
            if not leaf.is_settled and leaf.win <= self.budget:
                before, started = self.solver.nodes, time.perf_counter()
                try:
                    value = self.solver.value(leaf.state, watch, max_nodes=4 * self.budget)
                except OutOfTimeError:
                    break
                if value is not None:
                    nodes = max(KNOWN, self.solver.nodes - before)
                    self._settle(leaf, Settled(value, nodes, time.perf_counter() - started))
            if not leaf.is_settled:
                self._expand(leaf)
            for node in reversed(path):
                self._update(node)
        return self.report("", None)

    def report(self, doing: str, progress: Progress | None) -> Report:
        """The progress of the proof."""
        value = None
        if self.root.is_settled:
            value = 1 if self.root.win == 0 else -1
        searched = [settled for settled in self.settled.values() if settled.nodes > KNOWN]
        return Report(
            value,
            len(self.settled),
            len(searched),
            sum(settled.nodes for settled in searched),
            sum(settled.seconds for settled in searched),
            *((0.0, 0.0) if self.root.is_settled else self._left()),
            doing,
            progress,
        )

    def _left(self) -> tuple[float, float]:
        """The work left, with the estimates corrected by the work of solved positions."""
        taken = guessed = 1.0
        for name, settled in self.settled.items():
            if settled.nodes > TABLE_HIT:
                taken += settled.nodes
                guessed += self._guess(parse_position(self.game, name, BLACK))
        return self.root.win * taken / guessed, self.root.loss * taken / guessed

    def _guess(self, state: State) -> float:
        """The expected work of a position, from its number of legal moves."""
        return WORK_WITHOUT_MOVES * math.exp(WORK_PER_MOVE * len(legal_list(self.game, state)))

    def _name(self, state: State) -> str:
        """The text of a position with Black to move, in its standard form."""
        make_key(self.game, self._forms, state)
        return format_position(self.game, self._forms.key[0])

    def _node(self, state: State) -> Node:
        name = self._name(state)
        if name not in self._nodes:
            work = self._guess(state)
            node = Node(parse_position(self.game, name, BLACK), work, work)
            if name in self.settled:
                node.win, node.loss = _proved(self.settled[name].value)
            self._nodes[name] = node
        return self._nodes[name]

    def _expand(self, node: Node) -> None:
        node.children, node.moves = self._after(node.state)
        for child in node.children:
            if child.win == 0:  # known from an earlier run
                self._note_winners(*self._after(child.state))

    def _after(self, state: State) -> tuple[list[Node], list[int]]:
        """The different positions after a move, and the moves that lead to them."""
        children: dict[int, tuple[Node, int]] = {}
        for action in legal_list(self.game, state):
            after = state.copy()
            step(self.game, after, action)
            child = self._node(after)
            children[id(child)] = child, int(self._forms.actions[:, action].min())
        return [child for child, _ in children.values()], [move for _, move in children.values()]

    def _note_winners(self, children: list[Node], moves: list[int]) -> None:
        self._won_before.update(
            move for child, move in zip(children, moves, strict=True) if child.loss == 0
        )

    def _most_proving(self) -> list[Node]:
        """The path from the root to the most-proving position."""
        path = [self.root]
        while path[-1].children:
            self._update(path[-1])  # another way may have led to its children
            if path[-1].is_settled:
                break
            path.append(self._most_promising(path[-1]))
        return path

    def _most_promising(self, node: Node) -> Node:
        def work(i: int) -> float:
            factor = WON_BEFORE if node.moves[i] in self._won_before else 1.0
            return node.children[i].loss * factor

        return node.children[min(range(len(node.children)), key=work)]

    def _update(self, node: Node) -> None:
        if not node.children or node.is_settled:
            return
        node.win = min(child.loss for child in node.children)
        node.loss = sum(child.win for child in node.children)
        if node.is_settled:
            self._settle(node, Settled(1 if node.win == 0 else -1, 0, 0.0))
            self._note_winners(node.children, node.moves)

    def _settle(self, node: Node, settled: Settled) -> None:
        node.win, node.loss = _proved(settled.value)
        name = self._name(node.state)
        self.settled[name] = settled
        line = f"{name} {WORDS[settled.value]} {settled.nodes} {settled.seconds:.1f}"
        self._file.add(line.encode())


def _proved(value: int) -> tuple[float, float]:
    return (0.0, math.inf) if value > 0 else (math.inf, 0.0)


def header(game: Game) -> str:
    """The first line of a file."""
    return f"# {describe(game)}, settled positions, format 2"


def _go_on(file: LineFile, game: Game) -> dict[str, Settled]:
    """Read the file. A new one gets its first line; an unfinished last line is removed."""
    first = header(game).encode()
    if not file.lines and not first.startswith(file.unfinished):
        raise UsageError(f"{file.path} is not a file of solved positions; nothing was changed")
    settled = parse_settled(game, file.path, file.lines)
    file.keep(len(file.lines))
    if not file.lines:
        file.add(first)
    return settled


def parse_settled(game: Game, path: Path, lines: Sequence[bytes]) -> dict[str, Settled]:
    """The solved positions in the lines of a file, by their text."""
    settled: dict[str, Settled] = {}
    for number, each in enumerate(lines, start=1):
        line = each.decode(errors="replace")
        if number == 1 or line.startswith("#"):
            if line != header(game):
                raise UsageError(f"line {number} of {path} is '{line}'; expected '{header(game)}'")
            continue
        try:
            name, word, nodes, seconds = line.split()
            parse_position(game, name, BLACK)
            entry = Settled(RESULTS[word], int(nodes), float(seconds))
        except (ValueError, KeyError, GameError):
            message = f"line {number} of {path} is no settled position of this board: '{line}'"
            raise UsageError(message) from None
        if name in settled and settled[name].value != entry.value:
            raise UsageError(f"{path} contradicts itself on {name}")
        settled[name] = entry
    return settled
