"""Words on the stack of a compiled function: work space that no caller has to pass.

A rule has no buffers but its arguments, and kernels never allocate. What a flood fill needs is a
few words, which are gone when the function returns.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array

MOST_WORDS = 11  # of a board of 26x26

Words = npt.NDArray[np.uint64]  # [MOST_WORDS]

_ROW = types.Array(types.uint64, 1, "C")


def stack_words() -> Words:
    """MOST_WORDS words with arbitrary content, for the calling function and what it calls."""
    return np.zeros(MOST_WORDS, np.uint64)


# Not an overload: that would be a function of its own, on whose stack the words would be.


@type_callable(stack_words)
def _type_stack_words(context: Any) -> Callable[[], Any]:
    return lambda: _ROW


def _lower_stack_words(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    # In the entry block of the caller, so that a loop does not take new words at each turn.
    block = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), MOST_WORDS))
    itemsize = context.get_constant(types.intp, 8)
    row = make_array(_ROW)(context, builder)
    populate_array(
        row,
        data=builder.bitcast(block, row.data.type),
        shape=[context.get_constant(types.intp, MOST_WORDS)],
        strides=[itemsize],
        itemsize=itemsize,
        meminfo=None,
    )
    return row._getvalue()


lower_builtin(stack_words)(_lower_stack_words)
