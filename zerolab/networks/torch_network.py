"""A network: trunk, dense layers if asked for, and two heads.

network = build_network(make_recipe("resnet").network, signature_of(Clobber(5, 5)))
logits, win = network(planes)   # planes [B, P, R, C] -> logits [B, A], win [B]
values = torch.tanh(win)        # for the player to move, in [-1, 1]
"""

import numpy as np
import torch
from torch import Tensor, nn

from zerolab.errors import UsageError
from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.graph import Graph, Shape
from zerolab.networks.heads import (
    ConvPolicy,
    DenseHead,
    PooledValue,
    board_after,
    write_places,
)
from zerolab.networks.layers import Conv, DenseStack, GoloisBlock, MobileBlock, ResidualBlock
from zerolab.networks.signature import INPUT, LOGITS, VALUES, Signature

MAX_PARAMETERS = 10**9
OUTPUTS = "outputs"  # the number of logits, in models for any size
POLICY_PLANES, VALUE_PLANES = 2, 1  # of AlphaGo Zero's heads


class Network(nn.Module):
    """Rates positions and their moves."""

    places: Tensor

    def __init__(self, config: NetworkConfig, signature: Signature) -> None:
        super().__init__()
        _check_fit(config, signature)
        self.config = config
        self.signature = signature
        self.trunk = nn.ModuleList(_trunk(config, signature))
        self.dense = _dense(config, signature)
        features = config.width if self.dense is None else self.dense.outputs
        self.policy: ConvPolicy | DenseHead
        if config.policy == "conv":
            assert signature.layout is not None
            self.policy = ConvPolicy(signature.layout, features, config.rectified)
        else:
            sizes = POLICY_PLANES, config.policy_hidden, signature.actions
            self.policy = DenseHead(config, signature, features, *sizes)
        self.value: PooledValue | DenseHead
        if config.value == "pooled":
            self.value = PooledValue(features, config.value_hidden, config.dropout)
        else:
            self.value = DenseHead(
                config, signature, features, VALUE_PLANES, config.value_hidden, 1
            )
        # Not part of the weights: on another board actions stand elsewhere.
        self.register_buffer("places", torch.from_numpy(signature.places), persistent=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """[B, P, R, C] -> logits [B, A] and values before their tanh [B]."""
        logits, win = self.rate(planes)
        return (logits[:, self.places] if self.config.policy == "conv" else logits), win

    def rate(self, planes: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits and values like `forward`, but a convolutional policy as planes; see batches.py.

        planes [B, P, R, C], zero off the board, mask [B, 1, R, C] -> [B, K * R * C + passes], [B].
        """
        self._check_size(mask is not None)
        x = planes
        for block in self.trunk:
            x = block(x, mask)
        if self.dense is not None:
            x = self.dense(x.flatten(1))
        return self.policy(x, mask), self.value(x, mask)[:, 0]

    def to_onnx(self, metadata: dict[str, str] | None = None, any_size: bool = False) -> bytes:
        """The network as an ONNX model with batch norm folded, as it stands now.

        A model for any size takes planes of any rows and columns and leaves it to the caller to
        pick out the actions: its logits are those of `rate`.
        """
        self._check_size(any_size)
        graph = Graph()
        x = INPUT
        for block in self.trunk:
            x = block.write(graph, x)  # type: ignore[operator]  # all blocks have it
        if self.dense is not None:
            x = self.dense.write(graph, graph.add("Flatten", x))
        logits = self.policy.write(graph, x)
        if self.config.policy == "conv" and not any_size:
            logits = write_places(graph, logits, self.signature)
        value = graph.add("Tanh", self.value.write(graph, x))  # [batch, 1]
        value = graph.add("Squeeze", value, graph.constant(np.array([1])))
        planes, rows, cols = self.signature.input_shape
        board: Shape = ("rows", "cols") if any_size else (rows, cols)
        outputs = OUTPUTS if any_size else self.signature.actions
        return graph.finish(
            (INPUT, (planes, *board)),
            {LOGITS: (logits, (outputs,)), VALUES: (value, ())},
            metadata or {},
        )

    def _check_size(self, any_size: bool) -> None:
        if any_size and not self.config.serves_any_size:
            raise UsageError("only a network with conv policy and pooled value fits any size")


def build_network(config: NetworkConfig, signature: Signature) -> Network:
    """A network with random weights, if it has a sensible size."""
    with torch.device("meta"):  # no memory is taken
        size = sum(each.numel() for each in Network(config, signature).parameters())
    if size > MAX_PARAMETERS:
        raise UsageError(
            f"a network of {size:,} parameters is not possible; expected at most {MAX_PARAMETERS:,}"
        )
    return Network(config, signature)


def _check_fit(config: NetworkConfig, signature: Signature) -> None:
    if config.policy == "conv" and signature.layout is None:
        raise UsageError("a convolutional policy needs a board of rows and columns")
    smallest = 2 * config.unpadded + 1
    if min(signature.rows, signature.cols) < smallest:
        raise UsageError(
            f"{config.unpadded} convolutions without padding do not fit a board of "
            f"{signature.rows}x{signature.cols}; expected {smallest}x{smallest} or more"
        )


def _trunk(config: NetworkConfig, signature: Signature) -> list[nn.Module]:
    if config.trunk == "mlp":
        return []
    width, planes = config.width, signature.planes
    if config.trunk == "conv":
        last_padded = config.depth - config.unpadded
        return [
            Conv(width if number else planes, width, 3, padded=number < last_padded)
            for number in range(config.depth)
        ]
    blocks: list[nn.Module] = [Conv(planes, width, config.stem)]
    for _ in range(config.depth):
        if config.trunk == "mobile":
            blocks.append(MobileBlock(width, config.inner or 3 * width, config.context))
        elif config.trunk == "golois":
            blocks.append(GoloisBlock(width, config.context))
        else:
            blocks.append(ResidualBlock(width, config.context))
    return blocks


def _dense(config: NetworkConfig, signature: Signature) -> DenseStack | None:
    """The layers of an mlp, or those after a trunk; wang's have a batch norm each."""
    if config.trunk == "mlp":
        inputs = signature.planes * signature.rows * signature.cols
        units = (config.width,) * config.depth
        return DenseStack(inputs, units + config.dense, norm=False, dropout=config.dropout)
    if config.dense:
        inputs = config.width * board_after(config, signature)
        return DenseStack(inputs, config.dense, norm=True, dropout=config.dropout)
    return None
