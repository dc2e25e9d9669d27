import numpy as np
import pytest

from tests.evaluation.enumeration import Enumeration
from tests.search.evaluators import uniform
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import chooser
from zerolab.evaluation.perfect.exhaustive import find_mistakes
from zerolab.evaluation.players.players import make_player
from zerolab.games.base import player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.notation import format_move, format_position, legal_list
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import NetworkSearch, SearchingNetwork
from zerolab.solver.exact_leaves import NO_ORACLE, make_exact_leaves

GAME = Clobber(3, 3)


def reached(game, choose, colour):
    """Positions in which the player has to move, by plain recursion."""
    truth = Enumeration(game)
    found = {}

    def walk(state):
        legal = legal_list(game, state)
        if player_to_move(state) == colour and legal:
            found[state.tobytes()] = state
            legal = choose(state[np.newaxis])
        for action in legal:
            walk(truth.after(state, action))

    walk(initial_state(game, stream(0)))
    return list(found.values())


def test_perfect_play_has_no_mistakes():
    truth = Enumeration(GAME)
    seen = []
    walks = find_mistakes(GAME, truth.choose, on_progress=seen.append)
    assert walks.is_perfect
    for colour, walk in enumerate(walks):
        states = reached(GAME, truth.choose, colour)
        assert walk.positions == len(states)
        assert walk.won == sum(truth.value(state) == 1 for state in states)
    assert seen[-1] == walks.first.positions + walks.second.positions
    assert walks.first.won == walks.first.positions  # 3x3 is won for Black


@pytest.mark.parametrize("colour", [0, 1])
def test_a_planted_mistake_is_found(colour):
    truth = Enumeration(GAME)
    target, wrong = next(
        (state, min(bad))
        for state in reached(GAME, truth.choose, colour)[3:]
        if truth.value(state) == 1 and (bad := set(legal_list(GAME, state)) - truth.keeping(state))
    )

    def choose(states):
        moves = truth.choose(states)
        for row, state in enumerate(states):
            if np.array_equal(state, target):
                moves[row] = wrong
        return moves

    walks = find_mistakes(GAME, choose)
    assert not walks.is_perfect
    assert walks[1 - colour].mistakes == []
    (mistake,) = walks[colour].mistakes
    assert mistake.position == format_position(GAME, target)
    assert mistake.move == format_move(GAME, wrong)
    assert (mistake.player, mistake.value, mistake.value_after) == (colour, 1, -1)


def test_a_draw_given_away_is_a_mistake():
    game = Gobang(3, 3, 3)
    assert find_mistakes(game, Enumeration(game).choose).is_perfect
    walks = find_mistakes(game, chooser(game, make_player("first")))
    assert {(mistake.value, mistake.value_after) for mistake in walks.second.mistakes} >= {(0, -1)}


def test_a_search_with_exact_leaves_never_errs():
    config = SearchConfig(max_simulations=60)
    network = SearchingNetwork(GAME, uniform(GAME), config, make_exact_leaves(GAME, 9))
    search = NetworkSearch(network, batch=16)
    assert find_mistakes(GAME, search.choose).is_perfect
    blind = NetworkSearch(
        network._replace(config=SearchConfig(max_simulations=1), oracle=NO_ORACLE)
    )
    assert not find_mistakes(GAME, blind.choose).is_perfect


def test_what_cannot_be_walked_through():
    choose = chooser(GAME, make_player("first"))
    with pytest.raises(UsageError, match="too many"):
        find_mistakes(GAME, choose, max_positions=10)
    with pytest.raises(UsageError, match="a single start"):
        find_mistakes(Clobber(3, 3, setup="random"), choose)
    with pytest.raises(ValueError, match="not legal"):
        find_mistakes(GAME, lambda states: np.zeros(len(states), np.int64))
