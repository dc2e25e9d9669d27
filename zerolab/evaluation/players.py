"""Players by name, and those simple enough to play whole games in compiled code.

A name is a kind and, after a colon, its strength: ``random``, ``first``, ``mc:50``.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    State,
    legal_actions,
    random_action,
)
from zerolab.games.bits import as_int
from zerolab.games.compiling import generic, kernel, lean, rule
from zerolab.games.notation import num_actions, parse_number
from zerolab.games.rng import Stream
from zerolab.search.flat import FlatSettings, flat_monte_carlo
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

TREE_MEMORY = 2**30  # bytes, for each thread; a tree that fills it grows no further


class PlayerError(UsageError):
    """A name that is no player; the message lists those there are."""


class Player(Protocol):
    """Whoever chooses moves."""

    @property
    def name(self) -> str:
        """The name under which `make_player` finds this player."""

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """A legal action; there is one."""


Choice = RandomChoice | FirstChoice | FlatSettings | UctSettings


@dataclass(frozen=True)
class CompiledPlayer:
    """A player whose games run in compiled code.

    Kernels take its `choice` and are compiled for the class of that record, as for that of a game.
    """

    name: str
    choice: Choice

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """One move, from Python."""
        buffers = make_buffers(game, state, self.choice)
        return int(choose_once(self.choice, lean(game), state, rng, buffers))


class Buffers(NamedTuple):
    """What choosing a move needs besides the position."""

    actions: Actions  # [A], legal actions
    play_state: State  # [words], a position within a random game
    play_actions: Actions  # [A], legal actions there
    tree: UctTree


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
def choose_by_lot(
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
    """By flat Monte Carlo."""
    scratch = (buffers.play_state, buffers.play_actions)
    return flat_monte_carlo(game, state, choice.playouts, buffers.actions, rng, *scratch)


@rule(UctSettings, "choose_action")
def choose_by_uct(
    choice: UctSettings, game: Game, state: State, rng: Stream, buffers: Buffers
) -> int:
    """By a new tree."""
    plant(buffers.tree)
    grow(game, state, choice, buffers.tree, rng)
    child = best_move(buffers.tree)
    return NO_ACTION if child == NO_NODE else as_int(buffers.tree.action[child])


class UctLimits(NamedTuple):
    """When a search ends: by simulations, by time, or else when its memory is full."""

    simulations: int | None = None
    seconds: float | None = None
    memory: int = TREE_MEMORY
    """Bytes."""


class PatientPlayer:
    """UCT limited by time or memory, or with a tree that is kept between moves; in Python."""

    def __init__(self, name: str, settings: UctSettings, limits: UctLimits, reuse: bool) -> None:
        self.name = name
        self.settings = settings
        self.limits = limits
        self.reuse = reuse
        self._search: UctSearch | None = None

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """Search for as long as the limits allow."""
        return self.look(game, state, rng).best_action()

    def look(self, game: Game, state: State, rng: Stream) -> UctSearch:
        """The search itself."""
        if self._search is None or self._search.game != game:
            memory = self.limits.memory
            self._search = UctSearch(game, self.settings.c, self.settings.rollouts, memory)
        self._search.set_position(state, self.reuse)
        self._search.run(rng, self.limits.simulations, self.limits.seconds)
        return self._search


def search_for(player: Player, game: Game, state: State, rng: Stream) -> UctSearch:
    """The search that a player would make in a position, to be looked into."""
    if isinstance(player, CompiledPlayer) and isinstance(player.choice, UctSettings):
        limits = UctLimits(player.choice.simulations)
        player = PatientPlayer(player.name, player.choice, limits, reuse=False)
    if not isinstance(player, PatientPlayer):
        raise PlayerError(f"'{player.name}' keeps no tree to look into; expected mcts:N")
    return player.look(game, state, rng)


PLAYERS = {
    "random": "any legal move, each with equal chance",
    "first": "the first move in the list (damhuis's Pick First)",
    "mc:N": "flat Monte Carlo, N random games after each legal move",
    "mcts:N": "UCT with random playouts and proofs, N simulations a move; mcts:500ms for time, "
    "mcts:200MB for memory; options after commas: c=2, rollouts=1, reuse (keep the tree)",
}
MAX_STRENGTH = 10**8


def make_player(name: str) -> Player:
    """The player of that name."""
    kind, _, rest = name.partition(":")
    strength, *options = rest.split(",")
    if name == "random":
        return CompiledPlayer(name, RandomChoice())
    if name == "first":
        return CompiledPlayer(name, FirstChoice())
    if kind == "mc" and not options:
        return CompiledPlayer(name, FlatSettings(_parse_strength(name, strength, "mc:50")))
    if kind == "mcts":
        return _make_uct(name, strength, options)
    if name == "human":
        raise PlayerError("a human plays in zerolab play only")
    raise PlayerError(f"'{name}' is not a player; expected {', '.join(PLAYERS)}")


def _make_uct(name: str, strength: str, options: list[str]) -> Player:
    unit = strength[-2:] if strength[-2:] in ("ms", "MB") else ""
    number = _parse_strength(name, strength.removesuffix(unit), "mcts:1000")
    limits = UctLimits(simulations=number)
    if unit == "ms":
        limits = UctLimits(seconds=number / 1000)
    elif unit == "MB":
        limits = UctLimits(memory=number * 10**6)
    settings = UctSettings(limits.simulations or 0)
    reuse = False
    for option in options:
        key, _, value = option.partition("=")
        if key == "c" and _is_weight(value):
            settings = settings._replace(c=float(value))
        elif key == "rollouts":
            settings = settings._replace(rollouts=_parse_strength(name, value, "rollouts=2"))
        elif option == "reuse":
            reuse = True
        else:
            raise PlayerError(
                f"'{option}' in '{name}' is not an option; expected c=NUMBER, rollouts=N or reuse"
            )
    if limits.simulations is None or reuse:
        return PatientPlayer(name, settings, limits, reuse)
    return CompiledPlayer(name, settings)


def _is_weight(text: str) -> bool:
    """Whether a text is a number that can weigh exploration."""
    try:
        return 0 <= float(text) < math.inf
    except ValueError:
        return False


def _parse_strength(name: str, text: str, example: str) -> int:
    number = parse_number(text)
    if number is None or not 1 <= number <= MAX_STRENGTH:
        raise PlayerError(
            f"'{text}' in '{name}' is not a strength: expected a number from 1 to "
            f"{MAX_STRENGTH:,}, such as {example}"
        )
    return number
