from typing import Any

import numpy as np
import pytest

from tests.search.evaluators import scrambled, uniform
from zerolab.games.base import Game, State, step, terminal_value
from zerolab.games.boards.stones import ENCODINGS, encode, initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions
from zerolab.games.playing.openings import make_openings
from zerolab.games.playing.score import Score
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import Evaluate, SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.playouts import value_for
from zerolab.training.arena import ArenaGame, ArenaResult, open_pairs, play_to_the_end, tally

SEARCH = SearchConfig(max_simulations=4, policy_epsilon=0.0)
TIC_TAC_TOE = make_game("tic-tac-toe")


def play_pairs(
    game: Game,
    new: Evaluate,
    old: Evaluate,
    config: SearchConfig,
    games: int,
    batch: int,
    seed: int,
) -> list[ArenaGame]:
    """Pairs of games from their openings to their ends."""
    pairs = open_pairs(game, games, seed)
    networks = [SearchingNetwork(game, evaluate, config) for evaluate in (new, old)]
    play_to_the_end(*networks, batch, pairs)
    return pairs


def play_arena(game: Game, *rest: Any, **named: Any) -> ArenaResult:
    return tally(play_pairs(game, *rest, **named))


def knowing(game: Game) -> Evaluate:
    """Knows the value of every position and which moves keep it."""
    known: dict[bytes, tuple[np.ndarray, float]] = {}
    values: dict[bytes, float] = {}

    def value_of(state: State) -> float:
        key = state.tobytes()
        if key in values:
            return values[key]
        logits, best = np.zeros(num_actions(game), np.float32), -1.0
        for action in legal_list(game, state):
            child = state.copy()
            step(game, child, action)
            logits[action] = -10 * value_of(child)
            best = max(best, -value_of(child))
        values[key] = best if legal_list(game, state) else float(terminal_value(game, state))
        planes = np.zeros((3, game.rows, game.cols), np.float32)
        encode(game, state, ENCODINGS.index("own"), planes)
        known[planes.tobytes()] = logits, values[key]
        return values[key]

    value_of(initial_state(game, stream(0)))

    def evaluate(planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [known[each.tobytes()] for each in planes]
        return np.stack([each[0] for each in found]), np.float32([each[1] for each in found])

    return evaluate


@pytest.mark.parametrize("game", [Clobber(3, 3), TIC_TAC_TOE])
@pytest.mark.parametrize("batch", [3, 64])
def test_games_differ_and_sides_are_swapped(game: Game, batch: int) -> None:
    players = scrambled(game), uniform(game)
    played = play_pairs(game, *players, SEARCH, 40, batch, seed=1)
    assert [each.colour for each in played] == [0, 1] * 20
    openings = make_openings(game, 20, stream(1))
    for opening, one, other in zip(openings, played[::2], played[1::2], strict=True):
        plies = len(opening.moves)
        assert one.moves[:plies] == other.moves[:plies] == opening.actions
        assert one.plies == len(one.moves)
    assert len({opening.state.tobytes() for opening in openings}) == 20
    assert len({(each.colour, *each.moves) for each in played}) == 40
    for each in played:  # by the rules, to the end
        state = initial_state(game, stream(0))
        for action in each.moves:
            assert action in legal_list(game, state)
            step(game, state, action)
        np.testing.assert_array_equal(state, each.position.words)
        assert legal_list(game, state) == []
    result = play_arena(game, *players, SEARCH, 40, batch, seed=1)
    assert (result.score.games, result.distinct) == (40, 40)


def test_it_does_not_matter_how_many_play_at_once() -> None:
    game = Clobber(3, 3)
    few, many = (
        play_pairs(game, scrambled(game), uniform(game), SEARCH, 20, batch, seed=3)
        for batch in (2, 20)
    )
    assert [each.moves for each in few] == [each.moves for each in many]


@pytest.mark.parametrize("game", [Clobber(3, 3), TIC_TAC_TOE])
def test_the_better_player_wins(game: Game) -> None:
    search = SearchConfig(max_simulations=2, policy_epsilon=0.0)
    result = play_arena(game, knowing(game), uniform(game), search, 40, 16, seed=1)
    assert result.is_passed(0.6)
    worse = play_arena(game, uniform(game), knowing(game), search, 40, 16, seed=1)
    assert worse.score == result.score.reversed


def test_perfect_play_wins_one_game_of_every_pair() -> None:
    """Clobber has no draws: every opening is won with one of the colours."""
    game, search = Clobber(3, 3), SearchConfig(max_simulations=2, policy_epsilon=0.0)
    played = play_pairs(game, knowing(game), uniform(game), search, 40, 16, seed=1)
    won = [value_for(game, each.position.words, each.colour) > 0 for each in played]
    assert all(one or other for one, other in zip(won[::2], won[1::2], strict=True))


def test_equal_players_are_equal() -> None:
    """Each has every opening once with each colour: chance has no part."""
    game = Clobber(3, 3)
    result = play_arena(game, scrambled(game), scrambled(game), SEARCH, 40, 16, seed=1)
    assert result.score == Score(20, 0, 20)


def test_the_threshold() -> None:
    assert ArenaResult(Score(wins=24, draws=0, losses=16), distinct=40).is_passed(0.6)
    assert not ArenaResult(Score(wins=23, draws=0, losses=17), distinct=40).is_passed(0.6)
    assert ArenaResult(Score(wins=3, draws=35, losses=2), distinct=40).is_passed(0.6)
    assert not ArenaResult(Score(wins=0, draws=40, losses=0), distinct=40).is_passed(0.0)


@pytest.mark.parametrize("game", [Clobber(1, 2), Clobber(1, 5)])
def test_a_tiny_board_repeats_and_says_so(game: Game) -> None:
    result = play_arena(game, uniform(game), uniform(game), SEARCH, 40, 16, seed=1)
    assert result.score.games == 40
    assert result.distinct < 40


def test_an_odd_number_of_games() -> None:
    game = Clobber(3, 3)
    with pytest.raises(ValueError, match="an arena of 3 games"):
        play_pairs(game, uniform(game), uniform(game), SEARCH, 3, 16, seed=1)
