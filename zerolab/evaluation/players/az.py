"""Trained networks as players: with search, ``az:PATH@100``, and alone, ``net:PATH``.

PATH is a file, .safetensors or .onnx, or the directory of a run, which stands for its newest
network; ``runs/demo#40`` is that of step 40. An .onnx model is played without PyTorch.

They search as their run did, without noise, and play the best move: the same player that the ladder
of the run measures. The settings come from the header of the file, or from the config.json beside
it.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zerolab.encodings.views import View, make_view
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import evaluate_all, network_moves
from zerolab.evaluation.players.names import parse_exact, parse_strength, parse_weight
from zerolab.evaluation.players.protocol import Player, PlayerError, is_same_game
from zerolab.games.base import Game, States
from zerolab.games.catalogue import describe
from zerolab.games.notation import num_actions, parse_number
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.networks.header import KEY, Header, parse_header, read_file
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import signature_of
from zerolab.search.batched.batched_analysis import TreeReader
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import (
    BATCH,
    KEPT,
    Floats,
    NetworkSearch,
    SearchingNetwork,
    to_win,
)
from zerolab.solver.exact_leaves import NO_LEAVES, LeafBudget, make_oracle
from zerolab.training.runs.logs import network_of, read_config
from zerolab.training.settings.flat_names import parse_settings

MOST_EDGES = 2**27  # of all trees together; 28 bytes each, touched only as they are used


class AzOptions(NamedTuple):
    """The options of a name, after its path."""

    simulations: int
    c: float | None = None
    """Weight of exploration; None for that of the run."""
    exact: LeafBudget = NO_LEAVES
    """Leaves that are solved exactly (Clobber)."""
    gumbel: bool = False
    temperature: float = 0.0
    """Moves are sampled by visits to the power 1 / temperature; 0 for the best move."""


class _NetworkFile(ABC):
    """A network in a file, loaded for the current game."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self._loaded: tuple[Game, OnnxEvaluator, Header] | None = None

    def load(self, game: Game) -> tuple[OnnxEvaluator, Header]:
        """The network for this game; an error if it is for another."""
        if self._loaded is None or not is_same_game(self._loaded[0], game):
            self._loaded = (game, *load_evaluator(self.path, game))
        return self._loaded[1:]

    def choose(self, position: Position, rng: Stream) -> int:
        """One move."""
        return self.choose_many([position], [rng])[0]

    @abstractmethod
    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """A move in each position."""

    def network_values(self, positions: Sequence[Position]) -> Floats:
        """The network's own values of positions, for the players to move."""
        game, states = states_of(positions)
        evaluate, header = self.load(game)
        return evaluate_all(game, evaluate, make_view(game, header.encoding), states)[1]


class NetPlayer(_NetworkFile):
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


