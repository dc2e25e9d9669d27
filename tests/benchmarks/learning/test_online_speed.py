import numpy as np
import pytest

from zerolab.benchmarks.learning.online_speed import train_with_torch
from zerolab.games.clobber import Clobber
from zerolab.networks.mlp.torch_mlp import TorchMlp
from zerolab.training.online_learning import OnlineConfig, train_online


@pytest.mark.parametrize(
    "settings",
    [
        {"hidden": (8,), "alpha": 1e-4},
        {"hidden": (6, 4), "alpha": 1e-4, "slope": 0.01, "tau": 0.1},
    ],
)
def test_the_peer_learns_the_same(settings):
    game, config = Clobber(3, 4), OnlineConfig(**settings)
    start = train_online(game, config, 0, 1)
    peer = train_with_torch(game, config, 40, 1, start)
    ours = train_online(game, config, 40, 1)
    for one, other, before in zip(
        peer.matrices, ours.matrices, TorchMlp(start).matrices, strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
        assert not np.allclose(one, before, rtol=1e-6)
