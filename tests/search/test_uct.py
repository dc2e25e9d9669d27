import itertools
import math

import numpy as np
import pytest

from tests.search.twins import uct_twin
from zerolab.evaluation.matches.compiled_games import play_match
from zerolab.evaluation.players.players import make_player
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.notation import format_move, legal_list, parse_move, parse_position
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream
from zerolab.search.proofs import ROOT, UNPROVEN
from zerolab.search.uct import BYTES_PER_NODE
from zerolab.search.uct_search import UctSearch


def search(game, state, simulations, seed=1, **settings):
    found = UctSearch(game, **settings)
    found.set_position(state)
    found.run(stream(seed), simulations=simulations)
    return found


def assert_same(tree, node, twin):
    """Visits, totals and proofs agree, node for node."""
    assert tree.visits[node] == twin.visits
    if twin.visits == 0:
        return
    assert tree.total[node] == twin.total
    assert tree.proven[node] == (UNPROVEN if twin.proven is None else twin.proven)
    assert tree.num_children[node] == len(twin.children)
    for i, child in enumerate(twin.children):
        assert tree.action[tree.first_child[node] + i] == child.action
        assert_same(tree, tree.first_child[node] + i, child)


@pytest.mark.parametrize(
    ("game", "simulations", "rollouts"),
    [
        (Clobber(3, 3), 300, 1),
        (Clobber(9, 8), 200, 1),
        (Clobber(3, 4), 150, 3),
        (ConnectFour(4, 4, 3), 300, 1),
        (Gobang(3, 3, 3), 400, 2),
        (Othello(4, 4), 150, 1),
        (Solitaire(3, 3), 200, 1),
    ],
    ids=str,
)
def test_agrees_with_the_recursive_twin_node_for_node(game, simulations, rollouts):
    state = initial_state(game, stream(0))
    fast = search(game, state, simulations, c=1.3, rollouts=rollouts)
    twin = uct_twin(game, state, simulations, 1.3, rollouts, stream(1))
    assert_same(fast.tree, ROOT, twin)
    best = max(twin.children, key=lambda child: (child.proven or 0, child.visits, child.total))
    assert fast.best_action() == best.action


def test_three_simulations_by_hand():
    # xox: Black's two moves both win at once. Simulation 1 plays out from the root, where every
    # game is won: +1. Simulation 2 tries one move and finds it proven: the root is won.
    game = Clobber(1, 3)
    fast = search(game, parse_position(game, "xox"), 100)
    assert fast.simulations == 2
    tree = fast.tree
    assert tree.visits[ROOT] == 2
    assert tree.total[ROOT] == 2.0
    assert tree.proven[ROOT] == 1.0


def solve(game, state):
    """Negamax without any cleverness."""
    from zerolab.games.base import terminal_value

    legal = legal_list(game, state)
    if not legal:
        return terminal_value(game, state)
    best = -math.inf
    for action in legal:
        after = state.copy()
        step(game, after, action)
        best = max(best, -solve(game, after))
    return best


@pytest.mark.parametrize("text", ["...|...|...", "x..|.o.|...", "xo.|.x.|..o", "xx.|oo.|..."])
def test_proves_tic_tac_toe(text):
    # A proven draw is taken again while nothing looks better, so to prove that nothing is better
    # takes a lot of curiosity.
    game = Gobang(3, 3, 3)
    state = parse_position(game, text)
    analysis = search(game, state, 3_000_000, c=50.0).analyse()
    assert analysis.proven
    assert analysis.value == (solve(game, state) if "x" in text else 0)  # known; the twin is slow


@pytest.mark.parametrize("text", ["xox|oxo|xox", "xox|ox.|xoo", "oxo|xxo|.ox"])
@pytest.mark.parametrize("player", [0, 1])
def test_proves_clobber_3x3(text, player):
    game = Clobber(3, 3)
    state = parse_position(game, text, player)
    analysis = search(game, state, 50_000).analyse()
    assert analysis.proven
    assert analysis.value == solve(game, state)


def test_proves_connect_four_near_the_end():
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|o..x|xxoo|oxox")
    analysis = search(game, state, 100_000).analyse()
    assert analysis.proven
    assert analysis.value == solve(game, state)


