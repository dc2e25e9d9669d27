"""A UCT search that is limited by time or memory, keeps its tree between moves and can be read."""

import functools
import time

import numpy as np
import numpy.typing as npt

from zerolab.games.base import (
    NO_ACTION,
    Game,
    GameError,
    State,
    copy_state,
    num_players,
    same_state,
    step,
)
from zerolab.games.notation import num_actions
from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import kernel, lean
from zerolab.kernels.rng import Stream
from zerolab.search.analysis import Analysis, Candidate, Outline
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN
from zerolab.search.uct import (
    BYTES_PER_NODE,
    UctSettings,
    UctTree,
    best_move,
    grow,
    is_better,
    make_tree,
    open_node,
    plant,
    proven_value,
)
from zerolab.solver.exact_leaves import NO_ORACLE, Oracle

MEMORY = 2**30
FIRST_CHUNK = 256
CHUNK_SECONDS = 0.02
MOST_IDLE = 1_000_000  # simulations without a new node: the tree would never fill its memory


class UctSearch:
    """One tree and the position at its root."""

    def __init__(
        self,
        game: Game,
        c: float = 2.0,
        rollouts: int = 1,
        memory: int = MEMORY,
        oracle: Oracle = NO_ORACLE,
    ) -> None:
        """`memory` in bytes; a tree that fills it grows no further, but still updates its nodes.

        Leaves that the `oracle` solves count with their exact value.
        """
        self.game = game
        self._lean = lean(game)
        self.settings = UctSettings(0, c, rollouts)
        self.nodes = max(1 + num_actions(game), memory // BYTES_PER_NODE)  # the root's moves fit
        self.root: State | None = None
        self.simulations = 0
        self.oracle = oracle
        self.tree: UctTree | None = None

    def set_position(self, state: State, reuse: bool = True) -> int:
        """Make `state` the root; return the visits kept, if it is in the tree and may be reused."""
        if self.tree is None:
            self.tree = make_tree(self.game, state.shape[0], self.nodes)
            _plant(self.tree)
            self._warm_up(state)
            _plant(self.tree)
        elif self.root is not None:
            node = _find(self._lean, self.tree, self.root, state) if reuse else NO_NODE
            if node == NO_NODE:
                _plant(self.tree)
            elif node != ROOT:
                _reroot(self._lean, self.tree, node, np.empty(int(self.tree.size[0]), np.int32))
        self.root = state.copy()
        self.simulations = 0
        return int(self.tree.visits[ROOT])

    def _warm_up(self, state: State) -> None:
        """Compile, so that no search loses time on it."""
        assert self.tree is not None
        _grow(self._lean, state, self.settings, self.tree, np.zeros(1, np.uint64), self.oracle)

    def run(self, rng: Stream, simulations: int | None = None, seconds: float | None = None) -> int:
        """Search until a limit is reached or the root is proven; return the number of simulations.

        Without either limit the search ends when the tree has filled its memory.
        """
        assert self.root is not None
        assert self.tree is not None
        deadline = time.perf_counter() + (seconds if seconds is not None else np.inf)
        wanted = simulations if simulations is not None else 2**62
        until_full = simulations is None and seconds is None
        idle = 0
        done, chunk = 0, max(1, FIRST_CHUNK // self.settings.rollouts)
        while done < wanted:
            started = time.perf_counter()
            if started >= deadline or (until_full and self.is_full()):
                break
            asked, size = min(chunk, wanted - done), int(self.tree.size[0])
            settings = self.settings._replace(simulations=asked)
            made = int(_grow(self._lean, self.root, settings, self.tree, rng, self.oracle))
            done += made
            idle = idle + made if self.tree.size[0] == size else 0
            if made < asked or (until_full and idle > MOST_IDLE):
                break
            elapsed = time.perf_counter() - started
            if elapsed < CHUNK_SECONDS / 2:
                chunk *= 2
            elif elapsed > 2 * CHUNK_SECONDS:
                chunk = max(1, chunk // 2)
        self.simulations += done
        return done

    def is_full(self) -> bool:
        """Whether there may be no room for the moves of one more position."""
        assert self.tree is not None
        return bool(self.tree.size[0] + self.tree.actions.shape[0] > self.nodes)

    def is_proven(self) -> bool:
        """Whether the exact value of the position is known."""
        assert self.tree is not None
        return bool(proven_value(self.tree, ROOT) != UNPROVEN)

    def is_settled(self) -> bool:
        """Whether more simulations would change nothing: proven, or only one move."""
        assert self.tree is not None
        return self.is_proven() or bool(self.tree.num_children[ROOT] == 1)

    def best_action(self) -> int:
        """The move to play."""
        assert self.tree is not None
        node = _best_move(self.tree)
        if node == NO_NODE:
            raise GameError("there is no move to play: the game is over")
        return int(self.tree.action[node])

    def analyse(self) -> Analysis:
        """The values and statistics of the root and its moves."""
        tree = self.tree
        assert tree is not None
        first, count = int(tree.first_child[ROOT]), int(tree.num_children[ROOT])
        total = max(1, int(tree.visits[first : first + count].sum())) if count else 1

        def compare(a: int, b: int) -> int:
            return -1 if is_better(tree, a, b) else 1

        nodes = sorted(range(first, first + count), key=functools.cmp_to_key(compare))
        candidates = [
            Candidate(
                action=int(tree.action[node]),
                visits=int(tree.visits[node]),
                share=int(tree.visits[node]) / total,
                value=_value(tree, node),
                proven=bool(proven_value(tree, node) != UNPROVEN),
                prior=1 / count,
                line=_line(tree, node),
            )
            for node in nodes
        ]
        return Analysis(
            simulations=self.simulations,
            nodes=int(tree.size[0]),
            value=_value(tree, ROOT),
            proven=self.is_proven(),
            candidates=candidates,
        )

    def outline(self, depth: int, width: int) -> Outline:
        """The tree down to `depth`, with the `width` most visited children of each node."""
        assert self.tree is not None
        return _outline(self.tree, ROOT, depth, width, 1.0)


def _outline(tree: UctTree, node: int, depth: int, width: int, prior: float) -> Outline:
    first, count = int(tree.first_child[node]), int(tree.num_children[node])
    children = [
        child for child in range(first, first + count) if depth > 0 and tree.visits[child] > 0
    ]
    children.sort(key=lambda child: -int(tree.visits[child]))
    return Outline(
        action=int(tree.action[node]),
        visits=int(tree.visits[node]),
        value=_value(tree, node),
        proven=bool(proven_value(tree, node) != UNPROVEN),
        children=tuple(
            _outline(tree, child, depth - 1, width, 1 / count) for child in children[:width]
        ),
        prior=prior,
    )


def _value(tree: UctTree, node: int) -> float:
    """For the player who moved there; at the root for the player to move."""
    if tree.visits[node] == 0:
        return 0.0
    exact = float(tree.proven[node])
    return exact if exact != UNPROVEN else float(tree.total[node] / tree.visits[node])


def _line(tree: UctTree, node: int) -> tuple[int, ...]:
    """The line of best moves, for the player to move each time, from a node on."""
    actions = [int(tree.action[node])]
    while tree.visits[node] > 0 and tree.num_children[node] > 0:
        first = int(tree.first_child[node])
        best = first
        for child in range(first, first + int(tree.num_children[node])):
            if is_better(tree, child, best):
                best = child
        if tree.visits[best] == 0:
            break
        node = best
        actions.append(int(tree.action[node]))
    return tuple(actions)


@kernel
def _plant(tree: UctTree) -> None:
    plant(tree)


@kernel
def _grow(
    game: Game, root: State, settings: UctSettings, tree: UctTree, rng: Stream, oracle: Oracle
) -> int:
    return grow(game, root, settings, tree, rng, oracle)


@kernel
def _best_move(tree: UctTree) -> int:
    return best_move(tree)


@kernel
def _find(game: Game, tree: UctTree, root: State, state: State) -> int:
    """The node of a position at most two moves from the root, or NO_NODE."""
    if same_state(root, state):
        return ROOT
    first = tree.first_child[ROOT]
    for child in range(first, first + tree.num_children[ROOT]):
        copy_state(root, tree.state)
        step(game, tree.state, as_int(tree.action[child]))
        if same_state(tree.state, state):
            return child
        if tree.visits[child] == 0:
            continue
        second = tree.first_child[child]
        for grandchild in range(second, second + tree.num_children[child]):
            copy_state(tree.state, tree.play_state)
            step(game, tree.play_state, as_int(tree.action[grandchild]))
            if same_state(tree.play_state, state):
                return grandchild
    return NO_NODE


@kernel
def _reroot(game: Game, tree: UctTree, root: int, places: npt.NDArray[np.int32]) -> None:
    """Make `root` the root and move its subtree to the front of the arrays.

    Nodes come after their parents and beside their siblings, so one pass in order is enough, and
    overwrites nothing that is still to be read. `places` [N] receives the new place of each node.
    """
    kept = 0
    for old in range(root, tree.size[0]):
        places[old] = NO_NODE
    places[root] = ROOT
    for old in range(root, tree.size[0]):
        if places[old] == NO_NODE:
            continue
        places[old] = kept
        tree.action[kept] = tree.action[old]
        tree.visits[kept] = tree.visits[old]
        if tree.visits[kept] > 0:
            first, count = tree.first_child[old], tree.num_children[old]
            for child in range(first, first + count):
                places[child] = ROOT  # it is kept; its own place is known later
            tree.first_child[kept] = first
            tree.num_children[kept] = count
            tree.total[kept] = tree.total[old]
            tree.proven[kept] = tree.proven[old]
        kept += 1
    for node in range(kept):
        if tree.visits[node] > 0 and tree.num_children[node] > 0:
            tree.first_child[node] = places[tree.first_child[node]]
    tree.size[0] = kept
    tree.action[ROOT] = NO_ACTION
    if tree.visits[ROOT] == 0:
        open_node(tree, ROOT)
    elif num_players(game) == 2:  # the root is seen by the player to move, others by the mover
        tree.total[ROOT] = -tree.total[ROOT]
        if tree.proven[ROOT] != UNPROVEN:
            tree.proven[ROOT] = -tree.proven[ROOT]
