"""Gumbel search: numbers worked out by hand, a recursive twin, and mctx.

mctx is the search library of the authors of "Policy improvement by planning with Gumbel". Its tests
hold sequences of sequential halving and whole trees; facts from them are quoted here. Its settings
`maxvisit_init` and `value_scale` are our c_visit and half our c_scale where values in [-1, 1] are
not rescaled: we take values from 0 to 1.
"""

import math

import numpy as np
import pytest

from tests.search.batched.test_batched_search import assert_same, positions, run
from tests.search.evaluators import one_by_one, scrambled
from tests.search.threefry import evaluation, split
from tests.search.trees import bare_root, poisoned_tree
from tests.search.twins import gumbel_choice, gumbel_improved, gumbel_move, gumbel_value, puct_twin
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.notation import legal_list, num_actions
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import random_gumbel, stream
from zerolab.search.batched import tree as tree_module
from zerolab.search.batched.algorithm import Slots
from zerolab.search.batched.gumbel import (
    Gumbel,
    best_with_visits,
    halving_winner,
    improved_policy,
    improved_value,
    inner_edge,
    mixed_value,
    root_edge,
    value_scale,
    visits_of_considered,
)
from zerolab.search.batched.simulation import back_up, expand, select
from zerolab.search.batched.tree import plant, tree_at
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN

# The schedule of sequential halving.

# Moves considered, simulations, and the visits that the move of each simulation has so far, as in
# mctx's `seq_halving_test.py`: n x v is n simulations of moves with v visits.
MCTX_SCHEDULES = [
    (8, 24, "8x0 4x1 4x2 2x3 2x4 2x5 2x6"),
    (8, 47, "8x0 4x1 4x2 4x3 2x4 2x5 2x6 2x7 2x8 2x9 2x10 2x11 2x12 2x13 2x14 2x15 2x16 1x17"),
    (8, 2, "2x0"),
    (8, 13, "8x0 4x1 1x2"),
    (7, 24, "7x0 3x1 3x2 2x3 2x4 2x5 2x6 2x7 1x8"),
    (1, 16, "1x0 1x1 1x2 1x3 1x4 1x5 1x6 1x7 1x8 1x9 1x10 1x11 1x12 1x13 1x14 1x15"),
    # By hand: 16 moves, log2(16) = 4 phases of 200 / 4 = 50 simulations. 50 // 16 = 3 visits for
    # 16 moves, 50 // 8 = 6 for 8, 50 // 4 = 12 for 4, 50 // 2 = 25 for 2: 3, 9, 21 and 46 visits
    # in all, after 48, 96, 144 and 194 simulations; 6 are left for the last two moves.
    (16, 200, " ".join(
        f"{moves}x{visits}"
        for moves, begin, end in ((16, 0, 3), (8, 3, 9), (4, 9, 21), (2, 21, 49))
        for visits in range(begin, end)
    )),
    # ceil(log2(3)) = 2 phases: 10 // (2 * 3) = 1 visit for 3 moves, then 10 // (2 * 2) = 2 for 2,
    # and so on with 2.
    (3, 10, "3x0 2x1 2x2 2x3 1x4"),
    # 2 moves are the last phase from the beginning (mctx's `policies_test.py`: 9 visits and 8).
    (2, 17, "2x0 2x1 2x2 2x3 2x4 2x5 2x6 2x7 1x8"),
]  # fmt: skip


@pytest.mark.parametrize(("considered", "simulations", "schedule"), MCTX_SCHEDULES)
def test_the_schedule_of_sequential_halving(considered, simulations, schedule):
    expected = []
    for phase in schedule.split():
        moves, visits = map(int, phase.split("x"))
        expected += [visits] * moves
    assert len(expected) == simulations
    found = [visits_of_considered(considered, simulations, i) for i in range(simulations)]
    assert found == expected


# The mixed value, the transform, and the policies that come of them.