def test_the_same_seed_gives_the_same_tree_and_another_seed_another():
    game = Clobber(4, 5)
    state = initial_state(game, stream(0))
    first, again, other = (search(game, state, 500, seed=seed).analyse() for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_more_simulations_win():
    result = play_match(Clobber(5, 5), make_player("mcts:400"), make_player("mcts:20"), 60, seed=1)
    assert result.black_score > 0.7
    result = play_match(Clobber(5, 5), make_player("mcts:20"), make_player("mcts:400"), 60, seed=1)
    assert result.black_score < 0.3


def test_a_full_tree_goes_on_learning():
    game = Clobber(5, 5)
    fast = search(game, initial_state(game, stream(0)), 3000, memory=200 * BYTES_PER_NODE)
    assert fast.tree.size[0] <= 200
    assert fast.tree.visits[ROOT] == 3000


def test_memory_is_a_limit():
    game = Clobber(5, 5)
    fast = UctSearch(game, memory=5000 * BYTES_PER_NODE)
    fast.set_position(initial_state(game, stream(0)))
    done = fast.run(stream(1))
    assert done > 0
    assert 4000 < fast.tree.size[0] <= 5000


@pytest.mark.parametrize(
    ("tick", "simulations"),
    [
        (1 / 64, 4 * 256),
        (1 / 256, 256 + 512 + 1024 + 2048),  # chunks that take less than 10 ms are doubled
        (1 / 16, 256 + 128 + 64 + 32),  # those that take more than 40 ms are halved
    ],
)
def test_time_is_a_limit(monkeypatch, tick, simulations):
    # The clock goes on by a tick whenever somebody looks at it: before the search, and before and
    # after each chunk of simulations. So a chunk takes a tick, and there are four in eight ticks.
    clock = itertools.count()
    monkeypatch.setattr("zerolab.search.uct_search.time.perf_counter", lambda: next(clock) * tick)
    game = Clobber(8, 8)
    fast = UctSearch(game)
    fast.set_position(initial_state(game, stream(0)))
    assert fast.run(stream(1), seconds=8 * tick) == simulations
    assert fast.run(stream(1), seconds=0.0) == 0
    assert fast.tree.visits[ROOT] == fast.simulations == simulations


def test_one_move_needs_no_search():
    game = Clobber(1, 2)
    assert search(game, parse_position(game, "xo"), 1000).simulations <= 2


def test_a_finished_game_has_no_candidates():
    game = Clobber(1, 2)
    analysis = search(game, parse_position(game, "x."), 10).analyse()
    assert analysis.candidates == []
    assert analysis.proven
    assert analysis.value == -1


def subtree(tree, node):
    """A subtree as nested tuples."""
    if tree.visits[node] == 0:
        return int(tree.action[node])
    first, count = tree.first_child[node], tree.num_children[node]
    children = tuple(subtree(tree, child) for child in range(first, first + count))
    return int(tree.action[node]), int(tree.visits[node]), float(tree.total[node]), children


@pytest.mark.parametrize("game", [Clobber(3, 4), ConnectFour(4, 5)], ids=str)
def test_reuse_keeps_the_subtree_and_nothing_else(game):
    state = initial_state(game, stream(0))
    fast = search(game, state, 2000)
    tree = fast.tree
    line = fast.analyse().candidates[0].line[:2]
    child = next(
        node
        for node in range(tree.first_child[ROOT], tree.first_child[ROOT] + tree.num_children[ROOT])
        if tree.action[node] == line[0]
    )
    grandchild = next(
        node
        for node in range(
            tree.first_child[child], tree.first_child[child] + tree.num_children[child]
        )
        if tree.action[node] == line[1]
    )
    before = subtree(tree, grandchild)
    for action in line:
        step(game, state, action)
    assert fast.set_position(state) == before[1]
    after = subtree(tree, ROOT)
    assert (after[1], after[2], after[3]) == (before[1], -before[2], before[3])
    assert tree.size[0] < 2000
    fast.run(stream(2), simulations=100)
    assert tree.visits[ROOT] == before[1] + 100 or fast.analyse().proven


def test_a_proven_position_stays_proven_when_it_becomes_the_root():
    # o threatens d1: any other move of x loses, and that is soon proven, for x who would make it.
    # After it o is to move, and has won; after o's winning move x is, and has lost.
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|x...|xx..|ooo.")
    fast = search(game, state, 2000)
    lost = next(each for each in fast.analyse().candidates if format_move(game, each.action) == "c")
    assert (lost.proven, lost.value) == (True, -1.0)
    step(game, state, lost.action)
    assert fast.set_position(state) == lost.visits
    assert (fast.analyse().proven, fast.analyse().value) == (True, 1.0)
    step(game, state, parse_move(game, state, "d"))
    assert fast.set_position(state) > 0
    assert (fast.analyse().proven, fast.analyse().value) == (True, -1.0)


def test_an_unrelated_position_starts_anew():
    game = Clobber(3, 4)
    fast = search(game, initial_state(game, stream(0)), 500)
    assert fast.set_position(parse_position(game, "x...|o...|....")) == 0
    assert fast.tree.size[0] == 1


def test_analysis_reads_the_tree():
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|....|ooo.|xxx.")
    analysis = search(game, state, 500).analyse()
    best = analysis.candidates[0]
    assert format_move(game, best.action) == "d"
    assert (best.value, best.proven) == (1.0, True)
    assert sum(candidate.share for candidate in analysis.candidates) == pytest.approx(1)
    assert parse_move(game, state, format_move(game, best.line[0])) == best.action


def test_agreement_with_open_spiel_on_what_is_proven():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("clobber(rows=3,columns=3)")
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 20_000, 1000, True, 1, False
    )
    root = bot.mcts_search(game.new_initial_state())
    ours = search(Clobber(3, 3), initial_state(Clobber(3, 3), stream(0)), 20_000).analyse()
    assert root.outcome[0] == 1 == ours.value  # 3x3 is a win for the first player
    assert np.isclose(root.outcome[1], -1)


def test_one_simulation_is_enough_for_a_legal_move():
    game = Clobber(3, 3)
    state = initial_state(game, stream(0))
    for seed in range(5):
        assert make_player("mcts:1").choose(Position(game, state), stream(seed)) in legal_list(
            game, state
        )
    assert search(game, state, 1).best_action() in legal_list(game, state)
