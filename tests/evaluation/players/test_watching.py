"""Searches that are looked at while they run."""

import pytest

from tests.evaluation.runs import make_run
from zerolab.evaluation.players.players import make_player, search_for
from zerolab.evaluation.players.protocol import PlayerError
from zerolab.evaluation.players.watching import watch_search
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.kernels.rng import stream

START = Position.start(Clobber(4, 4))


def test_a_search_grows_until_it_has_its_simulations():
    simulations = [
        tree.analyse().simulations
        for tree in watch_search(make_player("mcts:3000"), START, stream(1), every=0.0)
    ]
    assert simulations == sorted(simulations)
    assert simulations[-1] <= 3000


def test_it_ends_where_the_plain_search_ends():
    watched = list(watch_search(make_player("mcts:3000"), START, stream(1), every=1000.0))
    plain = search_for(make_player("mcts:3000"), START, stream(1)).analyse()
    assert len(watched) == 1
    assert watched[0].analyse() == plain


def test_a_proof_ends_it():
    position = Position.parse(Clobber(2, 3), "xo.|oxo")
    *_, last = watch_search(make_player("mcts:1000000"), position, stream(1))
    assert last.analyse().proven
    assert last.analyse().simulations < 1000


def test_time_ends_it():
    *_, last = watch_search(make_player("mcts:1ms"), Position.start(Clobber(8, 8)), stream(1))
    assert last.analyse().simulations >= 0


def test_a_network_is_watched_too(tmp_path):
    run = make_run(tmp_path / "run", Clobber(3, 3), (1,))
    position = Position.start(Clobber(3, 3))
    name = f"az:{run}@20"
    *_, last = watch_search(make_player(name), position, stream(0), every=0.0)
    assert last.analyse() == search_for(make_player(name), position, stream(0)).analyse()


def test_players_without_a_tree_have_nothing_to_watch():
    with pytest.raises(PlayerError, match="no search tree"):
        next(watch_search(make_player("random"), START, stream(0)))