def test_the_mixed_value_of_mctx():
    # Its `qtransforms_test.py`: evaluation -0.8; of the moves with logits -1 and 2 each has 4
    # visits, means 30/54 and -10/54. Priors 1 / (1 + e^3) = 0.0474259 and 0.9525741.
    # Weighted mean 0.0474259 * 0.5555556 - 0.9525741 * 0.1851852 = -0.1500550.
    # (-0.8 + 8 * -0.1500550) / 9 = -0.2222711
    low = 1 / (1 + math.exp(3))
    tree = bare_root([low, 1 - low], [4, 4], [30 / 54, -10 / 54], value=-0.8)
    assert mixed_value(tree, ROOT) == pytest.approx(-0.2222711, abs=1e-6)


def test_the_mixed_value_without_visits_is_the_evaluation():
    assert mixed_value(bare_root([0.3, 0.7], [0, 0], [0, 0], value=-0.8), ROOT) == -0.8


# Three moves, the third not tried; evaluation 0.1. Weight of those tried 0.8, weighted mean
# (0.5 * 0.5 - 0.3 * 0.5) / 0.8 = 0.125, mixed value (0.1 + 3 * 0.125) / 4 = 0.11875.
PRIORS, VISITS, MEANS, VALUE, MIXED = [0.5, 0.3, 0.2], [2, 1, 0], [0.5, -0.5, 0], 0.1, 0.11875
# (10 + 2) * 0.25 = 3 for the most visited move with 2 visits.
GUMBEL = Gumbel(considered=3, c_visit=10.0, c_scale=0.25)
# Values from 0 to 1: 0.75, 0.25 and (1 + 0.11875) / 2 = 0.559375. Times 3, as exponents:
# 0.5 e^2.25 = 4.743868, 0.3 e^0.75 = 0.635100, 0.2 e^1.678125 = 1.071101; sum 6.450069.
IMPROVED = [0.735475, 0.098464, 0.166060]


def example():
    return bare_root(PRIORS, VISITS, MEANS, VALUE)


def test_the_mixed_value_weighs_by_policy_and_visits():
    assert mixed_value(example(), ROOT) == pytest.approx(MIXED, abs=1e-7)


def test_the_transform_grows_with_the_most_visits():
    assert value_scale(example(), ROOT, GUMBEL) == 3.0
    # The paper's settings, c_visit = 50 and c_scale = 1: (50 + 2) * 1.
    assert value_scale(example(), ROOT, Gumbel(16, 50.0, 1.0)) == 52.0


def test_the_policy_target_completes_the_values():
    policy = np.zeros(20)
    improved_policy(example(), GUMBEL, policy)
    assert policy[10:13] == pytest.approx(IMPROVED, abs=1e-5)
    assert policy.sum() == pytest.approx(1)


def test_long_searches_do_not_overflow():
    # (50 + 1000) * 0.75 = 787.5, whose exponential is no double. The other move has the mixed value
    # 1000 * 0.5 / 1001 = 0.4995005, less by 1050 * 0.00024975 = 0.262238: 1 / (1 + e^-0.262238).
    tree = bare_root([0.5, 0.5], [1000, 0], [0.5, 0])
    policy = np.zeros(20)
    improved_policy(tree, Gumbel(16, 50.0, 1.0), policy)
    assert policy[10:12] == pytest.approx([0.565186, 0.434814], abs=1e-4)


def test_the_value_of_the_root_is_that_of_the_policy_target():
    # 0.735475 * 0.5 - 0.098464 * 0.5 + 0.166060 * 0.11875 = 0.338225
    policy = np.zeros(20)
    policy[10:13] = IMPROVED
    assert improved_value(example(), policy) == pytest.approx(0.338225, abs=1e-5)


