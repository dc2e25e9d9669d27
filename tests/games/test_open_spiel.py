"""OpenSpiel plays the same games: legal moves, ends and results agree ply by ply.

| game         | OpenSpiel's action                        | its board                            |
| ------------ | ----------------------------------------- | ------------------------------------ |
| clobber      | cell * 4 + direction: up, right, down, left | o moves first and owns bottom-left |
| othello      | cell, row by row from the top; 64 = pass  | as ours                              |
| connect_four | column                                    | as ours                              |
| tic_tac_toe  | cell, row by row from the top             | as ours                              |
| mnk          | cell, row by row; m columns, n rows       | as ours                              |
| go           | point, row by row from the bottom; pass   | as ours                              |

Black owns our top-left square. So our Clobber board, turned upside down and with the colours
exchanged, is theirs, whatever its size.

In Go a repetition that is no simple ko is legal there, and ends the game with a draw. Here it is
illegal as long as the state remembers the position.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.games.play import random_game
from tests.games.sizes import label
from zerolab.games.base import BLACK, NO_ACTION, Game, player_to_move, terminal_value
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.notation import format_position
from zerolab.games.othello import Othello

pyspiel = pytest.importorskip("pyspiel")


def same_action(game: Game, action: int) -> int:
    return action


def clobber_action(game: Clobber, action: int) -> int:
    row, col = divmod(action // 4, game.cols)
    # Ours are up, left, down, right; upside down that is down, left, up, right, in their numbers:
    direction = (2, 3, 0, 1)[action % 4]
    return ((game.rows - 1 - row) * game.cols + col) * 4 + direction


class Peer(NamedTuple):
    """A game of ours and the same game of theirs."""

    game: Game
    name: str
    parameters: dict[str, int]
    action: Callable[[Any, int], int] = same_action


PEERS = [
    *(
        Peer(Clobber(rows, cols), "clobber", {"rows": rows, "columns": cols}, clobber_action)
        for rows, cols in ((2, 3), (3, 2), (3, 3), (4, 5), (5, 5), (5, 6), (8, 8), (9, 8), (10, 10))
    ),
    Peer(Othello(8, 8), "othello", {}),
    *(
        Peer(
            ConnectFour(rows, cols, k),
            "connect_four",
            {"rows": rows, "columns": cols, "x_in_row": k},
        )
        for rows, cols, k in ((6, 7, 4), (5, 5, 4), (4, 9, 3), (9, 9, 5))
    ),
    Peer(Gobang(3, 3, 3), "tic_tac_toe", {}),
    *(
        Peer(Gobang(rows, cols, k), "mnk", {"m": cols, "n": rows, "k": k})
        for rows, cols, k in ((3, 3, 3), (6, 6, 4), (5, 7, 4), (9, 9, 5), (15, 15, 5))
    ),
]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: f"{peer.name} as {label(peer.game)}")
def test_random_games_agree(peer: Peer) -> None:
    if peer.name not in pyspiel.registered_names():
        pytest.skip(f"this OpenSpiel has no {peer.name}")
    theirs = pyspiel.load_game(peer.name, peer.parameters)
    for seed in range(20, 26):
        plies = random_game(peer.game, seed)
        state = theirs.new_initial_state()
        for ply in plies:
            expected = sorted(peer.action(peer.game, action) for action in ply.legal)
            assert state.legal_actions() == expected
            assert state.is_terminal() == (ply.action == NO_ACTION)
            if ply.action != NO_ACTION:
                assert state.current_player() == player_to_move(ply.state)
                state.apply_action(peer.action(peer.game, ply.action))
        value = terminal_value(peer.game, plies[-1].state)
        sign = 1 if player_to_move(plies[-1].state) == BLACK else -1
        assert state.returns() == [sign * value, -sign * value]


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (3, 3), (4, 4)])
def test_clobber_boards_are_upside_down(rows: int, cols: int) -> None:
    """Their board begins with the number of a row: 2xox, then 1oxo."""
    game = Clobber(rows, cols)
    start = pyspiel.load_game("clobber", {"rows": rows, "columns": cols}).new_initial_state()
    theirs = [line[1:] for line in str(start).splitlines()[:rows]]
    ours = format_position(game, random_game(game, 1)[0].state).split("|")
    assert theirs == [row.translate(str.maketrans("xo", "ox")) for row in reversed(ours)]


def go_action(game: Go, action: int) -> int:
    if action == game.rows * game.cols:
        return action
    row, col = divmod(action, game.cols)
    return (game.rows - 1 - row) * game.cols + col


@pytest.mark.parametrize(
    ("game", "games", "forbidden", "forgotten"),
    [
        (Go(2, 2), 100, 8, 3),
        (Go(2, 2, history=1), 100, 0, 3),
        (Go(3, 3), 200, 3, 1),
        (Go(5, 5, half_komi=0), 100, 1, 0),
        (Go(5, 5, half_komi=1), 30, 0, 0),
        (Go(9, 9), 6, 0, 0),
        (Go(13, 13), 2, 0, 0),
        (Go(19, 19), 2, 0, 0),
    ],
)
def test_random_games_of_go_agree(game: Go, games: int, forbidden: int, forgotten: int) -> None:
    """Legal moves and results; `forbidden` moves and `forgotten` positions are repetitions."""
    theirs = pyspiel.load_game("go", {"board_size": game.rows, "komi": game.half_komi / 2})
    repetitions, repeated = 0, 0
    for seed in range(games):
        plies = random_game(game, seed)
        state = theirs.new_initial_state()
        for ply in plies:
            if is_repetition(state):
                repeated += 1
                break
            legal = {go_action(game, action) for action in ply.legal}
            assert legal <= set(state.legal_actions())
            for action in set(state.legal_actions()) - legal:
                repetitions += 1
                assert is_repetition(state.child(action))
            assert state.is_terminal() == (ply.action == NO_ACTION)
            if ply.action != NO_ACTION:
                assert state.current_player() == player_to_move(ply.state)
                state.apply_action(go_action(game, ply.action))
        else:
            value = terminal_value(game, plies[-1].state)
            sign = 1 if player_to_move(plies[-1].state) == BLACK else -1
            assert state.returns() == [sign * value, -sign * value]
    assert (repetitions, repeated) == (forbidden, forgotten)


def is_repetition(state: Any) -> bool:
    """Whether the last move put a stone and the position occurred before."""
    texts = []
    replay = state.get_game().new_initial_state()
    for action in state.history():
        texts.append(board_text(replay))
        replay.apply_action(action)
    is_pass = state.history()[-1:] == [state.get_game().num_distinct_actions() - 1]
    return not is_pass and board_text(state) in texts


def board_text(state: Any) -> str:
    return str(state).partition("\n")[2]
