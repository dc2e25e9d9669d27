"""Evaluations kept for later: the same results for less work."""

import itertools
import math

import numpy as np
import pytest

from tests.games.drawn import play
from tests.search.batched.test_batched_search import positions, run
from tests.search.evaluators import one_by_one, scrambled, uniform
from zerolab.games.base import WHITE
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.notation import (
    format_move,
    legal_list,
    num_actions,
    parse_position,
)
from zerolab.games.othello import Othello
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.search.batched.cache import (
    NO_ENTRY,
    WAYS,
    cache_statistics,
    clear_cache,
    find_entry,
    make_cache,
    new_entry,
)
from zerolab.search.batched.tree import tree_at
from zerolab.search.proofs import ROOT


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_cache_changes_nothing_but_the_work(symmetric):
    game = Clobber(3, 3)
    calls = []

    def symmetric_uniform(planes):
        calls.append(len(planes))
        return uniform(game)(planes)

    states = positions(game, 4)
    plain = run(game, states, evaluate=symmetric_uniform, cache_size=4)
    without = sum(calls)
    calls.clear()
    cached = run(
        game, states, evaluate=symmetric_uniform, cache_size=4096, cache_symmetric=symmetric
    )
    assert sum(calls) < without
    for slot in range(4):
        assert np.array_equal(plain.result(slot).visits, cached.result(slot).visits)
    statistics = cached.cache_statistics()
    assert statistics.misses == sum(calls) >= statistics.size > 0
    assert statistics.requests == statistics.hits + statistics.misses
    assert statistics.hit_rate == statistics.hits / statistics.requests


# Where a point of a square board with that many rows goes. Two of the eight are quarter turns, the
# only ones that are not their own inverse: they tell a symmetry from its inverse.
TURNS = {
    "as it is": lambda row, col, last: (row, col),
    "upside down": lambda row, col, last: (last - row, col),
    "mirrored": lambda row, col, last: (row, last - col),
    "half turn": lambda row, col, last: (last - row, last - col),
    "transposed": lambda row, col, last: (col, row),
    "quarter turn": lambda row, col, last: (col, last - row),
    "quarter turn back": lambda row, col, last: (last - col, row),
    "other diagonal": lambda row, col, last: (last - col, last - row),
}


def turned_text(text, turn):
    """A position on a square board, turned."""
    rows = text.split("|")
    last = len(rows) - 1
    after = [["?"] * len(rows) for _ in rows]
    for row, col in itertools.product(range(len(rows)), repeat=2):
        to_row, to_col = turn(row, col, last)
        after[to_row][to_col] = rows[row][col]
    return "|".join("".join(row) for row in after)


def turned_move(text, turn, last):
    """A move such as a3b3 or c1, turned: rows count from the top, their names from the bottom."""
    points = [text[i : i + 2] for i in range(0, len(text), 2)] if text != "pass" else []
    after = ""
    for column, name in points:
        row, col = turn(last - (int(name) - 1), ord(column) - ord("a"), last)
        after += f"{chr(ord('a') + col)}{last - row + 1}"
    return after or text


def poisoned_search(game, evaluate, batch=1, **config):
    """A search in whose memory nothing that was not written can be read without being noticed."""
    settings = SearchConfig(**{"max_simulations": 1, "cache_size": 64, **config})
    search = BatchedSearch(game, settings, batch, evaluate, seed=1)
    for array in (search.cache.logits, search.cache.values):
        array.fill(math.nan)
    search.cache.keys.fill(0xDEAD_BEEF_DEAD_BEEF)
    for array in (search.trees.logit, search.trees.prior, search.trees.value):
        array.fill(math.nan)
    return search


def evaluated(search, state, slot=0):
    """The logits of a position's moves, by name, and its value, as a search of it has them."""
    search.trees.logit.fill(math.nan)
    search.start(slot, state, explores=False)
    search.run()
    tree = tree_at(search.trees, slot)
    edges = range(tree.first_edge[ROOT], tree.first_edge[ROOT] + tree.num_edges[ROOT])
    moves = {
        format_move(search.game, int(tree.action[edge])): float(tree.logit[edge]) for edge in edges
    }
    return moves, float(tree.value[ROOT])


