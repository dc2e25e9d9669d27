"""A small network (mlp.py) learns the boards of one game, in order, in one pass.

The result is that of learning board after board, but the large first layer is traversed once. Let
x be the boards (with a 1 for the bias), and d the change of its nodes by a board: alpha times
delta.

- Learning board j adds d_j x_j to the weights, so the invalues of a later board k grow by
  d_j (x_j . x_k). The products are bits to count, and the invalues before are known from play.
- In the end row i of the weights has grown by the sum of all d_j x_j[i]. With the totals
  D_j = d_1 + ... + d_j that is D_n x_n[i] minus the sum of all D_j (x_j+1[i] - x_j[i]), and from
  one board to the next few squares change.
"""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import Game, State, States, copy_state
from zerolab.games.boards.changes import list_changes, list_stones
from zerolab.games.boards.stones import board_words
from zerolab.kernels.bits import popcount
from zerolab.kernels.compiling import jitable, subroutine, vectorised
from zerolab.networks.mlp.mlp import Floats, Mlp, Scratch
from zerolab.networks.mlp.passes import add_row, add_rows, copy_row, learn_above


class Rates(NamedTuple):
    """How boards are learnt."""

    alpha: float
    target: float
    tau: float
    """The share by which alpha grows after each board."""


class Lesson(NamedTuple):
    """The boards of a game that one player chose."""

    boards: States  # [K, words]
    invalues: Floats  # [K, H], of the first layer, with the weights of this game
    totals: Floats  # [K, H], what all boards up to this one have done to the first layer: D
    growths: Floats  # [K], factors of the totals in the invalues of one board


def make_lesson(mlp: Mlp, boards: int, words: int) -> Lesson:
    """Room for that many boards, which are states of that many words."""
    nodes = int(mlp.sizes[1])
    return Lesson(
        np.empty((boards, words), np.uint64),
        *(np.empty((boards, nodes)), np.empty((boards, nodes)), np.empty(boards)),
    )


@jitable
def note_board(lesson: Lesson, number: int, state: State, scratch: Scratch) -> None:
    """Record a board that was chosen; the stored invalues are those of this board."""
    copy_state(state, lesson.boards[number])
    copy_row(scratch.kept, lesson.invalues[number])


@subroutine
def learn_game(
    game: Game,
    mlp: Mlp,
    lesson: Lesson,
    count: int,
    player: int,
    rates: Rates,
    scratch: Scratch,
) -> None:
    """Learn `count` boards, which `player` chose."""
    nodes, alpha = mlp.sizes[1], rates.alpha
    learnt = 0  # boards that changed something; they move to the front
    for number in range(count):
        board = lesson.boards[number]
        copy_row(lesson.invalues[number], scratch.sums[:nodes])
        _add_growth(game, lesson, learnt, board, scratch.sums[:nodes])
        if learn_above(mlp, rates.target, alpha, scratch):
            copy_state(board, lesson.boards[learnt])
            total, deltas = lesson.totals[learnt], scratch.deltas[:nodes]
            if learnt == 0:
                scale_row(total, alpha, deltas)
            else:
                add_scaled(total, lesson.totals[learnt - 1], alpha, deltas)
            learnt += 1
        alpha *= 1.0 + rates.tau
    if learnt:
        _learn_first(game, mlp, lesson, learnt, player, scratch)


@jitable
def _add_growth(game: Game, lesson: Lesson, learnt: int, board: State, sums: Floats) -> None:
    """Update the invalues of a board from the weights before the game to the current ones."""
    growths, totals = lesson.growths, lesson.totals
    later = 0.0
    for j in range(learnt - 1, -1, -1):
        product = board_product(game, lesson.boards[j], board)
        growths[j] = product - later
        later = product
    for j in range(0, learnt - 1, 2):
        add_rows(sums, (growths[j], growths[j + 1]), (totals[j], totals[j + 1]))
    if learnt % 2:
        add_row(sums, growths[learnt - 1], totals[learnt - 1])


@jitable
def _learn_first(
    game: Game, mlp: Mlp, lesson: Lesson, learnt: int, player: int, scratch: Scratch
) -> None:
    """Apply the changes of all boards learnt to the weights of the first layer."""
    boards, totals = lesson.boards, lesson.totals
    last = learnt - 1
    stones = list_stones(game, boards[last], player, scratch.squares, scratch.amounts)
    add_to_rows(mlp, stones, 1.0, totals[last], scratch)
    for j in range(last):
        changes = list_changes(
            game, boards[j], boards[j + 1], player, scratch.squares, scratch.amounts
        )
        add_to_rows(mlp, changes, -1.0, totals[j], scratch)
    cells, nodes = mlp.sizes[0], mlp.sizes[1]
    add_row(mlp.weights[cells * nodes : (cells + 1) * nodes], 1.0, totals[last])


@jitable
def add_to_rows(mlp: Mlp, count: int, factor: float, row: Floats, scratch: Scratch) -> None:
    """Add a row to those of `count` squares in the first layer, times what is on these squares."""
    nodes = mlp.sizes[1]
    for i in range(count):
        place = scratch.squares[i] * nodes
        add_row(mlp.weights[place : place + nodes], factor * scratch.amounts[i], row)


@jitable
def board_product(game: Game, one: State, other: State) -> float:
    """The scalar product of two boards as inputs, with the bias node."""
    words = board_words(game)
    product = 1
    for word in range(1, 1 + words):
        black, white = one[word], one[word + words]
        other_black, other_white = other[word], other[word + words]
        product += popcount(black & other_black) + popcount(white & other_white)
        product -= popcount(black & other_white) + popcount(white & other_black)
    return float(product)


@vectorised
def scale_row(target: Floats, factor: float, row: Floats) -> None:
    """Overwrite `target` with a multiple of a row."""
    for j in range(target.shape[0]):
        target[j] = factor * row[j]


@vectorised
def add_scaled(target: Floats, start: Floats, factor: float, row: Floats) -> None:
    """Overwrite `target` with `start` and a multiple of a row."""
    for j in range(target.shape[0]):
        target[j] = start[j] + factor * row[j]
