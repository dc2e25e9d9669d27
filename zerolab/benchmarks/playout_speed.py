"""Random games a second: ours, OpenSpiel driven from Python, and a limit."""

import functools
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zerolab.benchmarks.measuring import measure, open_spiel
from zerolab.evaluation.matches.series import play_series
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.othello import Othello
from zerolab.kernels.bits import U1, nth_bit, popcount
from zerolab.kernels.compiling import kernel
from zerolab.kernels.rng import Stream, random_below, stream

PLAYOUTS: tuple[tuple[Game, str], ...] = (
    (Clobber(5, 5), "clobber(rows=5,columns=5)"),
    (Clobber(10, 10), "clobber(rows=10,columns=10)"),
    (Othello(8, 8), "othello"),
    (ConnectFour(6, 7), "connect_four"),
    (Go(9, 9), "go(board_size=9)"),
    (Go(19, 19), "go(board_size=19)"),
)


class Speed(NamedTuple):
    """Random games a second, where measured."""

    game: str
    ours: float
    peer: float | None
    """OpenSpiel driven from Python."""
    limit: float | None
    """A kernel written by hand for this one board."""


def bench_playouts(
    peers: bool, seconds: float, on_progress: Callable[[int, int], None]
) -> list[Speed]:
    """Random games from the start to the end; `seconds` for each contestant."""
    speeds = []
    for index, (game, peer_name) in enumerate(PLAYOUTS):
        contestants: dict[str, Callable[[int], Any]] = {
            "ours": functools.partial(_random_games, game)
        }
        if peers:
            contestants["peer"] = open_spiel_games(peer_name)
        if game == Clobber(5, 5):
            contestants["limit"] = lambda games: clobber_5x5_by_hand(games, stream(0))
        rates = measure(contestants, seconds)
        speeds.append(Speed(describe(game), rates["ours"], rates.get("peer"), rates.get("limit")))
        on_progress(index + 1, len(PLAYOUTS))
    return speeds


def _random_games(game: Game, games: int) -> None:
    play_series(game, ("random", "random"), games, threads=1)


def open_spiel_games(name: str) -> Callable[[int], None]:
    """Random games in OpenSpiel, the way its Python examples play them."""
    game = open_spiel().load_game(name)
    choose = random.Random(0).choice

    def play(games: int) -> None:
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))

    return play


@kernel
def clobber_5x5_by_hand(games: int, rng: Stream) -> int:
    """Random games of 5x5 Clobber with every number written out: what generic rules could reach."""
    chequered = np.uint64(0b1010101010101010101010101)
    board = np.uint64((1 << 25) - 1)
    inner_left = np.uint64(0b1111011110111101111011110)
    one, five = np.uint64(1), np.uint64(5)
    plies = 0
    for _ in range(games):
        own, other = chequered, board & ~chequered
        while True:
            up, left = own & other << five, own & other << one & inner_left
            down, right = own & other >> five, own & (other & inner_left) >> one
            ups, lefts, downs = popcount(up), popcount(left), popcount(down)
            count = ups + lefts + downs + popcount(right)
            if count == 0:
                break
            chosen = random_below(rng, count)
            if chosen < ups:
                source = U1 << np.uint64(nth_bit(up, chosen))
                target = source >> five
            elif chosen < ups + lefts:
                source = U1 << np.uint64(nth_bit(left, chosen - ups))
                target = source >> one
            elif chosen < ups + lefts + downs:
                source = U1 << np.uint64(nth_bit(down, chosen - ups - lefts))
                target = source << five
            else:
                source = U1 << np.uint64(nth_bit(right, chosen - ups - lefts - downs))
                target = source << one
            own, other = other & ~target, own & ~source | target
            plies += 1
    return plies
