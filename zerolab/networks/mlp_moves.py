"""The move that a small network (mlp.py) plays: the one after which it likes the board best.

A board is seen by the player who has just moved: own stones 1, the opponent's -1, empty squares 0.
A move changes few squares, so the invalues of the first hidden layer are not computed anew for the
board after it, only changed by the rows of weights of these squares.
"""

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import (
    NO_ACTION,
    WHITE,
    Actions,
    Game,
    State,
    copy_state,
    legal_actions,
    num_players,
    player_to_move,
    shape,
    step,
)
from zerolab.games.bits import U1, WORD, as_int, lowest
from zerolab.games.board import board_words
from zerolab.games.catalogue import describe
from zerolab.games.compiling import jitable, subroutine, vectorised
from zerolab.networks.mlp import Floats, Mlp, Scratch
from zerolab.networks.mlp_passes import (
    activate,
    add_squares,
    copy_row,
    first_sums,
    propagate,
)


def cells_of(game: Game) -> int:
    """Inputs of a network for this game; one sentence if it can have none."""
    if num_players(game) != 2:
        raise UsageError("this network plays games for two players only")
    rows, cols = shape(game)
    return int(rows * cols)


def check_size(mlp: Mlp, game: Game) -> None:
    """One sentence if the network is for another board."""
    cells = cells_of(game)
    if mlp.cells != cells:
        raise UsageError(
            f"this is a network for boards of {mlp.cells} squares, not for {describe(game)}, which "
            f"has {cells}"
        )


@jitable
def list_changes(game: Game, before: State, after: State, player: int, scratch: Scratch) -> int:
    """Write which squares differ between two positions, and by how much; return how many."""
    words = board_words(game)
    own, other = 1, 1 + words
    if player == WHITE:
        own, other = other, own
    count = 0
    for word in range(words):
        old, old_other = before[own + word], before[other + word]
        new, new_other = after[own + word], after[other + word]
        squares = (old ^ new) | (old_other ^ new_other)
        while squares:
            square = lowest(squares)
            gain = stones_in(new, square) - stones_in(old, square)
            scratch.squares[count] = word * WORD + square
            scratch.amounts[count] = (
                gain - stones_in(new_other, square) + stones_in(old_other, square)
            )
            count += 1
            squares &= squares - U1
    return count


@jitable
def list_stones(game: Game, state: State, player: int, scratch: Scratch) -> int:
    """Write where there are stones, and what they are to `player`; return how many."""
    words = board_words(game)
    count = 0
    for colour in range(2):
        amount = 1.0 if colour == player else -1.0
        for word in range(words):
            squares = state[1 + colour * words + word]
            while squares:
                scratch.squares[count] = word * WORD + lowest(squares)
                scratch.amounts[count] = amount
                count += 1
                squares &= squares - U1
    return count


@jitable
def stones_in(word: np.uint64, square: int) -> int:
    """1 if a square of a word is taken, else 0."""
    return as_int(word >> np.uint64(square) & U1)


@jitable
def follow(
    game: Game, mlp: Mlp, before: State, after: State, player: int, scratch: Scratch
) -> None:
    """Bring the invalues that are kept from one position to another."""
    count = list_changes(game, before, after, player, scratch)
    add_squares(mlp, scratch.kept, count, scratch)


@jitable
def look_at(game: Game, mlp: Mlp, state: State, player: int, scratch: Scratch) -> None:
    """Compute the invalues that are kept, for a position."""
    first_sums(mlp, list_stones(game, state, player, scratch), scratch, scratch.kept)


@jitable
def score_changes(mlp: Mlp, count: int, scratch: Scratch) -> float:
    """The output after `count` squares changed from the position whose invalues are kept."""
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

    The invalues that are kept are those of `state`; the next three arguments are scratch. A score
    that is no number beats none, and as that of the first move it is not beaten.
    """
    player = player_to_move(state)
    best_action = NO_ACTION
    best_score = 0.0
    for i in range(legal_actions(game, state, actions)):
        copy_state(state, after)
        step(game, after, actions[i])
        count = list_changes(game, state, after, player, scratch)
        score = score_changes(mlp, count, scratch)
        if best_action == NO_ACTION or score > best_score:
            best_action = actions[i]
            best_score = score
    return best_action