class AzPlayer(_NetworkFile):
    """A network and search."""

    def __init__(self, name: str, path: Path, options: AzOptions) -> None:
        super().__init__(name, path)
        self.options = options
        self._search: NetworkSearch | None = None

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
        search.result(0)
        search.forget_evaluations()

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """Choose in all positions in one search, so that leaves reach the network in batches."""
        if not positions:
            return []
        game, states = states_of(positions)
        return [int(move) for move in self.search_in(game, len(states)).choose(states, rngs)]

    def rate(self, positions: Sequence[Position]) -> dict[str, Floats]:
        """Values of the search, and those of the network alone."""
        game, states = states_of(positions)
        _, searched = self.search_in(game, len(states)).look(states)
        return {"search": searched, "network": self.network_values(positions)}

    def look(self, position: Position, rng: Stream) -> TreeReader:
        """The search itself."""
        search = self.search_in(position.game, 1).search
        search.start(0, position.state, explores=False)
        search.run()
        return TreeReader(search)

    def search_in(self, game: Game, positions: int) -> NetworkSearch:
        """A search with room for `positions` at once, up to a limit."""
        options = self.options
        edges = options.simulations * num_actions(game)
        batch = max(1, min(positions, BATCH, MOST_EDGES // edges))
        search = self._search
        if search is None or not is_same_game(search.network.game, game) or search.batch < batch:
            evaluate, header = self.load(game)
            config = search_config(self.path, header, options)
            network = SearchingNetwork(game, evaluate, config, make_oracle(game, *options.exact))
            try:
                search = NetworkSearch(network, batch, options.temperature)
            except MemoryError:
                raise PlayerError(
                    f"{self.name}: a tree of this size does not fit in memory"
                ) from None
            self._search = search
        return search


def search_config(path: Path, header: Header, options: AzOptions) -> SearchConfig:
    """The search settings of the network in a file when it plays to win."""
    run = header.search or read_config(path.parent)  # older files have only those of the run
    settings = {key: run[key] for key in KEPT if key in run} | {
        "max_simulations": options.simulations,
        "encoding": header.encoding,
    }
    if options.c is not None:
        settings["uct_c"] = options.c
    if options.gumbel or options.temperature:  # which draws from the visits of PUCT
        settings["gumbel"] = options.gumbel
    return to_win(parse_settings(SearchConfig, settings))


def states_of(positions: Sequence[Position]) -> tuple[Game, States]:
    """The game of positions, and their states [n, words]."""
    return positions[0].game, np.array([position.words for position in positions])


def load_evaluator(path: Path, game: Game) -> tuple[OnnxEvaluator, Header]:
    """The network in a file, ready to evaluate positions of its game."""
    if path.suffix != ".onnx":
        from zerolab.networks.checkpoints import load_network

        network, header = load_network(path, game)
        return OnnxEvaluator(network.to_onnx()), header
    model = read_file(path)
    try:
        evaluate = OnnxEvaluator(model)
        header = parse_header(path, evaluate.metadata.get(KEY))
        header.check_game(game)
    except UsageError as error:
        raise UsageError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
    if evaluate.input_shape != signature_of(game, header.encoding).input_shape:
        raise UsageError(
            f"{path}: this is a model for {header.game}, not for {describe(game)}; an .onnx model "
            f"fits one size: export the network again with --size"
        )
    return evaluate, header


def find_network(text: str) -> Path:
    """The file that the PATH of a name means."""
    directory, _, number = text.rpartition("#")
    step = parse_number(number)
    try:
        if text and Path(text).is_dir():
            return network_of(Path(text))
        if text and Path(text).is_file():
            return Path(text)
        if directory and step is not None and Path(directory).is_dir():
            return network_of(Path(directory), step)
    except OSError:  # no name that a file could have
        pass
    raise UsageError(
        f"there is no network '{text}'; expected the directory of a run, such as runs/demo or "
        f"runs/demo#40 for its step 40, or a file, .safetensors or .onnx"
    )


def pinned_network(text: str) -> str:
    """A PATH that keeps referring to the same file: the newest network of a run by its step."""
    try:
        if not text or not Path(text).is_dir():
            return text
    except OSError:  # no name that a file could have
        return text
    path = network_of(Path(text))
    step = path.stem.removeprefix("network-")
    return f"{text}#{int(step)}" if step.isdecimal() else str(path)


def make_net_player(name: str, rest: str) -> Player:
    """``net:PATH``."""
    return NetPlayer(name, find_network(rest))


def make_az_player(name: str, rest: str) -> Player:
    """``az:PATH@N``, with options after commas."""
    path, at, strength = rest.rpartition("@")
    if not at:
        raise PlayerError(f"'{name}' has no strength: expected az:PATH@N, such as az:runs/demo@100")
    number, *words = strength.split(",")
    options = AzOptions(parse_strength(name, number, "az:runs/demo@100"))
    for word in words:
        key, _, value = word.partition("=")
        weight = parse_weight(value)
        if key == "c" and weight is not None:
            options = options._replace(c=weight)
        elif key == "temperature" and weight is not None:
            options = options._replace(temperature=weight)
        elif key == "exact":
            options = options._replace(exact=parse_exact(name, word, options.simulations))
        elif word == "gumbel":
            options = options._replace(gumbel=True)
        else:
            raise PlayerError(
                f"'{word}' in '{name}' is not an option; expected c=NUMBER, exact, exact=N, "
                f"gumbel or temperature=NUMBER"
            )
    if options.gumbel and options.temperature:
        raise PlayerError(f"'{name}': gumbel cannot be combined with temperature")
    return AzPlayer(name, find_network(path), options)
