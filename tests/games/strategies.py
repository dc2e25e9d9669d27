"""What hypothesis draws for the tests of the games."""

import string

from hypothesis import settings
from hypothesis import strategies as st

from zerolab.games.clobber import Clobber

quick = settings(max_examples=60, derandomize=True)


def rows_of(rows: int, cols: int) -> st.SearchStrategy[str]:
    """Positions of that size, any stones anywhere."""
    line = st.text("xo.", min_size=cols, max_size=cols)
    return st.lists(line, min_size=rows, max_size=rows).map("|".join)


boards = (
    st.tuples(st.integers(1, 12), st.integers(1, 12))
    .filter(lambda size: size[0] * size[1] >= 2)
    .map(lambda size: Clobber(*size))
)

# Anything at all; the characters of our notation in any order; and numbers no machine word holds.
any_text = (
    st.text(max_size=30)
    | st.text(string.ascii_lowercase[:8] + "xo.|-=0123456789, ", max_size=30)
    | st.from_regex(r"[a-z]?[0-9]{1,30}[x\-a-z=]?[0-9]{0,30}", fullmatch=True)
)
