"""Networks at work: `evaluate(planes) -> (logits, values)`, on ONNX Runtime.

PyTorch is not needed here: a model is bytes that `Network.to_onnx` or `zerolab export` made.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from zerolab.errors import UsageError
from zerolab.networks.signature import INPUT, LOGITS, VALUES, Floats

Places = npt.NDArray[np.int64]


class OnnxEvaluator:
    """Rates batches of positions.

    New weights are a new model: `load` takes milliseconds, and a call that is under way in another
    thread ends with the old ones.
    """

    def __init__(self, model: bytes, threads: int = 1) -> None:
        self.threads = threads
        self.places: Places | None = None
        """Where the actions of a board stand among the logits; set it for a model for any size."""
        self.load(model)

    def load(self, model: bytes) -> None:
        """Work with another model from now on."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that wait must not keep a core from other processes.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            session = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its exceptions have no common base
            reason = str(error).splitlines()[0]
            raise UsageError(f"this is not a model that ONNX Runtime can use: {reason}") from None
        names = {each.name for each in session.get_outputs()}
        if [each.name for each in session.get_inputs()] != [INPUT] or names != {LOGITS, VALUES}:
            raise UsageError(
                f"not a model of zerolab: expected input {INPUT}, outputs {LOGITS}, {VALUES}"
            )
        self._session: Any = session

    @property
    def input_shape(self) -> tuple[int, int, int]:
        """P, R, C; of a model for any size, R and C are names."""
        _, planes, rows, cols = self._session.get_inputs()[0].shape
        return planes, rows, cols

    @property
    def fits_any_size(self) -> bool:
        """Whether boards may have any rows and columns."""
        return isinstance(self.input_shape[1], str)

    @property
    def metadata(self) -> dict[str, str]:
        """What the model says of itself."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """planes [B, P, R, C] -> logits [B, A], values [B] for the player to move."""
        logits, values = self._session.run([LOGITS, VALUES], {INPUT: planes})
        return logits if self.places is None else logits[:, self.places], values
