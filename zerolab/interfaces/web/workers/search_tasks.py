"""The tasks of worker processes. What they tell is plain text and numbers, ready to be shown."""

import time
from typing import Any, NamedTuple

from zerolab.games.position import Position
from zerolab.interfaces.web.workers.search_worker import Memory, Tell
from zerolab.kernels.rng import stream

TREE_DEPTH, TREE_WIDTH = 6, 6
MOST_VALUED = 12  # stones of a component whose value the page asks for


class Replied(NamedTuple):
    """A player's move."""

    action: int
    is_sure: bool


class Reply(NamedTuple):
    """A player is to move; its name was checked."""

    player: str
    position: Position
    seed: int

    def run(self, memory: Memory, tell: Tell) -> None:
        """Choose a move."""
        from zerolab.evaluation.players.players import make_player
        from zerolab.evaluation.players.protocol import check_player, doubts_of

        player = memory.keep(("player", self.player), lambda: make_player(self.player))
        check_player(player, self.position.game)
        doubts = doubts_of(player)
        action = player.choose(self.position, stream(self.seed))
        tell(Replied(int(action), doubts_of(player) == doubts))


class Judging(NamedTuple):
    """Positions are to be judged, one after another."""

    positions: tuple[Position, ...]

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell each position's number and what it is worth."""
        from zerolab.evaluation.perfect.game_review import Judge

        judge = memory.keep("judge", Judge)
        for number, position in enumerate(self.positions):
            tell((number, judge.judge(position, lambda progress: tell(None))))


class SeenMove(NamedTuple):
    """A candidate move while a search runs."""

    action: int
    move: str
    visits: int
    share: float
    value: float
    prior: float
    proven: bool
    line: tuple[str, ...]


class SeenTree(NamedTuple):
    """A search at some moment."""

    simulations: int
    value: float
    proven: bool
    seconds: float
    moves: tuple[SeenMove, ...]
    nodes: list[dict[str, Any]]
    """The most visited part of the tree, in the form that the page unfolds."""


class Watch(NamedTuple):
    """A search is to be shown while it runs."""

    player: str
    position: Position

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell the state of the search several times a second."""
        from zerolab.evaluation.players.players import make_player
        from zerolab.evaluation.players.watching import watch_search

        player = memory.keep(("player", self.player), lambda: make_player(self.player))
        started = time.monotonic()
        for tree in watch_search(player, self.position, stream(0)):
            tell(self._seen(tree, time.monotonic() - started))

    def _seen(self, tree: Any, seconds: float) -> SeenTree:
        from zerolab.games.notation import format_move

        game = self.position.game
        found = tree.analyse()
        moves = tuple(
            SeenMove(
                each.action,
                format_move(game, each.action),
                each.visits,
                each.share,
                each.value,
                each.prior,
                each.proven,
                tuple(format_move(game, action) for action in each.line[:12]),
            )
            for each in found.candidates
        )
        outline = tree.outline(TREE_DEPTH, TREE_WIDTH)
        nodes = [_node(game, each, "") for each in outline.children]
        return SeenTree(found.simulations, found.value, found.proven, seconds, moves, nodes)


def _node(game: Any, outline: Any, path: str) -> dict[str, Any]:
    from zerolab.games.notation import format_move

    move = format_move(game, outline.action)
    where = f"{path} {move}".strip()
    return {
        "id": where,
        "label": move,
        "visits": f"{outline.visits:,}",
        "prior": f"{outline.prior:.2f}",
        "value": f"{outline.value:+.2f}",
        "proven": outline.proven,
        "children": [_node(game, each, where) for each in outline.children],
    }


class Verdict(NamedTuple):
    """What the solver says; `winner` is empty while it works and for a draw."""

    is_done: bool
    nodes: int
    seconds: float
    winner: str = ""
    winning: tuple[str, ...] = ()
    keeping: tuple[str, ...] = ()
    """Moves that draw, where no move wins."""


class Solve(NamedTuple):
    """Who wins with perfect play?"""

    position: Position
    seconds: float

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell the progress, then the verdict with the value of each move."""
        from zerolab.games.notation import COLOUR_NAMES, format_move
        from zerolab.solver.solvers import is_suitable, make_solver, move_value

        position, started = self.position, time.monotonic()
        game, state = position.game, position.state
        solver = memory.keep(("solver", game), lambda: make_solver(game, state, 2**29, threads=1))
        if not is_suitable(solver, game, state):
            solver = make_solver(game, state, 2**29, threads=1)
        before = solver.nodes

        def on_progress(progress: Any) -> None:
            spent = time.monotonic() - started
            tell(Verdict(False, solver.nodes - before, spent))
            if spent > self.seconds:
                raise _OutOfTimeError

        try:
            value = solver.value(state, on_progress)
            values = {
                action: move_value(solver, state, action, on_progress)
                for action in position.legal_actions
            }
        except _OutOfTimeError:
            return
        best = tuple(format_move(game, action) for action, each in values.items() if each == value)
        winner = "" if value == 0 else COLOUR_NAMES[position.player ^ (value < 0)]
        verdict = Verdict(True, solver.nodes - before, time.monotonic() - started, winner)
        if value == 1:
            verdict = verdict._replace(winning=best)
        elif value == 0:
            verdict = verdict._replace(keeping=best)
        tell(verdict)


class _OutOfTimeError(Exception):
    """The solver has had its time."""


class Opinion(NamedTuple):
    """What a network says without any search."""

    value: float
    policy: dict[int, float]


class AskNetwork(NamedTuple):
    """What does a bare network say?"""

    player: str
    """Of the form ``net:PATH``."""
    position: Position

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell its value and its probability of each legal move."""
        from zerolab.evaluation.players.opinions import network_opinion
        from zerolab.evaluation.players.players import make_player

        player = memory.keep(("player", self.player), lambda: make_player(self.player))
        value, policy = network_opinion(player, self.position)
        tell(Opinion(value, policy))


class AskThroughout(NamedTuple):
    """What does a bare network say about each position of a game?"""

    player: str
    """Of the form ``net:PATH``."""
    positions: tuple[Position, ...]

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell the number of each position and the opinion of it."""
        from zerolab.evaluation.players.opinions import network_opinion
        from zerolab.evaluation.players.players import make_player

        player = memory.keep(("player", self.player), lambda: make_player(self.player))
        for number, position in enumerate(self.positions):
            tell((number, Opinion(*network_opinion(player, position))))


class ValuedPart(NamedTuple):
    """A component of a Clobber position."""

    cells: tuple[int, ...]
    value: str
    """As a combinatorial game; empty if it is too large or too long to write."""
    outcome: str


class Values(NamedTuple):
    """What are the components of a Clobber position worth?"""

    position: Position

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell the components, small ones with their values."""
        from zerolab.solver.clobber.component_values import valued_components

        for part in valued_components(self.position, MOST_VALUED):
            text = "" if part.value is None else str(part.value)
            outcome = "" if part.value is None else part.value.outcome
            tell(ValuedPart(part.cells, text if len(text) <= 40 else "", outcome))
