import numpy as np
import pytest

from tests.search.evaluators import uniform
from zerolab.evaluation.ladder import LevelResult, play_level, simulations_of
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.search.batched import SearchConfig
from zerolab.solver.oracle import make_exact_leaves

CONFIG = SearchConfig(max_simulations=20, uct_c=1.0)


def test_levels_are_those_of_jans() -> None:
    assert [simulations_of(level, 100) for level in range(5)] == [100, 316, 1000, 3162, 10000]


def test_score() -> None:
    assert LevelResult(0, 100, wins=6, draws=1, losses=3).score == pytest.approx(0.3)


@pytest.mark.parametrize("game", [Clobber(3, 4), Othello(4, 4)])
@pytest.mark.parametrize("games", [1, 7, 40])
def test_all_games_are_played(game: object, games: int) -> None:
    seen: list[int] = []
    result = play_level(game, uniform(game), CONFIG, 0, games, on_progress=seen.append)
    assert result.games == games == seen[-1]
    assert result == play_level(game, uniform(game), CONFIG, 0, games)


def test_perfect_play_wins_what_can_be_won() -> None:
    """On 2x3 the second player wins; with exact leaves the network's side does so each time."""
    game = Clobber(2, 3)
    result = play_level(game, uniform(game), CONFIG, 0, 40, oracle=make_exact_leaves(game, 6))
    assert result.wins >= 20  # as White always; as Black when UCT errs


def test_a_strong_opponent_is_harder() -> None:
    game = Clobber(4, 4)
    draw = np.random.default_rng(1)

    def blind(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        noise = draw.normal(size=(len(planes), 65)).astype(np.float32)
        return noise[:, 1:], np.tanh(noise[:, 0])

    config = SearchConfig(max_simulations=4, uct_c=1.0)
    weak, strong = (play_level(game, blind, config, level, 40).score for level in (0, 4))
    assert strong < weak
