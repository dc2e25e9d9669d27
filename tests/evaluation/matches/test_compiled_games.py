import threading

import pytest

from tests.evaluation.matches.plain_games import play_in_python
from zerolab.evaluation.matches import compiled_games as matches
from zerolab.evaluation.matches.compiled_games import MatchResult, play_match
from zerolab.evaluation.players.players import PlayerError, make_player
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score
from zerolab.games.solitaire import Solitaire

GAMES = [Clobber(4, 5), Clobber(3, 3, setup=RANDOM), Othello(4, 4), Gobang(3, 3, 3), GraphClobber()]


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize(("black", "white"), [("random", "first"), ("mc:2", "random")])
def test_compiled_games_are_those_of_plain_python(game, black, white):
    players = make_player(black), make_player(white)
    ends = [play_in_python(game, players, number, seed=5) for number in range(20)]
    values = [end.outcome().value for end in ends]
    plies = sum(len(end.actions) for end in ends)
    assert play_match(game, *players, 20, seed=5) == MatchResult(Score.of(values), plies)


def test_the_result_depends_on_the_seed_and_not_on_the_workers(monkeypatch):
    players = make_player("random"), make_player("random")
    results = {
        play_match(Clobber(5, 5), *players, 3000, seed=1, workers=workers) for workers in (1, 2, 5)
    }
    monkeypatch.setattr(matches, "MAX_CHUNK", 7)
    results.add(play_match(Clobber(5, 5), *players, 3000, seed=1))
    assert len(results) == 1
    assert play_match(Clobber(5, 5), *players, 3000, seed=2) not in results


def test_random_starts_differ_from_game_to_game():
    # Pick First against itself draws no lots: on one start all games would end alike.
    players = make_player("first"), make_player("first")
    result = play_match(Clobber(4, 4, setup=RANDOM), *players, 200, seed=1)
    assert 0 < result.black_wins < 200


def test_a_puzzle_has_no_match():
    with pytest.raises(PlayerError, match="two-player game"):
        play_match(Solitaire(), make_player("random"), make_player("random"), 1)


def test_an_interrupt_keeps_what_was_played():
    def interrupt(result):
        if result.games > 0:
            raise KeyboardInterrupt

    players, before = (make_player("mc:20"), make_player("mc:20")), set(threading.enumerate())
    result = play_match(Clobber(8, 8), *players, 10**6, on_progress=interrupt)
    assert 0 < result.games < 10**6
    assert result.games == result.black_wins + result.white_wins
    assert set(threading.enumerate()) <= before  # other tests may have left some


def test_an_error_ends_the_match(monkeypatch):
    def fail(*arguments):
        raise RuntimeError("broken")

    players, before = (make_player("mc:20"), make_player("mc:20")), set(threading.enumerate())
    with pytest.raises(RuntimeError, match="broken"):
        play_match(Clobber(8, 8), *players, 10**6, on_progress=fail)
    monkeypatch.setattr(matches, "play_range", fail)
    with pytest.raises(RuntimeError, match="broken"):
        play_match(Clobber(2, 2), *players, 3)
    assert set(threading.enumerate()) <= before  # other tests may have left some


def test_draws_are_counted():
    players = make_player("random"), make_player("random")
    result = play_match(Gobang(3, 3, 3), *players, 4000, seed=1)
    # Random Tic-tac-toe: 58.5 % first player, 28.8 % second, 12.7 % drawn (known exactly).
    assert result.black_wins / 4000 == pytest.approx(0.585, abs=0.025)
    assert result.draws / 4000 == pytest.approx(0.127, abs=0.018)
    assert result.black_score == pytest.approx((result.black_wins + result.draws / 2) / 4000)


def test_results_add_up():
    total = MatchResult(Score(1, 0, 1), 10, unplayed=1) + MatchResult(Score(0, 2, 1), 20)
    assert total == MatchResult(Score(1, 2, 2), 30, unplayed=1)
    assert total.mean_plies == 6