def test_a_proven_move_counts_with_its_exact_value():
    # The third move is proven to draw, though never tried in the search of this root: 0 instead of
    # the mixed value. 0.2 e^1.5 = 0.896338; sum 4.743868 + 0.635100 + 0.896338 = 6.275306.
    # A proven loss of the second: mean -1, weighted mean (0.25 - 0.3) / 0.8 = -0.0625, and its
    # exponent is 0: 0.3; sum 5.940206.
    tree = bare_root(PRIORS, VISITS, MEANS, VALUE, exact=[UNPROVEN, UNPROVEN, 0.0])
    policy = np.zeros(20)
    improved_policy(tree, GUMBEL, policy)
    assert policy[10:13] == pytest.approx([0.755958, 0.101206, 0.142836], abs=1e-5)
    tree = bare_root(PRIORS, VISITS, MEANS, VALUE, exact=[UNPROVEN, -1.0, 0.0])
    improved_policy(tree, GUMBEL, policy)
    assert policy[10:13] == pytest.approx([0.798603, 0.050503, 0.150894], abs=1e-5)
    assert mixed_value(tree, ROOT) == pytest.approx((0.1 + 3 * -0.0625) / 4, abs=1e-7)


def test_below_the_root_visits_follow_the_improved_policy():
    # Eq. 14: improved policy minus N(a) / (1 + sum N): 0.7355 - 2/4, 0.0985 - 1/4, 0.1661 - 0.
    # The first lags most, by 0.2355. (Divided by the sum alone it would be 0.0688.)
    assert inner_edge(example(), ROOT, GUMBEL) == 2
    # One visit more for it: mixed value (0.1 + 4 * 0.125) / 5 = 0.12, scale 13 / 4; 0.5 e^2.4375,
    # 0.3 e^0.8125 and 0.2 e^1.82 are 5.72220, 0.67606 and 1.23437, a policy of 0.7497, 0.0886 and
    # 0.1617. 0.7497 - 3/5 = 0.1497 is less than 0.1617.
    assert inner_edge(bare_root(PRIORS, [3, 1, 0], MEANS, VALUE), ROOT, GUMBEL) == 4


# At the root.


def test_the_draws_decide_among_moves_with_the_same_visits():
    # Without visits all moves have the same value, so draw plus logit decides:
    # ln 0.5 = -0.69, ln 0.3 = -1.20, ln 0.2 = -1.61.
    tree = bare_root(PRIORS, [0, 0, 0], [0, 0, 0], VALUE)
    for draws, best in ([0, 0, 0], 2), ([0, 0.6, 0], 3), ([0, 0.6, 1.1], 4), ([0.3, 0.6, 1.1], 2):
        assert best_with_visits(tree, np.array(draws, float), 0, GUMBEL) == best


def test_values_weigh_against_draws():
    # Of the moves with 2 visits: ln 0.5 + 3 * 0.5 = 0.8069 against ln 0.3 + 3 * 0.75 = 1.0460.
    # The third, with 1 visit, is out whatever its draw.
    tree = bare_root(PRIORS, [2, 2, 1], [0.0, 0.5, 1.0], VALUE)
    for draws, best in ([0, 0, 9], 3), ([0.23, 0, 9], 3), ([0.25, 0, 9], 2):
        gumbel = np.array(draws, float)
        assert best_with_visits(tree, gumbel, 2, GUMBEL) == best
        assert halving_winner(tree, gumbel, GUMBEL) == best


def test_a_simulation_tries_the_best_move_of_its_phase():
    # 3 moves and 10 simulations, as above: 3x0 2x1 2x2 2x3 1x4. The draws rank moves as 4, 3, 2.
    # The values are the same for all, and the number of the simulation is all that counts.
    gumbel = np.array([0.0, 1.0, 2.0])
    order = []
    for simulation in range(10):
        visits = [order.count(edge) for edge in (2, 3, 4)]
        tree = bare_root(PRIORS, visits, [0, 0, 0])
        order.append(root_edge(tree, gumbel, simulation, 10, GUMBEL))
    assert order == [4, 3, 2, 4, 3, 4, 3, 4, 3, 4]


