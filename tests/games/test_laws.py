"""The nine laws of zerolab/games/base.py, over every game and size."""

import pytest

from tests.games import laws
from tests.games.sizes import ALL_GAMES, label
from zerolab.games.base import Game

every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=label)


@every_game
def test_law_1_over_when_no_action_is_legal(game: Game) -> None:
    laws.law_1_over_when_no_action_is_legal(game)


@every_game
def test_law_2_each_legal_action_once_in_order(game: Game) -> None:
    laws.law_2_each_legal_action_once_in_order(game)


@every_game
def test_law_3_random_action_is_fair(game: Game) -> None:
    laws.law_3_random_action_is_fair(game)


@every_game
def test_law_4_step_depends_on_state_and_action_only(game: Game) -> None:
    laws.law_4_step_depends_on_state_and_action_only(game)


@every_game
def test_law_5_every_game_ends(game: Game) -> None:
    laws.law_5_every_game_ends(game)


@every_game
def test_law_6_values_lie_between_lost_and_won(game: Game) -> None:
    laws.law_6_values_lie_between_lost_and_won(game)


@every_game
def test_law_7_text_says_it_all(game: Game) -> None:
    laws.law_7_text_says_it_all(game)


@every_game
def test_law_8_symmetries_commute_with_the_rules(game: Game) -> None:
    laws.law_8_symmetries_commute_with_the_rules(game)


@every_game
def test_law_9_compiled_as_plain(game: Game) -> None:
    laws.law_9_compiled_as_plain(game)
