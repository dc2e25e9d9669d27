import pytest

from zerolab.evaluation.players import PlayerError, make_player
from zerolab.games.clobber import Clobber
from zerolab.games.notation import format_move, legal_list, parse_position
from zerolab.games.rng import stream


@pytest.mark.parametrize("name", ["random", "first", "mc:1", "mc:50"])
def test_names_round_trip(name):
    assert make_player(name).name == name


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("alice", "'alice' is not a player; expected random, first, mc:N"),
        ("", "'' is not a player"),
        ("random:3", "'random:3' is not a player"),
        ("mc", "'' in 'mc' is not a strength: expected a number from 1"),
        ("mc:0", "'0' in 'mc:0' is not a strength"),
        ("mc:-5", "'-5' in 'mc:-5'"),
        ("mc:1e3", "'1e3' in 'mc:1e3'"),
        ("mc:٣", "is not a strength"),
        ("mc:10000000000", "from 1 to 1,000,000,000"),
        ("human", "a human plays in zerolab play only"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(name, complaint):
    with pytest.raises(PlayerError, match=complaint):
        make_player(name)


def test_first_takes_the_first_and_random_takes_each():
    game = Clobber(2, 2)
    state = parse_position(game, "xo|ox")
    assert format_move(game, make_player("first").choose(game, state, stream(0))) == "a2a1"
    seen = {make_player("random").choose(game, state, stream(0, i)) for i in range(100)}
    assert seen == set(legal_list(game, state))
