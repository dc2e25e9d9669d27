import random

import numpy as np
import pytest

from tests.solver.clobber.test_sum_solver import random_text
from zerolab.errors import UsageError
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import parse_position
from zerolab.kernels.compiling import lean
from zerolab.solver.alphabeta import Solver
from zerolab.solver.clobber.sum_search import search
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.exact_leaves import (
    UNSETTLED,
    LeafSolver,
    NoOracle,
    affordable,
    make_oracle,
    settle,
    solve_leaf,
)


@pytest.mark.parametrize("game", [Clobber(4, 4), Clobber(3, 4, CANNIBAL)], ids=str)
def test_agrees_with_alpha_beta(game):
    rng = random.Random(4)
    texts = [random_text(rng, game.rows, game.cols, 0.7) for _ in range(40)]
    states = np.stack([parse_position(game, text, i % 2) for i, text in enumerate(texts)])
    solver = Solver(game, 10**7)
    values = LeafSolver(game, stones=16, nodes=10**6)(states)
    assert values.tolist() == [solver.value(state) for state in states]


def test_graphs():
    game = GraphClobber()
    state = parse_position(game, "xoxoxo")
    assert LeafSolver(game)(state[None]) == Solver(game, 10**6).value(state)


def test_only_live_stones_count():
    game = Clobber(4, 5)
    text = "xxxxx|xxxxx|.....|xo..o"
    state = parse_position(game, text)
    assert LeafSolver(game, stones=2)(state[None]) == 1
    assert np.isnan(LeafSolver(game, stones=1)(state[None]))[0]


def settles(game, rows, stones):
    """Whether leaves that hard are solved."""
    state = parse_position(game, "|".join(rows))
    return not np.isnan(LeafSolver(game, stones=stones, nodes=10**6)(state[None]))[0]


def test_a_component_is_as_hard_as_it_has_stones():
    game = Clobber(10, 10)
    rows = ["." * 10] * 4 + ["xoxo......", "oxoxo....."] + ["." * 10] * 4
    assert [settles(game, rows, stones) for stones in (8, 9)] == [False, True]


def test_small_components_add_nothing_and_others_what_they_have_beyond_eight():
    game = Clobber(10, 10)
    ten, six, twelve = ["xoxoxoxoxo"], ["oxoxox...."], ["xoxoxo....", "oxoxox...."]
    empty = ["." * 10]
    rows = ten + empty + six + empty + twelve + empty * 4
    # 8 + (10 - 8) + (12 - 8); the six are looked up.
    assert [settles(game, rows, stones) for stones in (13, 14)] == [False, True]
    turned = six + empty + twelve + empty + ten + empty * 4
    assert [settles(game, turned, stones) for stones in (13, 14)] == [False, True]


def test_which_components_are_small_can_be_said():
    """Two of nine stones: as hard as 8 + 1 + 1 where eight are looked up, as 9 where nine are."""
    game = Clobber(10, 10)
    rows = ["xoxoxoxox.", "." * 10, "oxoxoxoxo."] + ["." * 10] * 7
    state = parse_position(game, "|".join(rows))
    for small, stones in ((0, 10), (8, 10), (9, 9)):
        for limit, is_settled in ((stones - 1, False), (stones, True)):
            oracle = make_oracle(game, limit, 10**6, small)
            assert (solve_leaf(oracle, lean(game), state) != UNSETTLED) == is_settled


def test_many_small_components_agree_with_plain_enumeration():
    """Boards of one word and of two: pieces of 2 to 4 stones, 14 to 22 stones in all."""
    rng = random.Random(8)
    pieces = ("xo", "ox", "xxo", "oox", "xox", "oxo", "xoxo", "oxxo", "xxoo", "xxxo", "ooox")
    for size in (7, 10):
        game = Clobber(size, size)
        leaves, solver = LeafSolver(game, stones=4), Solver(game, 10**7)
        for number in range(20):
            rows = []
            for _ in range((size + 1) // 2):
                row = rng.choice(pieces)
                if len(row) + 4 <= size:
                    row += "." + rng.choice(pieces[:6])
                rows += [row.ljust(size, "."), "." * size]
            state = parse_position(game, "|".join(rows[:size]), number % 2)
            assert leaves(state[None]) == solver.value(state)


def test_more_stones_than_the_solver_holds_are_not_settled():
    """80 stones in 40 components, each of them looked up."""
    game = Clobber(16, 16)
    rows = ["xo.ox.xo.ox.xo..", "." * 16] * 8
    assert not settles(game, rows, 64)
    assert settles(game, rows[:12] + ["." * 16] * 4, 64)


@pytest.mark.parametrize(
    ("nodes", "budget"),
    [
        (0, (8, 5, 0)),
        (1, (8, 5, 0)),
        (100, (19, 500, 0)),  # 1.5^11 is 86, 1.5^12 130
        (2_000, (26, 10_000, 0)),  # 1.5^18 is 1,478, 1.5^19 2,217
        (10**12, (64, 5 * 10**12, 0)),  # no more than the solver holds
    ],
)
def test_what_is_affordable_grows_with_the_logarithm_of_nodes(nodes, budget):
    assert affordable(nodes) == budget


def test_too_many_nodes():
    game = Clobber(4, 5)
    state = parse_position(game, "xoxox|oxoxo|xoxox|oxoxo")
    assert np.isnan(LeafSolver(game, stones=20, nodes=1)(state[None]))[0]
    assert LeafSolver(game, stones=20, nodes=10**6)(state[None]) == 1


def test_boards_of_several_words():
    """The same stones at the far corners of a large board and on a small one."""
    rng = random.Random(6)
    large = Clobber(10, 10)
    leaves, solver = LeafSolver(large, stones=18), Solver(Clobber(3, 7), 10**7)
    for i in range(30):
        one, other = random_text(rng, 3, 3, 0.9), random_text(rng, 3, 3, 0.9)
        empty = ["." * 10]
        rows = [row + "......." for row in one.split("|")]
        rows += empty * 4 + ["......." + row for row in other.split("|")]
        pair = zip(one.split("|"), other.split("|"), strict=True)
        beside = "|".join(f"{left}.{right}" for left, right in pair)
        found = leaves(parse_position(large, "|".join(rows), i % 2)[None])
        assert found == solver.value(parse_position(solver.game, beside, i % 2))


def test_a_component_too_large_for_a_word():
    game = Clobber(10, 10)
    snake = ["x" * 9 + "o"] + ["........." + "x"] * 9
    assert np.isnan(LeafSolver(game, stones=100)(parse_position(game, "|".join(snake))[None]))[0]


def test_no_oracle_knows_nothing():
    game = Clobber(2, 2)
    assert settle(NoOracle(), game, parse_position(game, "xo|ox")) == UNSETTLED


def test_other_games_have_none():
    with pytest.raises(UsageError, match="clobber"):
        LeafSolver(ConnectFour())


def test_leaves_share_the_compiled_search_of_the_solver():
    """It takes half a minute to compile, and is kept on disk for both."""
    game = Clobber(2, 3)
    SumSolver(game, 2**20, threads=1).value(parse_position(game, "xox|oxo"))
    LeafSolver(game)(parse_position(game, "xox|oxo")[None])
    lands = [signature[0] for signature in search.signatures]
    assert len(set(lands)) == len(lands)
