"""Ladders in Go: whether a group of one or two liberties is captured by atari after atari.

    6 . . . . . .      White's stone on c3, the prey, is in atari. White extends to d3 (1), Black
    5 . . . 4 . .      gives atari again (2), and so on up to the edge, where White has no second
    4 . . x 3 5 .      liberty any more: White is lost. A white stone on e5 would give White a
    3 . x o 1 2 .      third liberty after 5 and break the ladder. A black one would not.
    2 . . x x . .
    1 . . . . . .
      a b c d e f

The attacker moves when the prey has two liberties, and plays on one of them: this is atari. The
defender moves when it has one, and extends from there, or captures attacking stones next to the
prey that are in atari themselves. The prey has escaped if it has three liberties then. These are
the moves that cazenave's program Golois reads; nets and other quiet moves are no part of a ladder.

Suicide is illegal, and so is retaking a ko at once. Other repetitions are not looked for: the prey
has escaped if it is on the board after LONGEST plies, as in Golois, or if MOST_NODES nodes are not
enough. Golois has 1,000 nodes. Here, in 42,000 positions of professionals, one read in 3,700 took
more, and none took 4,096. Where the limit is not reached the answer does not depend on the order in
which moves are tried, so that it is the same on a turned board.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import NO_ACTION, State
from zerolab.games.boards.groups import Grid, fill, find_in_atari, next_to, next_to_two
from zerolab.games.boards.stones import board_mask
from zerolab.kernels.bits import U0, U1, WORD, bit, lowest, popcount, word_of
from zerolab.kernels.compiling import jitable, recursive
from zerolab.kernels.stack_words import Words, stack_words

LONGEST = 100
MOST_NODES = 10_000

# Players, which are also the boards of their stones; and the board of the prey.
DEFENDER, ATTACKER, PREY = 0, 1, 2
BOARDS = 3

# What `play` returns: the point of a ko, or one of these.
NO_KO, ILLEGAL = -1, -2


class LadderReader(NamedTuple):
    """Work space of a read. Threads must not share it."""

    neighbours: npt.NDArray[np.int64]  # [R * C, 4], NO_ACTION off the board
    boards: npt.NDArray[np.uint64]  # [longest + 2, BOARDS * W], by plies left
    nodes: npt.NDArray[np.int64]  # [1], left in this read
    most_nodes: int


def make_ladder_reader(
    rows: int, cols: int, words: int, longest: int = LONGEST, most_nodes: int = MOST_NODES
) -> LadderReader:
    """Work space for boards of W `words`."""
    neighbours = np.full((rows * cols, 4), NO_ACTION, np.int64)
    for row in range(rows):
        for col in range(cols):
            sides = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
            for side, (near_row, near_col) in enumerate(sides):
                if 0 <= near_row < rows and 0 <= near_col < cols:
                    neighbours[row * cols + col, side] = near_row * cols + near_col
    boards = np.zeros((longest + 2, BOARDS * words), np.uint64)
    return LadderReader(neighbours, boards, np.zeros(1, np.int64), most_nodes)


@jitable
def is_captured(reader: LadderReader, grid: Grid, mover: int, ko: int) -> bool:
    """Whether the prey on the last boards of the reader is captured if `mover` begins."""
    reader.nodes[0] = reader.most_nodes
    return is_captured_in(reader, grid, reader.boards.shape[0] - 1, mover, ko)


@recursive
def is_captured_in(reader: LadderReader, grid: Grid, plies: int, mover: int, ko: int) -> bool:
    """Whether the prey on the boards of a line with this number of plies left is captured."""
    if plies == 0 or reader.nodes[0] == 0:
        return False
    reader.nodes[0] -= 1
    boards = reader.boards[plies]
    empty, moves = stack_words(), stack_words()
    find_empty(grid, boards, empty)
    liberties = find_liberties(grid, boards, empty, moves)
    if mover == ATTACKER and liberties > 2:
        return False
    for has_extended in range(2 if mover == DEFENDER else 1):
        if has_extended:  # in vain: only then it is worth looking for captures
            find_captures(grid, boards, empty, moves)
        for word in range(grid.words):
            while moves[word]:
                move = word * WORD + lowest(moves[word])
                moves[word] &= moves[word] - U1
                if move == ko:
                    continue
                if mover == ATTACKER and liberties == 1:
                    return True
                next_ko = play(reader, grid, plies, mover, move, empty)
                if next_ko == ILLEGAL:
                    continue
                is_lost = is_captured_in(reader, grid, plies - 1, 1 - mover, next_ko)
                if is_lost == (mover == ATTACKER):
                    return is_lost
    return mover == DEFENDER


@jitable
def find_empty(grid: Grid, boards: State, empty: Words) -> None:
    """Write the empty points."""
    for word in range(grid.words):
        stones = boards[DEFENDER * grid.words + word] | boards[ATTACKER * grid.words + word]
        empty[word] = ~stones & board_mask(grid.cells, word)


@jitable
def find_liberties(grid: Grid, boards: State, empty: Words, liberties: Words) -> int:
    """Write the liberties of the prey; return their number."""
    count = 0
    for word in range(grid.words):
        liberties[word] = next_to(grid, boards, PREY * grid.words, word) & empty[word]
        count += popcount(liberties[word])
    return count


@jitable
def find_captures(grid: Grid, boards: State, empty: Words, captures: Words) -> None:
    """Write the last liberties of attacking groups in atari next to the prey."""
    attackers, group = stack_words(), stack_words()
    first = ATTACKER * grid.words
    for word in range(grid.words):
        captures[word] = U0
        # Most stones have two liberties of their own, whatever their group has.
        attackers[word] = next_to(grid, boards, PREY * grid.words, word) & boards[first + word]
        attackers[word] &= ~next_to_two(grid, empty, 0, word)
    for word in range(grid.words):
        while attackers[word]:
            stone = word * WORD + lowest(attackers[word])
            is_in_atari = find_in_atari(grid, stone, boards, first, empty, group)
            for i in range(grid.words):
                attackers[i] &= ~group[i]
                if is_in_atari:
                    captures[i] |= next_to(grid, group, 0, i) & empty[i]


@jitable
def play(reader: LadderReader, grid: Grid, plies: int, mover: int, move: int, empty: Words) -> int:
    """Write the boards after a move; return the point of a ko, NO_KO or ILLEGAL."""
    before, after = reader.boards[plies], reader.boards[plies - 1]
    own, other, prey = mover * grid.words, (1 - mover) * grid.words, PREY * grid.words
    for i in range(BOARDS * grid.words):
        after[i] = before[i]
    after[own + word_of(move)] |= bit(move)
    has_space, has_friends, has_safe_friends, extends = False, False, False, False
    taken, last_taken = 0, NO_ACTION
    group = stack_words()
    for side in range(4):
        point = reader.neighbours[move, side]
        if point == NO_ACTION:
            continue
        word, stone = word_of(point), bit(point)
        if before[prey + word] & stone:
            # It is in atari if the defender moves, and not if the attacker moves.
            extends = mover == DEFENDER
        elif empty[word] & stone:
            has_space = True
        elif before[own + word] & stone:
            has_friends = True
            has_safe_friends |= not find_in_atari(grid, point, before, own, empty, group)
        elif after[other + word] & stone and find_in_atari(
            grid, point, before, other, empty, group
        ):
            last_taken = point
            for i in range(grid.words):
                taken += popcount(group[i])
                after[other + i] &= ~group[i]
    if not (has_space or has_safe_friends or taken):
        return ILLEGAL
    if extends:
        extend_prey(grid, after, move, has_friends)
    is_alone = not (has_space or has_friends or extends)
    return last_taken if taken == 1 and is_alone else NO_KO


@jitable
def extend_prey(grid: Grid, boards: State, move: int, has_friends: bool) -> None:
    """Add a new stone of the defender to the prey, and the groups that it connects."""
    prey = PREY * grid.words
    boards[prey + word_of(move)] |= bit(move)
    if has_friends:
        group = stack_words()
        for i in range(grid.words):
            group[i] = boards[prey + i]
        fill(grid, group, boards, DEFENDER * grid.words)
        for i in range(grid.words):
            boards[prey + i] = group[i]
