"""How components look: against counting stones one by one, and in the order of moves."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, NORMAL, Clobber
from zerolab.games.notation import parse_position
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.children import SCORE_ZERO
from zerolab.solver.clobber.components import make_component_table
from zerolab.solver.clobber.outlook import PER_CONTACT, PER_HEIGHT, WEIGHTS, outlook
from zerolab.solver.clobber.shapes import (
    BY_CONTACTS,
    BY_OUTLOOK,
    UNORDERED,
    ComponentTable,
    GraphTopology,
    GridTopology,
    Methods,
)
from zerolab.solver.clobber.sum_positions import (
    BLACK,
    CHILD_COUNT,
    FIRST_PIECE,
    PART_COUNT,
    PIECES,
    REMOVED,
    SCORE,
    SMALL_VALUE,
    VALUE,
    WHITE,
    WIDTH,
)
from zerolab.solver.clobber.sum_search import search
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.values.store import HEIGHT
from zerolab.studies.solver_outlook import KINDS, count_stones

GRID = GridTopology(NORMAL, Methods())
WIDE = 5

words = st.lists(st.sampled_from(".xxxooo"), min_size=25, max_size=25).map(
    lambda cells: tuple(sum(1 << i for i, c in enumerate(cells) if c == stone) for stone in "xo")
)


@pytest.fixture(scope="module")
def components() -> ComponentTable:
    """One without values; its graph is a path."""
    links = [1 << i + 1 | (1 << i - 1 if i else 0) for i in range(63)] + [1 << 62]
    return make_component_table(16, np.array(links, np.uint64), 0)


def _outlook(own: int, other: int, width: int) -> int:
    """A slow, obvious twin; each contact is seen from a stone of `own`."""
    total = 0
    kinds = [(owner, *kind) for owner in range(2) for kind in KINDS]
    for (owner, friends, foes), count in zip(kinds, count_stones(own, other, width), strict=True):
        total += count * int(WEIGHTS[owner, friends, foes])
        total += count * PER_CONTACT * foes if owner == 0 else 0
    return total


def _none_alone(stones: int) -> bool:
    """As in a component: stones without neighbours are none of the kinds that are counted."""
    cells = {divmod(cell, WIDE) for cell in range(25) if stones >> cell & 1}
    return all(
        cells & {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
        for row, col in cells
    )


@given(words)
def test_stones_count_by_their_neighbours(
    components: ComponentTable, stones: tuple[int, int]
) -> None:
    """For both players."""
    assume(_none_alone(stones[0] | stones[1]))
    for own, other in (stones, stones[::-1]):
        found = outlook(GRID, components, np.uint64(own), np.uint64(other), WIDE)
        assert found == _outlook(own, other, WIDE)


def test_by_hand(components: ComponentTable) -> None:
    """xxo: a stone with a friend, one with a friend and a foe, and a foe with one foe."""
    own, other = np.uint64(0b011), np.uint64(0b100)
    expected = PER_CONTACT + WEIGHTS[0, 1, 0] + WEIGHTS[0, 1, 1] + WEIGHTS[1, 0, 1]
    assert outlook(GRID, components, own, other, 3) == expected
    swapped = PER_CONTACT + WEIGHTS[1, 1, 0] + WEIGHTS[1, 1, 1] + WEIGHTS[0, 0, 1]
    assert outlook(GRID, components, other, own, 3) == swapped


@pytest.mark.parametrize(
    "topology",
    [
        GridTopology(CANNIBAL, Methods()),
        GridTopology(IMPARTIAL, Methods()),
        GridTopology(NORMAL, Methods(orders=BY_CONTACTS)),
        GraphTopology(NORMAL, Methods()),
    ],
)
def test_elsewhere_only_contacts_count(
    components: ComponentTable, topology: GridTopology | GraphTopology
) -> None:
    """The weights are about ordinary Clobber on boards."""
    own, other = np.uint64(0b0101), np.uint64(0b1010)
    assert outlook(topology, components, own, other, 4) == 3 * PER_CONTACT


@pytest.mark.parametrize("text", ["xoxox|oxoxo|xoxox|oxoxo", "xoxox.|oxoxo.|xoxox.|......|xxo..."])
@pytest.mark.parametrize("first", [0, 1])
def test_what_looks_worst_for_the_opponent_is_tried_first(text: str, first: int) -> None:
    """The children of a position, each scored again: stones, contacts, and height for his side."""
    rows = text.split("|")
    game = Clobber(len(rows), len(rows[0]))
    solver = SumSolver(game, 10**7, threads=1, looks_closely=10**6)
    solver.value(parse_position(game, text, first), max_nodes=0)
    search(solver.topology, *solver.worker, solver.table, 1)
    stack, facts = solver.worker.stack, solver.worker.values.facts
    own, other, sign = (WHITE, BLACK, -1) if first == 0 else (BLACK, WHITE, 1)
    scores = []
    for child in stack.children[0, : stack.levels[0, CHILD_COUNT]]:
        begin = int(child[FIRST_PIECE])
        parts = [*stack.pieces[0, begin : begin + int(child[PIECES])]]
        parts += [
            stack.parts[0, i]
            for i in range(stack.levels[0, PART_COUNT])
            if not int(child[REMOVED]) >> i & 1
        ]
        scores.append(SCORE_ZERO + sign * PER_HEIGHT * int(facts[int(child[VALUE]), HEIGHT]))
        for part in parts:
            scores[-1] += _outlook(int(part[own]), int(part[other]), int(part[WIDTH]))
        assert int(child[SCORE]) == scores[-1]
    assert len(set(scores)) > 3
    assert scores == sorted(scores)


def test_fewer_positions_are_searched() -> None:
    """Than by contacts only, and in no order; all on a board that the first player loses."""
    game = Clobber(3, 6)
    nodes = []
    for orders in (BY_OUTLOOK, BY_CONTACTS, UNORDERED):
        solver = SumSolver(game, 10**8, threads=1, orders=orders, looks_closely=10**6)
        assert solver.value(initial_state(game, stream(0))) == -1
        nodes.append(solver.nodes)
    assert nodes == sorted(nodes)
    assert nodes[0] < 0.8 * nodes[1]


def test_values_that_favour_left_are_higher() -> None:
    """Down, zero and up, two yardsticks and their starred kin on the way."""
    heights = []
    for text in ("oox", "...", "xxo", "xxxo"):
        game = Clobber(1, len(text))
        solver = SumSolver(game, 10**6, threads=1)
        solver.value(parse_position(game, text), max_nodes=0)
        stack, values = solver.worker.stack, solver.worker.values
        heights.append(int(values.facts[stack.levels[0, SMALL_VALUE], HEIGHT]))
    assert heights == sorted(heights)
    assert heights[0] == -heights[2] < 0 == heights[1]
    assert heights[3] > heights[2]


def test_stones_with_too_many_neighbours_and_with_none_have_no_weight() -> None:
    """There are no such stones in a component on a board."""
    kinds = np.zeros((5, 5), np.bool_)
    kinds[tuple(np.array(KINDS).T)] = True
    assert not WEIGHTS[:, ~kinds].any()
    assert WEIGHTS[:, kinds].any(axis=0).all()
