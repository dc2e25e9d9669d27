import ctypes
import gc
import math
import sys

import numpy as np
import pytest
from pydantic import ValidationError

from tests.clocks import ticking
from tests.games.drawn import play
from tests.search.evaluators import one_by_one, scrambled, uniform
from tests.search.test_uct import solve
from tests.search.twins import puct_choice, puct_twin
from zerolab.encodings.views import encode_states, make_view, planes_of
from zerolab.errors import UsageError
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.notation import legal_list, parse_move, parse_position
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.batched import batched_search
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.search.batched.tree import NODES, tree_at
from zerolab.search.proofs import NO_NODE, ROOT, UNPROVEN
from zerolab.solver.exact_leaves import NO_ORACLE

GAMES = [
    Clobber(3, 4),
    Clobber(9, 8),
    Othello(4, 4),
    Othello(5, 5),
    ConnectFour(4, 5),
    Solitaire(3, 3),
]


def run(
    game, states, batch=None, evaluate=None, explores=False, oracle=NO_ORACLE, seed=1, **config
):
    """Search each state in a slot of its own."""
    search = BatchedSearch(
        game,
        SearchConfig(**{"max_simulations": 60, "cache_size": 256, **config}),
        batch or len(states),
        evaluate or scrambled(game),
        seed,
        oracle,
    )
    for slot, state in enumerate(states):
        search.start(slot, state, explores=explores)
    search.run()
    return search


def positions(game, count, seed=0):
    """Positions at different plies of random games."""
    draw = np.random.default_rng(seed)
    found = []
    for index in range(count):
        state = initial_state(game, stream(0))
        for _ in range(index % 5):
            legal = legal_list(game, state)
            if len(legal) > 1:
                step(game, state, int(draw.choice(legal)))
        found.append(state)
    return found


def assert_same(tree, node, twin):
    """Visits, totals and proofs agree, node for node."""
    assert tree.visits[node] == twin.visits
    assert tree.total[node] == pytest.approx(twin.total, abs=1e-9)
    assert tree.proven[node] == (UNPROVEN if twin.proven is None else twin.proven)
    if twin.visits == 0 or not twin.edges:
        return
    first = tree.first_edge[node]
    assert [int(a) for a in tree.action[first : first + tree.num_edges[node]]] == list(twin.edges)
    for offset, edge in enumerate(twin.edges.values()):
        assert tree.edge_visits[first + offset] == edge.visits
        child = tree.child[first + offset]
        assert (child == NO_NODE) == (edge.child is None)
        if edge.child is not None:
            assert_same(tree, child, edge.child)


@pytest.mark.parametrize("urgency", [None, 0.2])
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_agrees_with_the_recursive_twin_node_for_node(game, urgency):
    states = positions(game, 5)
    search = run(game, states, uct_c=1.5, urgency=urgency)
    for slot, state in enumerate(states):
        choose = puct_choice(1.5, urgency)
        twin = puct_twin(game, state.copy(), 60, choose, one_by_one(scrambled(game)))
        assert_same(tree_at(search.trees, slot), ROOT, twin)


@pytest.mark.parametrize(("ticks", "simulations"), [(0, 2), (1, 2), (3, 2), (4, 3), (9, 8)])
def test_by_time_a_search_is_one_with_as_many_simulations_as_there_were_rounds(ticks, simulations):
    """The clock is read once before the first round and once before each; two are made anyway."""
    game = Clobber(9, 8)
    states = positions(game, 3)
    config = SearchConfig(max_simulations=60, cache_size=0, uct_c=1.5)
    search = BatchedSearch(game, config, 3, scrambled(game))
    for _ in range(2):  # also after a search that was cut short
        for slot, state in enumerate(states):
            search.start(slot, state, explores=False)
        search.run_for(ticks / 64, ticking(1 / 64))
    assert (search.slots.simulations == 0).all()
    for slot, state in enumerate(states):
        evaluate = one_by_one(scrambled(game))
        twin = puct_twin(game, state.copy(), simulations, puct_choice(1.5, None), evaluate)
        tree = tree_at(search.trees, slot)
        assert_same(tree, ROOT, twin)
        edges = [edge.visits for edge in twin.edges.values()]
        assert search.result(slot).visits.sum() == sum(edges) == simulations - 1


