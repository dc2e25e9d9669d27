"""Clobber on graphs: a board is a graph, and a graph need not be a board."""

import pytest

from tests.games.drawn import after, moves
from zerolab.games.base import WHITE
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.graph_clobber import GraphClobber, edge_list
from zerolab.games.perft_counts import perft
from zerolab.kernels.rng import stream


def board_as_graph(rows: int, cols: int) -> GraphClobber:
    cells = range(rows * cols)
    across = [f"{cell}-{cell + 1}" for cell in cells if cell % cols < cols - 1]
    down = [f"{cell}-{cell + cols}" for cell in cells if cell + cols < rows * cols]
    stones = "".join("xo"[(cell // cols + cell % cols) % 2] for cell in cells)
    return GraphClobber(" ".join(across + down), stones)


@pytest.mark.parametrize(("rows", "cols"), [(1, 6), (3, 3), (3, 4), (9, 8)])
def test_a_board_is_a_graph(rows: int, cols: int) -> None:
    graph, board = board_as_graph(rows, cols), Clobber(rows, cols)
    starts = initial_state(graph, stream(1)), initial_state(board, stream(1))
    for depth in (1, 2, 3):
        assert perft(graph, starts[0], depth) == perft(board, starts[1], depth)


def test_a_triangle_with_a_tail() -> None:
    #   x 0 --- o 1
    #     \     /
    #      x 2  --- o 3
    game = GraphClobber("0-1 1-2 2-0 2-3", "xoxo")
    assert moves(game, "xoxo") == ["0-1", "2-1", "2-3"]
    assert moves(game, "xoxo", WHITE) == ["1-0", "1-2", "3-2"]
    assert after(game, "xoxo", "2-3", "1-0") == "o..x"


def test_an_edge_given_twice_is_one_edge() -> None:
    game = GraphClobber("2-1,0-1 1-0  1-2", "xox")
    assert edge_list(game) == ((0, 1), (1, 2))
    assert moves(game, "xox") == ["0-1", "2-1"]
