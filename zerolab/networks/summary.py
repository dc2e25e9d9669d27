"""What a network consists of: layers, parameters, multiply-adds."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from zerolab.networks.torch_network import Network


class Layer(NamedTuple):
    """A layer with weights."""

    name: str
    kind: str
    output: tuple[int, ...]
    """Shape without the batch."""
    parameters: int
    """As Keras counts: with the running statistics of batch norm."""
    multiply_adds: int


class Summary(NamedTuple):
    """The layers in the order in which they work."""

    layers: list[Layer]
    trainable: int

    @property
    def parameters(self) -> int:
        """As Keras counts: with the running statistics of batch norm."""
        return sum(layer.parameters for layer in self.layers)

    @property
    def multiply_adds(self) -> int:
        """For one position; those of convolutions and dense layers alone."""
        return sum(layer.multiply_adds for layer in self.layers)


LAYERS = (nn.Conv2d, nn.Linear, nn.BatchNorm2d, nn.BatchNorm1d)


def summarise(network: Network) -> Summary:
    """Run an empty board through the network and note what each layer does."""
    layers: list[Layer] = []
    hooks = []

    def note(name: str, module: nn.Module, output: Tensor) -> None:
        own = [*module.parameters(), *module.buffers()]
        # Batch norm counts its batches in a single number, which Keras does not keep.
        parameters = sum(each.numel() for each in own if each.ndim > 0)
        weight = module.weight
        assert isinstance(weight, Tensor)
        places = output[0, 0].numel() if isinstance(module, nn.Conv2d) else 1
        multiply_adds = weight.numel() * places if weight.ndim > 1 else 0
        layers.append(
            Layer(name, kind_of(module), tuple(output.shape[1:]), parameters, multiply_adds)
        )

    for name, module in network.named_modules():
        if isinstance(module, LAYERS):
            hooks.append(
                module.register_forward_hook(
                    lambda module, _, output, name=name: note(name, module, output)
                )
            )
    was_training = network.training
    try:
        with torch.no_grad():
            network.eval()(torch.zeros(1, *network.signature.input_shape))
    finally:
        network.train(was_training)
        for hook in hooks:
            hook.remove()
    return Summary(layers, sum(each.numel() for each in network.parameters()))


def kind_of(module: nn.Module) -> str:
    """A layer in words."""
    if isinstance(module, nn.Conv2d):
        side = module.kernel_size[0]
        return f"{side}x{side} {'depthwise' if module.groups > 1 else 'convolution'}"
    return "dense" if isinstance(module, nn.Linear) else "batch norm"
