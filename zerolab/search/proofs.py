"""What all trees share: names of special nodes and of proven values."""

from zerolab.kernels.compiling import jitable

ROOT = 0
NO_NODE = -1
UNPROVEN = 2.0  # no value of a game


@jitable
def sure_result(value: float) -> int:
    """1 for a proven win, -1 for a proven loss, 0 for all else, from an exact value or UNPROVEN."""
    if value == 1.0:
        return 1
    return -1 if value == -1.0 else 0
