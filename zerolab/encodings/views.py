"""The input of networks: the planes of a position, by the name of an encoding.

Kernels take a view and write planes with `encode_view`. A `PlainView` is one of the encodings that
every game has (stones.py). A `ComponentView` is for Clobber and also shows what the solver knows of
components: who wins each small one. Late positions are mostly sums of small components, whose
values networks learn slowly from stones alone (docs/training.md). A `GoloisView` is for Go and also
shows liberties, ladders and earlier boards (golois.py).
"""

from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from zerolab.encodings.golois import (
    GOLOIS_PLANES,
    GoloisView,
    check_golois,
    make_golois_view,
    write_golois_planes,
)
from zerolab.errors import UsageError
from zerolab.games.base import WHITE, Game, Planes, State, States, player_to_move, shape
from zerolab.games.boards.stones import EMPTY, ENCODINGS, encode, num_planes, stone_at
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.go import Go
from zerolab.kernels.compiling import generic, jitable, kernel, lean, rule, subroutine
from zerolab.solver.clobber.components import component_value, make_component_table
from zerolab.solver.clobber.shapes import (
    MAX_CELLS,
    ComponentTable,
    GridTopology,
    Methods,
    box_component,
    find_component,
)
from zerolab.solver.values.store import Values, is_at_least_zero, is_at_most_zero, make_values

Encoding = Literal["colours", "own", "components", "golois"]
COMPONENTS, GOLOIS = "components", "golois"

# Components of at most this many stones are rated. There are 803,498 of them, with 2,039 values, so
# no table gets full and a position has the same planes whatever was seen before. With one stone
# more there would be seven times as many.
RATED = 8
SHAPES, VALUES = 2**21, 2**12

# The planes of a component view, all for the player to move: own stones, the opponent's, dead
# stones, and the stones of rated components that are won by the player to move, by the opponent, by
# the player who begins in them, and by the player who does not.
OWN, OTHER, DEAD, WON, LOST, NEXT, PREVIOUS = range(7)
COMPONENT_PLANES = 7


class PlainView(NamedTuple):
    """An encoding that every game has."""

    planes: int
    """P."""
    encoding: int


class ComponentView(NamedTuple):
    """Stones, and who wins components. Threads must not share a view."""

    planes: int
    """P."""
    topology: GridTopology
    components: ComponentTable
    values: Values
    cells: npt.NDArray[np.int64]  # [2, R * C], scratch: cells seen, and those of a component


View = PlainView | ComponentView | GoloisView


def count_planes(game: Game, encoding: str) -> int:
    """P: the number of planes of an encoding; UsageError if the game has none of that name."""
    names = get_args(Encoding)
    if encoding not in names:
        raise UsageError(
            f"'{encoding}' is not an encoding; expected {', '.join(names[:-1])} or {names[-1]}"
        )
    if encoding == GOLOIS:
        check_golois(game)
        return GOLOIS_PLANES
    if encoding != COMPONENTS:
        return num_planes(game, ENCODINGS.index(encoding))
    if not isinstance(game, Clobber) or game.variant != NORMAL:
        raise UsageError("the encoding components is for ordinary clobber")
    return COMPONENT_PLANES


def make_view(game: Game, encoding: str) -> View:
    """The view of that name on positions of a game."""
    planes = count_planes(game, encoding)
    if encoding == GOLOIS:
        return make_golois_view(game)
    if encoding != COMPONENTS:
        return PlainView(planes, ENCODINGS.index(encoding))
    return ComponentView(
        planes,
        GridTopology(int(NORMAL), Methods()),
        make_component_table(SHAPES, np.zeros(MAX_CELLS, np.uint64), seed=0),
        make_values(VALUES),
        np.zeros((2, game.rows * game.cols), np.int64),
    )


@generic
def encode_view(view: View, game: Game, state: State, planes: Planes) -> None:
    """Write the planes of a position."""
    raise TypeError("this view binds no rule encode_view")


@rule(PlainView, "encode_view")
def encode_plainly(view: PlainView, game: Game, state: State, planes: Planes) -> None:
    """Write the planes of an encoding that every game has."""
    encode(game, state, view.encoding, planes)


@rule(ComponentView, "encode_view")
def encode_components(view: ComponentView, game: Clobber, state: State, planes: Planes) -> None:
    """Stones, and who wins components."""
    rate_components(view, game, state, planes)


@rule(GoloisView, "encode_view")
def encode_golois(view: GoloisView, game: Go, state: State, planes: Planes) -> None:
    """Liberties, ladders and the last five boards."""
    write_golois_planes(view, game, state, planes)


@subroutine
def rate_components(view: ComponentView, game: Clobber, state: State, planes: Planes) -> None:
    """Write the planes of stones and of rated components. Called, not inlined: it is large."""
    player = player_to_move(state)
    found = view.cells[1]
    for cell in range(game.rows * game.cols):
        row, col = cell // game.cols, cell % game.cols
        stone = stone_at(game, state, cell)
        for plane in range(COMPONENT_PLANES):
            planes[plane, row, col] = 0.0
        planes[OWN, row, col] = stone == player
        planes[OTHER, row, col] = stone == 1 - player
        view.cells[0, cell] = stone == EMPTY
    for start in range(game.rows * game.cols):
        if view.cells[0, start]:
            continue
        size = find_component(game, start, view.cells[0], found)
        is_dead = True
        for i in range(size):
            if stone_at(game, state, found[i]) != stone_at(game, state, start):
                is_dead = False
        outcome = PREVIOUS
        if not is_dead and size > RATED:
            continue
        if not is_dead:
            outcome = outcome_of(view, game, state, size)
        for i in range(size):
            row, col = found[i] // game.cols, found[i] % game.cols
            planes[DEAD, row, col] = is_dead
            planes[outcome, row, col] = 1.0


@jitable
def outcome_of(view: ComponentView, game: Clobber, state: State, size: int) -> int:
    """The plane of the component in the scratch, which says who wins it."""
    own, other, width, _ = box_component(game, state, view.cells[1], size)
    if player_to_move(state) == WHITE:
        own, other = other, own
    # The player to move is Left, who owns Black's stones.
    value = component_value(view.topology, view.components, view.values, own, other, width)
    if is_at_least_zero(view.values, value):  # the player to move wins if the opponent begins
        return PREVIOUS if is_at_most_zero(view.values, value) else WON
    return LOST if is_at_most_zero(view.values, value) else NEXT


@kernel
def encode_states(view: View, game: Game, states: States, planes: npt.NDArray[np.float32]) -> None:
    """Write the planes [n, P, R, C] of positions [n, words]."""
    for i in range(states.shape[0]):
        encode_view(view, game, states[i], planes[i])


def planes_of(game: Game, state: State, encoding: str) -> npt.NDArray[np.float32]:
    """The planes [P, R, C] of one position."""
    view = make_view(game, encoding)
    planes = np.zeros((1, view.planes, *shape(game)), np.float32)
    if isinstance(view, PlainView):  # not worth compiling for one position
        encode(game, state, view.encoding, planes[0])
    else:
        encode_states(view, lean(game), state[np.newaxis], planes)
    one: npt.NDArray[np.float32] = planes[0]
    return one
