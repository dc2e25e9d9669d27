"""Go on the smallest boards, solved under positional superko over the whole game.

A game puts a stone at most once for each legal position, with at most one pass in between. So a
state that remembers twice as many boards as there are positions forgets nothing, and a limit of as
many plies changes nothing: the values are exact.
"""

import copy

import pytest

from tests.games.twins import OTHER, GoTwin
from zerolab.games.boards.stones import initial_state
from zerolab.games.go import Go
from zerolab.games.notation import parse_position
from zerolab.kernels.rng import stream
from zerolab.solver.alphabeta import Solver

POSITIONS = {(1, 2): 5, (1, 3): 15, (1, 4): 41, (1, 5): 113, (1, 6): 313, (2, 2): 57, (2, 3): 489}


def whole_game(rows: int, cols: int, half_komi: int) -> Go:
    """A game whose states forget nothing."""
    plies = 2 * POSITIONS[rows, cols] + 2
    return Go(rows, cols, half_komi, history=plies, limit=plies)


def result(game: Go, text: str | None = None) -> int | None:
    """1 if Black, who is to move, wins; 0 for a draw."""
    state = initial_state(game, stream(0)) if text is None else parse_position(game, text)
    return Solver(game, memory=2**24).value(state)


# Van der Werf & Winands, "Solving Go for rectangular boards", ICGA Journal 32(2), 2009, and, for
# 2x2, tromp.github.io/java/go/twoxtwo.html.
@pytest.mark.parametrize(
    ("rows", "cols", "points"),
    [
        (1, 2, 0),
        (1, 3, 3),
        (1, 4, 4),
        (1, 5, 0),
        (1, 6, 1),
        (2, 2, 1),
        pytest.param(2, 3, 0, marks=pytest.mark.slow),
    ],
)
def test_points_that_black_wins_by(rows: int, cols: int, points: int) -> None:
    assert result(whole_game(rows, cols, 2 * points)) == 0


def lead(twin: GoTwin, alpha: int, beta: int) -> int:
    """The points that the player to move of a slow twin wins by."""
    legal = twin.legal()
    if not legal:
        own, other = (twin.area(stone) for stone in (twin.player, OTHER[twin.player]))
        return own - other
    best = -len(twin.cells())
    for move in reversed(legal):  # passes first: they end games
        after = copy.deepcopy(twin)
        after.play(move)
        best = max(best, -lead(after, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


@pytest.mark.parametrize("text", ["x.o..", "o.x..", "x..o.", "o..x.", "o....", ".o...", "..o.."])
def test_trying_everything_gives_the_same(text: str) -> None:
    """Black moves, in a row of five."""
    points = lead(GoTwin(whole_game(1, 5, 0), text), -5, 5)
    assert points in (-5, 0, 5)
    assert result(whole_game(1, 5, max(0, 2 * points)), text) == min(0, points // 5)


@pytest.mark.parametrize(("half_komi", "expected"), [(17, 1), (18, 0), (19, -1)])
def test_three_by_three_in_22_plies(half_komi: int, expected: int) -> None:
    """Black wins by 9. Whole games are too many here."""
    assert result(Go(3, 3, half_komi, history=22, limit=22)) == expected
