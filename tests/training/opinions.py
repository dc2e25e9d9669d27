"""Networks for actors in tests that rate every position the same."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from zerolab.games.clobber import Clobber
from zerolab.networks.signature import INPUT, LOGITS, VALUES
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(3, 3)
ACTIONS = 9 * 4
# With one simulation a move the value of a search is that of the network at its root.
CONFIG = TrainingConfig(
    replay_buffer_size=256, max_simulations=1, temperature_drop=100, nn_model="mlp", batch=4
)
OLD, NEW = 0.25, -0.5


def opinion(value: float) -> bytes:
    """A model that gives all moves the same logit, and all positions of GAME this value."""
    batch = helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", 3, 3, 3])
    outputs = [
        helper.make_tensor_value_info(LOGITS, TensorProto.FLOAT, ["n", ACTIONS]),
        helper.make_tensor_value_info(VALUES, TensorProto.FLOAT, ["n"]),
    ]
    constants = {
        "nothing": np.zeros((27, ACTIONS), np.float32),
        "silence": np.zeros((27, 1), np.float32),
        "value": np.array([value], np.float32),
        "last": np.array([1], np.int64),
    }
    nodes = [
        helper.make_node("Flatten", [INPUT], ["flat"]),
        helper.make_node("MatMul", ["flat", "nothing"], [LOGITS]),
        helper.make_node("Gemm", ["flat", "silence", "value"], ["column"]),
        helper.make_node("Squeeze", ["column", "last"], [VALUES]),
    ]
    arrays = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "opinion", [batch], outputs, arrays)
    opset = [helper.make_opsetid("", 18)]
    model: bytes = helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()
    return model


def opinions(record: GameRecord) -> list[float]:
    """What the network said in the course of a game, where the search knew no better."""
    return [round(float(value), 6) for value in record.values[~record.proven]]
