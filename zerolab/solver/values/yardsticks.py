"""Values that every other one is compared with once, so that most comparisons are never made.

If x >= t and y is not, for any yardstick t, then x <= y cannot be; if x <= t <= y, it must be. The
yardsticks are 0, *, *2 and the multiples of up, with and without *, which all-small games such as
Clobber's lie among. Options of yardsticks are yardsticks, so how a game compares with all of them
follows from how its options do.
"""

import numpy as np
import numpy.typing as npt

from zerolab.kernels.compiling import jitable

MOST_UPS = 7

Form = tuple[list[int], list[int]]  # Left's and Right's options, by their places among yardsticks


def _forms() -> list[Form]:
    """Zero first, and options before what they are options of."""
    zero, star = 0, 1
    up, down, up_star, down_star = 3, 4, 5, 6
    forms: list[Form] = [([], []), ([zero], [zero]), ([zero, star], [zero, star])]
    forms += [([zero], [star]), ([star], [zero]), ([zero, star], [zero]), ([zero], [zero, star])]
    for _ in range(MOST_UPS - 1):
        forms += [([zero], [up_star]), ([down_star], [zero]), ([zero], [up]), ([down], [zero])]
        up, down, up_star, down_star = range(len(forms) - 4, len(forms))
    return forms


FORMS = _forms()


def _masks(side: int) -> npt.NDArray[np.int64]:
    return np.array([sum(1 << option for option in form[side]) for form in FORMS], np.int64)


_LEFT_OF, _RIGHT_OF = _masks(0), _masks(1)


@jitable
def measured(above: int, below: int) -> tuple[int, int]:
    """The yardsticks that a game is at least, and those that it is at most.

    `above` are those that some option of Left is at least, `below` those that some option of Right
    is at most.
    """
    at_least, at_most = 0, 0
    for i in range(_LEFT_OF.shape[0]):
        bit = 1 << i
        if not (below & bit or at_most & _LEFT_OF[i]):
            at_least |= bit
        if not (above & bit or at_least & _RIGHT_OF[i]):
            at_most |= bit
    return at_least, at_most


@jitable
def foreseen(x_at_least: int, x_at_most: int, y_at_least: int, y_at_most: int) -> int:
    """Whether x <= y, as far as yardsticks tell: 1, 0, or -1 for not known."""
    if x_at_most & y_at_least:
        return 1
    if x_at_least & ~y_at_least or y_at_most & ~x_at_most:
        return 0
    return -1
