"""What networks see of components, beside a slow twin on sets of cells."""

import functools
import random
from pathlib import Path

import numpy as np
import pytest

from tests.games.processes import run
from tests.solver.clobber.test_sum_solver import random_text
from zerolab.encodings.views import ComponentView, count_planes, encode_states, make_view
from zerolab.errors import UsageError
from zerolab.games.boards.stones import encode
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_state
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import parse_position
from zerolab.games.othello import Othello
from zerolab.kernels.bits import U0, U1
from zerolab.kernels.compiling import kernel, lean
from zerolab.solver.clobber.components import component_value
from zerolab.solver.values.store import NO_VALUE
from zerolab.solver.values.store import VALUES as VALUES_USED

NAMES = ("own", "other", "dead", "won", "lost", "next", "previous")
SWAPPED = str.maketrans("xo", "ox")


def seen(game, text, player=0, view=None):
    """All planes by name, drawn; what a kernel does not write would be a nan."""
    planes = planes_of(view or make_view(game, "components"), game, [(text, player)])[0]
    return {
        name: "|".join("".join(".1"[int(cell)] for cell in row) for row in plane)
        for name, plane in zip(NAMES, planes, strict=True)
    }


def planes_of(view, game, positions):
    states = np.stack([parse_position(game, text, player) for text, player in positions])
    planes = np.full((len(states), view.planes, game.rows, game.cols), np.nan, np.float32)
    encode_states(view, lean(game), states, planes)
    assert not np.isnan(planes).any()
    return planes


# The twin: stones as a dictionary from cells to characters.


def neighbours(cell):
    row, col = cell
    return ((row - 1, col), (row, col - 1), (row + 1, col), (row, col + 1))


def groups(stones):
    """Stones that hang together."""
    left = dict(stones)
    while left:
        todo = [next(iter(left))]
        group = {}
        while todo:
            cell = todo.pop()
            if cell in left:
                group[cell] = left.pop(cell)
                todo += neighbours(cell)
        yield group


def wins(group, player):
    """Whether a player who begins wins a group of stones, by trying everything."""
    top, left = min(row for row, _ in group), min(col for _, col in group)
    moved = ((row - top, col - left, stone) for (row, col), stone in group.items())
    return wins_there(frozenset(moved), player)


@functools.cache
def wins_there(stones, player):
    board = {(row, col): stone for row, col, stone in stones}
    other = player.translate(SWAPPED)
    for cell, stone in board.items():
        for target in neighbours(cell):
            if stone == player and board.get(target) == other:
                after = {**board, target: player}
                del after[cell]
                if not wins(after, other):
                    return True
    return False


def twin(text, player):
    """All planes by name, drawn."""
    rows = text.split("|")
    stones = {(r, c): s for r, row in enumerate(rows) for c, s in enumerate(row) if s != "."}
    own, other = "xo"[player], "ox"[player]
    marked = {name: set() for name in NAMES}
    for group in groups(stones):
        marked["own"] |= {cell for cell, stone in group.items() if stone == own}
        marked["other"] |= {cell for cell, stone in group.items() if stone == other}
        if len(set(group.values())) == 1:
            marked["dead"] |= set(group)
            marked["previous"] |= set(group)
        elif len(group) <= 8:
            outcome = {
                (True, True): "next",
                (False, False): "previous",
                (True, False): "won",
                (False, True): "lost",
            }[wins(group, own), wins(group, other)]
            marked[outcome] |= set(group)
    return {
        name: "|".join(
            "".join(".1"[(r, c) in cells] for c in range(len(rows[0]))) for r in range(len(rows))
        )
        for name, cells in marked.items()
    }


def test_a_position_drawn():
    """xo is *, whoever begins wins; xxo is up, Black's; xoxoxo is 0; xx and the long o are dead."""
    game = Clobber(7, 9)
    text = "xo.xxo.xx|.........|xoxoxo.oo|.........|ooooooooo|.........|xoxoxoxox"
    assert seen(game, text) == {
        "own": "1..11..11|.........|1.1.1....|.........|.........|.........|1.1.1.1.1",
        "other": ".1...1...|.........|.1.1.1.11|.........|111111111|.........|.1.1.1.1.",
        "dead": ".......11|.........|.......11|.........|111111111|.........|.........",
        "won": "...111...|.........|.........|.........|.........|.........|.........",
        "lost": ".........|.........|.........|.........|.........|.........|.........",
        "next": "11.......|.........|.........|.........|.........|.........|.........",
        "previous": ".......11|.........|111111.11|.........|111111111|.........|.........",
    }  # the last row has nine stones and is not rated
    assert seen(game, text, player=1)["lost"].startswith("...111...")


@pytest.mark.parametrize("game", [Clobber(4, 4), Clobber(4, 5), Clobber(5, 5), Clobber(6, 6)])
def test_agrees_with_the_twin(game):
    rng = random.Random(game.rows * game.cols)
    view = make_view(game, "components")
    met = set()
    for i in range(60):
        text = random_text(rng, game.rows, game.cols, rng.choice((0.4, 0.6, 0.8)))
        found = seen(game, text, i % 2, view)
        assert found == twin(text, i % 2), text
        met |= {name for name, plane in found.items() if "1" in plane}
    assert met == set(NAMES)