@pytest.mark.parametrize(
    ("game", "text"),
    [(Clobber(3, 3), "xoo|oxo|x.o"), (Othello(4, 4), "....|xoo.|xo..|..o.")],
    ids=["clobber", "othello"],
)
def test_what_one_position_writes_its_turned_images_read(game, text):
    # The network is not symmetric, so what is read says what was written. Both orders of all
    # pairs: what is stored is the least of eight forms, so each of the two may have to be turned.
    evaluate, last = scrambled(game), game.rows - 1
    moves = [format_move(game, action) for action in legal_list(game, parse_position(game, text))]
    for writes, reads in itertools.product(TURNS.values(), repeat=2):
        written = parse_position(game, turned_text(text, writes))
        read = parse_position(game, turned_text(text, reads))
        logits, value = one_by_one(evaluate)(game, written)
        search = poisoned_search(game, evaluate, cache_symmetric=True)
        own = {format_move(game, a): float(logits[a]) for a in legal_list(game, written)}
        assert evaluated(search, written) == (own, value)
        expected = {
            turned_move(move, reads, last): own[turned_move(move, writes, last)] for move in moves
        }
        assert len(expected) == len(own) > 2
        assert evaluated(search, read) == (expected, value)
        assert search.cache_statistics()[:3] == (1, 64, 1 / 64)
        assert (search.cache_statistics().requests, search.cache_statistics().hits) == (2, 1)


@pytest.mark.parametrize(
    ("game", "text", "mirrored"),
    [
        (Clobber(2, 3), "xoo|x.o", "oox|o.x"),
        (ConnectFour(4, 5), ".....|.....|o....|xx..o", ".....|.....|....o|o..xx"),
    ],
    ids=["clobber", "connect four"],
)
def test_mirrored_boards_that_are_not_square(game, text, mirrored):
    evaluate, names = scrambled(game), "abcde"[: game.cols]
    for written, read in ((text, mirrored), (mirrored, text)):
        search = poisoned_search(game, evaluate, cache_symmetric=True)
        first, value = evaluated(search, parse_position(game, written))
        table = str.maketrans(names, names[::-1])
        expected = {move.translate(table): logit for move, logit in first.items()}
        assert evaluated(search, parse_position(game, read)) == (expected, value)
        assert search.cache_statistics().hits == 1


def test_without_symmetry_images_are_strangers():
    game = Clobber(3, 3)
    evaluate = scrambled(game)
    search = poisoned_search(game, evaluate)
    for turn in TURNS.values():
        state = parse_position(game, turned_text("xoo|.x.|o.x", turn))
        logits, value = one_by_one(evaluate)(game, state)
        own = {format_move(game, a): float(logits[a]) for a in legal_list(game, state)}
        assert evaluated(search, state) == (own, value)
    assert (search.cache_statistics().hits, search.cache_statistics().size) == (0, 8)


def test_the_player_to_move_and_the_colours_are_part_of_a_position():
    # Nor are positions one that are the same but for the colours: the network may tell them apart.
    game = Clobber(3, 3)
    evaluate = scrambled(game)
    search = poisoned_search(game, evaluate, cache_symmetric=True, encoding="colours")
    for text, player in (("xoo|.x.|o.x", 0), ("xoo|.x.|o.x", 1), ("oxx|.o.|x.o", 1)):
        state = parse_position(game, text, player)
        value = one_by_one(evaluate, "colours")(game, state)[1]
        assert evaluated(search, state)[1] == value
    assert search.cache_statistics().hits == 0


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_crowded_cache_never_gives_the_evaluation_of_another(symmetric):
    # One set of four places, and eight trees that push each other's entries out while they grow.
    # The network is symmetric, so that every node can be checked: it counts stones.
    game = Clobber(3, 3)
    weights = np.random.default_rng(1).normal(size=(2, 9))

    def evaluate(planes):
        flat = planes[:, :2].reshape(len(planes), 2, 9).sum(axis=2)
        values = np.tanh((flat * weights[:, 0]).sum(axis=1)).astype(np.float32)
        return np.repeat(values[:, None], num_actions(game), axis=1), values

    search = poisoned_search(
        game, evaluate, 8, max_simulations=40, cache_size=4, cache_symmetric=symmetric
    )
    for slot, state in enumerate(positions(game, 8)):
        search.start(slot, state, explores=False)
    search.run()
    checked = 0
    for slot in range(8):
        tree = tree_at(search.trees, slot)
        for node in range(tree.used[0]):
            edges = slice(tree.first_edge[node], tree.first_edge[node] + tree.num_edges[node])
            if tree.visits[node] > 0 and tree.num_edges[node] > 0:
                value = one_by_one(evaluate)(game, tree.states[node])[1]
                assert tree.value[node] == pytest.approx(value, abs=1e-6)
                assert tree.logit[edges] == pytest.approx(value, abs=1e-6)
                checked += 1
    assert checked > 100
    assert search.cache_statistics().size == 4


