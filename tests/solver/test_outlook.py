"""How components look: against counting stones one by one, and in the order of moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerolab.games.board import initial_state
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, NORMAL, Clobber
from zerolab.games.notation import parse_position
from zerolab.games.rng import stream
from zerolab.solver.clobber import SumSolver
from zerolab.solver.components import make_lexicon
from zerolab.solver.outlook import PER_CONTACT, PER_HEIGHT, WEIGHTS, outlook
from zerolab.solver.positions import CHILD_COUNT, SCORE
from zerolab.solver.shapes import BY_CONTACTS, Grid, Lexicon, Methods, Web
from zerolab.solver.sums import search
from zerolab.solver.values import HEIGHT
from zerolab.studies.solver_outlook import KINDS, count_stones

GRID = Grid(NORMAL, Methods())
WIDTH = 5

words = st.lists(st.sampled_from(".xo"), min_size=25, max_size=25).map(
    lambda cells: tuple(sum(1 << i for i, c in enumerate(cells) if c == stone) for stone in "xo")
)


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """One without values; its graph is a path."""
    links = [1 << i + 1 | (1 << i - 1 if i else 0) for i in range(63)] + [1 << 62]
    return make_lexicon(16, np.array(links, np.uint64), 0)


def _contacts(own: int, other: int) -> int:
    """Each is seen from a stone of `own`."""
    stones = count_stones(own, other, WIDTH)[: len(KINDS)]
    return sum(count * foes for count, (_, foes) in zip(stones, KINDS, strict=True))


def _is_connected(stones: int) -> bool:
    """Whether no stone is alone, which is all that the twin needs."""
    cells = {divmod(cell, WIDTH) for cell in range(25) if stones >> cell & 1}
    return all(
        cells & {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
        for row, col in cells
    )


@given(words)
def test_stones_count_by_their_neighbours(lexicon: Lexicon, stones: tuple[int, int]) -> None:
    """A slow, obvious count of the same, for both players."""
    if not _is_connected(stones[0] | stones[1]):
        return
    for own, other in (stones, stones[::-1]):
        counts = count_stones(own, other, WIDTH)
        weights = [WEIGHTS[owner, friends, foes] for owner in range(2) for friends, foes in KINDS]
        expected = PER_CONTACT * _contacts(own, other) + np.dot(counts, weights)
        assert outlook(GRID, lexicon, np.uint64(own), np.uint64(other), WIDTH) == expected


def test_by_hand(lexicon: Lexicon) -> None:
    """xxo: a stone with a friend, one with a friend and a foe, and a foe with one foe."""
    own, other = np.uint64(0b011), np.uint64(0b100)
    expected = PER_CONTACT + WEIGHTS[0, 1, 0] + WEIGHTS[0, 1, 1] + WEIGHTS[1, 0, 1]
    assert outlook(GRID, lexicon, own, other, 3) == expected
    swapped = PER_CONTACT + WEIGHTS[1, 1, 0] + WEIGHTS[1, 1, 1] + WEIGHTS[0, 0, 1]
    assert outlook(GRID, lexicon, other, own, 3) == swapped


@pytest.mark.parametrize(
    "land",
    [
        Grid(CANNIBAL, Methods()),
        Grid(IMPARTIAL, Methods()),
        Grid(NORMAL, Methods(orders=BY_CONTACTS)),
        Web(NORMAL, Methods()),
    ],
)
def test_elsewhere_only_contacts_count(lexicon: Lexicon, land: Grid | Web) -> None:
    """The weights are about ordinary Clobber on boards."""
    own, other = np.uint64(0b0101), np.uint64(0b1010)
    assert outlook(land, lexicon, own, other, 4) == 3 * PER_CONTACT


@pytest.mark.parametrize("text", ["xoxox|oxoxo|xoxox|oxoxo", "xoxox.|oxoxo.|xoxox.|......|xxo..."])
@pytest.mark.parametrize("first", [0, 1])
def test_what_looks_worst_for_the_opponent_is_tried_first(text: str, first: int) -> None:
    """The children of a position, after it was entered."""
    rows = text.split("|")
    game = Clobber(len(rows), len(rows[0]))
    solver = SumSolver(game, 10**7, threads=1, looks_closely=10**6)
    solver.value(parse_position(game, text, first), max_nodes=0)
    search(solver.land, *solver.worker[:3], solver.table, 1)
    level = solver.worker.stack.levels[0]
    scores = solver.worker.stack.children[0, : level[CHILD_COUNT], SCORE].tolist()
    assert len(set(scores)) > 3
    assert scores == sorted(scores)


def test_values_that_favour_left_are_higher() -> None:
    """Down, zero and up, two yardsticks and their starred kin on the way."""
    heights = []
    for text in ("oox", "...", "xxo", "xxxo"):
        game = Clobber(1, len(text))
        solver = SumSolver(game, 10**6, threads=1)
        solver.value(parse_position(game, text), max_nodes=0)
        stack, values = solver.worker.stack, solver.worker.values
        heights.append(int(values.facts[stack.levels[0, 1], HEIGHT]))
    assert heights == sorted(heights)
    assert heights[0] == -heights[2] < 0 == heights[1]
    assert heights[3] > heights[2]


def test_the_start_is_the_same_for_both(lexicon: Lexicon) -> None:
    """And a height counts for the one whom it favours."""
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    black, white = np.uint64(state[1]), np.uint64(state[2])
    assert outlook(GRID, lexicon, black, white, 4) == outlook(GRID, lexicon, white, black, 4)
    assert PER_HEIGHT > 0
