import math

import numpy as np
import pytest

from tests.games.sizes import ALL_GAMES, label
from zerolab.games.base import BLACK, WHITE, player_to_move, random_action, shape, step
from zerolab.games.boards.changes import list_changes, list_moved, list_stones
from zerolab.games.boards.stones import initial_state, stone_at
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import stream


def numbers(game, state, player):
    """A board square by square: own stones 1, the opponent's -1, empty squares 0."""
    stones = [stone_at(game, state, cell) for cell in range(math.prod(shape(game)))]
    return np.array([0.0 if stone < 0 else (1.0 if stone == player else -1.0) for stone in stones])


def listed(game, function, *arguments):
    """What a list of squares and amounts says, square by square."""
    cells = math.prod(shape(game))
    squares, amounts = np.empty(cells, np.int64), np.empty(cells)
    count = function(game, *arguments, squares, amounts)
    assert len(set(squares[:count])) == count
    assert amounts[:count].all()
    board = np.zeros(cells)
    board[squares[:count]] = amounts[:count]
    return board


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_lists_say_what_is_on_the_board_and_what_moves_change(game):
    scratch = np.empty(num_actions(game), np.int64)
    for seed in range(3):
        rng = stream(seed)
        state = initial_state(game, rng)
        while actions := legal_list(game, state):
            for player in (BLACK, WHITE):
                board = numbers(game, state, player)
                assert np.array_equal(listed(game, list_stones, state, player), board)
            mover = player_to_move(state)
            before = numbers(game, state, mover)
            for action in actions:
                after = state.copy()
                step(game, after, action)
                change = numbers(game, after, mover) - before
                ours = listed(game, list_moved, state, action, np.empty_like(state))
                assert np.array_equal(ours, change)
                assert np.array_equal(listed(game, list_changes, state, after, mover), change)
            step(game, state, random_action(game, state, scratch, rng))