def test_without_time_the_move_of_the_network_is_played():
    game = Clobber(9, 8)
    search = BatchedSearch(game, SearchConfig(), 1, scrambled(game))
    for state in positions(game, 5):
        search.start(0, state, explores=False)
        search.run_for(0.0, lambda: 0.0)
        logits, _ = one_by_one(scrambled(game))(game, state)
        assert search.choose(0) == max(legal_list(game, state), key=lambda action: logits[action])


def test_a_search_that_is_complete_does_not_wait_for_the_clock():
    game = Clobber(3, 3)
    ended = parse_position(game, "xo.|...|...")  # one move, which wins
    search = BatchedSearch(game, SearchConfig(max_simulations=20), 3, uniform(game))
    search.start(0, ended)
    search.start(1, initial_state(game, stream(0)), 7, explores=False)
    search.run_for(1.0, lambda: 0.0)  # the third slot is not used
    assert search.result(0).proven
    assert search.trees.visits[1, ROOT] == 7


def test_by_time_the_clock_is_read_even_if_all_leaves_are_known(monkeypatch):
    monkeypatch.setattr(batched_search, "STRIDE", 10)
    game = Clobber(9, 8)
    calls = []

    def evaluate(planes):
        calls.append(len(planes))
        return scrambled(game)(planes)

    config = SearchConfig(max_simulations=200, cache_size=2**12)
    search = BatchedSearch(game, config, 1, evaluate)
    state = initial_state(game, stream(0))
    search.start(0, state, explores=False)
    search.run()
    count = len(calls)
    search.start(0, state, explores=False)
    search.run_for(4 / 64, ticking(1 / 64))
    assert search.trees.visits[0, ROOT] == 30
    assert len(calls) == count == 200


def test_two_simulations_by_hand():
    # xoo, Black to move: a1b1 is the only move. Then .xo, White: c1b1, the only move, and Black
    # has lost. Simulation 1 evaluates the root, 2 the position after a1b1, 3 reaches the end: for
    # White, to move before it, a win; for Black, at the root, a loss. All is proven.
    game = Clobber(1, 3)
    search = run(game, [parse_position(game, "xoo")], evaluate=uniform(game), max_simulations=10)
    tree = tree_at(search.trees, 0)
    assert list(tree.visits[:3]) == [3, 2, 1]
    assert list(tree.proven[:3]) == [-1.0, 1.0, -1.0]
    assert search.result(0).value == -1.0
    assert search.result(0).proven


def test_batch_elements_do_not_leak():
    game = Clobber(4, 4)
    states = positions(game, 6)
    together = run(game, states)
    for slot, state in enumerate(states):
        alone = run(game, [state])
        ours, theirs = together.result(slot), alone.result(0)
        assert np.array_equal(ours.visits, theirs.visits)
        assert ours.value == theirs.value
        # Each slot has visits on its own legal moves only.
        assert set(np.flatnonzero(ours.visits)) <= set(legal_list(game, state))


@pytest.mark.parametrize("gumbel", [False, True])
@pytest.mark.parametrize("text", ["xo.|.x.|..o", "xx.|oo.|...", "x..|.o.|...", "xox|.o.|..."])
def test_a_blind_search_converges_to_the_truth_on_tic_tac_toe(text, gumbel):
    game = Gobang(3, 3, 3)
    player = text.count("x") - text.count("o")
    state = parse_position(game, text, player)
    search = run(game, [state], evaluate=uniform(game), max_simulations=4000, gumbel=gumbel)
    result = search.result(0)
    assert result.value == pytest.approx(solve(game, state), abs=0.15)
    after = state.copy()
    step(game, after, search.choose(0))
    assert -solve(game, after) == solve(game, state)


