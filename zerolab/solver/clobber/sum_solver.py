"""Clobber, Cannibal, Impartial and Graph Clobber solved as sums of components (sum_search.py)."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game, State, player_to_move
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.graph_clobber import GraphClobber, edge_list
from zerolab.kernels.bits import popcount
from zerolab.solver.cgt.value import Value
from zerolab.solver.cgt.value import game as cgt_game
from zerolab.solver.clobber import position_table as tables
from zerolab.solver.clobber.components import make_component_table
from zerolab.solver.clobber.shapes import (
    BY_CONTACTS,
    MAX_CELLS,
    UNORDERED,
    ComponentTable,
    GraphTopology,
    GridTopology,
    Methods,
    Topology,
)
from zerolab.solver.clobber.splitting import links_of, split_position
from zerolab.solver.clobber.sum_positions import (
    CHILD_COUNT,
    DONE,
    MAX_PARTS,
    MODE,
    MOVER,
    NODES,
    PART_COUNT,
    RESULT,
    ROOTS,
    SET_UP,
    SMALL_VALUE,
    TRIED,
    Stack,
    make_stack,
)
from zerolab.solver.clobber.sum_search import search
from zerolab.solver.progress import OnProgress, Progress
from zerolab.solver.values import database as kept_values
from zerolab.solver.values.store import RIGHTS, Values, make_values

# Components of this many stones are replaced by their values. More would mean fewer positions, but
# the values of their sums cost more than that saves (docs/solver.md): they are made once for each
# board, so large boards can have larger ones, and with a database (database.py) once for many
# boards. Other variants have more, and more complicated, values.
SMALL_NORMAL, SMALL_LARGE_BOARD, SMALL_DATABASE, SMALL_OTHER = 7, 8, 9, 6
LARGE_BOARD = 29  # cells
MAX_VALUED = 16  # stones in a component whose canonical value can be asked for
# Steps that threads take before they meet and wait for each other. In a long solve they are some
# per cent of the work done; Ctrl-C waits for their end too, which takes a second or two.
FIRST_STEPS, MANY_STEPS, MAX_STEPS = 2_000, 100_000, 1_000_000
STEPS_PER_NODE = 0.05
# How to disable a method, for verification and to measure its contribution.
WITHOUT = {
    "values": {"small": 0},
    "cancelling": {"cancels": 0},
    "ordering": {"orders": UNORDERED, "looks_closely": 10**6},
    "outlook": {"orders": BY_CONTACTS},
    "close-look": {"looks_closely": 10**6},
    "database": {},  # it is not there unless it is asked for
}
TABLE_GROWTH = 2  # when half of it is in use
MUCH_WORK = 30  # logarithm of the work of a position that the table should not drop


class Worker(NamedTuple):
    """The data of one thread."""

    components: ComponentTable
    values: Values
    stack: Stack


class SumSolver:
    """Solves positions of one game; each solve profits from earlier ones."""

    def __init__(
        self,
        game: Game,
        memory: int | None = None,
        threads: int | None = None,
        seed: int = 0,
        database: Path | None = None,
        **methods: int,
    ) -> None:
        """`memory` in bytes, for the table; default half of the free memory.

        `seed` changes the keys of positions: a result confirmed with another seed does not depend
        on two positions having the same key. `database` is the directory
        of a database (database.py), which is for seed 0 and normal Clobber on boards of
        24 to 28 cells. `methods` are fields of `Methods`.
        """
        if isinstance(game, GraphClobber) and len(game.stones) > MAX_CELLS:
            raise UsageError(f"this solver is for graphs of at most {MAX_CELLS} vertices")
        self.game = game
        variant = int(getattr(game, "variant", NORMAL))
        cells = min(MAX_CELLS, game.rows * game.cols) if isinstance(game, Clobber) else 30
        small = SMALL_LARGE_BOARD if cells >= LARGE_BOARD else SMALL_NORMAL
        small = small if variant == NORMAL else SMALL_OTHER
        if not isinstance(game, Clobber) or variant != NORMAL:
            database = None
        if not kept_values.LEAST_CELLS <= cells <= kept_values.MOST_CELLS:
            database = None
        if seed or methods.get("small") == 0:  # another way to a result, or no values
            database = None
        if database is not None:
            small = SMALL_DATABASE
        topology = GraphTopology if isinstance(game, GraphClobber) else GridTopology
        self.topology: Topology = topology(variant, Methods(**{"small": small, **methods}))
        self.seed = seed
        self.memory = memory or tables.free_memory() // 2
        self.threads = threads or os.cpu_count() or 1
        self.nodes = 0
        most = 21
        if database is not None:  # stores that share one are of one size
            cells, most = MAX_CELLS, 22
        self._workers = [self._make_worker(cells, thread, most) for thread in range(self.threads)]
        self._stores = [(worker.values, worker.components) for worker in self._workers]
        self._database: kept_values.Database | None = None
        if database is not None:
            self._database = kept_values.Database(database, self._about(), self._stores)
        self.table = tables.make_table(tables.SMALLEST, self.threads)

    def _make_worker(self, cells: int, thread: int, most: int = 21) -> Worker:
        """`most` is the logarithm of how many places for components there are at most."""
        # A stone on a board has four neighbours; on a graph each may be the end of a piece.
        is_graph = isinstance(self.game, GraphClobber)
        num_moves = 2 * len(edge_list(self.game)) if is_graph else 4 * MAX_CELLS
        pieces = MAX_PARTS if is_graph else 4
        # Small boards have few values; untouched memory costs nothing, but touching it does.
        return Worker(
            make_component_table(
                2 ** min(most, max(12, cells - 4)), links_of(self.game), self.seed
            ),
            make_values(2 ** min(21, max(12, cells - 6)), self.seed),
            make_stack(num_moves, pieces, thread),
        )

    @property
    def worker(self) -> Worker:
        """The data of the first thread, for searches without threads."""
        return self._workers[0]

    def compile(self) -> None:
        """Compile the kernels, which would otherwise happen at first use."""
        self._search(self._workers[0], 0)
        tiny = tables.make_table(tables.WAYS, 1)
        tables.copy_entries(tiny, tiny)

    def value(
        self, state: State, on_progress: OnProgress | None = None, max_nodes: int | None = None
    ) -> int | None:
        """1 if the player to move wins, -1 if not, None if `max_nodes` did not suffice.

        With `max_nodes=0` the answer is only what is already known.
        """
        started = time.monotonic()
        value = self._value(state, on_progress, max_nodes)
        if self._database is not None:
            self._database.add(self._stores, time.monotonic() - started)
        return value

    def _value(
        self, state: State, on_progress: OnProgress | None, max_nodes: int | None
    ) -> int | None:
        for worker in self._workers:
            self._set_position(worker, state)
        self.table.busy[:] = 0
        before = self.nodes
        steps = 1 if max_nodes == 0 else FIRST_STEPS
        with ThreadPoolExecutor(self.threads) as pool:
            while True:
                self._advance(pool, steps)
                self.nodes = before + sum(int(w.stack.where[NODES]) for w in self._workers)
                if on_progress is not None:
                    on_progress(self._progress())
                for worker in self._workers:
                    if worker.stack.where[MODE] == DONE:
                        return 2 * int(worker.stack.where[RESULT]) - 1
                if max_nodes is not None and self.nodes - before >= max_nodes:
                    return None
                self._make_room()
                share = int(STEPS_PER_NODE * (self.nodes - before))
                steps = min(2 * steps, max(MANY_STEPS, share), MAX_STEPS)

    def remember(self, state: State, value: int) -> None:
        """Put a position whose value is known from elsewhere into the table."""
        worker = self._workers[0]
        self._set_position(worker, state)
        self._search(worker, 1)
        if worker.stack.where[MODE] != DONE:
            key = worker.stack.keys[0]
            with np.errstate(over="ignore"):
                result = tables.WON if value > 0 else tables.LOST
                tables.keep(self.table, 0, key[0], key[1], result, MUCH_WORK)
            self._make_room()

    def canonical_value(self, state: State) -> Value | None:
        """The value of a position as a combinatorial game, or None if it is too complicated."""
        if any(
            popcount(np.uint64(c.black | c.white)) > MAX_VALUED
            for c in split_position(self.game, state)
        ):
            return None
        worker = self._make_worker(MAX_CELLS, 0)
        self._set_position(worker, state)
        topology = self.topology._replace(methods=self.topology.methods._replace(small=MAX_CELLS))
        search(topology, worker.components, worker.values, worker.stack, self.table, 1)
        if worker.stack.levels[0, PART_COUNT] > 0:
            return None
        return to_value(worker.values, int(worker.stack.levels[0, SMALL_VALUE]))

    def save(self, path: Path) -> None:
        """Keep the table in a file."""
        tables.save_table(self.table, path, self._about())

    def load(self, path: Path) -> None:
        """Load a table from a file."""
        largest = self.memory // tables.BYTES_PER_ENTRY
        self.table = tables.load_table(path, self._about(), self.threads, largest)

    def _about(self) -> dict[str, Any]:
        """What keys depend on; the size of the board is not part of it."""
        about: dict[str, Any] = {
            "variant": self.topology.variant,
            "small": self.topology.methods.small,
            "seed": self.seed,
        }
        if isinstance(self.game, GraphClobber):
            about["edges"] = self.game.edges
        return about

    def _set_position(self, worker: Worker, state: State) -> None:
        parts = split_position(self.game, state)
        where, roots = worker.stack.where, worker.stack.roots
        roots[: len(parts)] = np.array(parts, np.uint64).reshape(-1, 3)
        where[ROOTS], where[MOVER] = len(parts), player_to_move(state)
        where[MODE], where[NODES] = SET_UP, 0

    def _advance(self, pool: ThreadPoolExecutor, steps: int) -> None:
        if self.threads == 1 or steps <= FIRST_STEPS:  # a second thread pays later
            self._search(self._workers[0], steps)
        else:
            futures = [pool.submit(self._search, worker, steps) for worker in self._workers]
            for future in futures:
                future.result()

    def _search(self, worker: Worker, steps: int) -> None:
        search(self.topology, worker.components, worker.values, worker.stack, self.table, steps)

    def _progress(self) -> Progress:
        root = self._workers[0].stack.levels[0]
        done = max(0, int(root[TRIED]) - 1)
        return Progress(self.nodes, tables.fill_of(self.table), done, int(root[CHILD_COUNT]))

    def _make_room(self) -> None:
        entries = self.table.entries.shape[0]
        fits = TABLE_GROWTH * entries * tables.BYTES_PER_ENTRY <= self.memory
        if fits and tables.fill_of(self.table) > 1 / 2:
            self.table = tables.grown(self.table, TABLE_GROWTH)


def to_value(values: Values, number: int) -> Value:
    """A value of the compiled store as one of value.py."""
    known: dict[int, Value] = {}

    def convert(x: int) -> Value:
        if x not in known:
            first, lefts, rights = (int(fact) for fact in values.facts[x, : RIGHTS + 1])
            options = [
                convert(int(option)) for option in values.pool[first : first + lefts + rights]
            ]
            known[x] = cgt_game(options[:lefts], options[lefts:])
        return known[x]

    return convert(number)
