"""Liberties, ladders and earlier boards of Go, beside a slow twin on lists of rows."""

import random

import numpy as np
import pytest

from tests.encodings.golois_twin import NAMES, golois_twin, neighbours
from tests.games.processes import run
from zerolab.encodings.ladders import make_ladder_reader
from zerolab.encodings.views import count_planes, encode_states, make_view
from zerolab.errors import UsageError
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_state
from zerolab.games.go import Go
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.kernels.compiling import lean


def planes_of(game, positions, view=None):
    """What a kernel does not write would be a nan."""
    states = np.stack([position.state for position in positions])
    planes = np.full((len(states), 21, game.rows, game.cols), np.nan, np.float32)
    encode_states(view or make_view(game, "golois"), lean(game), states, planes)
    assert not np.isnan(planes).any()
    return planes


def drawn(planes):
    """All planes of a position by name."""
    return {
        name: "|".join("".join(".1"[int(cell)] for cell in row) for row in plane)
        for name, plane in zip(NAMES, planes, strict=True)
    }


def random_positions(game, count, seed):
    """Positions of random games; most moves are near the last one, so that there are fights."""
    rng = random.Random(seed)
    position, positions = game.start(), []
    while len(positions) < count:
        points = position.legal_actions[:-1]
        if not points:
            position = game.start()
            continue
        near = [point for point in points if are_near(game, point, position.action)]
        position = position.after(rng.choice(near if near and rng.random() < 0.8 else points))
        positions.append(position)
    return positions


def are_near(game, point, other):
    if other is None:
        return False
    (row, col), (other_row, other_col) = divmod(point, game.cols), divmod(other, game.cols)
    return abs(row - other_row) + abs(col - other_col) <= 2


def last_boards(position):
    texts, empty = [], "|".join("." * position.game.cols for _ in range(position.game.rows))
    for _ in range(5):
        texts.append(position.text if position else empty)
        position = position.previous if position else None
    return texts


def assert_agrees(game, positions):
    for position, planes in zip(positions, planes_of(game, positions), strict=True):
        expected = golois_twin(last_boards(position), "xo"[position.player])
        assert drawn(planes) == expected, (position.text, position.moves[-2:])


@pytest.mark.parametrize(
    ("game", "count", "every"),
    [
        (Go(3, 3), 300, 1),
        (Go(5, 5), 600, 1),
        (Go(4, 8), 600, 1),
        (Go(7, 7), 600, 1),
        (Go(9, 9), 600, 2),
        (Go(19, 19), 600, 20),
    ],
)
def test_agrees_with_the_twin(game, count, every):
    assert_agrees(game, random_positions(game, count, seed=game.cols)[::every])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "count"), [(Go(9, 9), 10_000), (Go(19, 19), 3_000)])
def test_agrees_with_the_twin_on_many_positions(game, count):
    assert_agrees(game, random_positions(game, count, seed=1))


def ladders(rows, view=None):
    """The four planes of ladders where there are any stones in them."""
    game = Go(len(rows), len(rows[0]))
    (planes,) = planes_of(game, [Position.parse(game, "|".join(rows))], view)
    found = {name: plane.split("|") for name, plane in list(drawn(planes).items())[1:5]}
    return {name: plane for name, plane in found.items() if "1" in "".join(plane)}


WORKS = ["......", "......", "..x...", ".xo...", "..xx..", "......"]


def test_a_ladder_that_works():
    """White runs d3, d4, e4, e5 and has no second liberty at the edge."""
    assert ladders(WORKS) == {
        "lost": ["......", "......", "......", "..1...", "......", "......"],
        "next to lost": ["......", "......", "..1...", ".1....", "..11..", "......"],
    }


@pytest.mark.parametrize(("stone", "is_lost"), [("o", False), ("x", True)])
def test_a_stone_in_the_way(stone, is_lost):
    """White on e5 gets a third liberty there; a stone of Black does not help White."""
    rows = ["......", f"....{stone}.", *WORKS[2:]]
    assert ("lost" in ladders(rows)) == is_lost


@pytest.mark.parametrize("stone", [".", "o", "x"])
def test_a_ladder_across_the_board(stone):
    """From each corner of 19x19 to the one opposite, unless there is a white stone on its way."""
    game = Go(19, 19)
    rows = [row + "." * 13 for row in ["......"] * 13 + WORKS]
    rows[3] = rows[3][:15] + stone + rows[3][16:]
    state = Position.parse(game, "|".join(rows)).state
    turned = [Position(game, turn_state(game, state, way)) for way in symmetries(game)]
    assert len(turned) == 8
    for position, planes in zip(turned, planes_of(game, turned), strict=True):
        assert drawn(planes) == golois_twin(last_boards(position), "x")
        assert planes[1].sum() == (stone != "o")


def test_a_ladder_along_the_edge():
    """White crawls on the first line, where each stone has one liberty ahead and one above."""
    assert ladders([".....", ".....", "xx...", "oo..."]) == {
        "lost": [".....", ".....", ".....", "11..."],
        "next to lost": [".....", ".....", "11...", "....."],
    }


def test_the_defender_captures_an_attacking_stone():
    """White takes b3 from b4 and has room on the left. Without a3, b3 has a second liberty."""
    assert ladders(["......", "......", "..x...", "oxo...", ".oxx..", "......"]) == {}
    lost = ladders(["......", "......", "..x...", ".xo...", ".oxx..", "......"])["lost"]
    assert lost == ["......", "......", "......", "..1...", "......", "......"]