@pytest.mark.parametrize("gumbel", [False, True])
def test_a_blind_search_proves_clobber_3x3(gumbel):
    game = Clobber(3, 3)
    state = initial_state(game, stream(0))
    search = run(game, [state], evaluate=uniform(game), max_simulations=5000, gumbel=gumbel)
    assert search.result(0).proven
    assert search.result(0).value == 1.0


def test_a_proven_win_is_the_whole_target():
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|....|ooo.|xxx.")
    search = run(game, [state])
    policy = search.result(0).policy
    assert policy[parse_move(game, state, "d")] == 1.0
    assert policy.sum() == 1.0
    assert search.choose(0, temperature=1.0) == parse_move(game, state, "d")


def test_a_proven_loss_gets_no_share():
    #   4 . . . .
    #   3 x . . .    x must drop into d, or o does and has four.
    #   2 x x . .    The evaluator likes all other moves better.
    #   1 o o o .
    game = ConnectFour(4, 4)
    state = parse_position(game, "....|x...|xx..|ooo.")
    block = parse_move(game, state, "d")

    def evaluate(planes):
        logits, values = uniform(game)(planes)
        logits[:, block] = -3
        return logits, values

    search = run(game, [state], evaluate=evaluate, max_simulations=1000)
    visits, policy = search.result(0).visits, search.result(0).policy
    assert (visits > 0).all()
    assert policy[block] == 1.0
    assert search.choose(0) == block


def test_targets_do_not_depend_on_the_temperature():
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    targets = []
    for temperature in (0.0, 0.5, 1.0, 10.0):
        search = run(game, [state], explores=True)
        search.choose(0, temperature)
        targets.append(search.result(0).policy)
        search.choose(0, temperature)
    assert all(np.array_equal(targets[0], target) for target in targets)


def test_temperature_shapes_the_choice():
    game = Clobber(4, 4)
    search = run(game, [initial_state(game, stream(0))], max_simulations=200)
    result = search.result(0)
    best = int(np.argmax(result.visits))
    assert {search.choose(0, 0.0) for _ in range(20)} == {best}
    draws = np.bincount([search.choose(0, 1.0) for _ in range(4000)], minlength=len(result.visits))
    assert draws / 4000 == pytest.approx(result.visits / result.visits.sum(), abs=0.03)
    cold = np.mean([search.choose(0, 0.2) == best for _ in range(500)])
    assert cold > draws[best] / 4000


def games_without_noise(game, drop, count=24):
    """The moves of several games at once, each from a stream of its own."""
    config = SearchConfig(
        max_simulations=12, policy_epsilon=0.0, temperature=1.0, temperature_drop=drop
    )
    search = BatchedSearch(game, config, count, scrambled(game), seed=1)
    moves = [[] for _ in range(count)]
    for slot in range(count):
        search.start(slot, initial_state(game, stream(0)))
    while (search.slots.simulations > 0).any():
        for slot in search.round():
            moves[slot].append(search.choose_at(slot, ply=len(moves[slot])))
            search.advance(slot, moves[slot][-1])
            if search.is_over(slot):
                search.slots.simulations[slot] = 0
    return {tuple(line) for line in moves}


def test_after_the_temperature_drop_games_are_the_same():
    """With no noise only the temperature makes games differ, before its drop and never after."""
    game = Clobber(3, 4)
    assert len(games_without_noise(game, drop=0)) == 1
    for drop in (1, 2, 3):
        games = games_without_noise(game, drop)
        starts = {line[:drop] for line in games}
        assert len(games) == len(starts) > len({line[: drop - 1] for line in games})


def test_the_temperature_of_the_settings_is_used():
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    for temperature in (0.1, 1.0, 100.0):
        search = run(game, [state], max_simulations=200, temperature=temperature)
        weights = (search.result(0).visits / 200) ** (1 / temperature)
        draws = [search.choose_at(0, ply=0) for _ in range(1000)]
        shares = np.bincount(draws, minlength=len(weights)) / 1000
        assert shares == pytest.approx(weights / weights.sum(), abs=0.05)


