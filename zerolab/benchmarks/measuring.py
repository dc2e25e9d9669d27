"""Measuring within one run: machines are noisy, so contestants take turns.

Each is judged by its best round.
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import NO_ACTION, Game, State, legal_actions, random_action, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import num_actions
from zerolab.kernels.rng import Stream

T = TypeVar("T")

ROUNDS = 4


def measure(contestants: dict[str, Callable[[int], Any]], seconds: float) -> dict[str, float]:
    """Calls a second of each contestant, best of alternating ROUNDS; the first call compiles."""
    sizes = {}
    for name, play in contestants.items():
        play(1)
        games = 1
        while (elapsed := _timed(play, games)) < seconds / ROUNDS / 8:
            games *= 2
        sizes[name] = max(1, int(games * seconds / ROUNDS / elapsed))
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(ROUNDS):
        for name, play in contestants.items():
            best[name] = max(best[name], sizes[name] / _timed(play, sizes[name]))
    return best


def _timed(play: Callable[[int], Any], games: int) -> float:
    started = time.perf_counter()
    play(games)
    return time.perf_counter() - started


def repeated(function: Callable[[T], Any], argument: T) -> Callable[[int], None]:
    """A contestant that calls a function with an argument."""

    def run(times: int) -> None:
        for _ in range(times):
            function(argument)

    return run


def random_position(game: Game, plies: int, rng: Stream) -> State | None:
    """The position after `plies` random moves, or None if the game is over by then."""
    state = initial_state(game, rng)
    scratch = np.empty(num_actions(game), np.int64)
    for _ in range(plies):
        action = random_action(game, state, scratch, rng)
        if action == NO_ACTION:
            return None
        step(game, state, action)
    return state if legal_actions(game, state, scratch) > 0 else None


def open_spiel() -> Any:
    """OpenSpiel, the peer."""
    try:
        import pyspiel
    except ImportError:
        message = "--peers needs OpenSpiel; install it with pip install open_spiel"
        raise UsageError(message) from None
    return pyspiel
