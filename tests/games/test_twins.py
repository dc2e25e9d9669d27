"""Fast rules and slow twins play the same games."""

import pytest

from tests.games.play import random_game
from tests.games.sizes import ALL_GAMES, label
from tests.games.twins import start_text, twin_of
from zerolab.games.base import NO_ACTION, Game, player_to_move, terminal_value
from zerolab.games.boards.stones import initial_state, starts_at_random
from zerolab.games.notation import format_move, format_position
from zerolab.kernels.rng import stream


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_random_games_agree(game: Game) -> None:
    for seed in (11, 12, 13):
        plies = random_game(game, seed)
        twin = twin_of(game, format_position(game, plies[0].state))
        for ply in plies:
            assert format_position(game, ply.state) == twin.text()
            assert "xo"[player_to_move(ply.state)] == twin.player
            assert [format_move(game, action) for action in ply.legal] == twin.legal()
            if ply.action != NO_ACTION:
                twin.play(format_move(game, ply.action))
        assert terminal_value(game, plies[-1].state) == pytest.approx(twin.value())


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_games_start_alike(game: Game) -> None:
    text = format_position(game, initial_state(game, stream(1)))
    if starts_at_random(game):
        chequered = start_text(game._replace(setup="chequered"))
        assert sorted(text) == sorted(chequered)  # as many stones of each colour
        assert text != chequered
        assert text != format_position(game, initial_state(game, stream(2)))
    else:
        assert text == start_text(game)
        assert text == format_position(game, initial_state(game, stream(2)))
