"""The rules, compiled: two kernels through which the tests look at them."""

import numpy as np
import numpy.typing as npt

from zerolab.games.base import (
    NO_ACTION,
    Actions,
    Game,
    Planes,
    State,
    legal_actions,
    num_players,
    random_action,
    step,
    terminal_value,
)
from zerolab.games.boards.stones import COLOURS, OWN, encode
from zerolab.kernels.compiling import kernel
from zerolab.kernels.rng import Stream


@kernel
def look_and_step(
    game: Game,
    state: State,
    action: int,
    actions: Actions,
    scratch: Actions,
    rng: Stream,
    colours: Planes,
    own: Planes,
) -> tuple[int, int, float, int]:
    """What the compiled rules say of a position; then play `action`, if it is one, in place."""
    count = legal_actions(game, state, actions)
    drawn = random_action(game, state, scratch, rng)
    encode(game, state, COLOURS, colours)
    encode(game, state, OWN, own)
    value = 0.0
    if count == 0:
        value = terminal_value(game, state)
    if action != NO_ACTION:
        step(game, state, action)
    return count, drawn, value, num_players(game)


@kernel
def draw_often(
    game: Game,
    state: State,
    actions: Actions,
    rng: Stream,
    counts: npt.NDArray[np.int64],  # [A], how often each action was drawn
    draws: int,
) -> None:
    """Draw many actions in one position."""
    for _ in range(draws):
        counts[random_action(game, state, actions, rng)] += 1
