"""Small networks of every kind, with weights as after some training."""

import numpy as np
import torch

from zerolab.games.base import Game, random_action, step
from zerolab.games.boards.stones import ENCODINGS, encode, initial_state, num_planes
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.kernels.rng import stream
from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.signature import Floats, signature_of
from zerolab.networks.torch_network import Network

GAMES = (Clobber(5, 6), Othello(6, 6), ConnectFour(5, 7), Gobang(5, 5))
OF_ANY_SIZE = {
    f"{trunk} {context}": NetworkConfig.model_validate(
        {
            "trunk": trunk,
            "width": 8,
            "depth": 2,
            "context": context,
            "policy": "conv",
            "value": "pooled",
            "value_hidden": (6,),
        }
    )
    for trunk in ("resnet", "golois", "mobile")
    for context in ("none", "squeeze", "pooling")
} | {"conv": NetworkConfig(trunk="conv", width=8, depth=2, policy="conv", value="pooled")}
OF_ONE_SIZE = {
    "mlp": NetworkConfig(trunk="mlp", width=16, depth=2, policy_hidden=(7,), value_hidden=(7, 5)),
    "dense heads": NetworkConfig(width=8, depth=2, value_hidden=(8,), dropout=0.3),
    "unpadded": NetworkConfig(trunk="conv", width=8, depth=3, unpadded=2),
    "dense layers": NetworkConfig(
        trunk="conv", width=8, depth=3, unpadded=2, dense=(12, 10), dropout=0.3
    ),
}
CONFIGS = OF_ANY_SIZE | OF_ONE_SIZE


def make_network(config: NetworkConfig, game: Game, seed: int = 1) -> Network:
    """A network whose values are spread around 0, and whose batch norms have seen something."""
    torch.manual_seed(seed)
    planes = torch.from_numpy(random_planes(game, 30))
    drawn = [_draw(config, game) for _ in range(8)]
    with torch.no_grad():
        # In some a ReLU lets nothing through.
        network = max(drawn, key=lambda each: float(each(planes)[1].std()))
        _, win = network(planes)
        output = network.value.output.linear
        output.weight /= win.std()
        output.bias.copy_((output.bias - win.mean()) / win.std())
    return network


def _draw(config: NetworkConfig, game: Game) -> Network:
    network = Network(config, signature_of(game)).eval()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d | torch.nn.BatchNorm2d):
            _shake(module)
    return network


def _shake(norm: torch.nn.BatchNorm1d | torch.nn.BatchNorm2d) -> None:
    torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
    torch.nn.init.uniform_(norm.bias, -0.5, 0.5)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.uniform_(-0.5, 0.5)
    norm.running_var.uniform_(0.5, 2)


def random_planes(game: Game, count: int, seed: int = 1) -> Floats:
    """Positions on the way of random games."""
    rng, scratch = stream(seed), np.empty(num_actions(game), np.int64)
    encoding = ENCODINGS.index("own")
    rows, cols = game.rows, game.cols
    planes = np.zeros((count, num_planes(game, encoding), rows, cols), np.float32)
    state = initial_state(game, rng)
    for number in range(count):
        action = random_action(game, state, scratch, rng)
        if action < 0:
            state = initial_state(game, rng)
        else:
            step(game, state, action)
        encode(game, state, encoding, planes[number])
    return planes
