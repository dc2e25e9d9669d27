import numpy as np

from tests.search.evaluators import scrambled
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import NetworkSearch, SearchingNetwork, to_win

GAME = Clobber(3, 4)


def test_to_win_all_that_decides_how_it_searches_is_kept_and_nothing_that_is_for_learning():
    training = {"policy_alpha": 0.3, "forced_playouts": 2.0, "reuse": True, "fast_simulations": 2}
    chosen = {"max_simulations": 37, "uct_c": 1.7, "urgency": 0.3, "encoding": "colours"}
    gumbel = {"gumbel": True, "gumbel_considered": 5, "gumbel_c_visit": 3.0, "gumbel_c_scale": 0.5}
    quiet = {"policy_epsilon": 0.0}
    assert to_win(SearchConfig(**training, **chosen)) == SearchConfig(**chosen, **quiet)
    assert to_win(SearchConfig(**chosen, **gumbel)) == SearchConfig(**chosen, **gumbel, **quiet)
    network = SearchingNetwork(GAME, scrambled(GAME), SearchConfig(**chosen))
    assert network.to_win() == network._replace(config=SearchConfig(**chosen, **quiet))


def test_more_positions_than_a_batch_holds():
    states = np.array([initial_state(GAME, stream(0))] * 5)
    states[2:, 0] = 1  # White to move
    network = SearchingNetwork(GAME, scrambled(GAME), SearchConfig(max_simulations=20))
    few, many = NetworkSearch(network, batch=2), NetworkSearch(network, batch=5)
    moves, values = few.look(states)
    assert (moves == many.look(states)[0]).all()
    assert len(set(moves[:2])) == 1 == len(set(moves[2:]))
    assert values[0] == values[1] != values[2]
