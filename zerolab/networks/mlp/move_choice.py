"""The move that a small network (mlp.py) plays: the one whose board it scores highest.

A board is seen by the player who has just moved: own stones 1, the opponent's -1, empty squares 0.
A move changes few squares, so the invalues of the first hidden layer are not recomputed for the
board after it, only updated with the rows of weights of these squares.
"""

from zerolab.errors import UsageError
from zerolab.games.base import NO_ACTION, Actions, Game, State, legal_actions, num_players, shape
from zerolab.games.boards.changes import list_changes, list_moved, list_stones
from zerolab.games.catalogue import describe
from zerolab.kernels.compiling import jitable, subroutine, vectorised
from zerolab.networks.mlp.mlp import Floats, Mlp, Scratch
from zerolab.networks.mlp.passes import (
    activate,
    add_squares,
    copy_row,
    first_sums,
    propagate,
)


def cells_of(game: Game) -> int:
    """Number of inputs of a network for this game; a UsageError if it cannot have one."""
    if num_players(game) != 2:
        raise UsageError("this network plays only two-player games")
    rows, cols = shape(game)
    return int(rows * cols)


def check_size(mlp: Mlp, game: Game) -> None:
    """Raise a UsageError if the network is for another board."""
    cells = cells_of(game)
    if mlp.cells != cells:
        raise UsageError(
            f"this is a network for boards of {mlp.cells} squares, not for {describe(game)}, which "
            f"has {cells}"
        )


@jitable
def follow(
    game: Game, mlp: Mlp, before: State, after: State, player: int, scratch: Scratch
) -> None:
    """Update the stored invalues from one position to another."""
    count = list_changes(game, before, after, player, scratch.squares, scratch.amounts)
    add_squares(mlp, scratch.kept, count, scratch)


@jitable
def look_at(game: Game, mlp: Mlp, state: State, player: int, scratch: Scratch) -> None:
    """Compute the stored invalues for a position."""
    count = list_stones(game, state, player, scratch.squares, scratch.amounts)
    first_sums(mlp, count, scratch, scratch.kept)


@jitable
def score_changes(mlp: Mlp, count: int, scratch: Scratch) -> float:
    """The output after `count` squares changed from the position of the stored invalues."""
    nodes = mlp.sizes[1]
    if count == 2 and mlp.sizes.shape[0] == 3:  # what most networks spend their time on
        one, other = scratch.squares[0] * nodes, scratch.squares[1] * nodes
        rows = mlp.weights[one : one + nodes], mlp.weights[other : other + nodes]
        last = mlp.weights[mlp.weights.shape[0] - nodes - 1 :]
        amounts = scratch.amounts[0], scratch.amounts[1]
        total = dot_after(scratch.kept[:nodes], amounts, rows, last, mlp.slope)
        return activate(last[nodes] + total, mlp.slope)
    copy_row(scratch.kept, scratch.sums[:nodes])
    add_squares(mlp, scratch.sums, count, scratch)
    return propagate(mlp, scratch.sums)


@vectorised
def dot_after(
    sums: Floats,
    factors: tuple[float, float],
    rows: tuple[Floats, Floats],
    weights: Floats,
    slope: float,
) -> float:
    """What add_rows and then active_dot give, in one pass and with nothing written."""
    total = 0.0
    for j in range(sums.shape[0]):
        invalue = sums[j] + (factors[0] * rows[0][j] + factors[1] * rows[1][j])
        value = invalue if invalue > 0.0 else slope * invalue
        total += value * weights[j]
    return total


@subroutine
def best_scored(
    mlp: Mlp, game: Game, state: State, actions: Actions, after: State, scratch: Scratch
) -> int:
    """The move with the highest score, the first of several, or NO_ACTION when the game is over.

    The stored invalues are those of `state`; the next three arguments are scratch. A score
    that is NaN beats no other, and as that of the first move it is not beaten.
    """
    best_action = NO_ACTION
    best_score = 0.0
    for i in range(legal_actions(game, state, actions)):
        count = list_moved(game, state, actions[i], after, scratch.squares, scratch.amounts)
        score = score_changes(mlp, count, scratch)
        if best_action == NO_ACTION or score > best_score:
            best_action = actions[i]
            best_score = score
    return best_action
