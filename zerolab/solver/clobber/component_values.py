"""The components of a Clobber position with their values as combinatorial games."""

from collections.abc import Iterator
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.boards.stones import stone_at
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.position import Position
from zerolab.solver.cgt.value import Value, connected_groups
from zerolab.solver.clobber.sum_solver import SumSolver


class ValuedComponent(NamedTuple):
    """Stones that touch each other, both colours among them."""

    cells: tuple[int, ...]
    value: Value | None
    """None if it has more stones than were to be valued."""


def valued_components(position: Position, most: int) -> Iterator[ValuedComponent]:
    """The components that can still move; those of at most `most` stones with their values."""
    game = position.game
    if not isinstance(game, Clobber) or game.variant != NORMAL:
        raise UsageError("only positions of normal Clobber are sums of components here")
    stones = {
        divmod(cell, game.cols): stone_at(game, position.words, cell)
        for cell in range(game.rows * game.cols)
        if stone_at(game, position.words, cell) >= 0
    }
    solver: SumSolver | None = None
    for group in connected_groups(stones):
        if len({stones[point] for point in group}) < 2:
            continue
        cells = tuple(sorted(row * game.cols + col for row, col in group))
        value = None
        if len(cells) <= most:
            alone = "".join(
                symbol if cell in cells else "."
                for cell, symbol in enumerate(position.text.replace("|", ""))
            )
            rows = [alone[row * game.cols : (row + 1) * game.cols] for row in range(game.rows)]
            if solver is None:
                solver = SumSolver(Clobber(game.rows, game.cols), memory=2**24, threads=1)
            part = Position.parse(Clobber(game.rows, game.cols), "|".join(rows))
            value = solver.canonical_value(part.state)
        yield ValuedComponent(cells, value)
