"""Time in tests: by what was done, never by how fast a machine does it."""

import itertools
from collections.abc import Callable


def ticking(tick: float) -> Callable[[], float]:
    """A clock that goes on by so much whenever somebody looks at it."""
    looks = itertools.count(1)
    return lambda: tick * next(looks)
