"""Random games to the end, and the two players that need no thought."""

from typing import NamedTuple

from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    State,
    num_players,
    player_to_move,
    random_action,
    step,
    terminal_value,
)
from zerolab.games.compiling import jitable
from zerolab.games.rng import Stream


class RandomChoice(NamedTuple):
    """A player: any legal move, each with equal chance."""

    unused: int = 0  # a record needs a field


class FirstChoice(NamedTuple):
    """A player: the first move in the list (damhuis's Pick First)."""

    unused: int = 0


@jitable
def value_for(game: Game, state: State, player: int) -> float:
    """What the end of a game is worth to `player`."""
    value = terminal_value(game, state)
    if num_players(game) == 2 and player_to_move(state) != player:
        return -value
    return value


@jitable
def play_out(game: Game, state: State, actions: Actions, rng: Stream) -> int:
    """Play random moves, in place, until the game is over; return how many."""
    plies = 0
    action = random_action(game, state, actions, rng)
    while action != NO_ACTION:
        step(game, state, action)
        plies += 1
        action = random_action(game, state, actions, rng)
    return plies
