import numpy as np
import pytest

from tests.networks.making import GAMES
from zerolab.encodings.views import make_view
from zerolab.games.base import Game, random_action, step
from zerolab.games.boards.stones import encode, initial_state, num_planes
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_policy
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import stream
from zerolab.training.samples.samples import Samples, make_batch, turn_at_random


def random_samples(game: Game, count: int) -> Samples:
    rng, scratch, states = stream(1), np.empty(num_actions(game), np.int64), []
    state = initial_state(game, rng)
    while len(states) < count:
        action = random_action(game, state, scratch, rng)
        if action < 0:
            state = initial_state(game, rng)
        else:
            states.append(state.copy())
            step(game, state, action)
    policy = np.random.default_rng(1).dirichlet(np.ones(num_actions(game)), count)
    value = np.linspace(-1, 1, count)
    return Samples(
        np.array(states),
        policy.astype(np.float32),
        value.astype(np.float32),
        np.ones(count, np.float32),
    )


@pytest.mark.parametrize("game", GAMES)
def test_planes_and_legal_actions(game: Game) -> None:
    samples = random_samples(game, 20)
    batch = make_batch(game, make_view(game, "colours"), samples)
    for row, state in enumerate(samples.states):
        planes = np.zeros((num_planes(game, 0), game.rows, game.cols), np.float32)
        encode(game, state, 0, planes)
        np.testing.assert_array_equal(batch.planes[row], planes)
        assert list(np.flatnonzero(batch.legal[row])) == legal_list(game, state)


@pytest.mark.parametrize("game", GAMES)
def test_each_position_is_turned_as_a_whole(game: Game) -> None:
    batch = make_batch(game, make_view(game, "own"), random_samples(game, 60))
    turned = turn_at_random(game, batch, np.random.default_rng(1))
    ways = symmetries(game)
    used = set()
    for row in range(60):
        fitting = [
            number
            for number, way in enumerate(ways)
            if np.array_equal(turn_policy(batch.policy[row], way), turned.policy[row])
        ]
        (number,) = fitting  # random policies have no symmetry of their own
        used.add(number)
        np.testing.assert_array_equal(
            turn_planes(batch.planes[row], ways[number]), turned.planes[row]
        )
        np.testing.assert_array_equal(
            turn_policy(batch.legal[row], ways[number]), turned.legal[row]
        )
    assert used == set(range(len(ways)))
    np.testing.assert_array_equal(turned.value, batch.value)
