"""The learner: batches in, better weights out."""

from typing import Any, NamedTuple

import numpy.typing as npt
import torch

from zerolab.networks.losses import LossConfig, Losses, Targets, compute_losses, make_optimizer
from zerolab.networks.machine import keep_freed_memory
from zerolab.networks.torch_network import Network
from zerolab.records.samples import Batch

Arrays = dict[str, npt.NDArray[Any]]
NETWORK, OPTIMIZER = "network.", "optimizer."  # begin the names of their arrays


class LossValues(NamedTuple):
    """Losses of one step as plain numbers."""

    total: float
    policy: float
    value: float
    l2: float


class Learner:
    """A network and the optimizer that changes it."""

    def __init__(
        self, network: Network, loss: LossConfig, learning_rate: float, is_half: bool = False
    ) -> None:
        """With `is_half` convolutions are computed in bfloat16; weights and losses never are."""
        keep_freed_memory()
        # Convolutions on processors are up to twice as fast with channels last.
        # PyTorch's types leave out the form of `to` with a memory format alone.
        network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network = network
        self.loss = loss
        self.is_half = is_half
        self.optimizer = make_optimizer(network, loss, learning_rate)

    def step(self, batch: Batch) -> LossValues:
        """Learn from one batch; return its losses."""
        self.network.train()
        losses = self._losses(batch)
        self.optimizer.zero_grad(set_to_none=True)
        losses.total.backward()  # type: ignore[no-untyped-call]  # PyTorch gives it no types
        self.optimizer.step()
        self.network.eval()
        return _as_numbers(losses)

    def measure(self, batch: Batch) -> LossValues:
        """The losses of a batch, without learning from it."""
        with torch.inference_mode():
            return _as_numbers(self._losses(batch))

    def _losses(self, batch: Batch) -> Losses:
        planes = torch.from_numpy(batch.planes).to(memory_format=torch.channels_last)
        targets = Targets(
            torch.from_numpy(batch.policy),
            torch.from_numpy(batch.value),
            torch.from_numpy(batch.legal),
            torch.from_numpy(batch.weight),
        )
        with torch.autocast("cpu", torch.bfloat16, enabled=self.is_half):
            if batch.mask is None:
                logits, win = self.network(planes)
            else:  # boards of several sizes
                logits, win = self.network.rate(planes, torch.from_numpy(batch.mask))
        return compute_losses(self.loss, self.network, logits.float(), win.float(), targets)

    def arrays(self) -> Arrays:
        """Weights and the optimizer's state, by name."""
        tensors = {NETWORK + name: each for name, each in self.network.state_dict().items()}
        for number, memory in self.optimizer.state_dict()["state"].items():
            for name, each in memory.items():
                tensors[f"{OPTIMIZER}{number}.{name}"] = each
        return {name: each.detach().cpu().contiguous().numpy() for name, each in tensors.items()}

    def restore(self, arrays: Arrays) -> None:
        """Restore what `arrays` returned, for the same architecture."""
        weights, state = {}, self.optimizer.state_dict()
        memory: dict[int, dict[str, torch.Tensor]] = {}
        for name, array in arrays.items():
            if name.startswith(NETWORK):
                weights[name.removeprefix(NETWORK)] = torch.from_numpy(array)
            elif name.startswith(OPTIMIZER):
                number, field = name.removeprefix(OPTIMIZER).split(".")
                memory.setdefault(int(number), {})[field] = torch.from_numpy(array)
        self.network.load_state_dict(weights)
        self.optimizer.load_state_dict({**state, "state": memory})

    def set_learning_rate(self, rate: float) -> None:
        """Learn at this rate from the next step on."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def _as_numbers(losses: Losses) -> LossValues:
    return LossValues(*(float(each.detach()) for each in losses))
