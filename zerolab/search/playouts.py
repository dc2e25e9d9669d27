"""Random games, and the two players that do not search."""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    State,
    copy_state,
    legal_actions,
    num_players,
    player_to_move,
    random_action,
    step,
    terminal_value,
)
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import jitable, kernel, lean
from zerolab.kernels.rng import Stream, random_below, stream


class RandomChoice(NamedTuple):
    """A player: any legal move, each with equal chance."""

    unused: int = 0  # a record needs a field


class FirstChoice(NamedTuple):
    """A player: the first move in the list (damhuis's Pick First)."""

    unused: int = 0


@jitable
def value_for(game: Game, state: State, player: int) -> float:
    """The value of the end of a game for `player`."""
    value = terminal_value(game, state)
    if num_players(game) == 2 and player_to_move(state) != player:
        return -value
    return value


@jitable
def play_out(game: Game, state: State, actions: Actions, rng: Stream) -> int:
    """Play random moves, in place, until the game is over; return their number."""
    plies = 0
    action = random_action(game, state, actions, rng)
    while action != NO_ACTION:
        step(game, state, action)
        plies += 1
        action = random_action(game, state, actions, rng)
    return plies


@kernel
def play_opening(
    game: Game, state: State, most: int, after: State, actions: Actions, rng: Stream
) -> int:
    """Play 0 to `most` random moves, in place, each number equally likely; return the number.

    A move that would end the game is not played: there is always one left. `after` and `actions`
    are scratch.
    """
    wanted = random_below(rng, most + 1)
    plies = 0
    copy_state(state, after)
    while plies < wanted:
        action = random_action(game, after, actions, rng)
        if action == NO_ACTION:
            break
        step(game, after, action)
        if legal_actions(game, after, actions) == 0:
            break
        copy_state(after, state)
        plies += 1
    return plies


def mean_length(game: Game, games: int, seed: int = 0) -> float:
    """Mean length of random games in plies."""
    rng, actions = stream(seed), np.empty(num_actions(game), np.int64)
    plies = 0
    for _ in range(games):
        plies += _play_out_once(lean(game), initial_state(game, rng), actions, rng)
    return plies / games


@kernel
def _play_out_once(game: Game, state: State, actions: Actions, rng: Stream) -> int:
    return play_out(game, state, actions, rng)
