"""What a game is: a record of parameters, a state in words, and the rules that bind these names.

A game is a ``NamedTuple`` of its parameters. A state is a row of ``uint64`` words. Word 0 is the
turn word: its bit 0 is the player to move, 0 for Black, who moves first, 1 for White. The other
words, and the other bits of word 0, belong to the game; on boards the stones follow (stones.py).

The laws, each an assertion in tests/games/test_laws.py that runs over every game:

1.  A game is over exactly when there is no legal action. A player who has to pass has the action
    "pass", so no turn is ever skipped silently.
2.  `legal_actions` lists each legal action once, in ascending order, all below `num_actions`.
3.  `random_action` returns a legal action, each with equal chance, or NO_ACTION when there is none.
4.  `step` changes the state in place and depends on nothing but game, state and action.
5.  Every game ends, after at most `max_plies` steps.
6.  `terminal_value` is in [-1, 1], from the view of the player to move.
7.  A state can be rebuilt from the text of its position and the player to move, except for what it
    remembers of earlier moves (stones.py), and a move from its text (notation.py).
8.  Through a symmetry, legal actions, steps, values and planes all agree (symmetry.py).
9.  The rules give the same results compiled and as plain Python.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.kernels.bits import U1, as_int
from zerolab.kernels.compiling import generic, jitable
from zerolab.kernels.rng import Stream, random_below

Game = Any  # a record with rules bound to its class; Numba resolves them, so this is not a protocol
State = npt.NDArray[np.uint64]  # [words]
States = npt.NDArray[np.uint64]  # [B, words]
Actions = npt.NDArray[np.int64]  # [A], a buffer that holds legal actions
Planes = npt.NDArray[np.float32]  # [P, R, C]

BLACK, WHITE = 0, 1
NO_ACTION = -1


class GameError(UsageError):
    """Impossible parameters, position or move; the message says what is allowed."""


# Rules that kernels call. Every game binds the first three.


@generic
def legal_actions(game: Game, state: State, actions: Actions) -> int:
    """Write the legal actions to `actions` in ascending order; return how many there are."""
    raise TypeError("this game binds no rule legal_actions")


@generic
def step(game: Game, state: State, action: int) -> None:
    """Play a legal action, in place."""
    raise TypeError("this game binds no rule step")


@generic
def terminal_value(game: Game, state: State) -> float:
    """The value of the end of the game for the player to move: 1 won, 0 drawn, -1 lost."""
    raise TypeError("this game binds no rule terminal_value")


@generic
def random_action(game: Game, state: State, actions: Actions, rng: Stream) -> int:
    """A legal action at random; `actions` is scratch. Worth binding where it needs no list."""
    count = legal_actions(game, state, actions)
    action: int = NO_ACTION
    if count > 0:
        action = actions[random_below(rng, count)]
    return action


@generic
def is_legal(game: Game, state: State, action: int, actions: Actions) -> bool:
    """Whether an action is legal; `actions` is scratch. Worth binding where it needs no list."""
    count = legal_actions(game, state, actions)
    for i in range(count):
        if actions[i] == action:
            return True
    return False


@generic
def chances(game: Game, state: State, player: int) -> int:
    """A simple estimate of a player's chances to win; 0 if there are none."""
    return 1


@generic
def num_players(game: Game) -> int:
    """Two, or one for a puzzle, in which bit 0 of the turn word is only the colour to move."""
    return 2


@generic
def shape(game: Game) -> tuple[int, int]:
    """Rows and columns of the board."""
    return game.rows, game.cols


@jitable
def player_to_move(state: State) -> int:
    """BLACK or WHITE."""
    return as_int(state[0] & U1)


@jitable
def copy_state(source: State, target: State) -> None:
    """Overwrite `target`. (A slice assignment would allocate.)"""
    for i in range(source.shape[0]):
        target[i] = source[i]


@jitable
def same_state(a: State, b: State) -> bool:
    """Whether two states are equal."""
    for i in range(a.shape[0]):
        if a[i] != b[i]:
            return False
    return True


# Rules that only Python calls.


@generic
def check(game: Game) -> None:
    """Raise a GameError that says what is allowed if the parameters are impossible."""


@generic
def full_name(game: Game) -> str:
    """The name, parameters included, of a game that stands in no catalogue and in no file."""
    return ""


@generic
def forbid_repetitions(game: Game, state: State, earlier: Iterable[State]) -> None:
    """Exclude the actions that lead to one of the `earlier` positions, where rules forbid that.

    A state remembers only some positions; a `Position` knows them all. So it calls this after
    each step, and its legal moves, and a search that begins at it, obey rules of the whole game.
    """


@generic
def is_colour_blind(game: Game) -> bool:
    """Whether the rules are the same for both colours, so that colours and turn may be swapped."""
    return False


@generic
def max_plies(game: Game) -> int:
    """A bound on the length of a game. In most, each ply fills or empties a cell for good."""
    rows, cols = shape(game)
    return int(rows * cols)