def test_only_so_many_moves_are_considered():
    tree = bare_root([0.4, 0.3, 0.2, 0.1], [1, 1, 0, 0], [0, 0, 0, 0])
    two, four = (Gumbel(considered, 10.0, 0.25) for considered in (2, 4))
    # With two moves the third simulation begins the second visits, with four it tries a third.
    assert root_edge(tree, np.zeros(4), 2, 8, two) == 2
    assert root_edge(tree, np.zeros(4), 2, 8, four) == 4
    # There are never more than there are moves: 100 are 4, so the fifth simulation is a second
    # visit.
    tree = bare_root([0.4, 0.3, 0.2, 0.1], [1, 1, 1, 1], [0, 0, 0, 0])
    assert root_edge(tree, np.zeros(4), 4, 8, Gumbel(100, 10.0, 0.25)) == 2


def test_moves_that_are_ruled_out_leave_the_race():
    # The first would be next but is lost; the others, with other visits, go on.
    tree = bare_root(PRIORS, [1, 2, 0], [-1.0, 0.1, 0], exact=[-1.0, UNPROVEN, UNPROVEN])
    assert best_with_visits(tree, np.zeros(3), 1, GUMBEL) == 3
    assert best_with_visits(tree, np.array([0, 0, 9.0]), 1, GUMBEL) == 4


# The recursive twin.


@pytest.mark.parametrize("considered", [1, 3, 16])
@pytest.mark.parametrize(
    "game", [Clobber(3, 4), Othello(4, 4), ConnectFour(4, 5), Solitaire(3, 3)], ids=str
)
def test_agrees_with_the_recursive_twin_node_for_node(game, considered):
    states = positions(game, 5, seed=considered)
    evaluate = scrambled(game, seed=considered)
    settings = {"gumbel_considered": considered, "gumbel_c_visit": 4.0, "gumbel_c_scale": 0.7}
    search = run(game, states, evaluate=evaluate, explores=True, gumbel=True, **settings)
    for slot, state in enumerate(states):
        legal, rng = legal_list(game, state), stream(1, slot)
        draws = {action: random_gumbel(rng) for action in legal}
        choose = gumbel_choice(draws, 59, considered, 4.0, 0.7)
        twin = puct_twin(game, state.copy(), 60, choose, one_by_one(evaluate))
        assert_same(tree_at(search.trees, slot), ROOT, twin)
        improved = gumbel_improved(twin, 4.0, 0.7)
        policy = np.zeros(num_actions(game))
        policy[list(improved)] = list(improved.values())
        result = search.result(slot)
        np.testing.assert_allclose(result.policy, policy, rtol=1e-4, atol=1e-9)
        assert result.value == pytest.approx(gumbel_value(twin, improved), abs=1e-5)
        assert search.choose(slot) == gumbel_move(twin, draws, 4.0, 0.7)


def test_the_draws_are_only_for_exploration():
    game = Clobber(3, 4)
    states = positions(game, 1) * 3
    for seed in (1, 2):
        search = run(game, states, seed=seed, explores=False, gumbel=True)
        assert not search.slots.gumbels[:, : len(legal_list(game, states[0]))].any()
    search = run(game, states, explores=True, gumbel=True)
    assert len({search.slots.gumbels[slot, 0] for slot in range(3)}) == 3


# mctx's own tree.

