"""Trained networks as players: with search, ``az:PATH@100``, and alone, ``net:PATH``.

The search has a number of simulations, or with ``az:PATH@100ms`` a time.

PATH is a file, .safetensors or .onnx, or the directory of a run, which stands for its newest
network; ``runs/demo#40`` is that of step 40. An .onnx model is played without PyTorch.

They search as their run did, without noise, and play the best move: the same player that the ladder
of the run measures. The settings come from the header of the file, or from the config.json beside
it.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.encodings.views import View, make_view
from zerolab.evaluation.perfect.accuracy import network_moves
from zerolab.evaluation.players.agents.shipped_agents import AGENTS
from zerolab.evaluation.players.names import parse_exact, parse_strength, parse_weight
from zerolab.evaluation.players.network_file import NetworkFile, find_network, states_of
from zerolab.evaluation.players.protocol import Player, PlayerError, is_same_game
from zerolab.games.base import Game
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.networks.header import Header
from zerolab.search.batched.batched_analysis import TreeReader
from zerolab.search.batched.batched_search import LEAST, BatchedSearch, Clock, SearchConfig
from zerolab.search.batched.growing_network import GrowingNetwork
from zerolab.search.batched.searching_network import (
    BATCH,
    KEPT,
    PLAIN,
    Floats,
    Manner,
    NetworkSearch,
    SearchingNetwork,
    to_win,
)
from zerolab.search.growing_search import Budget
from zerolab.solver.exact_leaves import NO_LEAVES, LeafBudget, make_oracle
from zerolab.training.runs.logs import read_config
from zerolab.training.settings.flat_names import parse_settings

MOST_EDGES = 2**27  # of all trees together; 28 bytes each, touched only as they are used
FASTEST = 200_000  # simulations a second; a tree by time has room for no more
ROOMY_EDGES = 2**25  # of one tree that time alone limits


class AzOptions(NamedTuple):
    """The options of a name, after its path."""

    simulations: int | None = None
    seconds: float | None = None
    """Time for each move, if it is not limited by simulations."""
    c: float | None = None
    """Weight of exploration; None for that of the run."""
    exact: LeafBudget = NO_LEAVES
    """Leaves that are solved exactly (Clobber)."""
    gumbel: bool = False
    temperature: float = 0.0
    """Moves are sampled by visits to the power 1 / temperature; 0 for the best move."""
    vary: bool = False
    """The second best move is played sometimes, if it has nearly as many visits."""

    @property
    def manner(self) -> Manner:
        """How the search ends and chooses."""
        return Manner(self.temperature, self.vary, self.seconds)

    def simulations_in(self, game: Game) -> int:
        """The most simulations of a move."""
        if self.seconds is None:
            assert self.simulations is not None
            return self.simulations
        return max(LEAST, min(round(self.seconds * FASTEST), MOST_EDGES // num_actions(game)))


class _Batched(ABC):
    """A player that takes many positions at once."""

    def choose(self, position: Position, rng: Stream) -> int:
        """One move."""
        return self.choose_many([position], [rng])[0]

    @abstractmethod
    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """A move in each position."""


class NetPlayer(NetworkFile, _Batched):
    """A network alone: the legal move it rates highest."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(name, path)
        self._view: tuple[Game, View] | None = None

    def check(self, game: Game) -> None:
        """Whether the network is for this game."""
        self.load(game)

    def warm_up(self, position: Position, count: int) -> None:
        """Evaluate that many positions once."""
        self.choose_many([position] * count, [])

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """Choose in all positions in one batch; nothing is random."""
        if not positions:
            return []
        game, states = states_of(positions)
        evaluate, header = self.load(game)
        if self._view is None or not is_same_game(self._view[0], game):
            self._view = game, make_view(game, header.encoding)
        moves = network_moves(game, evaluate, self._view[1], states)
        return [int(move) for move in moves]

    def rate(self, positions: Sequence[Position]) -> dict[str, Floats]:
        """The network's values."""
        return {"network": self.network_values(positions)}


