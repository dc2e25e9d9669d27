import pytest

from tests.evaluation.guests import Batched, guests  # noqa: F401
from tests.evaluation.matches.plain_games import play_in_python
from zerolab.evaluation.matches import series as series_module
from zerolab.evaluation.matches import threads
from zerolab.evaluation.matches.compiled_games import play_range
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.players.players import make_player
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello

pytestmark = pytest.mark.usefixtures("guests")

GAME = Clobber(4, 4)


def essence(series):
    return sorted(str(each._replace(seconds=(0.0, 0.0))) for each in series.played)


@pytest.mark.parametrize("names", [("batched", "mcts:5"), ("plain", "engine")], ids=str)
def test_games_depend_on_the_seed_alone(names):
    one, two = (play_series(GAME, names, 20, seed=1, threads=count) for count in (1, 3))
    assert essence(one) == essence(two) != essence(play_series(GAME, names, 20, seed=2))
    assert len({each.moves for each in one.played}) > 10
    assert {(each.first, each.second, each.opening) for each in one.played} == {(*names, "")}
    result = one.result
    assert result == two.result
    assert result.black_wins == sum(each.result == 1 for each in one.played)
    assert (result.games, result.unplayed, result.draws) == (20, 0, 0)
    assert result.black_wins + result.white_wins == 20
    assert result.plies == sum(len(each.moves.split()) for each in one.played)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (Clobber(4, 4), ("random", "mcts:20")),
        (Clobber(3, 4, setup=RANDOM), ("mc:2", "first")),
        (Clobber(3, 4, setup=RANDOM), ("first", "first")),
        (Othello(4, 4), ("mcts:10", "mcts:20")),
        (Gobang(3, 3, 3), ("random", "mc:2")),
    ],
    ids=str,
)
def test_one_by_one_compiled_players_play_the_games_of_the_fused_kernel(game, names, monkeypatch):
    fused = play_series(game, names, 20, seed=3)
    monkeypatch.setattr(series_module, "_compiled", lambda names: None)
    one_by_one = play_series(game, names, 20, seed=3)
    assert one_by_one.result == fused.result
    players = [make_player(name) for name in names]
    played = sorted(one_by_one.played)
    assert [each.pair for each in played] == list(range(20))
    for number, each in enumerate(played):
        alone = play_range(game, *players, 3, range(number, number + 1))
        assert (alone.score.mean, alone.plies) == (each.result, each.plies)
        end = play_in_python(game, players, number, seed=3)
        assert " ".join(end.moves) == each.moves
        assert each.start == (end.history[0].text if starts_at_random(game) else None)


def test_a_player_may_play_itself():
    assert play_series(GAME, ("batched", "batched"), 20).result.games == 20


def test_networks_are_asked_about_many_positions_at_once():
    play_series(GAME, ("batched", "random"), 16)
    assert max(Batched.sizes) == 16


def test_random_starts_differ_from_game_to_game():
    series = play_series(Clobber(4, 4, setup=RANDOM), ("plain", "first"), 20)
    assert len({each.start for each in series.played}) > 10


def test_failures_keep_what_was_played(monkeypatch):
    series = play_series(GAME, ("weak", "random"), 20)
    assert 0 < series.result.unplayed == len(series.failures) < 20
    assert series.result.games + series.result.unplayed == 20
    assert series.given_up is None
    monkeypatch.setattr(threads, "MOST_FAILURES", 1)
    shorter = play_series(GAME, ("random", "weak"), 20, threads=1)
    assert shorter.result.unplayed == 1
    assert shorter.given_up == f"weak: {threads.GIVEN_UP}"
    assert shorter.result.games == len(shorter.played) - 1 < 19


def test_unfinished_games_of_a_chunk_are_skipped_when_a_player_is_given_up(monkeypatch):
    monkeypatch.setattr(threads, "MOST_FAILURES", 1)
    series = play_series(GAME, ("batched", "fragile"), 16, threads=1)
    assert max(Batched.sizes) == 16
    assert series.given_up == f"fragile: {threads.GIVEN_UP}"
    assert 0 < len(series.played) < 16
