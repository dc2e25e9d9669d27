import math
from typing import Any

import numpy as np
import pytest
import torch

from zerolab.networks.losses import (
    LossConfig,
    Targets,
    compute_losses,
    make_optimizer,
    split_parameters,
)

LOGITS = torch.tensor([[0.0, 1.0, -1.0], [2.0, 0.0, 0.0]])
WIN = torch.tensor([0.5, -1.0])
POLICY = torch.tensor([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
VALUE = torch.tensor([1.0, 0.0])
TARGETS = Targets(POLICY, VALUE)


class Line(torch.nn.Linear):
    """Weights 3 and 4, bias 2."""

    def __init__(self) -> None:
        super().__init__(2, 1)
        with torch.no_grad():
            self.weight.copy_(torch.tensor([[3.0, 4.0]]))
            self.bias.fill_(2.0)


def losses(targets: Targets = TARGETS, **settings: Any) -> dict[str, float]:
    config = LossConfig(**settings)
    result = compute_losses(config, Line(), LOGITS, WIN, targets)
    return {name: float(value.detach()) for name, value in result._asdict().items()}


def cross_entropy(logits: list[float], policy: list[float]) -> float:
    total = math.log(sum(math.exp(each) for each in logits))
    return sum(p * (total - each) for p, each in zip(policy, logits, strict=True))


POLICY_LOSS = (cross_entropy([0, 1, -1], [0.2, 0.3, 0.5]) + cross_entropy([2, 0, 0], [1, 0, 0])) / 2
VALUE_LOSS = ((math.tanh(0.5) - 1) ** 2 + math.tanh(-1) ** 2) / 2


@pytest.mark.parametrize(
    ("settings", "total"),
    [
        ({"combine": "sum"}, POLICY_LOSS + VALUE_LOSS),
        ({"combine": "sum", "value_weight": 4.0}, POLICY_LOSS + 4 * VALUE_LOSS),
        ({"combine": "product"}, POLICY_LOSS * VALUE_LOSS),
        ({"combine": "policy"}, POLICY_LOSS),
        ({"combine": "value"}, VALUE_LOSS),
        ({"combine": "weighted", "policy_share": 0.3}, 0.3 * POLICY_LOSS + 0.7 * VALUE_LOSS),
        ({"combine": "sum", "weight_decay": 0.1}, POLICY_LOSS + VALUE_LOSS + 2.5),
        ({"combine": "policy", "weight_decay": 0.1, "decay_all": True}, POLICY_LOSS + 2.9),
        ({"combine": "policy", "weight_decay": 0.1, "decoupled": True}, POLICY_LOSS),
    ],
)
def test_all_parts_are_reported_whichever_is_minimised(
    settings: dict[str, Any], total: float
) -> None:
    result = losses(**{"weight_decay": 0.0} | settings)
    assert result["total"] == pytest.approx(total)
    assert result["policy"] == pytest.approx(POLICY_LOSS)
    assert result["value"] == pytest.approx(VALUE_LOSS)
    squares = 29 if settings.get("decay_all") else 25
    assert result["l2"] == pytest.approx(settings.get("weight_decay", 0.0) * squares)


def test_binary_cross_entropy_of_won_and_lost() -> None:
    # tanh maps to the chance to win by (1 + value) / 2.
    chances = [(1 + math.tanh(each)) / 2 for each in (0.5, -1.0)]
    expected = -(math.log(chances[0]) + (math.log(chances[1]) + math.log(1 - chances[1])) / 2) / 2
    assert losses(value="bce")["value"] == pytest.approx(expected)


def test_illegal_actions_take_no_part() -> None:
    legal = torch.tensor([[True, True, True], [True, False, True]])
    expected = (cross_entropy([0, 1, -1], [0.2, 0.3, 0.5]) + cross_entropy([2, 0], [1, 0])) / 2
    assert losses(TARGETS._replace(legal=legal))["policy"] == pytest.approx(expected)


def test_weights_of_positions() -> None:
    weighted = losses(TARGETS._replace(weight=torch.tensor([1.0, 3.0])))
    assert weighted["value"] == pytest.approx(
        ((math.tanh(0.5) - 1) ** 2 + 3 * math.tanh(-1) ** 2) / 4
    )


def test_only_weights_decay_beside_the_gradient() -> None:
    line = Line()
    optimizer = make_optimizer(line, LossConfig(weight_decay=0.5, decoupled=True), 0.1)
    line.weight.grad, line.bias.grad = torch.zeros(1, 2), torch.zeros(1)
    optimizer.step()
    np.testing.assert_allclose(line.weight.detach(), [[3 * 0.95, 4 * 0.95]], rtol=1e-6)
    assert float(line.bias.detach()) == 2
    assert [len(group) for group in split_parameters(line, of_all=True)] == [2, 0]


def test_l2_in_the_loss_has_its_gradient() -> None:
    line = Line()
    result = compute_losses(
        LossConfig(combine="policy", weight_decay=0.5), line, LOGITS, WIN, TARGETS
    )
    result.total.backward()
    np.testing.assert_allclose(line.weight.grad, [[3.0, 4.0]])
    assert line.bias.grad is None


@pytest.mark.parametrize("combine", ["sum", "policy"])
def test_weights_that_do_not_decay_are_not_looked_at(combine: str) -> None:
    line = Line()
    config = LossConfig(combine=combine, weight_decay=0.0)
    found = compute_losses(config, line, LOGITS, WIN, TARGETS)
    assert float(found.l2) == 0
    assert not found.l2.requires_grad  # else it would cost a pass over all weights, and back
    assert not found.total.requires_grad