@pytest.mark.parametrize("game", [Clobber(9, 9), Clobber(3, 26)])
def test_boards_of_several_words(game):
    rng = random.Random(9)
    view = make_view(game, "components")
    for i in range(30):
        text = random_text(rng, game.rows, game.cols, rng.choice((0.3, 0.45, 0.6)))
        assert seen(game, text, i % 2, view) == twin(text, i % 2), text


def test_colours_do_not_matter_but_whose_they_are():
    """With colours and turn swapped a position looks the same; with the turn alone, reversed."""
    game = Clobber(5, 6)
    rng = random.Random(3)
    view = make_view(game, "components")
    for _ in range(30):
        text = random_text(rng, 5, 6, 0.5)
        planes = seen(game, text, 0, view)
        assert seen(game, text.translate(SWAPPED), 1, view) == planes
        turned = seen(game, text, 1, view)
        exchanged = {"own": "other", "other": "own", "won": "lost", "lost": "won"}
        assert turned == {name: planes[exchanged.get(name, name)] for name in NAMES}


@pytest.mark.parametrize("game", [Clobber(5, 5), Clobber(4, 6), Clobber(9, 9)])
def test_turned_positions_have_turned_planes(game):
    rng = random.Random(5)
    view = make_view(game, "components")
    for i in range(10):
        state = parse_position(game, random_text(rng, game.rows, game.cols, 0.5), i % 2)
        ways = symmetries(game)
        states = np.stack([turn_state(game, state, way) for way in ways])
        planes = np.zeros((len(ways), view.planes, game.rows, game.cols), np.float32)
        encode_states(view, lean(game), states, planes)
        for way, turned in zip(ways, planes, strict=True):
            np.testing.assert_array_equal(turned, turn_planes(planes[0], way))


def test_planes_do_not_depend_on_what_was_seen_before():
    game = Clobber(6, 6)
    rng = random.Random(8)
    texts = [(random_text(rng, 6, 6, 0.5), i % 2) for i in range(40)]
    once = planes_of(make_view(game, "components"), game, texts)
    again = planes_of(make_view(game, "components"), game, texts[::-1])
    np.testing.assert_array_equal(once, again[::-1])


@kernel
def rate_all(view, cells, width):
    """The components of this shape that have no value."""
    size = cells.shape[0]
    found = 0
    for colours in range(1, 2**size - 1):
        black, white = U0, U0
        for i in range(size):
            if colours >> i & 1:
                black |= U1 << np.uint64(cells[i])
            else:
                white |= U1 << np.uint64(cells[i])
        value = component_value(view.topology, view.components, view.values, black, white, width)
        found += value == NO_VALUE
    return found


def test_there_is_room_for_all_components():
    """All of up to eight stones, however they lie and are coloured, at once."""
    view = make_view(Clobber(8, 8), "components")
    shapes = {frozenset([(0, 0)])}
    counts = []
    for _ in range(8):
        for shape in shapes:
            width = max(col for _, col in shape) + 1
            cells = np.array([row * width + col for row, col in shape], np.int64)
            assert rate_all(view, cells, width) == 0
        counts.append(len(shapes))
        shapes = {grown for shape in shapes for grown in larger(shape)}
    assert counts == [1, 2, 6, 19, 63, 216, 760, 2725]  # fixed polyominoes, OEIS A001168
    assert 2 * view.components.used[0] < len(view.components.entries)
    assert view.values.counts[VALUES_USED] < len(view.values.facts)


def larger(shape):
    for cell in {near for each in shape for near in neighbours(each)} - shape:
        grown = shape | {cell}
        top, left = min(row for row, _ in grown), min(col for _, col in grown)
        yield frozenset((row - top, col - left) for row, col in grown)


@pytest.mark.parametrize("name", ["colours", "own"])
def test_plain_views_are_the_encodings_of_games(name):
    game = Clobber(3, 4)
    (planes,) = planes_of(make_view(game, name), game, [("xo.x|ooxx|.xo.", 1)])
    expected = np.zeros((3, 3, 4), np.float32)
    encode(
        game, parse_position(game, "xo.x|ooxx|.xo.", 1), ("colours", "own").index(name), expected
    )
    np.testing.assert_array_equal(planes, expected)


def test_other_games_have_no_components():
    others = (Clobber(3, 3, CANNIBAL), Clobber(3, 3, IMPARTIAL), GraphClobber(), Othello(6, 6))
    for game in others:
        with pytest.raises(UsageError, match="components is for ordinary clobber"):
            make_view(game, "components")
    with pytest.raises(UsageError, match="expected colours, own, components or golois"):
        make_view(Clobber(3, 3), "smell")
    assert isinstance(make_view(Clobber(3, 3), "components"), ComponentView)
    assert count_planes(Othello(6, 6), "own") == 3


PLANES = """
import numpy as np
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_position
from zerolab.encodings.views import encode_states, make_view

game = Clobber(3, 5)
view = make_view(game, "components")
planes = np.zeros((1, view.planes, 3, 5), np.float32)
encode_states(view, game, parse_position(game, "xo.xx|...xo|oo.oo")[None], planes)
print("".join(str(int(cell)) for cell in planes.reshape(-1)))
"""


def test_without_a_compiler(tmp_path: Path) -> None:
    printed = run(PLANES, cache=tmp_path, NUMBA_DISABLE_JIT="1")
    expected = twin("xo.xx|...xo|oo.oo", 0)
    assert printed == "".join(expected[name] for name in NAMES).replace("|", "").replace(".", "0")
