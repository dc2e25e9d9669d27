"""Games of matches as SGF: all that was played, and nothing that broke off."""

import pytest

from tests.evaluation.guests import guests  # noqa: F401
from zerolab.evaluation.matches.saved_games import record_of, save_games
from zerolab.evaluation.matches.series import play_series
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.go import Go
from zerolab.games.othello import Othello
from zerolab.records.packing import pack_files
from zerolab.records.record_files import games_in

pytestmark = pytest.mark.usefixtures("guests")


@pytest.mark.parametrize(
    "game", [Clobber(4, 4), Clobber(3, 4, setup=RANDOM), Othello(4, 4), Go(5, 5)], ids=str
)
@pytest.mark.parametrize("opening", [0, 3])
def test_moves_and_results_are_those_of_the_series(game, opening, tmp_path):
    series = play_series(game, ("random", "mcts:5"), 10, seed=1, opening=opening, keeps_moves=True)
    path = tmp_path / "games.sgf"
    assert save_games(path, game, series.played) == 10
    back = list(games_in(path))
    for each, played in zip(back, sorted(series.played), strict=True):
        moves = f"{played.opening} {played.moves}".split()
        assert list(each.position().moves) == moves
        assert (each.result, each.names) == (played.result, ("random", "mcts:5"))
        assert len(played.opening.split()) == opening
        assert each.first.text == (played.start or each.first.text)
    if opening:
        assert len({each.actions[:opening] for each in back}) > 5


def test_a_game_that_broke_off_is_left_out(tmp_path):
    series = play_series(Clobber(4, 4), ("weak", "random"), 20)
    assert 0 < len(series.failures) < 20
    path = tmp_path / "games.sgfl"
    assert save_games(path, Clobber(4, 4), series.played) == 20 - len(series.failures)
    assert all(each.result is not None for each in games_in(path))
    assert len(list(games_in(path))) == 20 - len(series.failures)


def test_a_resigned_game_has_its_result(tmp_path):
    played = play_series(Clobber(4, 4), ("plain", "random"), 2).played
    moves = played[0].moves.split()[:3]
    cut = played[0]._replace(moves=" ".join(moves), plies=3, result=-1, resigned="plain")
    path = tmp_path / "games.sgf"
    assert save_games(path, Clobber(4, 4), [cut]) == 1
    (back,) = games_in(path)
    assert (back.result, back.position().moves) == (-1.0, tuple(moves))


def test_a_file_does_not_depend_on_the_order_of_games(tmp_path):
    played = play_series(Clobber(4, 4), ("plain", "random"), 10).played
    one, other = tmp_path / "one.sgf", tmp_path / "other.sgf"
    save_games(one, Clobber(4, 4), played)
    save_games(other, Clobber(4, 4), played[::-1])
    assert one.read_bytes() == other.read_bytes()
    assert record_of(Clobber(4, 4), min(played)).actions == next(games_in(one)).actions


def test_a_network_can_learn_from_saved_games(tmp_path):
    """`zerolab learn` packs them: none is rejected."""
    game = Go(5, 5)
    series = play_series(game, ("random", "random"), 30, opening=2)
    save_games(tmp_path / "games.sgfl.xz", game, series.played)
    packed = pack_files([tmp_path / "games.sgfl.xz"], game, tmp_path / "packed", share=0.2, seed=0)
    assert (packed.header.games, packed.header.rejected) == (30, {})
