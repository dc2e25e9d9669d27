"""Environments: PettingZoo's own tests, and that they are our games."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from tests.games.sizes import ALL_GAMES, label
from zerolab.errors import UsageError
from zerolab.games.base import GameError, num_players
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.adapters.pettingzoo_env import BoardEnv, make_env
from zerolab.interfaces.adapters.raster import CELL, draw_raster
from zerolab.kernels.rng import random_below, stream

EVERY_GAME = [
    *(Clobber(3, 4), Clobber(4, 4, setup="random"), GraphClobber(), Solitaire(3, 4)),
    *(Othello(4, 4), ConnectFour(), Go(5, 5), Gobang(3, 3, 3)),
]


@pytest.mark.parametrize("game", EVERY_GAME, ids=label)
def test_the_tests_of_pettingzoo(game, capsys):
    with warnings.catch_warnings():
        # A finished game has no legal action, and an empty board of Go no stones. Observations with
        # a mask are dictionaries, as in PettingZoo's own board games.
        warnings.filterwarnings("ignore", ".*all zeros.*")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        api_test(make_env(game), num_cycles=200)
        seed_test(lambda: make_env(game), 100)
        render_test(lambda render_mode: make_env(game, render_mode))
    capsys.readouterr()


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_it_is_the_game(game):
    """Step by step: who moves, what is legal, what both see, who wins."""
    if Position.start(game).is_over:
        with pytest.raises(UsageError, match="is over before it begins"):
            BoardEnv(game)
        return
    env, rng = BoardEnv(game), stream(1)
    env.reset(seed=3)
    position = env.position
    is_puzzle = num_players(game) == 1
    for _ in range(60):
        if position.is_over:
            break
        agent = "player_0" if is_puzzle or position.turn == "black" else "player_1"
        assert env.agent_selection == agent
        observation, reward, termination, _, _ = env.last()
        assert (reward, termination) == (0, False)
        assert tuple(np.flatnonzero(observation["action_mask"])) == position.legal_actions
        assert (observation["observation"] == position.planes("own")).all()
        action = position.legal_actions[random_below(rng, len(position.legal_actions))]
        env.step(action)
        position = position.play(action)
        assert env.position == position
    outcome = position.outcome()
    if outcome is not None and is_puzzle:
        assert env.rewards == {"player_0": outcome.value}
    elif outcome is not None:
        assert env.rewards == {"player_0": outcome.value, "player_1": -outcome.value}
        assert set(env.terminations.values()) == {True}


def test_each_agent_sees_its_own_stones():
    env = BoardEnv(Clobber(2, 2))
    env.reset()
    black, white = (env.observe(agent) for agent in env.agents)
    assert black["observation"][:, 0].tolist() == [[1, 0], [0, 1], [1, 1]]
    assert white["observation"][:, 0].tolist() == [[0, 1], [1, 0], [0, 0]]
    assert (black["action_mask"].sum(), white["action_mask"].sum()) == (4, 0)
    env.step(int(np.flatnonzero(black["action_mask"])[0]))
    assert env.observe("player_0")["observation"][2].tolist() == [[1, 1], [1, 1]]
    assert env.observe("player_1")["observation"][2].tolist() == [[0, 0], [0, 0]]


def test_illegal_actions():
    env = BoardEnv(Clobber(2, 2))
    env.reset()
    with pytest.raises(GameError, match="'0' is not legal here"):
        env.step(0)
    env = make_env(Clobber(2, 2))
    env.reset()
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1, "player_1": 0}


def test_seeds_decide_random_starts():
    env = BoardEnv(Clobber(6, 6, setup="random"))

    def starts(seed):
        env.reset(seed)
        first = env.position.text
        env.reset()
        return first, env.position.text

    assert starts(1) == starts(1)
    assert len({*starts(1), *starts(2)}) == 4


def test_random_starts_that_are_over_are_drawn_again():
    env = BoardEnv(Clobber(1, 3, setup="random"))
    for seed in range(30):
        env.reset(seed)
        assert not env.position.is_over


def test_rendering(capsys):
    env = BoardEnv(Clobber(2, 3), "ansi")
    env.reset()
    assert env.render().split("\n")[0].split() == ["2", "●", "○", "●"]
    env = BoardEnv(Clobber(1, 2), "human")
    env.reset()
    env.step(env.position.legal_actions[0])
    assert "1 · ●" in capsys.readouterr().out
    with pytest.raises(UsageError, match="'gif' is no way to render"):
        BoardEnv(Clobber(2, 3), "gif")


def test_pixels():
    pixels = draw_raster(Clobber(2, 3), Position.parse(Clobber(2, 3), "xo.|...").state)
    assert pixels.shape == (2 * CELL, 3 * CELL, 3)
    middle = CELL // 2
    colours = [pixels[middle, middle + CELL * col].tolist() for col in range(3)]
    assert colours == [[30, 30, 30], [245, 245, 245], [222, 201, 160]]
    assert pixels[0, 0].tolist() == [222, 201, 160]
    assert pixels[CELL, 0].tolist() == [204, 180, 136]
