"""The move that a small network (mlp.py) plays: the one after which it likes the board best.

A board is seen by the player who has just moved: own stones 1, the opponent's -1, empty squares 0.
A move changes few squares, so the invalues of the first hidden layer are not computed anew for the
board after it, only changed by the rows of weights of these squares.
"""

from zerolab.errors import UsageError
from zerolab.games.base import (
    NO_ACTION,
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
from zerolab.games.bits import U1, WORD, lowest
from zerolab.games.board import board_words, stone_at
from zerolab.games.catalogue import describe
from zerolab.games.compiling import jitable, subroutine, vectorised
from zerolab.networks.mlp import (
    Floats,
    Ints,
    Mlp,
    Scratch,
    add_row,
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
def stone_value(game: Game, state: State, cell: int, player: int) -> float:
    """The input for a square as `player` sees it."""
    stone = stone_at(game, state, cell)
    if stone == player:
        return 1.0
    return -1.0 if stone == 1 - player else 0.0


@jitable
def read_board(game: Game, state: State, player: int, inputs: Floats) -> None:
    """Write the inputs for a position."""
    rows, cols = shape(game)
    for cell in range(rows * cols):
        inputs[cell] = stone_value(game, state, cell, player)


@jitable
def list_changes(
    game: Game, before: State, after: State, player: int, changed: Ints, changes: Floats
) -> int:
    """Write which squares changed between two positions, and by how much; return how many."""
    words = board_words(game)
    count = 0
    for word in range(words):
        black, white = 1 + word, 1 + words + word
        cells = (before[black] ^ after[black]) | (before[white] ^ after[white])
        while cells:
            cell = word * WORD + lowest(cells)
            changed[count] = cell
            new, old = (
                stone_value(game, after, cell, player),
                stone_value(game, before, cell, player),
            )
            changes[count] = new - old
            count += 1
            cells &= cells - U1
    return count


@jitable
def sums_after(
    mlp: Mlp, sums: Floats, changed: Ints, changes: Floats, count: int, out: Floats
) -> None:
    """Write the invalues of the first layer after some squares changed; `out` may be `sums`."""
    nodes = mlp.sizes[1]
    sums, out = sums[:nodes], out[:nodes]
    first, second = changed[0] * nodes, changed[count - 1] * nodes
    # Most moves change two squares. If it was one only, its change counts once.
    by = changes[count - 1] if count > 1 else 0.0
    add_two_rows(
        sums,
        changes[0],
        mlp.weights[first : first + nodes],
        by,
        mlp.weights[second : second + nodes],
        out,
    )
    for i in range(1, count - 1):
        row = changed[i] * nodes
        add_row(out, changes[i], mlp.weights[row : row + nodes])


@vectorised
def add_two_rows(
    sums: Floats, factor: float, row: Floats, other_factor: float, other_row: Floats, out: Floats
) -> None:
    """Add multiples of two rows in one pass."""
    for j in range(out.shape[0]):
        out[j] = sums[j] + (factor * row[j] + other_factor * other_row[j])


@jitable
def follow(
    game: Game, mlp: Mlp, before: State, after: State, player: int, scratch: Scratch
) -> None:
    """Bring the invalues that are kept from one position to another."""
    count = list_changes(game, before, after, player, scratch.changed, scratch.changes)
    if count > 0:
        sums_after(mlp, scratch.kept, scratch.changed, scratch.changes, count, scratch.kept)


@jitable
def look_at(game: Game, mlp: Mlp, state: State, player: int, scratch: Scratch) -> None:
    """Compute the invalues that are kept, for a position."""
    read_board(game, state, player, scratch.inputs)
    first_sums(mlp, scratch.inputs, scratch.kept)


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
        count = list_changes(game, state, after, player, scratch.changed, scratch.changes)
        if count > 0:
            sums_after(mlp, scratch.kept, scratch.changed, scratch.changes, count, scratch.sums)
        else:
            for j in range(mlp.sizes[1]):
                scratch.sums[j] = scratch.kept[j]
        score = propagate(mlp, scratch.sums)
        if best_action == NO_ACTION or score > best_score:
            best_action = actions[i]
            best_score = score
    return best_action
