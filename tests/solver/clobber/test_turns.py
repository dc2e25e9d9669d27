"""Forms of components: the same however they are turned, and the same worked out in two ways."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerolab.games.clobber import NORMAL
from zerolab.kernels.bits import U0
from zerolab.solver.clobber.components import make_component_table
from zerolab.solver.clobber.shapes import (
    ComponentTable,
    GridTopology,
    Methods,
    around,
    boxed,
    connected,
)
from zerolab.solver.clobber.turns import expect_moves, forms_after, standard_forms, stays_whole

GRID = GridTopology(NORMAL, Methods())


@pytest.fixture(scope="module")
def components() -> ComponentTable:
    """One without values."""
    return make_component_table(16, np.zeros(64, np.uint64), 0)


def _cells(board: np.ndarray, stone: int) -> np.uint64:
    return np.uint64(sum(1 << i for i in np.flatnonzero(board.reshape(-1) == stone).tolist()))


boards = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda size: st.lists(
        st.sampled_from([0, 1, 1, 2, 2]), min_size=size[0] * size[1], max_size=size[0] * size[1]
    ).map(lambda stones: np.array(stones).reshape(size))
)


@given(boards)
def test_turned_and_mirrored_boards_have_one_form(
    components: ComponentTable, board: np.ndarray
) -> None:
    """All eight, and swapping colours swaps the two forms."""
    if not board.any():
        return
    forms = set()
    for turned in (board, board.T):
        for view in (turned, turned[::-1], turned[:, ::-1], turned[::-1, ::-1]):
            box = boxed(GRID, _cells(view, 1), _cells(view, 2), view.shape[1])
            forms.add(standard_forms(GRID, components, *box))
            swapped = standard_forms(GRID, components, box[1], box[0], box[2])
            forms.add((*swapped[2:4], *swapped[:2], swapped[4]))
    assert len(forms) == 1


@given(boards)
def test_forms_after_a_move_are_those_of_the_new_component(
    components: ComponentTable, board: np.ndarray
) -> None:
    """Every move that is said to leave the component whole, by either player."""
    stones = _cells(board, 1) | _cells(board, 2)
    if not stones:
        return
    start = np.uint64(int(stones) & -int(stones))
    piece = connected(GRID, components, start, stones, board.shape[1])
    box = boxed(GRID, _cells(board, 1) & piece, _cells(board, 2) & piece, board.shape[1])
    black, white, _, _, width = standard_forms(GRID, components, *box)
    whole = black | white
    height = (int(whole).bit_length() - 1) // width + 1
    expect_moves(GRID, components, black, white, width)
    for source in range(width * height):
        out = np.uint64(1 << source)
        if not whole & out:
            continue
        rest = whole ^ out
        first = np.uint64(int(rest) & -int(rest))
        is_one = rest != U0 and connected(GRID, components, first, rest, width) == rest
        same_box = is_one and boxed(GRID, rest, U0, width) == (rest, U0, width)
        if rest:
            assert stays_whole(GRID, components, whole, out, width) == (
                same_box and (int(rest).bit_length() - 1) // width + 1 == height
            )
        is_black = bool(black & out)
        own, other = (black, white) if is_black else (white, black)
        for target in range(width * height):
            into = np.uint64(1 << target)
            if not (other & into and around(GRID, components, out, width) & into):
                continue
            if not stays_whole(GRID, components, whole, out, width):
                continue
            after = own & ~out | into, other & ~into
            expected = standard_forms(
                GRID, components, *(after if is_black else after[::-1]), width
            )
            found = forms_after(components, width, height, source, target, is_black)
            assert (*found, width) == expected
