import numpy as np
import pytest

from tests.records.test_batches import random_samples
from zerolab.encodings.views import make_view
from zerolab.games.clobber import Clobber
from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.losses import LossConfig
from zerolab.networks.machine import seed_weights
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.training import learner as learning
from zerolab.training.learner import Learner, LossValues

GAME = Clobber(3, 4)


def learn(steps: int) -> list[LossValues]:
    seed_weights(1)
    network = Network(NetworkConfig(width=16, depth=2, value_hidden=(16,)), signature_of(GAME))
    learner = Learner(network, LossConfig(), 1e-2)
    # The first legal move, and whether the number of stones is odd.
    batch = make_batch(GAME, make_view(GAME, "own"), random_samples(GAME, 32))
    policy = np.eye(batch.policy.shape[1], dtype=np.float32)[batch.legal.argmax(axis=1)]
    value = batch.planes[:, :2].sum((1, 2, 3)) % 2 * 2 - 1
    batch = batch._replace(policy=policy, value=value)
    return [learner.step(batch) for _ in range(steps)]


def test_a_batch_is_learnt_by_heart() -> None:
    losses = learn(80)
    assert losses[-1].value < 0.1 * losses[0].value
    assert losses[-1].policy < 0.1 * losses[0].policy
    first = losses[0]
    assert abs(first.total - (first.policy + first.value + first.l2)) < 1e-5


def test_the_same_seed_gives_the_same_losses() -> None:
    assert learn(5) == learn(5)


def test_a_process_that_learns_keeps_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(learning, "keep_freed_memory", lambda: asked.append(1))
    learn(1)
    assert asked == [1]
