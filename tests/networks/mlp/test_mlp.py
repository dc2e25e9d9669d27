import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.kernels.rng import stream
from zerolab.networks.mlp.mlp import empty_mlp, make_mlp
from zerolab.networks.mlp.passes import learn, score

SHAPES = [(), (1,), (7,), (20,), (9, 5), (6, 1, 4), (5, 4, 3, 2)]


def torch_network(mlp):
    """The same weights as PyTorch tensors, and the output for a board."""
    matrices = [torch.tensor(matrix, requires_grad=True) for matrix in mlp.matrices]

    def output(inputs):
        values = torch.tensor(inputs)
        for matrix in matrices:
            values = torch.cat((values, torch.ones(1, dtype=torch.float64)))
            values = torch.nn.functional.leaky_relu(values @ matrix, mlp.slope)
        return values[0]

    return matrices, output


def centred(mlp, seed):
    """Weights of both signs, so that some nodes are dead and others are not."""
    draw = np.random.default_rng(seed)
    mlp.weights[:] = draw.normal(size=mlp.weights.shape) * 0.7
    mlp.matrices[-1][-1] = 2.0  # a live output more often than not
    return mlp


@pytest.mark.parametrize("hidden", SHAPES)
@pytest.mark.parametrize("slope", [0.0, 0.01, 0.3])
def test_learns_along_the_gradient_of_pytorch(hidden, slope):
    alpha, dead, live, learnt = 0.01, 0, 0, 0
    for seed in range(12):
        mlp = make_mlp(8, hidden, slope, stream(seed))
        if seed > 1:
            mlp = centred(mlp, seed)
        draw = np.random.default_rng(seed)
        for _ in range(3):
            inputs = draw.integers(-1, 2, 8).astype(float)
            target = float(draw.normal()) * 5
            matrices, output = torch_network(mlp)
            value = output(inputs)
            assert score(mlp, inputs) == pytest.approx(value.item(), rel=1e-12, abs=1e-12)
            (0.5 * (target - value) ** 2).backward()
            expected = [(matrix - alpha * matrix.grad).detach().numpy() for matrix in matrices]
            before = mlp.weights.copy()
            learn(mlp, inputs, target, alpha)
            for ours, theirs in zip(mlp.matrices, expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)
            unmoved = (mlp.matrices[0][-1] == before.reshape(-1)[_bias_of_first(mlp)]).sum()
            dead += unmoved
            live += len(mlp.matrices[0][-1]) - unmoved
            learnt += not np.array_equal(before, mlp.weights)
    assert learnt > 5
    assert live > 0
    assert dead > 0 or slope > 0


def _bias_of_first(mlp):
    cells, nodes = mlp.sizes[:2]
    return slice(cells * nodes, (cells + 1) * nodes)


def test_starts_with_weights_from_zero_to_one_and_bias_weights_of_a_tenth():
    mlp = make_mlp(16, (20, 30), 0.0, stream(3))
    shapes = [matrix.shape for matrix in mlp.matrices]
    assert shapes == [(17, 20), (21, 30), (31, 1)]
    drawn = np.concatenate([matrix[:-1].ravel() for matrix in mlp.matrices])
    assert ((drawn >= 0) & (drawn < 1)).all()
    assert abs(drawn.mean() - 0.5) < 4 / np.sqrt(12 * len(drawn))
    assert len(set(drawn)) == len(drawn)
    assert all((matrix[-1] == 0.1).all() for matrix in mlp.matrices)
    assert mlp.hidden == (20, 30)
    assert mlp.cells == 16


def test_scores_by_hand():
    mlp = empty_mlp(2, (2,), 0.5)
    first, last = mlp.matrices
    first[:] = [[1, -2], [3, 1], [0.5, 0.25]]  # rows: square a, square b, bias
    last[:] = [[2], [-4], [1]]
    # a = 1, b = -1: invalues 1 - 3 + 0.5 = -1.5 and -2 - 1 + 0.25 = -2.75, values half of that;
    # the output is 2 * -0.75 - 4 * -1.375 + 1 = 5
    assert score(mlp, np.array([1.0, -1.0])) == 5.0


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4), st.floats(-20, 20))
def test_a_small_step_never_takes_the_score_further_from_the_target(inputs, target):
    mlp = centred(make_mlp(4, (6, 3), 0.01, stream(1)), 5)
    before = score(mlp, np.array(inputs))
    learn(mlp, np.array(inputs), target, 1e-7)
    assert abs(target - score(mlp, np.array(inputs))) <= abs(target - before) + 1e-12


def test_a_dead_output_learns_nothing():
    mlp = make_mlp(4, (3,), 0.0, stream(1))
    mlp.matrices[-1][:] = 0.0  # an output of exactly zero: the derivative there is zero
    before = mlp.weights.copy()
    for target in (10.0, -10.0):
        learn(mlp, np.ones(4), target, 0.1)
    assert np.array_equal(mlp.weights, before)


def test_a_copy_learns_by_itself():
    mlp = make_mlp(4, (3,), 0.0, stream(1))
    other = mlp.copy()
    learn(other, np.ones(4), 10.0, 0.1)
    assert not np.array_equal(mlp.weights, other.weights)
    assert np.array_equal(mlp.weights, make_mlp(4, (3,), 0.0, stream(1)).weights)


@pytest.mark.parametrize(
    ("cells", "hidden", "slope", "message"),
    [
        (0, (3,), 0.0, "at least one square"),
        (4, (3, 0), 0.0, "one node in each hidden layer"),
        (4, (3,), 1.0, "less than 1"),
        (4, (3,), float("nan"), "less than 1"),
        (4, (10**9,), 0.0, "too large"),
    ],
)
def test_impossible_networks_are_refused(cells, hidden, slope, message):
    with pytest.raises(UsageError, match=message):
        make_mlp(cells, hidden, slope, stream(0))


def test_a_board_of_another_size_is_refused():
    mlp = make_mlp(4, (3,), 0.0, stream(0))
    for use in (lambda board: score(mlp, board), lambda board: learn(mlp, board, 1.0, 0.1)):
        with pytest.raises(UsageError, match="4 squares"):
            use(np.ones(5))


def test_orders_of_shapes_compile_to_the_same_code():
    """Networks of all shapes have the same type, so kernels are compiled once."""
    from numba import typeof

    types = {
        typeof(make_mlp(cells, hidden, slope, stream(0)))
        for cells, hidden, slope in itertools.product((4, 9), SHAPES, (0.0, 0.01))
    }
    assert len(types) == 1
