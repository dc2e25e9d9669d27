"""The small network (mlp.py) written with PyTorch, for comparison in benchmarks."""

import torch
from torch import nn

from zerolab.networks.mlp.mlp import Floats, Mlp


class TorchMlp:
    """Dense layers with an activation each, and plain gradient descent."""

    def __init__(self, mlp: Mlp) -> None:
        layers: list[nn.Module] = []
        for matrix in mlp.matrices:
            layer = nn.Linear(matrix.shape[0] - 1, matrix.shape[1], dtype=torch.float64)
            with torch.no_grad():
                layer.weight.copy_(torch.from_numpy(matrix[:-1].T.copy()))
                layer.bias.copy_(torch.from_numpy(matrix[-1].copy()))
            layers += [layer, nn.LeakyReLU(mlp.slope) if mlp.slope else nn.ReLU()]
        self.network = nn.Sequential(*layers)
        self.optimizer = torch.optim.SGD(self.network.parameters())

    def scores(self, boards: Floats) -> Floats:
        """Outputs for boards, [B, cells]."""
        with torch.inference_mode():
            scores: Floats = self.network(torch.from_numpy(boards))[:, 0].numpy()
        return scores

    def learn(self, board: Floats, target: float, alpha: float) -> None:
        """One step for one board."""
        self.optimizer.param_groups[0]["lr"] = alpha
        self.optimizer.zero_grad()
        loss = 0.5 * (target - self.network(torch.from_numpy(board))[0]) ** 2
        loss.backward()
        self.optimizer.step()

    @property
    def matrices(self) -> list[Floats]:
        """The weights of each layer as in Mlp."""
        return [
            torch.vstack((layer.weight.T, layer.bias)).detach().numpy()
            for layer in self.network
            if isinstance(layer, nn.Linear)
        ]
