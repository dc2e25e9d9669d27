"""The evaluator on PyTorch: for graphics cards, and to compare."""

import torch

from zerolab.networks.signature import Floats
from zerolab.networks.torch_network import Network


class TorchEvaluator:
    """Rates batches of positions with a network as it stands; moves it to the device."""

    def __init__(self, network: Network, device: str = "cpu") -> None:
        self.device = torch.device(device)
        self.network = network.to(self.device).eval()

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """planes [B, P, R, C] -> logits [B, A], values [B] for the player to move."""
        with torch.inference_mode():
            logits, win = self.network(torch.from_numpy(planes).to(self.device))
            return logits.cpu().numpy(), torch.tanh(win).cpu().numpy()
