"""The progress reports of a solver."""

from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """The progress of a solver."""

    nodes: int
    """Positions searched since the solver was made."""
    fill: float
    """The share of the table that is in use."""
    moves_done: int
    """Moves of the position that are solved."""
    moves: int
    """Number of different moves."""


OnProgress = Callable[[Progress], None]
