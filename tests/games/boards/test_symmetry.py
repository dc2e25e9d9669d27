"""Symmetries: how many a board has, that they form a group, and what they do, drawn by hand."""

import numpy as np
import pytest

from tests.games.sizes import ALL_GAMES, label
from zerolab.games.base import Game
from zerolab.games.boards.symmetry import (
    Symmetry,
    Turn,
    symmetries,
    turn_planes,
    turn_policy,
    turn_state,
    turns,
)
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import action_space, format_position, num_actions, parse_position
from zerolab.games.othello import Othello

QUARTER_TURN = Turn(transpose=True, flip_cols=True)  # clockwise: rows become columns from the right


def symmetry_of(game: Game, turn: Turn) -> Symmetry:
    return symmetries(game)[turns(game).index(turn)]


def as_key(cells, actions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(int(c) for c in cells), tuple(int(a) for a in actions)


@pytest.mark.parametrize(
    ("game", "count"),
    [
        (Clobber(4, 4), 8),
        (Clobber(4, 5), 4),
        (Clobber(1, 5), 4),
        (Othello(6, 6), 8),
        (Gobang(15, 15, 5), 8),
        (Gobang(5, 7, 4), 4),
        (ConnectFour(6, 7), 2),
        (ConnectFour(5, 5), 2),  # square, but stones fall
        (GraphClobber(), 1),
    ],
    ids=str,
)
def test_number_of_symmetries(game: Game, count: int) -> None:
    assert len(symmetries(game)) == count
    assert len({as_key(*symmetry) for symmetry in symmetries(game)}) == count


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_symmetries_form_a_group(game: Game) -> None:
    group = {as_key(*symmetry) for symmetry in symmetries(game)}
    first = symmetries(game)[0]
    assert (first.cells == np.arange(len(first.cells))).all()
    assert (first.actions == np.arange(num_actions(game))).all()
    for one in symmetries(game):
        assert sorted(one.cells) == list(range(len(first.cells)))
        assert sorted(one.actions) == list(range(num_actions(game)))
        assert as_key(np.argsort(one.cells), np.argsort(one.actions)) in group  # the inverse
        for two in symmetries(game):
            assert as_key(two.cells[one.cells], two.actions[one.actions]) in group


def test_games_with_equal_parameters_keep_their_own_symmetries() -> None:
    """As tuples these two records are equal."""
    assert len(symmetries(Gobang(6, 6, 4))) == 8
    assert len(symmetries(ConnectFour(6, 6, 4))) == 2


def test_a_graph_without_edges_has_a_policy_to_turn() -> None:
    game = GraphClobber("", "xo")
    assert turn_policy(np.empty(0, np.float32), symmetries(game)[0]).tolist() == []


#   Clobber 2x3, cells     flipped left to right    upside down      both
#   2 x o .    0 1 2         . o x                    o x x          x x o
#   1 o x x    3 4 5         x x o                    x o .          . o x
#     a b c
@pytest.mark.parametrize(
    ("turn", "text", "move"),
    [
        (Turn(), "xo.|oxx", "a2b2"),
        (Turn(flip_cols=True), ".ox|xxo", "c2b2"),
        (Turn(flip_rows=True), "oxx|xo.", "a1b1"),
        (Turn(flip_rows=True, flip_cols=True), "xxo|.ox", "c1b1"),
    ],
    ids=str,
)
def test_a_board_of_two_rows_drawn(turn: Turn, text: str, move: str) -> None:
    game = Clobber(2, 3)
    symmetry = symmetry_of(game, turn)
    state = turn_state(game, parse_position(game, "xo.|oxx", 1), symmetry)
    assert format_position(game, state) == text
    assert state[0] == 1  # a turned board has the same player to move
    space = action_space(game)
    assert space.text(symmetry.actions[space.parse("a2b2")]) == move


def test_a_quarter_turn_drawn() -> None:
    #   x o          . x      a2 (cell 0) goes to b2 (cell 1), b2 to b1 (3),
    #   . .          . o      a1 (cell 2) goes to a2 (cell 0), b1 to a1 (2).
    game = Clobber(2, 2)
    symmetry = symmetry_of(game, QUARTER_TURN)
    assert symmetry.cells.tolist() == [1, 3, 0, 2]
    turned = turn_state(game, parse_position(game, "xo|.."), symmetry)
    assert format_position(game, turned) == ".x|.o"
    space = action_space(game)
    assert space.text(symmetry.actions[space.parse("a2b2")]) == "b2b1"  # right becomes down


def test_planes_turn_like_the_board() -> None:
    symmetry = symmetry_of(Clobber(2, 2), QUARTER_TURN)
    planes = np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]], np.float32)  # [B, P, R, C]
    assert turn_planes(planes, symmetry).tolist() == [[[[3, 1], [4, 2]], [[7, 5], [8, 6]]]]
    assert planes[0, 0].tolist() == [[1, 2], [3, 4]]  # not in place


def test_a_policy_turns_with_the_board() -> None:
    """Connect Four, four columns, mirrored; two policies at once."""
    symmetry = symmetry_of(ConnectFour(4, 4), Turn(flip_cols=True))
    policy = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], np.float32)  # [B, A]
    assert turn_policy(policy, symmetry).tolist() == [[4, 3, 2, 1], [8, 7, 6, 5]]


def test_a_pass_stays_a_pass() -> None:
    for symmetry in symmetries(Othello(4, 4)):
        assert symmetry.actions[16] == 16


def test_turned_policies_belong_to_turned_cells() -> None:
    """In Gobang an action is a cell, so a policy laid out as a plane turns as planes do."""
    game = Gobang(3, 3, 3)
    policy = np.arange(9, dtype=np.float32)
    for symmetry in symmetries(game):
        turned = turn_planes(policy.reshape(3, 3), symmetry)
        assert turn_policy(policy, symmetry).tolist() == turned.ravel().tolist()
