"""Layers and blocks. Each computes with PyTorch and writes itself into an ONNX graph.

Boards of several sizes can share a batch: each is placed in the corner of a larger one, and a mask
marks its cells. One invariant holds everywhere: **features are zero off the board**, like the
padding of a convolution, so that a cell sees beyond the edge of its board what it would see at the
edge of the tensor. Means, including those of batch norm, are over cells of the board alone.

Shapes: x [B, channels, R, C], mask [B, 1, R, C] or None where all cells are on the board.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from zerolab.networks.graph import Graph
from zerolab.networks.signature import Floats


class BoardNorm(nn.BatchNorm2d):
    """Batch norm with statistics over cells on the board only."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalise; in training also learn the statistics."""
        if mask is None or not self.training:
            return super().forward(x)
        cells = mask.sum()
        mean = (x * mask).sum((0, 2, 3)) / cells
        centred = (x - mean[:, None, None]) * mask
        variance = centred.square().sum((0, 2, 3)) / cells
        with torch.no_grad():
            assert self.running_mean is not None
            assert self.running_var is not None
            assert self.num_batches_tracked is not None
            assert self.momentum is not None
            self.running_mean.lerp_(mean, self.momentum)
            self.running_var.lerp_(variance * cells / (cells - 1), self.momentum)
            self.num_batches_tracked += 1
        scale = self.weight / torch.sqrt(variance + self.eps)
        return centred * scale[:, None, None] + self.bias[:, None, None]


class Conv(nn.Module):
    """A convolution, batch norm and ReLU, each but the first on request."""

    def __init__(
        self,
        channels: int,
        filters: int,
        side: int,
        *,
        bias: bool = True,
        norm: bool = True,
        relu: bool = True,
        padded: bool = True,
        depthwise: bool = False,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(
            channels,
            filters,
            side,
            padding=side // 2 if padded else 0,
            groups=channels if depthwise else 1,
            bias=bias,
        )
        self.norm = BoardNorm(filters) if norm else None
        self.relu = relu

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, channels, R, C] -> [B, filters, R, C]."""
        x = self.conv(x)
        if self.norm is not None:
            x = self.norm(x, mask)
        if self.relu:
            x = torch.relu(x)
        return x if mask is None else x * mask

    def write(self, graph: Graph, x: str) -> str:
        """One convolution, into which the norm is folded."""
        weight, bias = to_array(self.conv.weight), np.zeros(self.conv.out_channels, np.float32)
        if self.conv.bias is not None:
            bias = to_array(self.conv.bias)
        if self.norm is not None:
            scale, shift = norm_as_line(self.norm)
            weight, bias = weight * scale[:, None, None, None], bias * scale + shift
        padding = self.conv.padding[0]
        x = graph.add(
            "Conv",
            x,
            graph.constant(weight),
            graph.constant(bias),
            pads=[int(padding)] * 4,
            kernel_shape=list(self.conv.kernel_size),
            group=self.conv.groups,
        )
        return graph.add("Relu", x) if self.relu else x


class Dense(nn.Module):
    """A dense layer, batch norm, ReLU and dropout, each but the first on request."""

    def __init__(
        self, inputs: int, units: int, *, norm: bool = False, relu: bool = True, dropout: float = 0
    ) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, units)
        self.norm = nn.BatchNorm1d(units) if norm else None
        self.relu = relu
        self.dropout = nn.Dropout(dropout) if dropout > 0 else None

    def forward(self, x: Tensor) -> Tensor:
        """[B, inputs] -> [B, units]."""
        x = self.linear(x)
        if self.norm is not None:
            x = self.norm(x)
        if self.relu:
            x = torch.relu(x)
        return x if self.dropout is None else self.dropout(x)

    def write(self, graph: Graph, x: str) -> str:
        """One matrix product, into which the norm is folded."""
        weight, bias = to_array(self.linear.weight), to_array(self.linear.bias)
        if self.norm is not None:
            scale, shift = norm_as_line(self.norm)
            weight, bias = weight * scale[:, None], bias * scale + shift
        # Transposed here: ONNX Runtime would pack the weights only so.
        x = graph.add("Gemm", x, graph.constant(weight.T), graph.constant(bias))
        return graph.add("Relu", x) if self.relu else x


class DenseStack(nn.Module):
    """Dense layers one after the other."""

    def __init__(self, inputs: int, units: tuple[int, ...], *, norm: bool, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for size in units:
            self.layers.append(Dense(inputs, size, norm=norm, dropout=dropout))
            inputs = size
        self.outputs = inputs

    def forward(self, x: Tensor) -> Tensor:
        """[B, inputs] -> [B, outputs]."""
        for layer in self.layers:
            x = layer(x)
        return x

    def write(self, graph: Graph, x: str) -> str:
        """The layers in turn."""
        for layer in self.layers:
            assert isinstance(layer, Dense)
            x = layer.write(graph, x)
        return x


class Context(nn.Module):
    """Gives every cell a summary of the channels over the whole board."""

    def __init__(self, kind: str, channels: int) -> None:
        super().__init__()
        self.kind = kind
        if kind == "squeeze":
            # Hu, Shen & Sun, "Squeeze-and-excitation networks", 2018: a factor for each channel.
            self.squeeze = Dense(channels, max(1, channels // 4))
            self.excite = Dense(max(1, channels // 4), channels, relu=False)
        elif kind == "pooling":
            # After Wu, "Accelerating self-play learning in Go", 2019, section 3.3: a bias for
            # each channel, from means and maxima.
            self.bias = Dense(2 * channels, channels, relu=False)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, channels, R, C] -> [B, channels, R, C]."""
        if self.kind == "none":
            return x
        mean = board_mean(x, mask)
        if self.kind == "squeeze":
            return x * torch.sigmoid(self.excite(self.squeeze(mean)))[:, :, None, None]
        off_board = torch.finfo(x.dtype).min
        largest = (x if mask is None else x.masked_fill(mask == 0, off_board)).amax((2, 3))
        x = x + self.bias(torch.cat([mean, largest], dim=1))[:, :, None, None]
        return x if mask is None else x * mask

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        if self.kind == "none":
            return x
        mean = graph.add("Flatten", graph.add("GlobalAveragePool", x))
        column = graph.constant(np.array([2, 3], np.int64))
        if self.kind == "squeeze":
            factor = self.excite.write(graph, self.squeeze.write(graph, mean))
            return graph.add("Mul", x, graph.add("Unsqueeze", graph.add("Sigmoid", factor), column))
        largest = graph.add("Flatten", graph.add("GlobalMaxPool", x))
        bias = self.bias.write(graph, graph.add("Concat", mean, largest, axis=1))
        return graph.add("Add", x, graph.add("Unsqueeze", bias, column))