def test_the_oldest_entry_of_a_set_makes_room():
    game = Clobber(3, 3)
    cache = make_cache(game, WAYS)
    states = [parse_position(game, f"{row}|...|..x") for row in ("xo.", "ox.", "x.o", "o.x", ".xo")]
    for state in states[:WAYS]:
        assert find_entry(game, cache, state)[0] == NO_ENTRY
        assert new_entry(game, cache, state)[0] != NO_ENTRY
    places = [find_entry(game, cache, state)[0] for state in states]
    assert sorted(places[:WAYS]) == [0, 1, 2, 3]
    assert places[WAYS] == NO_ENTRY
    # To find an entry does not make it younger; to write it again keeps its place.
    assert new_entry(game, cache, states[2])[0] == places[2]
    assert new_entry(game, cache, states[4])[0] == places[0]
    assert find_entry(game, cache, states[0])[0] == NO_ENTRY
    assert [find_entry(game, cache, state)[0] for state in states[1:4]] == places[1:4]
    assert cache_statistics(cache).size == WAYS
    clear_cache(cache)
    assert all(find_entry(game, cache, state)[0] == NO_ENTRY for state in states)
    assert cache_statistics(cache).size == 0
    # What is cleared makes room first, and is counted once.
    for state in states[:2]:
        new_entry(game, cache, state)
    assert cache_statistics(cache).size == 2
    assert all(find_entry(game, cache, state)[0] != NO_ENTRY for state in states[:2])
    assert all(find_entry(game, cache, state)[0] == NO_ENTRY for state in states[2:])


@pytest.mark.parametrize("symmetric", [False, True])
def test_forgotten_evaluations_are_never_read(symmetric):
    # What a network says tells which network it was. Forgotten while leaves wait, too: the old
    # network was asked about them, but the new one has to answer.
    game = Clobber(3, 3)
    speaker = [0.25]

    def evaluate(planes):
        logits, values = uniform(game)(planes)
        return logits + np.float32(speaker[0]), values + np.float32(speaker[0])

    states = positions(game, 3)
    search = poisoned_search(
        game, evaluate, 3, max_simulations=20, cache_symmetric=symmetric, cache_size=512
    )
    for slot, state in enumerate(states):
        search.start(slot, state, explores=False)
    search.run()
    for slot, state in enumerate(states):
        search.start(slot, state, explores=False)
    search.forget_evaluations()
    search.round()  # asks the old network about the roots, its answers wait
    speaker[0] = -0.5
    search.forget_evaluations()
    search.run()
    for slot in range(3):
        tree = tree_at(search.trees, slot)
        for node in range(tree.used[0]):
            if tree.visits[node] > 0 and tree.num_edges[node] > 0:
                assert tree.value[node] == -0.5
                assert tree.logit[tree.first_edge[node]] == -0.5


def test_forgetting_evaluations_asks_again():
    game = Clobber(3, 3)
    search = run(game, positions(game, 1), cache_size=4096)
    misses = search.cache_statistics().misses
    search.start(0, positions(game, 1)[0], explores=False)
    search.run()
    assert search.cache_statistics().misses == misses
    search.forget_evaluations()
    search.start(0, positions(game, 1)[0], explores=False)
    search.run()
    assert search.cache_statistics().misses == 2 * misses


def test_a_small_cache_is_bounded_and_right():
    game = Clobber(4, 4)
    search = run(game, positions(game, 8), cache_size=16)
    plain = run(game, positions(game, 8), cache_size=2**14)
    assert search.cache_statistics().size <= search.cache_statistics().max_size == 16
    for slot in range(8):
        assert np.array_equal(search.result(slot).visits, plain.result(slot).visits)


def test_positions_of_go_with_another_past_are_others():
    """After a ko one point is forbidden: its logit is not in the cache."""
    game = Go(4, 4)
    cache = make_cache(game, 64)
    after_ko = play(game, ".xo.|x.xo|.xo.|....", "b3", player=WHITE)
    without = play(game, ".xo.|x..o|.xo.|....", "b3", player=WHITE)
    place, _ = new_entry(game, cache, after_ko)
    assert find_entry(game, cache, after_ko)[0] == place
    assert find_entry(game, cache, without)[0] == NO_ENTRY


def test_a_search_of_go_obeys_the_whole_game():
    """Two stones are taken back, which a state that remembers one board would allow."""
    game = Go(1, 4, history=1)
    position = game.start().play("b1").play("d1").play("a1").play("c1")
    search = run(game, [position.state], evaluate=uniform(game), max_simulations=30)
    visited = np.flatnonzero(search.result(0).visits).tolist()
    assert 1 not in visited
    assert set(visited) <= set(position.legal_actions)
