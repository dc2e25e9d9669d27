"""What a player is, and what some can do in addition to choosing a move.

Every player has a name and chooses moves. Some can report beforehand that they cannot play a game,
some have to load or compile something first, some are faster with many positions at once, some
count the moves they are not sure of, some hold processes that have to be ended. The helpers below
work with any player. Threads must not share a player.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream


class PlayerError(UsageError):
    """An unknown player, or a player for another game; the message says what is allowed."""


class EngineError(PlayerError):
    """An engine is missing, fails or plays illegally. The current game counts as not played."""

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(f"{engine}: {reason}")
        self.engine = engine
        """The player's name."""
        self.reason = reason

    def __reduce__(self) -> "tuple[type[EngineError], tuple[str, ...]]":
        return EngineError, (self.engine, self.reason)  # so that it passes between processes


class ResignationError(EngineError):
    """An engine resigns, and has lost the game."""

    def __init__(self, engine: str) -> None:
        super().__init__(engine, "it resigns")

    def __reduce__(self) -> "tuple[type[EngineError], tuple[str, ...]]":
        return ResignationError, (self.engine,)


class Player(Protocol):
    """Anything that chooses moves."""

    @property
    def name(self) -> str:
        """The name under which `make_player` finds this player."""

    def choose(self, position: Position, rng: Stream) -> int:
        """A legal action; there is one. A program may raise a ResignationError."""


@runtime_checkable
class CanCheck(Protocol):
    """A player that does not play every game."""

    def check(self, game: Game) -> None:
        """Raise a PlayerError with one sentence if this player cannot play the game."""


@runtime_checkable
class CanWarmUp(Protocol):
    """A player that loads or compiles something before its first move."""

    def warm_up(self, position: Position, count: int) -> None:
        """Prepare for `count` positions at once; this takes far less time than a move.

        There is a legal move in `position`. The player's play does not change.
        """


@runtime_checkable
class CanDoubt(Protocol):
    """A player that counts the moves it could not solve."""

    doubtful_moves: int
    """Their number so far."""


@runtime_checkable
class CanChooseMany(Protocol):
    """A player that is faster with many positions at once, such as a network."""

    def choose_many(self, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
        """A legal action in each position of a game; position i draws from `rngs[i]`."""


@runtime_checkable
class CanRate(Protocol):
    """A player that has values of positions, as those with a network do."""

    def rate(self, positions: Sequence[Position]) -> dict[str, npt.NDArray[np.float64]]:
        """[n] values for the players to move, by source: search or network."""


@runtime_checkable
class CanClose(Protocol):
    """A player that holds a resource, such as a process."""

    def close(self) -> None:
        """Release it. A player that is used again afterwards acquires it again."""


def is_same_game(one: Game | None, other: Game) -> bool:
    """Whether two games are the same; records of different games can be equal as tuples."""
    return type(one) is type(other) and bool(one == other)


def check_player(player: Player, game: Game) -> None:
    """Raise a PlayerError with one sentence if a player cannot play a game."""
    if isinstance(player, CanCheck):
        try:
            player.check(game)
        except PlayerError:
            raise
        except UsageError as error:
            raise PlayerError(f"{player.name}: {error}") from None


def warm_up_player(player: Player, position: Position, count: int) -> None:
    """Have a player load, start or compile what it needs, in a position in which there is a move.

    Raise a PlayerError with one sentence if it cannot play the game.
    """
    check_player(player, position.game)
    if isinstance(player, CanWarmUp):
        player.warm_up(position, count)


def doubts_of(player: Player) -> int:
    """Number of moves that a player could not solve so far; 0 if it does not count them."""
    return player.doubtful_moves if isinstance(player, CanDoubt) else 0


def choose_all(player: Player, positions: Sequence[Position], rngs: Sequence[Stream]) -> list[int]:
    """A player's moves in many positions; position i draws from `rngs[i]`."""
    if isinstance(player, CanChooseMany):
        return player.choose_many(positions, rngs)
    return [player.choose(position, rng) for position, rng in zip(positions, rngs, strict=True)]


def close_player(player: Player) -> None:
    """Release the resources of a player, if it holds any."""
    if isinstance(player, CanClose):
        player.close()
