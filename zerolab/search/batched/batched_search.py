"""Batched search for networks: B trees, one leaf in each, one call of the network for all.

    search = BatchedSearch(game, config, batch=64, evaluate=evaluate, seed=1)
    for slot in range(64):
        search.start(slot, state)
    while True:
        for slot in search.round():
            result = search.result(slot)              # a policy to learn and a value
            action = search.choose(slot, temperature)  # a move to play
            search.advance(slot, action)              # or start(slot, ...) when the game is over

A round takes the evaluations of the last one, expands, backs up, selects the next leaves (all of
this in simulation.py, in compiled code) and evaluates them. A leaf whose value is known at once,
because the game is over there, it was proven, it was evaluated before or the oracle solves it, is
backed up immediately and its tree selects another leaf, so that the batch for the network stays
full.

`evaluate` takes planes [n, P, R, C] and returns logits [n, A] and values [n] for the player to
move.
`oracle` is one of solver/exact_leaves.py.
"""

import time
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from zerolab.encodings.views import Encoding, make_view
from zerolab.errors import UsageError
from zerolab.games.base import Game, State, shape
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import random_float, stream
from zerolab.search.batched.algorithm import Algorithm, Slots, can_reuse
from zerolab.search.batched.cache import CacheStatistics, cache_statistics, clear_cache, make_cache
from zerolab.search.batched.gumbel import Gumbel
from zerolab.search.batched.puct import NO_URGENCY, Puct
from zerolab.search.batched.simulation import (
    choose_action,
    follow_move,
    next_leaves,
    plant_tree,
    read_root,
    refresh_root,
    vary_action,
)
from zerolab.search.batched.tree import make_trees
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN
from zerolab.solver.exact_leaves import NO_ORACLE, Oracle

Evaluations = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
Evaluate = Callable[[npt.NDArray[np.float32]], Evaluations]
Clock = Callable[[], float]
STRIDE = 1_000  # simulations of a tree between two looks at the clock, at most
LEAST = 2  # simulations, however little time there is: the root, then the move it rates highest


