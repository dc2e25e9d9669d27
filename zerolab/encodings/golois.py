"""The 21 planes of cazenave's networks for Go: liberties, ladders and the last five boards.

| plane | ones |
| --- | --- |
| 0 | everywhere if Black is to move |
| 1 | groups in atari that cannot escape even if their owner moves first (ladders.py) |
| 2 | groups next to one of plane 1 |
| 3 | groups of two liberties that are captured in a ladder if their opponent moves first |
| 4 | groups next to one of plane 3 |
| 5 to 10 | groups of 1, 2, 3, 4, 5, and 6 or more liberties |
| 11, 12 | stones of the player to move, stones of the opponent |
| 13 to 20 | the same before the last move, and so on: the four boards before |

The paper lists the planes in a sentence (section IV); the details are those of Golois, cazenave's
program, which calls groups strings. In planes 1 to 10 groups of both colours are rated alike,
whoever is to move: a group's owner or opponent moves first. Only the ko is that of the game: the
player to move may not begin by retaking it. Planes 2 and 4 show whole groups; those next to a group
are of the other colour. In planes 13 to 20 own stones are those of the player to move now. Before
the start of a game the board was empty.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.encodings.ladders import (
    ATTACKER,
    DEFENDER,
    NO_KO,
    PREY,
    LadderReader,
    is_captured,
    make_ladder_reader,
)
from zerolab.errors import UsageError
from zerolab.games.base import BLACK, Game, Planes, State, player_to_move
from zerolab.games.boards.go_board import EARLIER, empty_points
from zerolab.games.boards.groups import Grid, fill, next_to
from zerolab.games.boards.stones import board_mask, board_words, first_word, first_words
from zerolab.games.go import Go, grid_of
from zerolab.kernels.bits import U0, U1, WORD, bit, lowest, popcount
from zerolab.kernels.compiling import jitable, subroutine
from zerolab.kernels.stack_words import Words, stack_words

BLACK_TO_MOVE, LOST, NEXT_TO_LOST, CATCHABLE, NEXT_TO_CATCHABLE, IN_ATARI = range(6)
MOST_LIBERTIES = 6  # or more
STONES = IN_ATARI + MOST_LIBERTIES
EARLIER_BOARDS = 4
GOLOIS_PLANES = STONES + 2 * (1 + EARLIER_BOARDS)


class GoloisView(NamedTuple):
    """Liberties, ladders and earlier boards of Go. Threads must not share a view."""

    planes: int
    """P."""
    reader: LadderReader
    marks: npt.NDArray[np.uint64]  # [STONES, W], scratch: the planes before those of stones


def check_golois(game: Game) -> None:
    """UsageError if this is not Go, or if its states do not remember enough boards."""
    if not isinstance(game, Go):
        raise UsageError("the encoding golois is for go")
    if game.history < EARLIER_BOARDS:
        raise UsageError(
            f"the encoding golois shows {EARLIER_BOARDS} earlier boards, but history is "
            f"{game.history}; expected history={EARLIER_BOARDS} or more"
        )


def make_golois_view(game: Game) -> GoloisView:
    """The view on positions of Go."""
    check_golois(game)
    words = board_words(game)
    reader = make_ladder_reader(game.rows, game.cols, words)
    return GoloisView(GOLOIS_PLANES, reader, np.zeros((STONES, words), np.uint64))


@subroutine
def write_golois_planes(view: GoloisView, game: Go, state: State, planes: Planes) -> None:
    """Write all planes of a position. Called, not inlined: it is large."""
    grid = grid_of(game, board_words(game))
    for word in range(grid.words):
        for plane in range(STONES):
            view.marks[plane, word] = U0
        if player_to_move(state) == BLACK:
            view.marks[BLACK_TO_MOVE, word] = board_mask(grid.cells, word)
    ko = find_ko(grid, state)
    for player in range(2):
        mark_groups(view, grid, state, player, ko)
    for plane in range(STONES):
        draw(grid, view.marks[plane], 0, planes[plane])
    for player in range(2):
        plane = STONES + (player != player_to_move(state))
        draw(grid, state, first_word(grid.words, player), planes[plane])
        for age in range(EARLIER_BOARDS):
            earlier = first_word(grid.words, EARLIER + 2 * age + player)
            draw(grid, state, earlier, planes[plane + 2 * (1 + age)])


@jitable
def draw(grid: Grid, boards: State, first: int, plane: npt.NDArray[np.float32]) -> None:
    """Write a board of bits to a plane."""
    plane[:, :] = 0.0
    for word in range(grid.words):
        points = boards[first + word]
        while points:
            cell = word * WORD + lowest(points)
            points &= points - U1
            plane[cell // grid.cols, cell % grid.cols] = 1.0


@jitable
def mark_groups(view: GoloisView, grid: Grid, state: State, player: int, ko: int) -> None:
    """Mark a player's groups by their liberties, those in ladders, and what is next to these."""
    own, other = first_words(grid.words, player)
    left, group, near = stack_words(), stack_words(), stack_words()
    for word in range(grid.words):
        left[word] = state[own + word]
    for word in range(grid.words):
        while left[word]:
            for i in range(grid.words):
                group[i] = U0
            group[word] = bit(lowest(left[word]))
            fill(grid, group, state, own)
            liberties = 0
            for i in range(grid.words):
                left[i] &= ~group[i]
                liberties += popcount(next_to(grid, group, 0, i) & empty_points(grid, state, i))
            mark(view, grid, IN_ATARI + min(liberties, MOST_LIBERTIES) - 1, group)
            if liberties <= 2 and is_in_ladder(view, grid, state, player, group, liberties, ko):
                plane = LOST if liberties == 1 else CATCHABLE
                mark(view, grid, plane, group)
                for i in range(grid.words):
                    near[i] = next_to(grid, group, 0, i) & state[other + i]
                fill(grid, near, state, other)
                mark(view, grid, plane + 1, near)


