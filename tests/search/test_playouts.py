"""Random games: their mean length is known (FACTS in docs/games/clobber.md)."""

import numpy as np
import pytest

from zerolab.evaluation.matches.compiled_games import play_match
from zerolab.evaluation.players.players import make_player
from zerolab.games.base import player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions, parse_position
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.playouts import play_opening, value_for


@pytest.mark.parametrize(
    ("rows", "cols", "mean_plies"),
    [(4, 4, 10.0), (4, 5, 12.5), (5, 5, 15.7), (6, 6, 22.8), (8, 8, 41.1), (10, 10, 64.6)],
)
def test_mean_length_of_random_games(rows, cols, mean_plies):
    # The standard deviation of a game's length is below 3 plies, so 20,000 games are within 0.1.
    player = make_player("random")
    result = play_match(Clobber(rows, cols), player, player, 20_000, seed=3)
    assert result.mean_plies == pytest.approx(mean_plies, abs=0.1)


def test_value_is_for_the_player_asked():
    # No x is next to an o: White, to move, has lost.
    state = parse_position(Clobber(1, 3), "x.o", player=1)
    assert value_for(Clobber(1, 3), state, 0) == 1
    assert value_for(Clobber(1, 3), state, 1) == -1


def test_value_of_an_othello_end_counts_stones():
    state = parse_position(Othello(3, 3), "xxx|xxo|ooo", player=1)
    assert value_for(Othello(3, 3), state, 0) == 1
    assert value_for(Othello(3, 3), state, 1) == -1


def test_a_puzzle_has_one_view():
    # Two stones left of four: 1 - 2 * (2 - 1) / (4 - 1) = 1/3, whoever is asked.
    state = parse_position(Solitaire(2, 2), "x.|.x", player=1)
    assert value_for(Solitaire(2, 2), state, 0) == pytest.approx(1 / 3)
    assert value_for(Solitaire(2, 2), state, 1) == pytest.approx(1 / 3)


def openings(game, most, count, text=None):
    """States after openings, and how many plies each is said to have."""
    rng, actions = stream(5), np.empty(num_actions(game), np.int64)
    found = []
    for _ in range(count):
        state = initial_state(game, rng) if text is None else parse_position(game, text)
        plies = play_opening(lean(game), state, most, np.empty_like(state), actions, rng)
        found.append((state, plies))
    return found


def test_openings_have_any_length_up_to_the_most_with_equal_chance():
    game = Clobber(4, 4)
    found = openings(game, 4, 5_000)
    counts = np.bincount([plies for _, plies in found])
    # 1,000 of each are expected; their standard deviation is 28.
    assert counts.shape == (5,)
    assert abs(counts - 1_000).max() < 150
    for state, plies in found[:500]:
        stones = sum(int(word).bit_count() for word in state[1:3])
        assert stones == 16 - plies  # every move takes one
        assert player_to_move(state) == plies % 2
        assert legal_list(game, state)
    assert len({state.tobytes() for state, plies in found if plies == 1}) == 24  # perft of 4x4


def test_an_opening_never_ends_the_game():
    """After one move in xo|.. nothing is left; in xoo. the only move leaves .xo., which goes on."""
    assert {plies for _, plies in openings(Clobber(2, 2), 6, 50, "xo|..")} == {0}
    found = openings(Clobber(1, 4), 6, 50, "xoo.")
    assert {plies for _, plies in found} == {0, 1}
    assert all(legal_list(Clobber(1, 4), state) for state, _ in found)
    assert {plies for _, plies in openings(Clobber(2, 2), 6, 50, "x.|.o")} == {0}  # over already
