"""What ratings are made from."""

from typing import NamedTuple


class Tally(NamedTuple):
    """Games of two players, counted for the one who moved first."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