@jitable
def mark(view: GoloisView, grid: Grid, plane: int, points: Words) -> None:
    """Add points to a plane."""
    for word in range(grid.words):
        view.marks[plane, word] |= points[word]


@jitable
def is_in_ladder(
    view: GoloisView,
    grid: Grid,
    state: State,
    player: int,
    group: Words,
    liberties: int,
    ko: int,
) -> bool:
    """Whether a group is captured though its owner begins, or, with two liberties, if not."""
    own, other = first_words(grid.words, player)
    boards = view.reader.boards[-1]
    for word in range(grid.words):
        boards[DEFENDER * grid.words + word] = state[own + word]
        boards[ATTACKER * grid.words + word] = state[other + word]
        boards[PREY * grid.words + word] = group[word]
    mover = DEFENDER if liberties == 1 else ATTACKER
    is_to_move = (player == player_to_move(state)) == (mover == DEFENDER)
    return is_captured(view.reader, grid, mover, ko if is_to_move else NO_KO)


@jitable
def find_ko(grid: Grid, state: State) -> int:
    """The point where the player to move may not retake a stone at once, or NO_KO.

    There a single stone was taken by the last move, a stone without friends or another liberty.
    """
    own, other = first_words(grid.words, player_to_move(state))
    earlier = EARLIER * grid.words
    ko, taken = NO_KO, 0
    placed = stack_words()
    for word in range(grid.words):
        points = state[earlier + own + word] & ~state[own + word]
        placed[word] = state[other + word] & ~state[earlier + other + word]
        taken += popcount(points)
        if points:
            ko = word * WORD + lowest(points)
    if taken != 1:
        return NO_KO
    ways_out = 0
    for word in range(grid.words):
        open_points = empty_points(grid, state, word) | state[other + word]
        ways_out += popcount(next_to(grid, placed, 0, word) & open_points)
    return ko if ways_out == 1 else NO_KO
