"""What a search thinks of a position, whichever search it was."""

from typing import NamedTuple, Protocol


class Candidate(NamedTuple):
    """A move and what is known of it."""

    action: int
    visits: int
    share: float
    """Of all visits."""
    value: float
    """For the player to move, in [-1, 1]; exact if `proven`."""
    proven: bool
    prior: float
    """The chance the search gave the move before it looked."""
    line: tuple[int, ...]
    """How the game would go on, this move first."""


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
    """The most visited part of a search tree, to be drawn."""

    action: int
    """That led here; NO_ACTION at the root."""
    visits: int
    value: float
    """For the player who moved here; at the root for the player to move."""
    proven: bool
    children: "tuple[Outline, ...]"


class Searched(Protocol):
    """A search that can be looked into."""

    def analyse(self) -> Analysis:
        """All that is known of the root and its moves."""

    def outline(self, depth: int, width: int) -> Outline:
        """The tree down to `depth`, of each node the `width` children with most visits."""