class ResidualBlock(nn.Module):
    """Silver et al., "Mastering the game of Go without human knowledge", 2017."""

    def __init__(self, channels: int, context: str) -> None:
        super().__init__()
        self.first = Conv(channels, channels, 3)
        self.second = Conv(channels, channels, 3, relu=False)
        self.context = Context(context, channels)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, channels, R, C] -> [B, channels, R, C]."""
        return torch.relu(x + self.context(self.second(self.first(x, mask), mask), mask))

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        change = self.context.write(graph, self.second.write(graph, self.first.write(graph, x)))
        return graph.add("Relu", graph.add("Add", x, change))


class GoloisBlock(nn.Module):
    """cazenave: ReLU right after each convolution, one batch norm after the addition."""

    def __init__(self, channels: int, context: str) -> None:
        super().__init__()
        self.first = Conv(channels, channels, 3, norm=False)
        self.second = Conv(channels, channels, 3, norm=False)
        self.context = Context(context, channels)
        self.norm = BoardNorm(channels)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, channels, R, C] -> [B, channels, R, C]."""
        x = x + self.context(self.second(self.first(x, mask), mask), mask)
        x = self.norm(x, mask)
        return x if mask is None else x * mask

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result.

        Padding and the way around the next block keep the norm unfolded.
        """
        change = self.context.write(graph, self.second.write(graph, self.first.write(graph, x)))
        scale, shift = norm_as_line(self.norm)
        x = graph.add("Mul", graph.add("Add", x, change), graph.constant(scale[:, None, None]))
        return graph.add("Add", x, graph.constant(shift[:, None, None]))


class MobileBlock(nn.Module):
    """Sandler et al., "MobileNetV2", 2018, as cazenave has it: expand, 3x3 each alone, squeeze."""

    def __init__(self, channels: int, inner: int, context: str) -> None:
        super().__init__()
        self.expand = Conv(channels, inner, 1, bias=False)
        self.depthwise = Conv(inner, inner, 3, bias=False, depthwise=True)
        self.context = Context(context, inner)
        self.squeeze = Conv(inner, channels, 1, bias=False, relu=False)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """[B, channels, R, C] -> [B, channels, R, C]."""
        inner = self.depthwise(self.expand(x, mask), mask)
        change: Tensor = self.squeeze(self.context(inner, mask), mask)
        return x + change

    def write(self, graph: Graph, x: str) -> str:
        """Add this to an ONNX graph; return the name of the result."""
        inner = self.depthwise.write(graph, self.expand.write(graph, x))
        return graph.add("Add", x, self.squeeze.write(graph, self.context.write(graph, inner)))


def board_mean(x: Tensor, mask: Tensor | None) -> Tensor:
    """The mean of each channel over its board: [B, channels, R, C] -> [B, channels]."""
    if mask is None:
        return x.mean((2, 3))
    return x.sum((2, 3)) / mask.sum((2, 3))  # x is zero off the board


def norm_as_line(norm: Any) -> tuple[Floats, Floats]:
    """A trained batch norm is x * scale + shift: [channels] each."""
    scale = to_array(norm.weight) / np.sqrt(to_array(norm.running_var) + np.float32(norm.eps))
    return scale, to_array(norm.bias) - to_array(norm.running_mean) * scale


def to_array(tensor: Tensor) -> Floats:
    """A tensor of any device as an array."""
    array: Floats = tensor.detach().cpu().numpy()
    return array
