"""Heads: they turn the features of a trunk into logits [B, A] and a value [B] before its tanh."""

import numpy as np
import torch
from torch import Tensor, nn

from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.graph import Graph
from zerolab.networks.layers import Conv, Dense, DenseStack, board_mean
from zerolab.networks.signature import Layout, Signature


class DenseHead(nn.Module):
    """AlphaGo Zero's: few planes by a 1x1 convolution, then dense layers.

    After dense layers there is no board, and no convolution.
    """

    def __init__(
        self,
        config: NetworkConfig,
        signature: Signature,
        features: int,
        planes: int,
        hidden: tuple[int, ...],
        outputs: int,
    ) -> None:
        super().__init__()
        self.conv = None if config.is_flat else Conv(features, planes, 1)
        if not config.is_flat:
            features = planes * board_after(config, signature)
        self.hidden = DenseStack(features, hidden, norm=False, dropout=config.dropout)
        self.output = Dense(self.hidden.outputs, outputs, relu=False)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, features, R, C] or [B, features] -> [B, outputs]; only for boards of one size."""
        if self.conv is not None:
            x = self.conv(x)
        result: Tensor = self.output(self.hidden(x.flatten(1)))
        return result

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        if self.conv is not None:
            x = graph.add("Flatten", self.conv.write(graph, x))
        return self.output.write(graph, self.hidden.write(graph, x))


class ConvPolicy(nn.Module):
    """A plane for each kind of action; passes are rated by the means of the channels.

    The result is planes, then passes, [B, K * R * C + passes]; `places` picks out the actions.
    """

    def __init__(self, layout: Layout, features: int, rectified: bool) -> None:
        super().__init__()
        self.by_column = layout.by_column
        self.rectified = rectified
        self.planes = Conv(features, len(layout.kinds), 1, bias=False, norm=False, relu=False)
        self.passes = Dense(features, layout.passes, relu=False) if layout.passes else None

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, features, R, C] -> [B, K * R * C + passes]."""
        source = x
        if self.by_column:
            cells = x.shape[2] if mask is None else mask.sum(2, keepdim=True).clamp(min=1)
            source = x.sum(2, keepdim=True) / cells
        logits: Tensor = self.planes(source).flatten(1)
        if self.rectified:
            logits = torch.relu(logits)
        if self.passes is not None:
            logits = torch.cat([logits, self.passes(board_mean(x, mask))], dim=1)
        return logits

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        source = graph.add("ReduceMean", x, axes=[2], keepdims=1) if self.by_column else x
        logits = graph.add("Flatten", self.planes.write(graph, source))
        if self.rectified:
            logits = graph.add("Relu", logits)
        if self.passes is not None:
            mean = graph.add("Flatten", graph.add("GlobalAveragePool", x))
            logits = graph.add("Concat", logits, self.passes.write(graph, mean), axis=1)
        return logits


class PooledValue(nn.Module):
    """The mean of each channel, then dense layers."""

    def __init__(self, features: int, hidden: tuple[int, ...], dropout: float) -> None:
        super().__init__()
        self.hidden = DenseStack(features, hidden, norm=False, dropout=dropout)
        self.output = Dense(self.hidden.outputs, 1, relu=False)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, features, R, C] -> [B, 1]."""
        result: Tensor = self.output(self.hidden(board_mean(x, mask)))
        return result

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        mean = graph.add("Flatten", graph.add("GlobalAveragePool", x))
        return self.output.write(graph, self.hidden.write(graph, mean))


def board_after(config: NetworkConfig, signature: Signature) -> int:
    """Cells of the board that the trunk hands on."""
    rows, cols = (side - 2 * config.unpadded for side in (signature.rows, signature.cols))
    return rows * cols


def write_places(graph: Graph, logits: str, signature: Signature) -> str:
    """Select the actions, if they are not already in order."""
    if np.array_equal(signature.places, np.arange(signature.actions)):
        return logits
    return graph.add("Gather", logits, graph.constant(signature.places), axis=1)
