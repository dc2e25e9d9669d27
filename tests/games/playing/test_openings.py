import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.notation import legal_list
from zerolab.games.othello import Othello
from zerolab.games.playing.openings import make_openings
from zerolab.kernels.rng import stream

GAMES = [Clobber(3, 3), Clobber(4, 5), Clobber(3, 3, setup=RANDOM), Othello(4, 4)]
GAMES.append(make_game("tic-tac-toe"))


@settings(max_examples=30)
@given(st.sampled_from(GAMES), st.integers(1, 30), st.integers(0, 5), st.integers(0, 2**32))
def test_openings_follow_the_rules_and_the_game_goes_on(game, count, plies, seed):
    openings = make_openings(game, count, stream(seed), plies)
    assert len(openings) == count
    for opening in openings:
        assert len(opening.actions) >= plies
        state = opening.history[0].state
        for action in opening.actions:
            assert action in legal_list(game, state)
            step(game, state, action)
        np.testing.assert_array_equal(state, opening.state)
        assert legal_list(game, state)
    if plies:
        assert len({opening.state.tobytes() for opening in openings}) == count


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(0, 40), st.sampled_from([Clobber(3, 3), Clobber(1, 5)]))
def test_more_openings_begin_with_the_fewer(few, more, game):
    short = make_openings(game, few, stream(1))
    long = make_openings(game, few + more, stream(1))
    assert [each.moves for each in long[:few]] == [each.moves for each in short]


def test_they_get_longer_when_short_ones_run_out():
    game = Clobber(3, 3)
    openings = make_openings(game, 200, stream(1))  # 88 lines of two moves
    assert {len(opening.moves) for opening in openings} >= {2, 3}
    assert len({opening.state.tobytes() for opening in openings}) == 200


def unfinished(game, state, ply=0):
    """Positions from ply 1 on in which there is a move."""
    legal = legal_list(game, state)
    found = {state.tobytes()} if legal and ply > 0 else set()
    for action in legal:
        child = state.copy()
        step(game, child, action)
        found |= unfinished(game, child, ply + 1)
    return found


@pytest.mark.parametrize("game", [Clobber(1, 4), Clobber(1, 5), Clobber(2, 2)])
def test_a_tiny_board_gives_all_it_has_and_repeats(game):
    openings = make_openings(game, 40, stream(1), plies=1)
    everything = unfinished(game, initial_state(game, stream(0)))
    assert {opening.state.tobytes() for opening in openings} == everything
    distinct = len(everything)
    moves = [opening.moves for opening in openings]
    assert moves[:distinct] == moves[distinct : 2 * distinct]


@pytest.mark.parametrize(("game", "most"), [(Clobber(1, 2), 0), (Clobber(2, 2), 2)])
def test_openings_longer_than_any_game_are_none(game, most):
    with pytest.raises(UsageError, match=f"an opening of 100 moves; expected at most {most}"):
        make_openings(game, 3, stream(1), plies=100)
    assert {len(each.moves) for each in make_openings(game, 3, stream(1), plies=most)} == {most}
    with pytest.raises(UsageError, match="expected at most"):
        make_openings(game, 3, stream(1), plies=most + 1)


def test_where_the_game_is_over_at_once_it_is_the_start():
    game = Clobber(1, 3, setup="x.x")
    assert {opening.moves for opening in make_openings(game, 3, stream(1))} == {()}


def test_no_plies_are_the_starts_as_they_come():
    game = Clobber(3, 3)
    start = initial_state(game, stream(0))
    for opening in make_openings(game, 5, stream(1), plies=0):
        assert opening.moves == ()
        np.testing.assert_array_equal(opening.state, start)
    drawn = make_openings(Clobber(3, 3, setup=RANDOM), 5, stream(1), plies=0)
    assert len({opening.state.tobytes() for opening in drawn}) > 1
