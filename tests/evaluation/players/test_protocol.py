import pickle

import pytest

from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import (
    EngineError,
    PlayerError,
    check_player,
    choose_all,
    close_player,
    is_same_game,
)
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.kernels.rng import stream

GAME = Clobber(3, 3)


class Able:
    """A player with every ability, which notes what it is asked."""

    name = "able"

    def __init__(self):
        self.asked = []

    def choose(self, position, rng):
        raise AssertionError("it likes to be asked about many at once")

    def choose_many(self, positions, rngs):
        self.asked.append(("choose", len(positions), len(rngs)))
        return [7] * len(positions)

    def check(self, game):
        self.asked.append(("check", game))

    def close(self):
        self.asked.append("close")


def test_any_player_can_be_asked_for_anything():
    plain = make_player("random")
    positions = [Position.start(GAME)] * 20
    check_player(plain, GAME)
    moves = choose_all(plain, positions, [stream(1, i) for i in range(20)])
    assert moves == [plain.choose(positions[0], stream(1, i)) for i in range(20)]
    assert len(set(moves)) > 1
    close_player(plain)


def test_abilities_are_used():
    able = Able()
    check_player(able, GAME)
    assert choose_all(able, [Position.start(GAME)] * 3, [stream(0)] * 3) == [7, 7, 7]
    close_player(able)
    assert able.asked == [("check", GAME), ("choose", 3, 3), "close"]


def test_what_a_player_cannot_play_is_said_with_its_name():
    with pytest.raises(PlayerError, match=r"mcts:9,exact=12: exact leaves are for clobber"):
        check_player(make_player("mcts:9,exact=12"), Othello(4, 4))
    check_player(make_player("mcts:9,exact=12"), GAME)


def test_an_engines_failure_names_it_and_passes_between_processes():
    error = pickle.loads(pickle.dumps(EngineError("uci:x@1ms", "it is not there")))
    assert (error.engine, error.reason) == ("uci:x@1ms", "it is not there")
    assert str(error) == "uci:x@1ms: it is not there"


def test_equal_tuples_are_not_the_same_game():
    assert Gobang(4, 5, 3) == ConnectFour(4, 5, 3)
    assert not is_same_game(Gobang(4, 5, 3), ConnectFour(4, 5, 3))
    assert is_same_game(Clobber(3, 3), GAME)
    assert not is_same_game(None, GAME)
