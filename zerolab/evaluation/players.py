"""Players by name, and those simple enough to play whole games in compiled code.

A name is a kind and, after a colon, its strength: ``random``, ``first``, ``mc:50``.
"""

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
from zerolab.games.compiling import jitable, kernel
from zerolab.games.notation import num_actions
from zerolab.games.rng import Stream
from zerolab.search.flat import flat_monte_carlo

RANDOM, FIRST, FLAT = range(3)


class PlayerError(UsageError):
    """A name that is no player; the message lists those there are."""


class Player(Protocol):
    """Whoever chooses moves."""

    @property
    def name(self) -> str:
        """The name under which `make_player` finds this player."""

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """A legal action; there is one."""


class CompiledPlayer(NamedTuple):
    """A player that is no more than two numbers, so that kernels can take it as an argument."""

    kind: int
    playouts: int = 0
    """FLAT: random games after each legal move."""

    @property
    def name(self) -> str:
        """As `make_player` takes it."""
        return ("random", "first", f"mc:{self.playouts}")[self.kind]

    def choose(self, game: Game, state: State, rng: Stream) -> int:
        """One move, from Python."""
        return int(_choose_once(game, state, self, rng, *make_buffers(game, state)))


class Buffers(NamedTuple):
    """What choosing a move needs besides the position."""

    actions: Actions  # [A], legal actions
    play_state: State  # [words], a position within a random game
    play_actions: Actions  # [A], legal actions there


def make_buffers(game: Game, state: State) -> Buffers:
    """Buffers for one thread."""
    size = num_actions(game)
    return Buffers(np.empty(size, np.int64), np.empty_like(state), np.empty(size, np.int64))


@jitable
def choose_action(
    game: Game,
    state: State,
    player: CompiledPlayer,
    rng: Stream,
    actions: Actions,
    play_state: State,
    play_actions: Actions,
) -> int:
    """The move of a compiled player, or NO_ACTION when the game is over."""
    if player.kind == RANDOM:
        return random_action(game, state, actions, rng)
    if player.kind == FIRST:
        first: int = NO_ACTION
        if legal_actions(game, state, actions) > 0:
            first = actions[0]
        return first
    return flat_monte_carlo(game, state, player.playouts, actions, rng, play_state, play_actions)


@kernel
def _choose_once(
    game: Game,
    state: State,
    player: CompiledPlayer,
    rng: Stream,
    actions: Actions,
    play_state: State,
    play_actions: Actions,
) -> int:
    return choose_action(game, state, player, rng, actions, play_state, play_actions)


MAX_PLAYOUTS = 10**9

PLAYERS = {
    "random": "any legal move, each with equal chance",
    "first": "the first move in the list (damhuis's Pick First)",
    "mc:N": "flat Monte Carlo, N random games after each legal move",
}


def make_player(name: str) -> Player:
    """The player of that name."""
    kind, colon, strength = name.partition(":")
    if kind in ("random", "first") and not colon:
        return CompiledPlayer(RANDOM if kind == "random" else FIRST)
    if kind == "mc":
        return CompiledPlayer(FLAT, _parse_strength(name, strength, "mc:50"))
    if name == "human":
        raise PlayerError("a human plays in zerolab play only")
    raise PlayerError(f"'{name}' is not a player; expected {', '.join(PLAYERS)}")


def _parse_strength(name: str, text: str, example: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_PLAYOUTS):
        raise PlayerError(
            f"'{text}' in '{name}' is not a strength: expected a number from 1 to "
            f"{MAX_PLAYOUTS:,}, such as {example}"
        )
    return int(text)