# The tree of `test_data/gumbel_muzero_tree.json`: 82 moves at every node, 200 simulations after the
# root's, at most 16 moves considered, no draws, maxvisit_init 50, value_scale 0.5, players in turn.
# One word for each simulation: the node that it leaves the tree at, 0 being the root, and the move.
MCTX_TREE = """
0:2 0:37 0:14 0:17 0:11 0:5 0:65 0:38 0:19 0:56 0:75 0:59 0:27 0:63 0:15 0:33 10:59 11:0 4:56
6:80 12:27 1:30 7:7 15:62 8:6 16:2 2:64 13:40 3:38 5:75 14:39 9:61 6:57 16:38 13:38 18:33 21:10
7:65 3:10 22:45 17:0 19:28 24:21 25:57 27:28 9:29 5:7 14:61 33:38 16:54 36:18 40:6 42:27 3:14
38:39 21:11 50:6 3:52 1:80 33:7 18:25 53:67 38:7 21:65 60:81 59:67 50:16 4:35 58:4 63:49 51:51
21:17 65:31 69:22 59:18 68:14 11:67 50:41 12:38 70:20 73:22 74:25 36:57 75:42 68:38 50:5 79:14
38:38 65:63 39:0 83:35 59:54 76:16 50:42 79:20 70:51 65:48 39:9 92:30 83:37 60:70 39:69 99:33
18:10 89:45 102:15 99:3 104:40 89:70 102:33 107:32 104:14 82:32 65:52 107:10 112:63 102:36
114:51 115:67 104:59 117:18 109:34 104:53 92:61 121:78 122:70 116:67 99:55 126:58 125:18 112:34
119:31 121:63 81:78 131:62 84:22 130:25 126:19 131:41 59:71 117:69 108:64 109:50 115:4 141:50
143:20 125:30 146:38 148:71 125:60 143:37 150:44 152:28 151:43 153:72 109:13 156:70 117:76
157:62 158:10 156:5 158:22 159:48 162:41 157:60 162:79 159:41 164:65 167:77 164:40 164:75 109:5
172:22 152:31 151:22 117:49 138:48 125:48 167:12 137:9 180:19 138:41 122:69 171:77 109:10 155:81
150:47 118:56 114:77 184:54 188:36 184:56 191:10 147:7 118:24 145:33 191:68 196:40 195:46 162:18
"""
MCTX_ROOT_VALUE = 0.05357552
MCTX_MOVES = 82


def test_the_tree_of_mctx_simulation_by_simulation(monkeypatch):
    # The game is all keys: a state is the turn and a key, and a move leads to the key's child.
    def follow(game, state, action):
        state[0] ^= np.uint64(1)
        state[1:] = split(state[1:].astype(np.uint32), MCTX_MOVES)[action]

    def all_moves(game, state, actions):
        actions[:] = range(MCTX_MOVES)
        return MCTX_MOVES

    monkeypatch.setattr(tree_module, "step", follow)
    monkeypatch.setattr(tree_module, "legal_actions", all_moves)
    simulations, moves = 201, np.arange(MCTX_MOVES)
    algorithm = Gumbel(16, 50.0, 1.0)
    slots = Slots(
        simulations=np.array([simulations]), explores=np.zeros(1, bool), pending=None, depth=None,
        row=None, finished=None, gumbels=np.zeros((1, MCTX_MOVES)), streams=None,
    )  # fmt: skip
    tree = poisoned_tree(simulations, simulations * MCTX_MOVES, words=3, depth=50)
    plant(None, tree, np.zeros(3, np.uint64), moves.copy())
    found = []
    for _ in range(simulations):
        leaf, depth = select(None, tree, algorithm, slots, 0, moves.copy())
        if leaf != ROOT:
            edge = tree.path_edges[depth - 1]
            found.append(f"{tree.path_nodes[depth - 1]}:{tree.action[edge]}")
        logits, value = evaluation(tree.states[leaf, 1:].astype(np.uint32), MCTX_MOVES)
        expand(tree, leaf, logits, value, moves)
        back_up(None, tree, leaf, depth, value)
    assert found == MCTX_TREE.split()
    assert tree.total[ROOT] / tree.visits[ROOT] == pytest.approx(MCTX_ROOT_VALUE, abs=1e-5)
    assert (tree.child[tree.edge_visits > 0] != NO_NODE).all()
