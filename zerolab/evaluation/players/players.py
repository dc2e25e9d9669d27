"""Players by name, and the simple ones that play whole games in compiled code.

A name is a kind and, after a colon, its strength: ``random``, ``first``, ``mc:50``. Networks and
external engines are in files of their own.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from zerolab.evaluation.players.names import parse_exact, parse_strength, parse_weight
from zerolab.evaluation.players.protocol import Player as Player
from zerolab.evaluation.players.protocol import PlayerError as PlayerError
from zerolab.evaluation.players.protocol import check_player, is_same_game
from zerolab.evaluation.players.solver_player import SolverPlayer
from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    State,
    legal_actions,
    random_action,
    step,
)
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.kernels.bits import as_int
from zerolab.kernels.compiling import generic, kernel, lean, rule
from zerolab.kernels.rng import Stream, stream
from zerolab.networks.mlp.mlp import Mlp, Scratch, make_scratch
from zerolab.search.analysis import Searched
from zerolab.search.flat import FlatSettings, flat_monte_carlo
from zerolab.search.growing_search import Budget, GrowingSearch, GrowingUct
from zerolab.search.playouts import FirstChoice, RandomChoice
from zerolab.search.proofs import NO_NODE
from zerolab.search.uct import (
    BYTES_PER_NODE,
    UctSettings,
    UctTree,
    best_move,
    grow,
    make_tree,
    plant,
)
from zerolab.search.uct_search import UctSearch
from zerolab.solver.exact_leaves import NO_LEAVES, NO_ORACLE, LeafBudget, make_oracle

TREE_MEMORY = 2**30  # bytes, for each thread; a tree that fills it grows no further


Choice = RandomChoice | FirstChoice | FlatSettings | UctSettings | Mlp


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose games run in compiled code.

    Kernels take its `choice` and are compiled for the class of that record, as for games.
    """

    name: str
    choice: Choice

    def choose(self, position: Position, rng: Stream) -> int:
        """One move, from Python."""
        state = position.state
        buffers = make_buffers(position.game, state, self.choice)
        return int(choose_once(self.choice, lean(position.game), state, rng, buffers))

    def warm_up(self, position: Position, count: int) -> None:
        """Compile; the code is the same for every strength."""
        choice = self.choice
        if isinstance(choice, UctSettings):
            choice = choice._replace(simulations=1)
        elif isinstance(choice, FlatSettings):
            choice = choice._replace(playouts=1)
        CompiledPlayer(self.name, choice).choose(position, stream(0))


class Buffers(NamedTuple):
    """Work space of choosing a move."""

    actions: Actions  # [A], legal actions
    play_state: State  # [words], a position within a random game
    play_actions: Actions  # [A], legal actions there
    tree: UctTree
    mlp: Scratch


