"""The learner: batches in, better weights out."""

from typing import NamedTuple

import torch

from zerolab.networks.losses import LossConfig, Targets, compute_losses, make_optimizer
from zerolab.networks.network import Network
from zerolab.training.samples import Batch


class LossValues(NamedTuple):
    """Losses of one step as plain numbers."""

    total: float
    policy: float
    value: float
    l2: float


class Learner:
    """A network and the optimizer that changes it."""

    def __init__(self, network: Network, loss: LossConfig, learning_rate: float) -> None:
        # Convolutions on processors are up to twice as fast with channels last.
        network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network = network
        self.loss = loss
        self.optimizer = make_optimizer(network, loss, learning_rate)

    def step(self, batch: Batch) -> LossValues:
        """Learn from one batch."""
        self.network.train()
        planes = torch.from_numpy(batch.planes).to(memory_format=torch.channels_last)
        targets = Targets(
            torch.from_numpy(batch.policy),
            torch.from_numpy(batch.value),
            torch.from_numpy(batch.legal),
            torch.from_numpy(batch.weight),
        )
        logits, win = self.network(planes)
        losses = compute_losses(self.loss, self.network, logits, win, targets)
        self.optimizer.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.network.eval()
        return LossValues(*(float(each.detach()) for each in losses))

    def set_learning_rate(self, rate: float) -> None:
        """From the next step on."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
