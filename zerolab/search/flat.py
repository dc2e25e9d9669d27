"""Flat Monte Carlo: the same number of random games after each move; the best mean is played.

As in damhuis, section 4.3; ties go to the first move in the list.
"""

from typing import NamedTuple

from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    State,
    copy_state,
    legal_actions,
    player_to_move,
    step,
)
from zerolab.kernels.compiling import subroutine
from zerolab.kernels.rng import Stream
from zerolab.search.playouts import play_out, value_for


class FlatSettings(NamedTuple):
    """How to search."""

    playouts: int
    """Random games after each legal move."""


@subroutine
def flat_monte_carlo(
    game: Game,
    state: State,
    playouts: int,
    actions: Actions,
    rng: Stream,
    play_state: State,
    play_actions: Actions,
) -> int:
    """The move with the best total over `playouts` random games; the last two are scratch."""
    player = player_to_move(state)
    best_action = NO_ACTION
    best_total = 0.0
    for i in range(legal_actions(game, state, actions)):
        total = 0.0
        for _ in range(playouts):
            copy_state(state, play_state)
            step(game, play_state, actions[i])
            play_out(game, play_state, play_actions, rng)
            total += value_for(game, play_state, player)
        if best_action == NO_ACTION or total > best_total:
            best_action = actions[i]
            best_total = total
    return best_action