def make_buffers(game: Game, state: State, *choices: Choice) -> Buffers:
    """Buffers for one thread in which these players play."""
    size = num_actions(game)
    searches = [choice.simulations for choice in choices if isinstance(choice, UctSettings)]
    nodes = 1 + size * max(1, *searches, 0)  # a simulation adds the moves of one position at most
    nodes = min(nodes, TREE_MEMORY // BYTES_PER_NODE)
    return Buffers(
        np.empty(size, np.int64),
        np.empty_like(state),
        np.empty(size, np.int64),
        make_tree(game, state.shape[0], nodes),
        make_scratch(*(choice for choice in choices if isinstance(choice, Mlp))),
    )


@generic
def choose_action(choice: Choice, game: Game, state: State, rng: Stream, buffers: Buffers) -> int:
    """The move of a compiled player, or NO_ACTION when the game is over."""
    raise TypeError("this player binds no rule choose_action")


@kernel
def choose_once(choice: Choice, game: Game, state: State, rng: Stream, buffers: Buffers) -> int:
    """The same from Python."""
    return choose_action(choice, game, state, rng, buffers)


@rule(RandomChoice, "choose_action")
def choose_at_random(
    choice: RandomChoice, game: Game, state: State, rng: Stream, buffers: Buffers
) -> int:
    """Any legal move."""
    return random_action(game, state, buffers.actions, rng)


@rule(FirstChoice, "choose_action")
def choose_first(
    choice: FirstChoice, game: Game, state: State, rng: Stream, buffers: Buffers
) -> int:
    """The first legal move."""
    action: int = NO_ACTION
    if legal_actions(game, state, buffers.actions) > 0:
        action = buffers.actions[0]
    return action


@rule(FlatSettings, "choose_action")
def choose_flat(
    choice: FlatSettings, game: Game, state: State, rng: Stream, buffers: Buffers
) -> int:
    """The best move by flat Monte Carlo."""
    scratch = (buffers.play_state, buffers.play_actions)
    return flat_monte_carlo(game, state, choice.playouts, buffers.actions, rng, *scratch)


@rule(UctSettings, "choose_action")
def choose_by_uct(
    choice: UctSettings, game: Game, state: State, rng: Stream, buffers: Buffers
) -> int:
    """The best move by UCT with a new tree."""
    plant(buffers.tree)
    grow(game, state, choice, buffers.tree, rng, NO_ORACLE)
    child = best_move(buffers.tree)
    return NO_ACTION if child == NO_NODE else as_int(buffers.tree.action[child])


class UctLimits(NamedTuple):
    """When a search ends: by simulations, by time, or else when its memory is full."""

    simulations: int | None = None
    seconds: float | None = None
    memory: int = TREE_MEMORY
    """Bytes."""
    exact: LeafBudget = NO_LEAVES
    """Leaves that are solved exactly (Clobber)."""


class UctPlayer:
    """UCT limited by time or memory, with exact leaves, or with a tree kept between moves."""

    def __init__(self, name: str, settings: UctSettings, limits: UctLimits, reuse: bool) -> None:
        self.name = name
        self.settings = settings
        self.limits = limits
        self.reuse = reuse
        self._search: UctSearch | None = None

    def choose(self, position: Position, rng: Stream) -> int:
        """Search for as long as the limits allow."""
        return self.look(position, rng).best_action()

    def check(self, game: Game) -> None:
        """Raise an error if exact leaves are not possible in this game."""
        self._ready(game)

    def warm_up(self, position: Position, count: int) -> None:
        """Compile by a search of two moves, which is then discarded with all its tables."""
        game, after, rng = position.game, position.state, stream(0)
        search = self._ready(game)
        search.set_position(after, self.reuse)
        search.run(rng, simulations=1)
        step(game, after, search.best_action())
        search.set_position(after, self.reuse)
        self._search = None
        self._ready(game).set_position(position.state, self.reuse)

    def look(self, position: Position, rng: Stream) -> UctSearch:
        """The search itself."""
        search = self._ready(position.game)
        search.set_position(position.state, self.reuse)
        search.run(rng, self.limits.simulations, self.limits.seconds)
        return search

    def begin(self, position: Position, rng: Stream, budget: Budget | None) -> GrowingUct:
        """The search, to be run in slices."""
        search = self._ready(position.game)
        search.set_position(position.state, self.reuse)
        own = Budget(self.limits.simulations, self.limits.seconds)
        return GrowingUct(search, rng, own if budget is None else budget)

    def _ready(self, game: Game) -> UctSearch:
        if self._search is None or not is_same_game(self._search.game, game):
            oracle = make_oracle(game, *self.limits.exact)
            settings, memory = self.settings, self.limits.memory
            self._search = UctSearch(game, settings.c, settings.rollouts, memory, oracle)
        return self._search


@runtime_checkable
class CanGrow(Player, Protocol):
    """A player whose search can be run in slices, under any budget."""

    def begin(self, position: Position, rng: Stream, budget: Budget | None) -> GrowingSearch:
        """The search for a move; without a budget, that of the player's name."""


@runtime_checkable
class CanLook(Player, Protocol):
    """A player whose search can be shown."""

    def look(self, position: Position, rng: Stream) -> Searched:
        """The search for a move."""


def with_tree(player: Player) -> Player:
    """The same player with a tree that can be shown, if it searches."""
    if isinstance(player, CompiledPlayer) and isinstance(player.choice, UctSettings):
        limits = UctLimits(player.choice.simulations)
        return UctPlayer(player.name, player.choice, limits, reuse=False)
    return player


def search_for(player: Player, position: Position, rng: Stream) -> Searched:
    """The search of a player in a position, for analysis."""
    player = with_tree(player)
    if not isinstance(player, CanLook):
        raise PlayerError(f"'{player.name}' has no search tree to show; expected mcts:N or az:...")
    check_player(player, position.game)
    return player.look(position, rng)


PLAYERS = {
    "random": "any legal move, each with equal chance",
    "first": "the first move in the list (damhuis's Pick First)",
    "mc:N": "flat Monte Carlo, N random games after each legal move",
    "mcts:N": "UCT with random playouts and proofs, N simulations a move; mcts:500ms for time, "
    "mcts:200MB for memory; options after commas: c=2, rollouts=1, reuse (keep the tree), exact=18 "
    "(Clobber: solve leaves at most as hard as one component of 18 stones), or exact alone (as "
    "hard as the time or the simulations of a move allow)",
    "solver:N": "exact play, where N nodes for each move suffice; solver alone for a million",
    "az:PATH@N": "a trained network and search, N simulations a move, or @100ms for time; PATH is "
    "a run's directory (its newest network), runs/demo#40 (that of step 40), a .safetensors or an "
    ".onnx file, or an agent that comes with zerolab, az:clobber; options after commas: c=2, "
    "exact=18 or exact, gumbel, temperature=0.5, vary (half of the time the second best move, if "
    "it has more than half of the best one's visits)",
    "net:PATH": "a trained network alone: the move it rates highest",
    "mlp:FILE": "a small network in a file (.npz) that learnt online as in damhuis: the move whose "
    "board it scores highest",
    "uci:COMMAND@100ms": "an engine that speaks UCI and plays Clobber, such as fairy-stockfish; "
    "also @1000nodes, @depth8; its options after commas, such as Skill Level=5",
    "gtp:COMMAND": "an engine that speaks GTP with moves in our notation",
}
SOLVER_NODES = 1_000_000


def make_player(name: str) -> Player:
    """A new player of that name. Files must exist; engines start when they are needed."""
    kind, _, rest = name.partition(":")
    strength, *options = rest.split(",")
    if name == "random":
        return CompiledPlayer(name, RandomChoice())
    if name == "first":
        return CompiledPlayer(name, FirstChoice())
    if kind == "mc" and not options:
        return CompiledPlayer(name, FlatSettings(parse_strength(name, strength, "mc:50")))
    if kind == "mcts":
        return _make_uct(name, strength, options)
    if name == "solver":
        return SolverPlayer(name, SOLVER_NODES)
    if kind == "solver" and not options:
        return SolverPlayer(name, parse_strength(name, strength, "solver:100000"))
    if kind in ("az", "net", "mlp", "uci", "gtp"):
        return _make_guest(kind, name, rest)
    if name == "human":
        raise PlayerError("human plays only in zerolab play")
    raise PlayerError(f"'{name}' is not a player; expected {', '.join(PLAYERS)}")


def make_compiled_player(name: str) -> CompiledPlayer:
    """A new player of that name whose games run in compiled code; PlayerError for any other."""
    player = make_player(name)
    if not isinstance(player, CompiledPlayer):
        raise PlayerError(f"'{name}' is not compiled; expected random, first, mc:N or mcts:N")
    return player


def _make_guest(kind: str, name: str, rest: str) -> Player:
    """A network or an engine; their modules are imported only here."""
    if kind == "uci":
        from zerolab.evaluation.players.uci import make_uci_player

        return make_uci_player(name, rest)
    if kind == "gtp":
        from zerolab.evaluation.players.gtp import make_gtp_player

        return make_gtp_player(name, rest)
    if kind == "mlp":
        from zerolab.evaluation.players.mlp_player import load_mlp_player

        return load_mlp_player(name, rest)
    from zerolab.evaluation.players.az import make_az_player, make_net_player

    return make_az_player(name, rest) if kind == "az" else make_net_player(name, rest)


def _make_uct(name: str, strength: str, options: list[str]) -> Player:
    unit = strength[-2:] if strength[-2:] in ("ms", "MB") else ""
    number = parse_strength(name, strength.removesuffix(unit), "mcts:1000")
    limits = UctLimits(simulations=number)
    if unit == "ms":
        limits = UctLimits(seconds=number / 1000)
    elif unit == "MB":
        limits = UctLimits(memory=number * 10**6)
    settings = UctSettings(limits.simulations or 0)
    reuse = False
    for option in options:
        key, _, value = option.partition("=")
        weight = parse_weight(value)
        if key == "c" and weight is not None:
            settings = settings._replace(c=weight)
        elif key == "rollouts":
            settings = settings._replace(rollouts=parse_strength(name, value, "rollouts=2"))
        elif option == "reuse":
            reuse = True
        elif key == "exact":
            exact = parse_exact(name, option, limits.simulations, limits.seconds)
            limits = limits._replace(exact=exact)
        else:
            raise PlayerError(
                f"'{option}' in '{name}' is not an option; expected c=NUMBER, rollouts=N, exact, "
                f"exact=N or reuse"
            )
    if limits.simulations is None or limits.exact.stones or reuse:
        return UctPlayer(name, settings, limits, reuse)
    return CompiledPlayer(name, settings)
