import numpy as np
import pytest

from tests.search.test_uct import solve
from zerolab.errors import UsageError
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import format_move, legal_list, parse_position
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.views.solution_view import outcome_class
from zerolab.kernels.rng import stream
from zerolab.solver import alphabeta
from zerolab.solver.alphabeta import Solver
from zerolab.solver.solvers import move_values

SMALL = [
    Clobber(3, 3),
    Clobber(2, 5),
    Clobber(3, 3, CANNIBAL),
    Clobber(2, 4, IMPARTIAL),
    GraphClobber(),
    Othello(3, 3),
    Othello(4, 4),
    ConnectFour(3, 4, 3),
    ConnectFour(4, 4),
    Gobang(3, 3, 3),
    Gobang(3, 4, 3),
    Gobang(4, 4),
    Go(2, 2, half_komi=2, limit=6),
    Go(1, 4, half_komi=4, history=1, limit=7),
]


def late_positions(game, count):
    """Random positions with few moves left, so that the twin can try everything."""
    draw = np.random.default_rng(1)
    found = []
    while len(found) < count:
        state = initial_state(game, stream(0))
        line = [state.copy()]
        while legal := legal_list(game, state):
            step(game, state, int(draw.choice(legal)))
            line.append(state.copy())
        found.append(line[max(0, len(line) - int(draw.integers(2, 6)))])
    return found


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_agrees_with_trying_everything(game):
    solver = Solver(game, memory=10**6)
    for state in late_positions(game, 12):
        assert solver.value(state) == solve(game, state)
        assert move_values(solver, state) == {
            action: -solve(game, played(game, state, action)) for action in legal_list(game, state)
        }


def played(game, state, action):
    after = state.copy()
    step(game, after, action)
    return after


OUTCOMES = [
    *((2, n, "P" if n % 3 == 0 else "N") for n in range(2, 10)),
    *((3, n, "N" if n % 2 else "P") for n in range(3, 7)),
    (4, 4, "N"),
    (4, 5, "N"),
]


@pytest.mark.parametrize(("rows", "cols", "outcome"), OUTCOMES)
def test_outcomes_of_chequered_clobber(rows, cols, outcome):
    game = Clobber(rows, cols)
    text = "|".join("".join("xo"[(r + c) % 2] for c in range(cols)) for r in range(rows))
    solver = Solver(game, memory=10**8)
    values = {player: solver.value(parse_position(game, text, player)) for player in (0, 1)}
    assert outcome_class(values) == outcome


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Gobang(3, 3, 3), 0),
        (Gobang(4, 4, 3), 1),
        (Gobang(4, 4, 4), 0),
        (ConnectFour(4, 4), 0),
        (Gobang(5, 5, 4), 0),
        (ConnectFour(4, 5), 0),
        (ConnectFour(5, 5), 0),
        (Othello(4, 4), -1),
    ],
    ids=str,
)
def test_known_results(game, value):
    assert Solver(game).value(initial_state(game, stream(0))) == value


def test_a_tiny_table_is_slower_and_right():
    game = Clobber(3, 3)
    state = parse_position(game, "xox|oxo|xoo")
    small, large = Solver(game, memory=1), Solver(game)
    assert small.value(state) == large.value(state)
    assert small.nodes > large.nodes


def test_small_steps_change_nothing(monkeypatch):
    game = Clobber(3, 4)
    state = initial_state(game, stream(0))
    expected = Solver(game)
    expected.value(state)
    monkeypatch.setattr(alphabeta, "STEPS_PER_CALL", 7)
    seen = []
    again = Solver(game)
    assert again.value(state, seen.append) == -1
    assert again.nodes == expected.nodes == seen[-1].nodes
    assert len(seen) > 10


def test_a_budget_may_not_suffice():
    game = Clobber(5, 5)
    state = initial_state(game, stream(0))
    solver = Solver(game, memory=10**7)
    assert solver.value(state, max_nodes=1000) is None


def test_colours_and_symmetries_share_entries():
    # The second board is the first with the colours swapped, turned half round; White to move.
    game = Clobber(3, 4)
    solver = Solver(game)
    value = solver.value(parse_position(game, "xoxo|oxox|x.xo", player=0))
    before = solver.nodes
    assert solver.value(parse_position(game, "xo.o|oxox|xoxo", player=1)) == value
    assert solver.nodes == before + 1


def test_moves_that_refute_are_remembered():
    """Black wins at once with b1, the second of three columns: a cut-off among three moves."""
    game = ConnectFour(3, 3, 3)
    solver = Solver(game)
    assert solver.value(parse_position(game, "...|o.o|x.x", player=0)) == 1
    moves = {format_move(game, action): action for action in range(3)}
    assert solver.table.history[0, moves["b"]] == 3**2
    assert solver.table.history.sum() == 3**2


def test_moves_tell_the_winning_ones():
    #  x . .     o to move wins at once with c2; b1 stops x and leaves two threats.
    #  o o .
    #  x . x
    game = Gobang(3, 3, 3)
    values = move_values(Solver(game), parse_position(game, "x..|oo.|x.x", player=1))
    won = [format_move(game, action) for action, value in values.items() if value == 1]
    assert won == ["c2", "b1"]


def test_a_puzzle_is_for_another_solver():
    with pytest.raises(UsageError, match="two-player games"):
        Solver(Solitaire())