def test_memory_does_not_grow():
    """Thousands of moves of self-play leave no more memory in use than there was before.

    What is counted is memory in use, in Python and in C: unlike the size of the process it does not
    depend on when pages are given back. Threads of other tests may allocate now and then; a leak
    shows in every round.
    """
    game = Clobber(4, 4)
    start = initial_state(game, stream(0))
    config = SearchConfig(max_simulations=10, cache_size=64, reuse=True)
    search = BatchedSearch(game, config, 16, uniform(game), 1)
    for slot in range(16):
        search.start(slot, start)

    def play(moves):
        while moves > 0:
            for slot in search.round():
                search.result(slot)
                search.advance(slot, search.choose(slot, 1.0))
                moves -= 1
                if search.is_over(slot):
                    search.start(slot, start)

    moves = 2000
    play(moves)
    grown = []
    for _ in range(5):
        blocks, size = memory_in_use()
        play(moves)
        more_blocks, more_size = memory_in_use()
        grown.append((more_blocks - blocks, more_size - size))
    assert min(blocks for blocks, _ in grown) < moves / 10
    assert min(size for _, size in grown) < 8 * moves


class MallInfo(ctypes.Structure):
    """What glibc's mallinfo2 returns."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    ]  # fmt: skip


def memory_in_use():
    """Blocks that Python has in use, and bytes that C has; 0 bytes where nobody says."""
    gc.collect()
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(libc, "mallinfo2"):
        return sys.getallocatedblocks(), 0
    libc.mallinfo2.restype = MallInfo
    info = libc.mallinfo2()
    return sys.getallocatedblocks(), info.uordblks + info.hblkhd


def test_forced_playouts_visit_more_and_are_pruned_again():
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    forced = run(game, [state], explores=True, max_simulations=300, uct_c=0.5, forced_playouts=2.0)
    tree = tree_at(forced.trees, 0)
    count = tree.num_edges[ROOT]
    visits, priors = tree.edge_visits[:count], tree.prior[:count]
    # Once tried, a move has nearly its forced share: sqrt(2 P N) as of its last visits.
    tried = visits > 0
    assert (visits[tried] >= np.floor(np.sqrt(2 * priors[tried] * 250)) - 1).all()
    policy, raw = forced.result(0).policy, visits / visits.sum()
    best = int(tree.action[int(np.argmax(visits))])
    assert policy[best] > raw.max()
    assert policy.sum() == pytest.approx(1)
    assert np.count_nonzero(policy) < np.count_nonzero(visits)


def test_playout_cap_randomisation():
    game = Clobber(4, 4)
    states = [initial_state(game, stream(0))] * 400
    search = run(game, states, fast_simulations=5, full_share=0.25, explores=True)
    full = [search.result(slot).is_full for slot in range(400)]
    assert np.mean(full) == pytest.approx(0.25, abs=0.08)
    for slot in range(400):
        assert search.trees.visits[slot, ROOT] == (60 if full[slot] else 5)
    clean = run(game, states[:1], max_simulations=5)
    fast = full.index(False)
    assert np.array_equal(search.result(fast).visits, clean.result(0).visits)


def picture(tree, node):
    """All that is known of a node and what hangs on it, but for where it stands in memory."""
    fields = (tree.visits, tree.total, tree.value, tree.proven)
    edges = range(tree.first_edge[node], tree.first_edge[node] + tree.num_edges[node])
    of_edges = (
        tree.action, tree.logit, tree.prior, tree.edge_visits, tree.edge_total, tree.exact,
    )  # fmt: skip
    return (
        tree.states[node].tolist(),
        [float(field[node]) for field in fields],
        [[float(field[edge]) for field in of_edges] for edge in edges],
        [
            None if tree.child[edge] == NO_NODE else picture(tree, tree.child[edge])
            for edge in edges
        ],
    )


@pytest.mark.parametrize(
    "game", [Clobber(3, 4), Clobber(4, 4), ConnectFour(4, 5), Othello(4, 4)], ids=str
)
def test_reuse_keeps_the_subtree(game):
    search = run(game, [initial_state(game, stream(0))], reuse=True, max_simulations=150)
    tree = tree_at(search.trees, 0)
    action = search.choose(0)
    edge = next(e for e in range(tree.num_edges[ROOT]) if tree.action[e] == action)
    before = picture(tree, tree.child[edge])
    if game == Clobber(3, 4):  # proofs are kept too
        assert (tree.exact[: tree.used[1]] == 1.0).any()
    search.advance(0, action, explores=False)
    after = picture(tree, ROOT)
    # The priors of the root are made anew, and may differ in the last bit.
    for kept, old in zip(after[2], before[2], strict=True):
        assert kept == pytest.approx(old, rel=1e-6)
    assert (after[0], after[1], after[3]) == (before[0], before[1], before[3])
    search.run()
    assert tree.visits[ROOT] == 150 or tree.proven[ROOT] != UNPROVEN


@pytest.mark.parametrize("seed", range(10))
def test_a_tree_has_no_more_nodes_than_visits(seed):
    """Also if moves are made while searches are under way, and their trees are kept.

    A leaf that waits for its evaluation then has no visit yet. The root's noise is new after each
    move, so the next search need not come to that leaf again.
    """
    game = ConnectFour(6, 7)
    # There is room for more, so that a tree that is too large is noticed and destroys nothing.
    config = SearchConfig(max_simulations=200, cache_size=64, reuse=True, policy_epsilon=1.0)
    search = BatchedSearch(game, config, 1, scrambled(game), seed)
    tree = tree_at(search.trees, 0)
    draw = np.random.default_rng(seed)
    search.start(0, initial_state(game, stream(0)), simulations=40)
    for _ in range(12):
        for _ in range(draw.integers(5, 30)):
            search.round()
        if search.slots.pending[0] in (NO_NODE, ROOT):
            break
        assert tree.used[NODES] <= tree.visits[ROOT] + 1  # and the leaf that waits
        search.advance(0, int(tree.action[tree.path_edges[0]]), simulations=40)
    search.run()
    assert tree.used[NODES] <= tree.visits[ROOT] <= 40


@pytest.mark.parametrize("config", [{}, {"gumbel": True, "reuse": True}], ids=str)
def test_advance_without_reuse_is_a_new_search(config):
    # Sequential halving counts visits from 0, so with Gumbel nothing is kept in any case.
    game = Clobber(4, 4)
    state = initial_state(game, stream(0))
    search = run(game, [state], **config)
    action = search.choose(0)
    search.advance(0, action, explores=False)
    tree = tree_at(search.trees, 0)
    assert (tree.visits[ROOT], tree.used[0]) == (0, 1)
    search.run()
    step(game, state, action)
    assert np.array_equal(search.result(0).visits, run(game, [state], **config).result(0).visits)


def test_rounds_keep_the_batch_full():
    """Games at different plies, finished ones replaced at once: every call has a full batch."""
    game = Clobber(4, 4)
    sizes = []

    def evaluate(planes):
        sizes.append(len(planes))
        return scrambled(game)(planes)

    start = initial_state(game, stream(0))
    search = BatchedSearch(game, SearchConfig(max_simulations=20, cache_size=4), 16, evaluate, 1)
    for slot in range(16):
        search.start(slot, start)
    games = 0
    while games < 20:
        for slot in search.round():
            search.advance(slot, search.choose(slot, 1.0))
            if search.trees.num_edges[slot, ROOT] == 0:
                search.start(slot, start)
                games += 1
    assert np.mean(sizes) > 14


def test_the_same_seed_gives_the_same_result():
    game = Clobber(4, 4)
    states = positions(game, 4)
    first, again, other = (run(game, states, explores=True, seed=seed) for seed in (1, 1, 2))
    assert all(
        np.array_equal(first.result(slot).policy, again.result(slot).policy) for slot in range(4)
    )
    assert any(
        not np.array_equal(first.result(slot).policy, other.result(slot).policy)
        for slot in range(4)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_simulations": 0},
        {"uct_c": -1},
        {"policy_epsilon": 2},
        {"policy_alpha": 0},
        {"full_share": 0},
        {"simulations": 100},
        {"encoding": "fourth"},
    ],
)
def test_impossible_values_fail_at_once(wrong):
    with pytest.raises(ValidationError):
        SearchConfig(**wrong)


def test_the_network_sees_components():
    game = Clobber(4, 5)
    states = [initial_state(game, stream(0)), parse_position(game, "xo.xx|o...o|oxo.x|..xoo", 1)]
    asked = []

    def evaluate(planes):
        asked.append(planes.copy())
        return uniform(game)(planes)

    run(game, states, evaluate=evaluate, encoding="components", cache_size=0)
    view = make_view(game, "components")
    expected = np.zeros((2, view.planes, 4, 5), np.float32)
    encode_states(view, lean(game), np.stack(states), expected)
    np.testing.assert_array_equal(asked[0], expected)
    assert {planes.shape[1:] for planes in asked} == {(7, 4, 5)}
    with pytest.raises(UsageError, match="components is for ordinary clobber"):
        run(Othello(4, 4), [], batch=1, encoding="components")


def test_the_network_sees_ladders_and_earlier_boards():
    game = Go(5, 5)
    state = play(game, ".....|.....|.xo..|..xx.|.....", "c4", "d3")
    asked = []

    def evaluate(planes):
        asked.append(planes.copy())
        return uniform(game)(planes)

    run(game, [state, state], evaluate=evaluate, encoding="golois", cache_size=0)
    expected = planes_of(game, state, "golois")
    np.testing.assert_array_equal(asked[0], np.stack([expected, expected]))
    assert expected[[1, 3]].any()  # there are ladders
    assert (expected[11:13] != expected[14:12:-1]).any()  # and there was a move


def test_a_diverged_network_is_noticed():
    game = Clobber(3, 3)

    def evaluate(planes):
        logits, values = uniform(game)(planes)
        logits[0, 0] = math.nan
        return logits, values

    with pytest.raises(ValueError, match="not finite: it has diverged"):
        run(game, positions(game, 1), evaluate=evaluate)


def test_a_network_of_the_wrong_shape_is_noticed():
    game = Clobber(3, 3)
    with pytest.raises(ValueError, match="expected \\(1, 36\\) and"):
        run(game, positions(game, 1), evaluate=lambda planes: (np.zeros((1, 5)), np.zeros((1, 1))))


def test_wrong_calls_are_refused():
    game = Clobber(3, 3)
    search = run(game, positions(game, 1))
    for call in (
        lambda: search.start(1, positions(game, 1)[0]),
        lambda: search.advance(0, 0 if 0 not in legal_list(game, positions(game, 1)[0]) else 2),
        lambda: search.start(0, positions(game, 1)[0], simulations=0),
        lambda: BatchedSearch(game, SearchConfig(), 0, uniform(game)),
    ):
        with pytest.raises(ValueError, match=r"slot|legal|not possible"):
            call()
    search.start(0, parse_position(game, "x..|...|..."))
    search.run()
    with pytest.raises(ValueError, match="no move to choose"):
        search.choose(0)


def test_gumbel_never_plays_a_proven_loss_while_others_are_open():
    game = Gobang(3, 3, 3)
    state = parse_position(game, "oo.|.x.|..x")
    for seed in range(40):
        search = run(
            game, [state], evaluate=uniform(game), seed=seed, explores=True,
            gumbel=True, max_simulations=16,
        )  # fmt: skip
        tree = tree_at(search.trees, 0)
        edge = list(tree.action[: tree.num_edges[ROOT]]).index(search.choose(0))
        assert tree.exact[edge] != -1.0 or tree.proven[ROOT] == -1.0
