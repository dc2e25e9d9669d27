"""Flat Monte Carlo against a twin in plain Python that draws the same random numbers."""

import numpy as np
import pytest

from zerolab.evaluation.players.players import make_player
from zerolab.games.base import GameError, player_to_move, random_action, step, terminal_value
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.notation import format_move, legal_list, num_actions, parse_position
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream


def twin(game, state, playouts, rng):
    """The move with the best total; a list of totals, then max, which takes the first of equals."""
    scratch = np.empty(num_actions(game), np.int64)
    totals = []
    for action in legal_list(game, state):
        total = 0.0
        for _ in range(playouts):
            play = state.copy()
            step(game, play, action)
            while (reply := random_action(game, play, scratch, rng)) != -1:
                step(game, play, reply)
            same_side = isinstance(game, Solitaire) or (
                player_to_move(play) == player_to_move(state)
            )
            total += terminal_value(game, play) * (1 if same_side else -1)
        totals.append(total)
    return legal_list(game, state)[int(np.argmax(totals))]


@pytest.mark.parametrize(
    "game", [Clobber(3, 4), Clobber(9, 8), Othello(4, 4), ConnectFour(4, 5), Solitaire(3, 3)]
)
def test_agrees_with_twin_move_by_move(game):
    state = initial_state(game, stream(0))
    for ply in range(4):
        chosen = make_player("mc:3").choose(Position(game, state), stream(7, ply))
        assert chosen == twin(game, state, 3, stream(7, ply))
        step(game, state, chosen)


def test_takes_the_win_and_avoids_the_loss():
    # x to move on connect four: d completes a line; every other move leaves o the same on d.
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|....|ooo.|xxx.")
    assert format_move(game, make_player("mc:10").choose(Position(game, state), stream(1))) == "d"


def test_equal_moves_go_to_the_first():
    # Both moves of x end the game at once, with the same value.
    game = Clobber(1, 3)
    state = parse_position(game, "xox")
    assert format_move(game, make_player("mc:5").choose(Position(game, state), stream(1))) == "a1b1"


def test_illegal_board_is_refused():
    with pytest.raises(GameError, match="0x3 is not possible"):
        parse_position(Clobber(0, 3), "xox")
