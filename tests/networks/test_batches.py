import numpy as np
import pytest
import torch

from tests.networks.making import OF_ANY_SIZE, make_network, random_planes
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.games.notation import format_move, num_actions
from zerolab.games.othello import Othello
from zerolab.networks.batches import Samples, join_sizes
from zerolab.networks.losses import LossConfig, compute_losses, make_optimizer

CONFIG = OF_ANY_SIZE["resnet pooling"]


def make_samples(game: Game, count: int) -> Samples:
    """Targets that can be learnt: move the first own stone up; value by the number of stones."""
    planes = random_planes(game, count)
    policy = np.zeros((count, num_actions(game)), np.float32)
    for number, own in enumerate(planes[:, 0].reshape(count, -1)):
        policy[number, int(own.argmax()) * 4] = 1
    return Samples(game, planes, policy, np.sign(planes[:, 0].mean((1, 2)) - 0.3))


def test_each_board_learns_what_it_learns_alone() -> None:
    small, large = make_samples(Clobber(3, 4), 6), make_samples(Clobber(5, 5), 5)
    batch = join_sizes([small, large])
    assert batch.planes.shape == (11, 3, 5, 5)
    assert batch.mask.sum((1, 2, 3)).tolist() == [12] * 6 + [25] * 5
    config = LossConfig(weight_decay=0)
    network = make_network(CONFIG, large.game)
    joint = compute_losses(config, network, *network.rate(batch.planes, batch.mask), batch.targets)
    total = 0.0
    for part in (small, large):
        alone = make_network(CONFIG, part.game)
        alone.load_state_dict(network.state_dict())
        alone_batch = join_sizes([part])
        result = compute_losses(config, alone, *alone.rate(alone_batch.planes), alone_batch.targets)
        total += len(part.planes) * float(result.total.detach())
    assert float(joint.total.detach()) == pytest.approx(total / 11, rel=1e-5)


def test_policy_targets_mean_the_same_move() -> None:
    part = make_samples(Clobber(3, 4), 8)
    batch = join_sizes([part, make_samples(Clobber(4, 6), 1)])
    for number in range(8):
        action = int(part.policy[number].argmax())
        place = int(batch.targets.policy[number].argmax())
        plane, row, col = np.unravel_index(place, (4, 4, 6))
        assert (row * 4 + col) * 4 + plane == action
        assert format_move(part.game, action)


def test_two_sizes_at_once_are_learnt() -> None:
    torch.manual_seed(1)
    batch = join_sizes([make_samples(Clobber(3, 4), 40), make_samples(Clobber(4, 5), 40)])
    network = make_network(CONFIG, Clobber(4, 5)).train()
    config = LossConfig()
    optimizer = make_optimizer(network, config, 1e-2)
    history = []
    for _ in range(60):
        result = compute_losses(
            config, network, *network.rate(batch.planes, batch.mask), batch.targets
        )
        optimizer.zero_grad()
        result.total.backward()
        optimizer.step()
        history.append((float(result.policy.detach()), float(result.value.detach())))
    assert history[-1][0] < 0.5 * history[0][0]
    assert history[-1][1] < 0.5 * history[0][1]


def test_two_games_do_not_mix() -> None:
    other = Samples(
        Othello(4, 4),
        random_planes(Othello(4, 4), 1),
        np.ones((1, 17), np.float32) / 17,
        np.zeros(1, np.float32),
    )
    with pytest.raises(UsageError, match="same game"):
        join_sizes([make_samples(Clobber(3, 4), 1), other])
