"""What a network has to do with a game: the planes it sees, the board, and the actions it rates.

A convolutional policy head has no weights for single cells, so it has to know how actions lie on
the board. Their points tell (notation.py): an action belongs to the cell of its first point and to
the plane of its kind, the kind being how its other points lie around the first. In Clobber there
are four kinds, the directions; in Othello one, and a pass, which lies nowhere. A column of Connect
Four is rated by the mean over its cells.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.encodings.golois import GOLOIS_PLANES
from zerolab.encodings.views import count_planes
from zerolab.games.base import Game, shape
from zerolab.games.notation import (
    DIRECTIONS,
    ActionSpace,
    Columns,
    Point,
    action_space,
    has_board,
)

INPUT, LOGITS, VALUES = "planes", "logits", "values"  # names in ONNX models

Floats = npt.NDArray[np.float32]
Kind = tuple[Point, ...]
"""How the other points of an action lie around its first, as rows and columns of difference."""


class Layout(NamedTuple):
    """How the actions of a game lie on its board, whatever its size."""

    kinds: tuple[Kind, ...]
    """K: one plane for each."""
    passes: int = 0
    """Actions that lie nowhere."""
    by_column: bool = False
    """Whether an action is a whole column."""


class Signature(NamedTuple):
    """The inputs and outputs of a network."""

    planes: int
    rows: int
    cols: int
    places: npt.NDArray[np.int64]  # [A], where each action stands among planes, then passes
    layout: Layout | None
    """None where there is no board to lay actions on, as in Graph Clobber."""

    @property
    def actions(self) -> int:
        """A: how many actions there are, legal or not."""
        return len(self.places)

    @property
    def input_shape(self) -> tuple[int, int, int]:
        """P, R, C."""
        return self.planes, self.rows, self.cols


def signature_of(game: Game, encoding: str = "own") -> Signature:
    """The signature of a game whose positions are encoded that way."""
    planes = count_planes(game, encoding)
    rows, cols = shape(game)
    space = action_space(game)
    if not has_board(game):
        return Signature(planes, rows, cols, np.arange(space.size), None)
    layout = _layout(space)
    return Signature(planes, rows, cols, places_on(space, layout, rows, cols), layout)


def cazenave_signature(rows: int, cols: int) -> Signature:
    """Go as cazenave's networks see it: 21 planes, one action for each cell and no pass."""
    return Signature(GOLOIS_PLANES, rows, cols, np.arange(rows * cols), Layout(((),)))


def places_on(space: ActionSpace, layout: Layout, rows: int, cols: int) -> npt.NDArray[np.int64]:
    """Where each action stands when its board lies in the corner of one of `rows` x `cols`."""
    if layout.by_column:
        rows = 1  # the head has put each column together
    places, passes = [], 0
    for action in range(space.size):
        points = space.points(action)
        if points:
            row, col = points[0]
            plane = layout.kinds.index(_kind(points))
            places.append((plane * rows + row) * cols + col)
        else:
            places.append(len(layout.kinds) * rows * cols + passes)
            passes += 1
    return np.array(places, np.int64)


def _layout(space: ActionSpace) -> Layout:
    kinds, passes = set(), 0
    for action in range(space.size):
        points = space.points(action)
        if points:
            kinds.add(_kind(points))
        else:
            passes += 1
    return Layout(tuple(sorted(kinds, key=_order)), passes, isinstance(space, Columns))


def _kind(points: tuple[Point, ...]) -> Kind:
    row, col = points[0]
    return tuple((to_row - row, to_col - col) for to_row, to_col in points[1:])


def _order(kind: Kind) -> tuple[int, Kind]:
    """Steps in the order in which the rules have them, then anything else."""
    is_step = len(kind) == 1 and kind[0] in DIRECTIONS
    return (DIRECTIONS.index(kind[0]) if is_step else len(DIRECTIONS)), kind
