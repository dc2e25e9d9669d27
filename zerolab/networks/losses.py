"""What training minimises: policy loss, value loss, and the weights themselves.

The objectives of wang are `combine` settings: policy only, value only, their sum, their product,
and the sum weighted with lambda. Every part is reported, whichever is minimised.
"""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:  # a configuration alone must not load PyTorch
    from torch import Tensor, nn, optim

ILLEGAL = -1e9  # far below any legal logit, and finite: 0 x inf would be nan


class LossConfig(BaseModel):
    """The parts of the loss and how they are combined."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    combine: Literal["sum", "product", "policy", "value", "weighted"] = "sum"
    """AlphaZero: sum. The others are wang's (section 5.3)."""
    policy_share: Annotated[float, Field(ge=0, le=1)] = 0.5
    """lambda of the weighted sum: lambda x policy + (1 - lambda) x value."""
    value: Literal["mse", "bce"] = "mse"
    """Squared error of the value in [-1, 1], or cross-entropy of won and lost (cazenave)."""
    value_weight: Annotated[float, Field(ge=0)] = 1.0
    """Factor on the value loss (cazenave: 1 and 4)."""
    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    """L2 regularisation (jans, cazenave: 1e-4; wang: none)."""
    decoupled: bool = False
    """Whether weights decay separately from the gradient (Loshchilov & Hutter 2019)."""
    decay_all: bool = False
    """Whether biases and norms decay too."""


class Losses(NamedTuple):
    """One number each, means over the batch."""

    total: "Tensor"
    """What is minimised."""
    policy: "Tensor"
    value: "Tensor"
    l2: "Tensor"


class Targets(NamedTuple):
    """The targets of a batch of positions."""

    policy: "Tensor"  # [B, A], sums to 1
    value: "Tensor"  # [B], in [-1, 1] for the player to move
    legal: "Tensor | None" = None  # [B, A], True for legal actions; None: all count
    weight: "Tensor | None" = None  # [B], how much each position counts; None: all alike


def compute_losses(
    config: LossConfig, network: "nn.Module", logits: "Tensor", win: "Tensor", targets: Targets
) -> Losses:
    """All losses of a batch; `win` is the raw value, before tanh."""
    import torch
    from torch.nn import functional

    if targets.legal is not None:
        logits = logits.masked_fill(~targets.legal, ILLEGAL)
    policies = -(targets.policy * functional.log_softmax(logits, dim=1)).sum(dim=1)
    if config.value == "mse":
        values = (torch.tanh(win) - targets.value).square()
    else:
        # (1 + tanh x) / 2 is the logistic function of 2x: one output serves both losses.
        values = functional.binary_cross_entropy_with_logits(
            2 * win, (1 + targets.value) / 2, reduction="none"
        )
    policy, value = _mean(policies, targets.weight), _mean(values, targets.weight)
    l2 = torch.zeros(())  # weights that do not decay are not looked at: it takes a tenth of a step
    if config.weight_decay > 0:
        l2 = config.weight_decay * sum_of_squares(network, config.decay_all)
    weighted = config.value_weight * value
    total = {
        "sum": lambda: policy + weighted,
        "product": lambda: policy * weighted,
        "policy": lambda: policy,
        "value": lambda: weighted,
        "weighted": lambda: config.policy_share * policy + (1 - config.policy_share) * weighted,
    }[config.combine]()
    if not config.decoupled:
        total = total + l2
    return Losses(total, policy, value, l2)


def sum_of_squares(network: "nn.Module", of_all: bool) -> "Tensor":
    """The sum over weights that decay, as in Keras: without a factor of one half."""
    import torch

    decaying, _ = split_parameters(network, of_all)
    return torch.stack([weight.square().sum() for weight in decaying]).sum()


def split_parameters(
    network: "nn.Module", of_all: bool
) -> "tuple[list[nn.Parameter], list[nn.Parameter]]":
    """Those that decay and those that do not: biases and norms have one dimension."""
    parameters = list(network.parameters())
    decaying = [each for each in parameters if of_all or each.ndim > 1]
    return decaying, [each for each in parameters if not (of_all or each.ndim > 1)]


def make_optimizer(
    network: "nn.Module", config: LossConfig, learning_rate: float
) -> "optim.Optimizer":
    """Adam, with decoupled decay if the loss says so."""
    from torch import optim

    decaying, others = split_parameters(network, config.decay_all)
    decay = config.weight_decay if config.decoupled else 0.0
    groups = [
        {"params": decaying, "weight_decay": decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return optim.AdamW(groups, lr=learning_rate)


def _mean(each: "Tensor", weight: "Tensor | None") -> "Tensor":
    if weight is None:
        return each.mean()
    return (each * weight).sum() / weight.sum()
