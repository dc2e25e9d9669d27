import numpy as np
import pytest

from tests.networks.making import OF_ANY_SIZE, make_network
from tests.records.test_batches import random_samples
from zerolab.encodings.views import make_view
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber, Variant
from zerolab.games.othello import Othello
from zerolab.networks.losses import LossConfig
from zerolab.records.batches import make_batch
from zerolab.records.samples import Batch
from zerolab.training.learner import Learner, LossValues
from zerolab.training.samples.board_sizes import join_sizes

CONFIG = OF_ANY_SIZE["resnet pooling"]
LOSS = LossConfig(weight_decay=0)


def make_part(game: Game, count: int) -> tuple[Game, Batch]:
    """Targets that can be learnt: the first legal move, and whether there are many stones."""
    batch = make_batch(game, make_view(game, "own"), random_samples(game, count))
    policy = np.eye(batch.legal.shape[1], dtype=np.float32)[batch.legal.argmax(axis=1)]
    value = np.sign(batch.planes[:, 0].mean((1, 2)) - 0.4).astype(np.float32)
    return game, batch._replace(policy=policy, value=value)


def losses(game: Game, batch: Batch) -> LossValues:
    """Of a network with the weights that all sizes share here."""
    network = make_network(CONFIG, game)
    network.load_state_dict(make_network(CONFIG, Clobber(5, 5)).state_dict())
    return Learner(network, LOSS, 1e-3).measure(batch)


def test_a_joint_batch_has_the_losses_of_its_parts() -> None:
    small, large = make_part(Clobber(3, 4), 6), make_part(Clobber(5, 5), 5)
    batch = join_sizes([small, large])
    assert batch.planes.shape == (11, 3, 5, 5)
    assert batch.mask is not None
    assert batch.mask.sum((1, 2, 3)).tolist() == [12] * 6 + [25] * 5
    joint = losses(Clobber(5, 5), batch)
    one, other = losses(*small), losses(*large)
    for field in ("policy", "value", "total"):
        expected = (6 * getattr(one, field) + 5 * getattr(other, field)) / 11
        assert getattr(joint, field) == pytest.approx(expected, rel=1e-5)


def test_policy_targets_mean_the_same_move() -> None:
    _, part = make_part(Clobber(3, 4), 8)
    batch = join_sizes([(Clobber(3, 4), part), make_part(Clobber(4, 6), 1)])
    for number in range(8):
        plane, row, col = np.unravel_index(batch.policy[number].argmax(), (4, 4, 6))
        assert (row * 4 + col) * 4 + plane == part.policy[number].argmax()
        assert batch.legal[number].sum() == part.legal[number].sum()


def test_two_sizes_at_once_are_learnt() -> None:
    batch = join_sizes([make_part(Clobber(3, 4), 40), make_part(Clobber(4, 5), 40)])
    learner = Learner(make_network(CONFIG, Clobber(4, 5)), LOSS, 1e-2)
    history = [learner.step(batch) for _ in range(60)]
    assert history[-1].policy < 0.5 * history[0].policy
    assert history[-1].value < 0.5 * history[0].value


@pytest.mark.parametrize("other", [Othello(4, 4), Clobber(4, 4, variant=Variant.CANNIBAL)])
def test_two_games_do_not_mix(other: Game) -> None:
    with pytest.raises(UsageError, match="same game"):
        join_sizes([make_part(Clobber(3, 4), 1), make_part(other, 1)])
