import pytest

from zerolab.games.base import GameError, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import legal_list, parse_position
from zerolab.games.solitaire import Solitaire, stones_left
from zerolab.kernels.rng import stream
from zerolab.solver import fewest_stones as solitaire
from zerolab.solver.fewest_stones import solve_solitaire

QUICK = [
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (3, 3),
    (2, 6),
    (3, 4),
    (2, 7),
    (4, 4),
    (3, 5),
    (2, 8),
    (4, 5),
]


@pytest.mark.parametrize(("rows", "cols"), QUICK)
@pytest.mark.parametrize("alternate", [True, False])
def test_one_stone_unless_three_divides_the_board(rows, cols, alternate):
    # Demaine, Demaine & Fleischer 2004: a chequered board (both sides at least 2) reduces to one
    # stone if 3 does not divide its cells, else to two.
    game = Solitaire(rows, cols, alternate)
    state = initial_state(game, stream(0))
    solution = solve_solitaire(game, state)
    assert solution.stones == (2 if rows * cols % 3 == 0 else 1)
    for action in solution.line:
        assert action in legal_list(game, state)
        step(game, state, action)
    assert legal_list(game, state) == []
    assert stones_left(game, state) == solution.stones


def fewest(game, state):
    """The twin: every line of play."""
    legal = legal_list(game, state)
    if not legal:
        return stones_left(game, state)
    results = []
    for action in legal:
        after = state.copy()
        step(game, after, action)
        results.append(fewest(game, after))
    return min(results)


@pytest.mark.parametrize("alternate", [True, False])
@pytest.mark.parametrize(
    "text", ["xo|ox", "xx|oo", "xoo|oxx", "xox|oo.", "xxo|.ox", "x.o", "xxxooo"]
)
def test_agrees_with_trying_everything(text, alternate):
    lines = text.split("|")
    game = Solitaire(len(lines), len(lines[0]), alternate)
    for player in (0, 1) if alternate else (0,):
        state = parse_position(game, text, player)
        assert solve_solitaire(game, state).stones == fewest(game, state)


def test_a_small_table_is_replaced_by_a_larger_one(monkeypatch):
    game = Solitaire(3, 4)
    state = initial_state(game, stream(0))
    expected = solve_solitaire(game, state)
    monkeypatch.setattr(solitaire, "SMALLEST_TABLE", 64)
    monkeypatch.setattr(solitaire, "STEPS_PER_CALL", 100)
    assert solve_solitaire(game, state) == expected


def test_too_large_is_said(monkeypatch):
    with pytest.raises(GameError, match="at most 31 cells"):
        solve_solitaire(Solitaire(4, 8), initial_state(Solitaire(4, 8), stream(0)))
    monkeypatch.setattr(solitaire, "SMALLEST_TABLE", 64)
    monkeypatch.setattr(solitaire, "LARGEST_TABLE", 64)
    with pytest.raises(GameError, match="too many to solve"):
        solve_solitaire(Solitaire(3, 4), initial_state(Solitaire(3, 4), stream(0)))