@pytest.mark.parametrize("stone", [(2, 1), (4, 3)])
def test_only_one_of_two_ataris_works(stone):
    """With b4 it is d3, with d2 it is c4; with neither White gets three liberties."""
    rows = [list(row) for row in ["......", "......", "......", ".xo...", "..x...", "......"]]
    assert ladders(["".join(row) for row in rows]) == {}
    rows[stone[0]][stone[1]] = "x"
    found = ladders(["".join(row) for row in rows])
    assert found["catchable"] == ["......", "......", "......", "..1...", "......", "......"]
    black = ["".join("1" if cell == "x" else "." for cell in row) for row in rows]
    assert found == {"catchable": found["catchable"], "next to catchable": black}


def test_a_net_is_no_ladder():
    """White cannot get out, but has three liberties after the first atari."""
    rows = ["xxxxxxx", "x.....x", "x.....x", "x.xo..x", "x..x..x", "x.....x", "xxxxxxx"]
    assert ladders(rows) == {}


def test_snapback():
    """Black throws in on b5 or c5, White takes the stone, and Black takes White's eight."""
    assert ladders(["o..ox", "oooox", "xxxxx", ".....", "....."]) == {
        "catchable": ["1..1.", "1111.", ".....", ".....", "....."],
        "next to catchable": ["....1", "....1", "11111", ".....", "....."],
    }


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (3, 7), (19, 19)])
def test_every_point_knows_its_neighbours(rows, cols):
    table = make_ladder_reader(rows, cols, words=6).neighbours
    for point, found in enumerate(table.tolist()):
        near = neighbours(["." * cols] * rows, divmod(point, cols))
        expected = [row * cols + col for row, col in near]
        assert sorted(found) == sorted([-1] * (4 - len(near)) + expected)


@pytest.mark.parametrize(
    ("longest", "most_nodes", "is_lost"),
    [(100, 10_000, True), (9, 12, True), (8, 12, False), (9, 11, False)],
)
def test_limits(longest, most_nodes, is_lost):
    """What is not read to its end counts as an escape. White is taken by the tenth move."""
    view = make_view(Go(6, 6), "golois")
    view = view._replace(reader=make_ladder_reader(6, 6, 1, longest, most_nodes))
    assert ("lost" in ladders(WORKS, view)) == is_lost
    assert ("lost" in ladders(WORKS, view)) == is_lost  # each read has all nodes


def test_liberties_and_boards_drawn():
    """Black has a pair with four liberties on the left; the last move took a stone at b2."""
    game = Go(4, 5)
    position = game.start()
    for move in ("b1", "b2", "a2", "e4", "b3", "e3", "c2"):
        position = position.play(move)
    seen = drawn(planes_of(game, [position])[0])
    assert position.text == "....o|.x..o|x.x..|.x..."
    nothing = ".....|.....|.....|....."
    assert seen == {
        "black": nothing,
        "lost": nothing,
        "next to lost": nothing,
        "catchable": nothing,
        "next to catchable": nothing,
        "1": nothing,
        "2": nothing,
        "3": "....1|....1|1....|.1...",
        "4": ".....|.1...|..1..|.....",
        "5": nothing,
        "6 or more": nothing,
        "own 0": "....1|....1|.....|.....",
        "other 0": ".....|.1...|1.1..|.1...",
        "own 1": "....1|....1|.1...|.....",
        "other 1": ".....|.1...|1....|.1...",
        "own 2": "....1|.....|.1...|.....",
        "other 2": ".....|.1...|1....|.1...",
        "own 3": "....1|.....|.1...|.....",
        "other 3": ".....|.....|1....|.1...",
        "own 4": ".....|.....|.1...|.....",
        "other 4": ".....|.....|1....|.1...",
    }


@pytest.mark.parametrize("game", [Go(5, 5), Go(4, 7), Go(9, 9)])
def test_turned_positions_have_turned_planes(game):
    view = make_view(game, "golois")
    ways = symmetries(game)
    for position in random_positions(game, 150, seed=5)[::5]:
        states = np.stack([turn_state(game, position.state, way) for way in ways])
        planes = np.zeros((len(ways), view.planes, game.rows, game.cols), np.float32)
        encode_states(view, lean(game), states, planes)
        for way, turned in zip(ways, planes, strict=True):
            np.testing.assert_array_equal(turned, turn_planes(planes[0], way))


def test_only_go_with_four_earlier_boards():
    with pytest.raises(UsageError, match="golois is for go"):
        make_view(Othello(6, 6), "golois")
    with pytest.raises(UsageError, match="history is 3; expected history=4 or more"):
        make_view(Go(9, 9, history=3), "golois")
    assert count_planes(Go(9, 9, history=5), "golois") == 21


PRINT_PLANES = """
from zerolab.games.go import Go
from zerolab.games.position import Position

position = Position.parse(Go(6, 6), "......|......|..x...|.xo...|..xx..|......")
print("".join(str(int(cell)) for cell in position.planes("golois").reshape(-1)))
"""


def test_in_other_processes(tmp_path):
    """Compiled, loaded from the cache of compiled code, and without a compiler."""
    game = Go(6, 6)
    (planes,) = planes_of(game, [Position.parse(game, "|".join(WORKS))])
    expected = "".join(str(int(cell)) for cell in planes.reshape(-1))
    assert run(PRINT_PLANES, cache=tmp_path) == expected
    assert run(PRINT_PLANES, cache=tmp_path) == expected
    assert run(PRINT_PLANES, cache=tmp_path, NUMBA_DISABLE_JIT="1") == expected
