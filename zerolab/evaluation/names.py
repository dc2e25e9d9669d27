"""Parts of players' names: strengths and weights."""

import math

from zerolab.evaluation.protocol import PlayerError
from zerolab.games.notation import parse_number

MAX_STRENGTH = 10**8


def parse_strength(name: str, text: str, example: str) -> int:
    """A strength within a player's name."""
    number = parse_number(text)
    if number is None or not 1 <= number <= MAX_STRENGTH:
        raise PlayerError(
            f"'{text}' in '{name}' is not a strength: expected a number from 1 to "
            f"{MAX_STRENGTH:,}, such as {example}"
        )
    return number


def parse_weight(text: str) -> float | None:
    """A number that is not negative, or None."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if 0 <= weight < math.inf else None