class _SearchingFile(NetworkFile):
    """A network in a file, and search."""

    def __init__(
        self, name: str, path: Path, options: AzOptions, clock: Clock = time.perf_counter
    ) -> None:
        super().__init__(name, path)
        self.options = options
        self._search: NetworkSearch | None = None
        self._clock = clock
        self._roomy: tuple[SearchingNetwork, BatchedSearch] | None = None

    def check(self, game: Game) -> None:
        """Whether the network, and exact leaves if asked for, are for this game."""
        self.search_in(game, 1)

    def warm_up(self, position: Position, count: int) -> None:
        """Create the trees, and search that many positions briefly."""
        search = self.search_in(position.game, count).search
        for slot in range(search.slots.pending.shape[0]):
            search.start(slot, position.state, 2, explores=False)
        search.run()
        search.choose(0, self.options.temperature)
        if self.options.vary:
            search.choose_varied(0)
        search.result(0)
        search.forget_evaluations()

    def rate(self, positions: Sequence[Position]) -> dict[str, Floats]:
        """Values of the search, and those of the network alone."""
        game, states = states_of(positions)
        _, searched = self.search_in(game, len(states)).look(states)
        return {"search": searched, "network": self.network_values(positions)}

    def look(self, position: Position, rng: Stream) -> TreeReader:
        """The search itself."""
        return TreeReader(self.search_in(position.game, 1).run(states_of([position])[1]))

    def begin(self, position: Position, rng: Stream, budget: Budget | None) -> GrowingNetwork:
        """The search, to be run in slices.

        Gumbel search plans its simulations beforehand, so time alone only cuts them short.
        """
        network = self.search_in(position.game, 1)
        search = network.search
        room = self.options.simulations_in(position.game)
        own = Budget(self.options.simulations, self.options.seconds)
        budget = own if budget is None else budget
        if network.network.config.gumbel and budget.simulations is None:
            budget = budget._replace(simulations=room)
        if budget.simulations is None or budget.simulations > room:
            search = self._with_room(network.network)
        return GrowingNetwork(
            *(search, position.state, rng, budget), self.options.temperature, self.options.vary
        )

    def _with_room(self, network: SearchingNetwork) -> BatchedSearch:
        """A search of one position with more simulations than are in the name."""
        if self._roomy is None or self._roomy[0] is not network:
            most = max(network.config.max_simulations, ROOMY_EDGES // num_actions(network.game))
            config = network.config.model_copy(update={"max_simulations": most})
            self._roomy = network, network._replace(config=config).search(1)
        return self._roomy[1]

    def search_in(self, game: Game, positions: int) -> NetworkSearch:
        """A search with room for `positions` at once, up to a limit."""
        options = self.options
        edges = options.simulations_in(game) * num_actions(game)
        batch = max(1, min(positions, BATCH, MOST_EDGES // edges))
        search = self._search
        if search is None or not is_same_game(search.network.game, game) or search.batch < batch:
            evaluate, header = self.load(game)
            config = search_config(self.path, header, options, game)
            network = SearchingNetwork(game, evaluate, config, make_oracle(game, *options.exact))
            try:
                search = NetworkSearch(network, batch, options.manner, self._clock)
            except MemoryError:
                raise PlayerError(
                    f"{self.name}: a tree of this size does not fit in memory"
                ) from None
            self._search = search
        return search


class AzPlayer(_SearchingFile, _Batched):
    """A network and search with a number of simulations."""

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """Choose in all positions in one search, so that leaves reach the network in batches."""
        if not positions:
            return []
        game, states = states_of(positions)
        return [int(move) for move in self.search_in(game, len(states)).choose(states, rngs)]


class TimedAzPlayer(_SearchingFile):
    """A network and search by time. One position at a time, so that each move gets all of it."""

    _warm: NetworkSearch | None = None

    def search_in(self, game: Game, positions: int) -> NetworkSearch:
        """A search of one position; more of them are searched one after the other."""
        return super().search_in(game, 1)

    def choose(self, position: Position, rng: Stream) -> int:
        """Search until the time is used or the result is proven."""
        self._prepare(position)
        game, states = states_of([position])
        return int(self.search_in(game, 1).choose(states, [rng])[0])

    def rate(self, positions: Sequence[Position]) -> dict[str, Floats]:
        """Values of the search, and those of the network alone."""
        self._prepare(positions[0])
        return super().rate(positions)

    def look(self, position: Position, rng: Stream) -> TreeReader:
        """The search itself."""
        self._prepare(position)
        return super().look(position, rng)

    def warm_up(self, position: Position, count: int) -> None:
        """Create the tree, and search briefly."""
        super().warm_up(position, count)
        self._warm = self._search

    def _prepare(self, position: Position) -> None:
        """Warm up, if nobody did: loading and compiling take no time from a move."""
        if self._warm is not self.search_in(position.game, 1) and not position.is_over:
            self.warm_up(position, 1)


def search_config(path: Path, header: Header, options: AzOptions, game: Game) -> SearchConfig:
    """The search settings of the network in a file when it plays to win."""
    run = header.search or read_config(path.parent)  # older files have only those of the run
    settings = {key: run[key] for key in KEPT if key in run} | {
        "max_simulations": options.simulations_in(game),
        "encoding": header.encoding,
    }
    if options.c is not None:
        settings["uct_c"] = options.c
    if options.gumbel or options.manner != PLAIN:  # all others go by the visits of PUCT
        settings["gumbel"] = options.gumbel
    return to_win(parse_settings(SearchConfig, settings))


def make_net_player(name: str, rest: str) -> Player:
    """``net:PATH``."""
    return NetPlayer(name, find_network(rest))


def make_az_player(name: str, rest: str) -> Player:
    """``az:PATH@N`` or ``az:PATH@100ms``, with options after commas; ``az:clobber`` at its best."""
    if rest in AGENTS:
        rest = f"{rest}@{AGENTS[rest].strength}"
    path, at, strength = rest.rpartition("@")
    if not at:
        raise PlayerError(
            f"'{name}' has no strength: expected az:PATH@N, such as az:runs/demo@100, or a time, "
            f"az:runs/demo@100ms"
        )
    limit, *words = strength.split(",")
    number = parse_strength(name, limit.removesuffix("ms"), "az:runs/demo@100")
    is_timed = limit.endswith("ms")
    options = AzOptions(seconds=number / 1000) if is_timed else AzOptions(number)
    for word in words:
        key, _, value = word.partition("=")
        weight = parse_weight(value)
        if key == "c" and weight is not None:
            options = options._replace(c=weight)
        elif key == "temperature" and weight is not None:
            options = options._replace(temperature=weight)
        elif key == "exact":
            exact = parse_exact(name, word, options.simulations, options.seconds)
            options = options._replace(exact=exact)
        elif word == "gumbel":
            options = options._replace(gumbel=True)
        elif word == "vary":
            options = options._replace(vary=True)
        else:
            raise PlayerError(
                f"'{word}' in '{name}' is not an option; expected c=NUMBER, exact, exact=N, "
                f"gumbel, temperature=NUMBER or vary"
            )
    _check_combination(name, options)
    return (TimedAzPlayer if is_timed else AzPlayer)(name, find_network(path), options)


def _check_combination(name: str, options: AzOptions) -> None:
    """Raise a PlayerError if options exclude each other."""
    if options.gumbel and options.temperature:
        raise PlayerError(f"'{name}': gumbel cannot be combined with temperature")
    if options.vary and (options.gumbel or options.temperature):
        raise PlayerError(f"'{name}': vary cannot be combined with gumbel or temperature")
    if options.gumbel and options.seconds is not None:
        raise PlayerError(
            f"'{name}': gumbel divides a number of simulations among the moves and cannot be "
            f"limited by time; expected a number, such as az:runs/demo@100,gumbel"
        )