class SearchConfig(BaseModel):
    """How to search; names as in OpenSpiel's AlphaZero, defaults those of jans for large boards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_simulations: Annotated[int, Field(ge=1)] = 100
    """Evaluations per move, including the root (jans: 25 on small boards, 100 to 200 on large)."""
    uct_c: Annotated[float, Field(ge=0)] = 2.0
    """Weight of exploration (jans: 1 on small boards, 2 on large ones)."""
    urgency: Annotated[float, Field(ge=0)] | None = None
    """First-play urgency reduction (KataGo: 0.2); None, as in jans: an untried move is a draw."""
    policy_alpha: Annotated[float, Field(gt=0)] | None = 1.0
    """Dirichlet noise at the root (jans: 0.25 small, 1 large); None for 10 / number of moves."""
    policy_epsilon: Annotated[float, Field(ge=0, le=1)] = 0.25
    """Share of the noise (jans: 1 on small boards, 0.25 on large ones)."""
    forced_playouts: Annotated[float, Field(ge=0)] = 0.0
    """k of forced playouts with policy target pruning (Wu 2019: 2; jans: 0)."""
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """Moves are sampled by visits to the power 1 / temperature (jans: 1)."""
    temperature_drop: Annotated[int, Field(ge=0)] = 10
    """From this ply on the best move is played (jans: 4 on small boards, 10 on 5x5 and 5x6)."""
    opening_plies: Annotated[int, Field(ge=0)] = 0
    """Maximal number of random moves before a game of self-play; all numbers from 0 are equally
    likely. They are not learnt from, and `temperature_drop` counts after them (jans, wang: 0)."""
    gumbel: bool = False
    """Gumbel root selection and completed-Q targets instead of PUCT with noise (Danihelka et al.
    2022: yes, from 2 simulations on; jans: no)."""
    gumbel_considered: Annotated[int, Field(ge=1)] = 16
    """Moves that sequential halving begins with (Danihelka et al. 2022: 16)."""
    gumbel_c_visit: Annotated[float, Field(ge=0)] = 50.0
    gumbel_c_scale: Annotated[float, Field(ge=0)] = 1.0
    fast_simulations: Annotated[int, Field(ge=1)] | None = None
    """Playout cap randomisation: most moves get only this number, no noise, and are not learnt from
    (Wu 2019: 100 beside 600, growing to 200 beside 1000; jans: none)."""
    full_share: Annotated[float, Field(gt=0, le=1)] = 0.25
    """Share of moves searched in full where `fast_simulations` is set (Wu 2019: 0.25)."""
    reuse: bool = False
    """Keep the subtree of the move played; its visits count (AlphaGo Zero: yes; jans: no)."""
    encoding: Encoding = "own"
    """Input of the network (jans: own from 5x6 on); `components` is for Clobber (views.py)."""
    cache_size: Annotated[int, Field(ge=0)] = 2**16
    """Number of positions whose evaluations are kept."""
    cache_symmetric: bool = False
    """Whether symmetric positions share an entry."""


def make_algorithm(config: SearchConfig) -> Algorithm:
    """The record that the kernels take."""
    if config.gumbel:
        return Gumbel(config.gumbel_considered, config.gumbel_c_visit, config.gumbel_c_scale)
    return Puct(
        config.uct_c,
        NO_URGENCY if config.urgency is None else config.urgency,
        config.forced_playouts,
        config.policy_alpha or 0.0,
        config.policy_epsilon,
    )


class SearchResult(NamedTuple):
    """A finished search."""

    policy: npt.NDArray[np.float64]  # [A], the policy target
    visits: npt.NDArray[np.int64]  # [A]
    value: float
    """For the player to move."""
    proven: bool
    is_full: bool
    """Whether to learn from it: not if playout cap randomisation cut it short."""


class BatchedSearch:
    """B searches that share a network."""

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        batch: int,
        evaluate: Evaluate,
        seed: int = 0,
        oracle: Oracle = NO_ORACLE,
    ) -> None:
        if batch < 1:
            raise ValueError(f"a batch of {batch} trees is not possible; expected 1 or more")
        self.game = game
        self._lean = lean(game)
        self.config = config
        self.evaluate = evaluate
        self.oracle = oracle
        self.view = make_view(game, config.encoding)
        self.algorithm = make_algorithm(config)
        # A tree has at most as many nodes as its evaluated root has visits. A simulation adds one
        # node at most, and begins only while the visits are fewer than `max_simulations`.
        size, nodes = num_actions(game), config.max_simulations
        self.trees = make_trees(game, batch, nodes)
        self.cache = make_cache(game, config.cache_size, config.cache_symmetric)
        self.slots = Slots(
            simulations=np.zeros(batch, np.int64),
            explores=np.zeros(batch, np.bool_),
            pending=np.full(batch, NO_NODE, np.int64),
            depth=np.zeros(batch, np.int64),
            row=np.zeros(batch, np.int64),
            finished=np.zeros(batch, np.bool_),
            gumbels=np.zeros((batch, size), np.float64),
            streams=np.stack([stream(seed, slot) for slot in range(batch)]),
        )
        self._full = np.zeros(batch, np.bool_)
        self._planes = np.zeros((batch, self.view.planes, *shape(game)), np.float32)
        self._none = np.zeros((0, size), np.float32), np.zeros(0, np.float32)
        self._evaluations = self._none
        self._actions = np.empty(size, np.int64)
        self._places = np.empty(nodes, np.int32)

    def start(
        self, slot: int, state: State, simulations: int | None = None, explores: bool = True
    ) -> None:
        """Search a position with a new tree. Without `simulations` the configuration decides."""
        self._check(slot)
        plant_tree(self._lean, self.trees, slot, state, self._actions)
        self._begin(slot, simulations, explores)

    def advance(
        self, slot: int, action: int, simulations: int | None = None, explores: bool = True
    ) -> None:
        """Search the position after a move from the last one."""
        keeps = self.config.reuse and can_reuse(self.algorithm)
        self._check(slot)
        if not follow_move(
            self._lean, self.trees, slot, action, keeps, self._actions, self._places
        ):
            raise ValueError(f"action {action} is not legal in the position of slot {slot}")
        self._begin(slot, simulations, explores)

    def _begin(self, slot: int, simulations: int | None, explores: bool) -> None:
        full, fast = self.config.max_simulations, self.config.fast_simulations
        self._full[slot] = True
        if simulations is not None and simulations < 1:
            raise ValueError(f"{simulations} simulations are not possible; expected 1 or more")
        if simulations is None:
            simulations = full
            if (
                fast is not None
                and random_float(self.slots.streams[slot]) >= self.config.full_share
            ):
                simulations, explores = min(fast, full), False
                self._full[slot] = False
        self.slots.simulations[slot] = min(simulations, full)
        self.slots.explores[slot] = explores
        self.slots.pending[slot] = NO_NODE
        self.slots.finished[slot] = False
        refresh_root(self.trees, self.algorithm, self.slots, slot)

    def round(self) -> list[int]:
        """One leaf in every tree; return the slots whose search is complete."""
        count = self._next_leaves(self._evaluations)
        self._evaluations = self._none
        if count > 0:
            self._evaluations = self._checked(self.evaluate(self._planes[:count]), count)
        finished: list[int] = np.flatnonzero(self.slots.finished).tolist()
        self.slots.finished[finished] = False
        return finished

    def _next_leaves(self, evaluations: Evaluations) -> int:
        """Take evaluations and find a leaf in every tree; return the number of leaves."""
        state = (self.trees, self.algorithm, self.slots, self.cache, self.oracle, self._actions)
        return int(next_leaves(self._lean, *state, *evaluations, self.view, self._planes))

    def _checked(self, evaluations: Evaluations, count: int) -> Evaluations:
        """The network's output as the kernels need it; an error if the network has diverged."""
        logits = np.ascontiguousarray(evaluations[0], np.float32)
        values = np.ascontiguousarray(evaluations[1], np.float32)
        size = self._actions.shape[0]
        if logits.shape != (count, size) or values.shape != (count,):
            raise ValueError(
                f"evaluate gave logits {logits.shape} and values {values.shape}; expected "
                f"{(count, size)} and {(count,)}"
            )
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise UsageError("the network returned a number that is not finite: it has diverged")
        return logits, values

    def _check(self, slot: int) -> None:
        if not 0 <= slot < self.slots.pending.shape[0]:
            raise ValueError(f"there is no slot {slot}; there are {self.slots.pending.shape[0]}")

    def run(self, on_round: Callable[[], None] = lambda: None) -> None:
        """Continue until every search is complete; `on_round` is called after each round."""
        while (self.slots.simulations > 0).any():
            self.round()
            on_round()

    def run_for(self, seconds: float, clock: Clock = time.perf_counter) -> None:
        """Continue until the time is used or every search is complete; for PUCT only.

        A round may find leaves that are known already for a long time. So it gets only a part of
        the simulations.
        """
        wanted, deadline = self.slots.simulations.copy(), clock() + seconds
        while clock() < deadline:
            visits, proven = self.trees.visits[:, ROOT], self.trees.proven[:, ROOT]
            unfinished = (wanted > 0) & (visits < wanted) & (proven == UNPROVEN)
            if not unfinished.any():
                break
            self.slots.simulations[:] = np.where(unfinished, np.minimum(wanted, visits + STRIDE), 0)
            self.round()
        self.slots.simulations[:] = np.minimum(wanted, LEAST)
        self.run()  # which takes the evaluations of the last round

    def result(self, slot: int) -> SearchResult:
        """The result of a complete search."""
        size = self._actions.shape[0]
        policy, visits = np.zeros(size, np.float64), np.zeros(size, np.int64)
        value = read_root(self.trees, self.algorithm, self.slots, slot, policy, visits)
        proven = bool(self.trees.proven[slot, ROOT] != UNPROVEN)
        return SearchResult(policy, visits, float(value), proven, bool(self._full[slot]))

    def choose(self, slot: int, temperature: float = 0.0) -> int:
        """A move to play: the best, or one at random, by visits to the power 1 / temperature.

        With Gumbel the root's own draws are the random part, and the temperature does not matter.
        """
        self._check_choice(slot)
        return int(choose_action(self.trees, self.algorithm, self.slots, slot, temperature))

    def choose_varied(self, slot: int) -> int:
        """A move to play: the best or, sometimes, one that was searched nearly as often."""
        self._check_choice(slot)
        return int(vary_action(self.trees, self.slots, slot))

    def _check_choice(self, slot: int) -> None:
        self._check(slot)
        if self.trees.used[slot, 0] == 0 or self.is_over(slot):
            raise ValueError(f"there is no move to choose in slot {slot}")

    def choose_at(self, slot: int, ply: int) -> int:
        """A move to play in self-play: sampled at first, the best after `temperature_drop`."""
        drawn = ply < self.config.temperature_drop
        return self.choose(slot, self.config.temperature if drawn else 0.0)

    def is_over(self, slot: int) -> bool:
        """Whether the game is over in the position to be searched."""
        return bool(self.trees.num_edges[slot, ROOT] == 0)

    def forget_evaluations(self) -> None:
        """Empty the cache, for use when the network has changed."""
        clear_cache(self.cache)
        self._evaluations = self._none  # waiting leaves are evaluated again

    def cache_statistics(self) -> CacheStatistics:
        """Statistics of the cache."""
        return cache_statistics(self.cache)
