"""Random games for the tests, in plain Python and from seeded streams."""

import functools
from typing import NamedTuple

from zerolab.games.base import NO_ACTION, Game, State, max_plies, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import legal_list
from zerolab.kernels.rng import random_below, stream


class Ply(NamedTuple):
    """A position and what was played there."""

    state: State  # not writeable: copy it before playing on
    legal: tuple[int, ...]
    action: int  # NO_ACTION in the last position


@functools.lru_cache(maxsize=512, typed=True)  # as tuples, records of two games can be equal
def random_game(game: Game, seed: int) -> tuple[Ply, ...]:
    """Every position of a random game, the last one included."""
    rng = stream(seed)
    state = initial_state(game, rng)
    plies = []
    while legal := legal_list(game, state):
        assert len(plies) < max_plies(game), "the game goes on for more plies than max_plies"
        action = legal[random_below(rng, len(legal))]
        plies.append(_ply(state, legal, action))
        step(game, state, action)
    plies.append(_ply(state, [], NO_ACTION))
    return tuple(plies)


def some_plies(game: Game, seed: int, most: int) -> tuple[Ply, ...]:
    """Up to that many positions of a random game, evenly spaced, first and last included."""
    plies = random_game(game, seed)
    spaced = {round(i * (len(plies) - 1) / (most - 1)) for i in range(most)}
    return tuple(plies[i] for i in sorted(spaced))


def _ply(state: State, legal: list[int], action: int) -> Ply:
    kept = state.copy()
    kept.flags.writeable = False
    return Ply(kept, tuple(legal), action)
