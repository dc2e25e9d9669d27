"""ONNX graphs written node by node.

Layers write themselves (layers.py), with batch norm folded into convolutions. Nothing is traced, so
a running evaluator has new weights in milliseconds.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import onnx

Shape = tuple[int | str, ...]
"""Lengths; a name stands for one that differs from call to call."""

OPSET = 17
IR_VERSION = 8  # of the same age as the opset: older programs can read the file too


class Graph:
    """A graph under construction. Values are referred to by name."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def add(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """A node; returns the name of its output."""
        from onnx import helper

        name = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], **attributes))
        return name

    def constant(self, array: npt.NDArray[Any]) -> str:
        """A constant; returns its name."""
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def finish(
        self,
        source: tuple[str, Shape],
        results: dict[str, tuple[str, Shape]],
        metadata: dict[str, str],
    ) -> bytes:
        """The model; `source` and `results` have shapes without the batch, `results` by name."""
        import onnx
        from onnx import TensorProto, helper

        outputs = []
        for name, (value, shape) in results.items():
            self._nodes.append(helper.make_node("Identity", [value], [name]))
            outputs.append(
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])
            )
        name, shape = source
        planes = helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", *shape])
        graph = helper.make_graph(self._nodes, "zerolab", [planes], outputs, self._constants)
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="zerolab",
        )
        for key, text in metadata.items():
            entry = onnx.StringStringEntryProto()
            entry.key, entry.value = key, text
            model.metadata_props.append(entry)
        return bytes(model.SerializeToString())
