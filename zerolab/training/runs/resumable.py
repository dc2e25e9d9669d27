"""What the directory of a run needs of those who train, whichever the loop."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zerolab.networks.architectures import Recipe
from zerolab.training.runs.evaluations import Evaluations, Measured
from zerolab.training.learner import Learner

Arrays = dict[str, npt.NDArray[Any]]


class Settings(Protocol):
    """A configuration."""

    @property
    def encoding(self) -> str:
        """What the network sees."""

    @property
    def recipe(self) -> Recipe:
        """Network and loss."""

    @property
    def checkpoint_freq(self) -> int:
        """Steps between networks that are kept."""

    def model_dump(self) -> dict[str, Any]:
        """All settings by name."""


class Buffer(Protocol):
    """The samples that are learnt from."""

    added: int
    """Samples ever added."""

    def arrays(self) -> Arrays:
        """All there is in it, by name."""

    def restore(self, arrays: Arrays, added: int) -> None:
        """Become what `arrays` and `added` said of a buffer like this one."""


class Resumable(Protocol):
    """A trainer between two steps."""

    step: int
    draw: np.random.Generator
    measured: Measured | None
    """The last comparison with perfect play."""

    @property
    def learner(self) -> Learner:
        """Weights, and the optimizer's memory."""

    @property
    def replay(self) -> Buffer:
        """The samples."""

    @property
    def evaluations(self) -> dict[str, Evaluations]:
        """The last results of evaluators, by kind."""

    def resume(self, step: int) -> None:
        """Go on after a step, when all else has been restored."""
