import subprocess
import sys

import numpy as np
import pytest

from tests.networks.making import CONFIGS, make_network, random_planes
from zerolab.errors import UsageError
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.networks.graph import Graph
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig

GAME = Clobber(4, 4)


def test_new_weights_reach_a_running_evaluator() -> None:
    first, second = (make_network(CONFIGS["mobile none"], GAME, seed) for seed in (1, 2))
    planes = random_planes(GAME, 8)
    evaluate = OnnxEvaluator(first.to_onnx())
    before, _ = evaluate(planes)
    evaluate.load(second.to_onnx())
    after, _ = evaluate(planes)
    assert not np.allclose(before, after)
    np.testing.assert_array_equal(after, OnnxEvaluator(second.to_onnx())(planes)[0])


def test_a_failed_load_leaves_the_old_model() -> None:
    evaluate = OnnxEvaluator(make_network(CONFIGS["conv"], GAME).to_onnx())
    planes = random_planes(GAME, 8)
    before, _ = evaluate(planes)
    graph = Graph()
    stranger = graph.finish(("x", (3,)), {"y": (graph.add("Relu", "x"), (3,))}, {})
    for wrong, message in (
        (b"", "not a model"),
        (b"\x00" * 100, "not a model"),
        (stranger, "expected input planes"),
    ):
        with pytest.raises(UsageError, match=message):
            evaluate.load(wrong)
    np.testing.assert_array_equal(evaluate(planes)[0], before)


def test_what_a_model_says_of_itself() -> None:
    model = make_network(CONFIGS["conv"], GAME).to_onnx({"zerolab": "header"})
    evaluate = OnnxEvaluator(model)
    assert evaluate.input_shape == (3, 4, 4)
    assert evaluate.metadata == {"zerolab": "header"}


def test_search_plays_with_a_network() -> None:
    evaluate = OnnxEvaluator(make_network(CONFIGS["resnet none"], GAME).to_onnx())
    search = BatchedSearch(GAME, SearchConfig(max_simulations=20), 2, evaluate, seed=1)
    for slot in range(2):
        search.start(slot, initial_state(GAME, stream(slot)))
    finished: set[int] = set()
    while len(finished) < 2:
        finished |= set(search.round())
    assert search.result(0).policy.sum() == pytest.approx(1)


def test_evaluating_needs_no_pytorch() -> None:
    program = (
        "import sys, zerolab.networks.onnx_evaluator, zerolab.networks.architectures;"
        "sys.exit('torch' in sys.modules or 'onnx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
