"""PUCT and Gumbel are two records, and each binds all rules of an algorithm."""

import inspect

import numpy as np
import pytest

from tests.search.trees import bare_root
from zerolab.kernels.compiling import has_rule
from zerolab.search.batched import algorithm as algorithms
from zerolab.search.batched.batched_search import SearchConfig, make_algorithm
from zerolab.search.batched.gumbel import Gumbel
from zerolab.search.batched.puct import NO_URGENCY, Puct

RULES = [
    name
    for name, function in inspect.getmembers(algorithms, inspect.isfunction)
    if next(iter(inspect.signature(function).parameters)) == "algorithm"
]


@pytest.mark.parametrize("record", [Puct, Gumbel])
def test_every_rule_is_bound(record):
    assert len(RULES) == 6
    assert [name for name in RULES if not has_rule(record, name)] == []


def test_a_record_without_rules_says_so():
    tree = bare_root([0.5, 0.5], [1, 2], [0.1, 0.2])
    with pytest.raises(TypeError, match="binds no rule root_value"):
        algorithms.root_value((1.0,), tree, np.zeros(20))


def test_settings_become_the_record_of_their_algorithm():
    numbers = {"uct_c": 1.5, "forced_playouts": 2, "policy_alpha": None, "policy_epsilon": 0.1}
    assert make_algorithm(SearchConfig(**numbers)) == Puct(1.5, NO_URGENCY, 2.0, 0.0, 0.1)
    assert make_algorithm(SearchConfig(urgency=0.2)) == Puct(2.0, 0.2, 0.0, 1.0, 0.25)
    numbers = {"gumbel_considered": 4, "gumbel_c_visit": 20, "gumbel_c_scale": 0.5}
    assert make_algorithm(SearchConfig(gumbel=True, **numbers)) == Gumbel(4, 20.0, 0.5)


@pytest.mark.parametrize("gumbel", [False, True])
def test_kernels_take_numbers_of_fixed_types(gumbel):
    # An int where there was a float would be another type, for which all is compiled again.
    record = make_algorithm(SearchConfig(gumbel=gumbel, uct_c=1, urgency=0, gumbel_c_scale=2))
    types = type(record).__annotations__
    assert {name: type(value) for name, value in record._asdict().items()} == types


def test_the_value_of_the_root():
    # PUCT: the mean of the evaluation 0.4 and visits 0.3 and -0.1 twice, 0.5 / 4. Gumbel: what the
    # policy can expect, 0.5 * 0.3 + 0.5 * -0.1.
    tree = bare_root([0.5, 0.5], [1, 2], [0.3, -0.1], value=0.4)
    policy = np.zeros(20)
    policy[10:12] = 0.5, 0.5
    assert algorithms.root_value(Puct(1.0), tree, policy) == pytest.approx(0.125, abs=1e-6)
    gumbel = Gumbel(16, 50.0, 1.0)
    assert algorithms.root_value(gumbel, tree, policy) == pytest.approx(0.1, abs=1e-6)
