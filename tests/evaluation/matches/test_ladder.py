from typing import Any, NamedTuple

import pytest

from tests.search.evaluators import scrambled, uniform
from zerolab.evaluation.matches import ladder
from zerolab.evaluation.matches.ladder import (
    LevelResult,
    Pairing,
    play_games,
    play_level,
    simulations_of,
)
from zerolab.games.base import BLACK, WHITE, Game, State, player_to_move
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score
from zerolab.search.batched import searching_network
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.uct import UctSettings
from zerolab.solver.exact_leaves import NO_ORACLE, make_exact_leaves

GAME = Clobber(3, 4)
CONFIG = SearchConfig(max_simulations=20, uct_c=1.0)


def network(game: Game, config: SearchConfig = CONFIG, oracle: Any = NO_ORACLE) -> SearchingNetwork:
    """One that knows nothing."""
    return SearchingNetwork(game, uniform(game), config, oracle)


def test_levels_are_those_of_jans() -> None:
    assert [simulations_of(level, 100) for level in range(5)] == [100, 316, 1000, 3162, 10000]


def test_score() -> None:
    level = LevelResult(2, 100, Score(wins=6, draws=1, losses=3))
    named = {"level": 2, "simulations": 100, "wins": 6, "draws": 1, "losses": 3}
    assert level.fields == named | {"score": pytest.approx(0.3)}


@pytest.mark.parametrize("game", [Clobber(3, 4), Othello(4, 4)])
@pytest.mark.parametrize("games", [1, 7, 40])
def test_all_games_are_played(game: object, games: int) -> None:
    seen: list[int] = []
    result = play_level(network(game), 0, games, on_progress=seen.append)
    assert result.score.games == games == seen[-1]
    assert result == play_level(network(game), 0, games)


@pytest.mark.parametrize("colours", [(BLACK, WHITE), (WHITE, BLACK, BLACK, WHITE, WHITE)])
def test_each_game_counts_for_the_network_and_its_colour(colours: tuple[int, ...]) -> None:
    """On 2x3 the second player wins, and here both play perfectly.

    The network has exact leaves, and 2,000 simulations of UCT with proofs settle a board of which
    no game takes more than five moves.
    """
    game = Clobber(2, 3)
    pairings = [Pairing(4, colour) for colour in colours]
    oracle = make_exact_leaves(game, 6)
    assert simulations_of(4, CONFIG.max_simulations) == 2000
    for seed in range(3):
        results = play_games(network(game, oracle=oracle), pairings, seed)
        assert results == [1.0 if colour == WHITE else -1.0 for colour in colours]


def test_exact_leaves_win_what_can_be_won() -> None:
    """On 3x4 the second player wins; a network that is firmly wrong does so with them alone."""
    pairings = [Pairing(4, WHITE)] * 12
    wins = [
        play_games(SearchingNetwork(GAME, scrambled(GAME), CONFIG, oracle), pairings, 1).count(1.0)
        for oracle in (make_exact_leaves(GAME, 12), NO_ORACLE)
    ]
    assert wins[0] == 12
    assert wins[1] < 12


class Opponent(NamedTuple):
    """What the opponent was asked for: simulations, uct_c, and who was to move."""

    simulations: int
    uct_c: float
    colour: int


@pytest.fixture(name="asked")
def _asked(monkeypatch: pytest.MonkeyPatch) -> list[Opponent]:
    """The opponent takes the first move in the list, whatever it is asked for."""
    asked: list[Opponent] = []

    def choose(settings: UctSettings, game: Game, state: State, *_: object) -> int:
        asked.append(Opponent(settings.simulations, settings.c, player_to_move(state)))
        return legal_list(GAME, state)[0]

    monkeypatch.setattr(ladder, "choose_once", choose)
    return asked


# jans, section 5: s = max_simulations x 10^(n/2); square roots of 10 to five places.
JANS = {0: 100, 1: 316, 2: 1000, 3: 3162, 4: 10_000}


@pytest.mark.parametrize(("level", "simulations"), JANS.items())
def test_a_level_plays_with_the_simulations_that_it_is_reported_with(
    asked: list[Opponent], level: int, simulations: int
) -> None:
    config = SearchConfig(max_simulations=100, uct_c=0.75)
    result = play_level(network(GAME, config), level, 3)
    assert (result.level, result.simulations) == (level, simulations)
    assert {(each.simulations, each.uct_c) for each in asked} == {(simulations, 0.75)}


def test_levels_side_by_side_keep_their_simulations(asked: list[Opponent]) -> None:
    """The network is Black against level 0 and White against level 2."""
    pairings = [Pairing(0, BLACK), Pairing(2, WHITE)]
    play_games(network(GAME), pairings)
    assert {each[::2] for each in asked} == {(20, WHITE), (200, BLACK)}


@pytest.mark.parametrize("oracle", [NO_ORACLE, "exact"])
def test_the_network_plays_with_its_own_simulations_and_without_noise(
    monkeypatch: pytest.MonkeyPatch, oracle: object
) -> None:
    searches: list[Any] = []

    class Spy(BatchedSearch):
        def __init__(self, game: Game, config: SearchConfig, *rest: Any) -> None:
            *rest, given = rest
            super().__init__(game, config, *rest, NO_ORACLE)
            searches.append(self)
            self.given, self.seen = (config, given), []

        def start(self, slot: int, state: State, **how: Any) -> None:
            super().start(slot, state, **how)
            self.seen.append((player_to_move(state), tuple(how.items())))

    monkeypatch.setattr(searching_network, "BatchedSearch", Spy)
    play_games(network(GAME, oracle=oracle), [Pairing(3, WHITE)] * 2)
    (search,) = searches
    assert search.given == (CONFIG, oracle)
    assert set(search.seen) == {(WHITE, (("explores", False),))}


def test_colours_take_turns_and_wins_draws_and_losses_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play(*arguments: object) -> list[float]:
        assert [each.colour for each in arguments[1]] == [BLACK, WHITE] * 3
        return [1.0, 1.0, 1.0, 0.0, -1.0, -1.0]

    monkeypatch.setattr(ladder, "play_games", play)
    result = play_level(network(GAME), 1, 6)
    assert result == LevelResult(1, 63, Score(wins=3, draws=1, losses=2))
    assert result.score.mean == pytest.approx(1 / 6)
