"""How many positions the solver searches, as docs/solver.md says.

On one thread and without the database the count is the same everywhere, and depends on all that
decides what is searched and in which order: each weight of outlook.py, the size up to which
components have values, the closer look. None of them changes a result, so no other test need
notice if one is mistyped.
"""

import pytest

from tests.documentation import ROOT
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.sum_solver import WITHOUT, SumSolver

PAGE = (ROOT / "docs" / "solver.md").read_text("utf-8")
MOST = 500_000  # nodes, about half a second
METHODS = {
    "all methods": {},
    "without values": WITHOUT["values"],
    "without cancelling": WITHOUT["cancelling"],
    "without any order of moves": WITHOUT["ordering"],
    "without learnt weights": WITHOUT["outlook"],
    "without the closer look": WITHOUT["close-look"],
    "by learnt weights": {},
    "by contacts only": WITHOUT["outlook"],
}


def published() -> dict[tuple[str, str], int]:
    """The nodes by row and board of the tables that have boards at the top."""
    found = {}
    boards: list[str] = []
    for line in PAGE.splitlines():
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| | ") and "x" in cells[0]:
            boards = [cell.removesuffix(", nodes") for cell in cells]
        elif first in METHODS:
            for board, cell in zip(boards, cells, strict=True):
                if "seconds" not in board:
                    found[first, board] = int(cell.replace(",", ""))
    return found


COUNTS = published()
QUICK = {key: nodes for key, nodes in COUNTS.items() if nodes <= MOST}


def test_both_tables_are_found() -> None:
    assert {row for row, _ in COUNTS} == METHODS.keys()
    assert {board for _, board in COUNTS} == {"2x14", "2x15", "3x8", "3x10", "4x6", "5x5"}
    assert {row for row, _ in QUICK} >= METHODS.keys() - {"without any order of moves"} - {
        "without values"
    }


@pytest.mark.parametrize(("row", "board"), QUICK)
def test_the_nodes_of_the_page(row: str, board: str) -> None:
    rows, cols = map(int, board.split("x"))
    game = Clobber(rows, cols)
    solver = SumSolver(game, threads=1, **METHODS[row])
    solver.value(initial_state(game, stream(0)))
    assert solver.nodes == QUICK[row, board]
