"""Random games to the end."""

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
