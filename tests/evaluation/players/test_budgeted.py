"""Moves under budgets, for players that search and for all others."""

import pytest

from tests.evaluation.runs import make_run
from zerolab.evaluation.players.budgeted import BudgetedPlayer
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import PlayerError
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.search.growing_search import UNLIMITED, Budget

GAME = Clobber(4, 4)


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("runs") / "demo", GAME, (1,))


def finish(search):
    while not search.is_done:
        search.run(0.01)
    return search


@pytest.mark.parametrize("name", ["random", "first", "mc:5", "mcts:200", "mcts:200,reuse"])
def test_without_a_budget_it_is_the_player_of_that_name(name):
    player, rng = BudgetedPlayer(make_player(name)), stream(5)
    alone, other = make_player(name), stream(5)
    position = GAME.start()
    while not position.is_over:
        chosen = finish(player.begin(position, rng)).best_action()
        assert chosen == alone.choose(position, other)
        position = position.after(chosen)


@pytest.mark.parametrize("name", ["mcts:200", "mcts:500ms"])
def test_a_budget_replaces_the_limits_of_the_name(name):
    player = BudgetedPlayer(make_player(name))
    assert player.can_analyse
    position = Clobber(6, 5).start()
    search = finish(player.begin(position, stream(0), Budget(simulations=321)))
    assert search.tree.analyse().simulations == 321


@pytest.mark.parametrize("options", ["", ",gumbel"])
def test_networks(run, options):
    player = BudgetedPlayer(make_player(f"az:{run}@30{options}"))
    alone = make_player(f"az:{run}@30{options}")
    position = GAME.start()

    def simulations(budget):
        search = finish(player.begin(position, stream(0), budget))
        assert search.best_action() in position.legal_actions
        return search.tree.analyse().simulations

    own = finish(player.begin(position, stream(0)))
    assert own.best_action() == alone.choose(position, stream(0))
    assert own.tree.analyse().simulations == 30
    assert simulations(Budget(simulations=10)) == 10
    assert simulations(Budget(simulations=100)) == 100
    assert simulations(Budget(seconds=0.0)) <= 30


def test_time_alone_gives_a_network_more_than_the_simulations_of_its_name(run):
    player = BudgetedPlayer(make_player(f"az:{run}@3"))
    search = player.begin(GAME.start(), stream(0), UNLIMITED)
    while search.tree.analyse().simulations < 50:
        search.run(0.001)
    assert not search.is_done
    again = player.begin(GAME.start(), stream(0), UNLIMITED)
    assert again.search is search.search  # its trees are made once


def test_gumbel_keeps_its_plan(run):
    player = BudgetedPlayer(make_player(f"az:{run}@20,gumbel"))
    search = finish(player.begin(GAME.start(), stream(0), Budget(seconds=1e9)))
    assert search.tree.analyse().simulations == 20


def test_others_have_nothing_to_show():
    player = BudgetedPlayer(make_player("first"))
    assert not player.can_analyse
    search = player.begin(GAME.start(), stream(0), Budget(seconds=0.0))
    assert not search.is_done
    search.run(0.0)
    assert search.is_done
    with pytest.raises(PlayerError, match="'first' has no search to show"):
        search.tree.analyse()


def test_a_position_without_moves_is_checked_but_not_searched(run):
    player = BudgetedPlayer(make_player(f"az:{run}@10"))
    player.warm_up(Position.parse(GAME, "....|....|....|...x"))
    with pytest.raises(PlayerError, match="az:"):
        player.warm_up(Position.parse(Clobber(2, 2), "..|.."))
