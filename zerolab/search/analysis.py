"""The result of a search in a position, for any kind of search."""

from typing import NamedTuple, Protocol


class Candidate(NamedTuple):
    """A move with its statistics."""

    action: int
    visits: int
    share: float
    """Share of all visits."""
    value: float
    """For the player to move, in [-1, 1]; exact if `proven`."""
    proven: bool
    prior: float
    """The probability of the move before the search."""
    line: tuple[int, ...]
    """The expected continuation, beginning with this move."""


class Analysis(NamedTuple):
    """A searched position."""

    simulations: int
    nodes: int
    value: float
    """For the player to move."""
    proven: bool
    candidates: list[Candidate]
    """The best first."""


class Outline(NamedTuple):
    """The most visited part of a search tree, for drawing."""

    action: int
    """The action that led here; NO_ACTION at the root."""
    visits: int
    value: float
    """For the player who moved here; at the root for the player to move."""
    proven: bool
    children: "tuple[Outline, ...]"
    prior: float = 1.0
    """The probability of the action before the search."""


class Searched(Protocol):
    """A search whose tree can be read."""

    def analyse(self) -> Analysis:
        """The values and statistics of the root and its moves."""

    def outline(self, depth: int, width: int) -> Outline:
        """The tree down to `depth`, with the `width` most visited children of each node."""
