"""What a solver tells while it works."""

from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """How far a solver has come."""

    nodes: int
    """Positions looked at since the solver was made."""
    fill: float
    """The share of the table that is in use."""
    moves_done: int
    """Moves of the position that are settled."""
    moves: int
    """Moves there are, as far as they differ."""


OnProgress = Callable[[Progress], None]
