"""Random games: their mean length is known (FACTS in docs/games/clobber.md)."""

import pytest

from zerolab.evaluation.matches import play_match
from zerolab.evaluation.players import make_player
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_position
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.search.playouts import value_for


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
