import pytest

from zerolab.games.clobber import Clobber
from zerolab.games.playing.side_by_side import OngoingGame, play_side_by_side
from zerolab.games.position import Position

GAME = Clobber(2, 3)


def first_moves(asked):
    """A mover that takes the first move, and notes which games it was asked about together."""

    def move(games):
        asked.append([each.number for each in games])
        for each in games:
            each.play(each.position.legal_actions[0])

    return move


def games(count, movers=(0, 1)):
    return [OngoingGame(number, Position.start(GAME), movers) for number in range(count)]


def test_each_mover_is_asked_once_for_all_games_in_which_it_is_to_move():
    black, white = [], []
    ended = list(play_side_by_side(games(3), (first_moves(black), first_moves(white)), most=3))
    assert [each.number for each in ended] == [0, 1, 2]
    assert all(each.is_over for each in ended)
    plies = len(ended[0].position.actions)
    assert black == [[0, 1, 2]] * ((plies + 1) // 2)
    assert white == [[0, 1, 2]] * (plies // 2)


def test_colours_may_differ_from_game_to_game():
    one, other = [], []
    mixed = [
        OngoingGame(0, Position.start(GAME), (0, 1)),
        OngoingGame(1, Position.start(GAME), (1, 0)),
    ]
    assert len(list(play_side_by_side(mixed, (first_moves(one), first_moves(other)), most=2))) == 2
    assert one[0] == [0]  # Black in the first game, and then White in the other one
    assert other[0] == [0, 1]
    assert all(each in ([0], [1], [0, 1]) for each in one + other)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_at_once_than_allowed(most):
    asked = []
    ended = list(play_side_by_side(games(5, (0, 0)), (first_moves(asked),), most))
    assert sorted(each.number for each in ended) == list(range(5))
    assert max(map(len, asked)) == most


def test_games_that_are_over_at_once_ask_nobody():
    over = OngoingGame(7, Position.parse(Clobber(1, 3), "x.x"), (0, 0))
    assert list(play_side_by_side([over], (first_moves([]),), 1)) == [over]


def test_what_a_mover_raises_leaves_games_that_can_be_gone_on_with():
    asked, begun = [], games(2)

    def stop(games):
        if len(asked) == 2:
            raise KeyboardInterrupt
        first_moves(asked)(games)

    with pytest.raises(KeyboardInterrupt):
        list(play_side_by_side(begun, (stop, stop), 2))
    assert {len(each.position.actions) for each in begun} == {2}
    assert len(list(play_side_by_side(begun, (first_moves([]), first_moves([])), 2))) == 2


def test_illegal_moves():
    with pytest.raises(ValueError, match="action 999, which is not legal"):
        games(1)[0].play(999)
