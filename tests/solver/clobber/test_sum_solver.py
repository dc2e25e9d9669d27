import functools
import itertools
import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.games.base import BLACK, WHITE, GameError
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, NORMAL, Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import format_move, parse_position
from zerolab.solver import alphabeta
from zerolab.solver import solvers as engine
from zerolab.solver.cgt import value as cgt
from zerolab.solver.clobber import position_table
from zerolab.solver.clobber.position_table import BYTES_PER_ENTRY, SMALLEST
from zerolab.solver.clobber.shapes import BY_CONTACTS, UNORDERED, GridTopology, Methods
from zerolab.solver.clobber.splitting import can_be_split, split_position
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.exact_leaves import LeafSolver

VARIANTS = (NORMAL, CANNIBAL, IMPARTIAL)


def chequered(rows, cols):
    return "|".join("".join("xo"[(r + c) % 2] for c in range(cols)) for r in range(rows))


def outcome(solver, text):
    wins = [solver.value(parse_position(solver.game, text, player)) == 1 for player in (0, 1)]
    return {(True, True): "N", (False, False): "P", (True, False): "L", (False, True): "R"}[*wins]


@functools.cache
def twin(rows, cols, variant):
    """Whether the player to move wins, by trying everything: a function of two sets of cells."""
    neighbours = [
        [
            other
            for other in range(rows * cols)
            if abs(cell // cols - other // cols) + abs(cell % cols - other % cols) == 1
        ]
        for cell in range(rows * cols)
    ]

    @functools.cache
    def wins(own, other):
        for cell, near in enumerate(neighbours):
            bit = 1 << cell
            for mine, yours in ((own, other), (other, own)):
                if not mine & bit or (mine != own and variant != IMPARTIAL):
                    continue
                victims = yours | mine if variant == CANNIBAL else yours
                for target in near:
                    hit = 1 << target
                    if not victims & hit:
                        continue
                    moved, left = (mine & ~bit) | hit, yours & ~hit
                    mine_is_own = mine == own
                    after = (left, moved) if mine_is_own else (moved, left)
                    if not wins(*after):
                        return True
        return False

    return wins


def cells(text, symbol):
    return sum(1 << i for i, each in enumerate(text.replace("|", "")) if each == symbol)


def random_text(rng, rows, cols, share=0.8):
    symbols = rng.choices("xo.", weights=(share / 2, share / 2, 1 - share), k=rows * cols)
    return "|".join("".join(symbols[r * cols : (r + 1) * cols]) for r in range(rows))


def expected(text, player, variant):
    rows, cols = len(text.split("|")), len(text.split("|")[0])
    own, other = cells(text, "xo"[player]), cells(text, "ox"[player])
    return 1 if twin(rows, cols, variant)(own, other) else -1


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 7), (2, 2), (2, 4), (3, 3), (3, 4)])
def test_every_position_of_small_boards(rows, cols):
    """All 3^(R C) of them, Black to move; White to move is the same with colours swapped."""
    game = Clobber(rows, cols)
    stones = np.array(list(itertools.product((0, 1, 2), repeat=rows * cols)), np.uint64)
    bits = np.uint64(1) << np.arange(rows * cols, dtype=np.uint64)
    states = np.zeros((len(stones), 3), np.uint64)
    states[:, 1] = ((stones == 1) * bits).sum(1)
    states[:, 2] = ((stones == 2) * bits).sum(1)
    leaves = LeafSolver(game, stones=12, nodes=10**6)
    # Small components only from values, others by search: both ways are tried.
    for small in (4, 8):
        leaves.oracle = leaves.oracle._replace(
            topology=GridTopology(int(NORMAL), Methods(small=small))
        )
        values = leaves(states)
        wins = twin(rows, cols, NORMAL)
        for state, value in zip(states.tolist(), values, strict=True):
            assert (value == 1) == wins(state[1], state[2])


METHODS = [
    {},
    {"small": 0},
    {"small": 3},
    {"small": 12},
    {"cancels": 0},
    {"orders": UNORDERED},
    {"orders": BY_CONTACTS},
    {"looks_closely": 999},
    {"looks_closely": 0},
    {"small": 0, "cancels": 0, "orders": UNORDERED, "looks_closely": 999},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_each_method_alone_and_together(variant):
    """Random sums and boards, with each method switched off, against trying everything."""
    rng = random.Random(7)
    count = 250 if variant == NORMAL else 40
    game = Clobber(3, 5, variant) if variant == NORMAL else Clobber(3, 4, variant)
    texts = [random_text(rng, game.rows, game.cols) for _ in range(count)]
    answers = [expected(text, i % 2, variant) for i, text in enumerate(texts)]
    for methods in METHODS:
        if variant != NORMAL and methods.get("small", 0) > 8:
            continue  # the values of other variants get out of hand
        solver = SumSolver(game, 10**7, threads=1, **methods)
        for i, text in enumerate(texts):
            assert solver.value(parse_position(game, text, i % 2)) == answers[i], (methods, text)


@pytest.mark.parametrize(
    "text",
    [
        ".o...oo.x|oxox.xxxx|xox..x.x.",
        ".o...o.xo|oxox.xoox|xox..o..x",
        ".o...oooo|oxox.xx.x|xox..x..x",
    ],
)
def test_a_value_with_many_options_beside_a_large_part(text):
    """Positions in which moves within the small part were once overlooked."""
    game = Clobber(3, 9)
    state = parse_position(game, text)
    for small in (0, 8, 9):
        assert SumSolver(game, 10**7, threads=1, small=small).value(state) == 1


def test_sums_of_a_small_and_a_large_part():
    """A part that becomes a value, with any number of options, beside one that does not."""
    rng = random.Random(11)
    game = Clobber(3, 9)
    solvers = [SumSolver(game, 10**8, threads=1, small=small) for small in (8, 9, 0)]
    for i in range(1_500):
        left, right = random_text(rng, 3, 4, 0.75), random_text(rng, 3, 4, 0.8)
        pair = zip(left.split("|"), right.split("|"), strict=True)
        state = parse_position(game, "|".join(f"{a}.{b}" for a, b in pair), i % 2)
        assert len({solver.value(state) for solver in solvers}) == 1


@pytest.mark.slow
def test_thousands_of_larger_positions_agree_whatever_the_method():
    rng = random.Random(3)
    game = Clobber(4, 5)
    solvers = [SumSolver(game, 10**8, threads=1, **methods) for methods in METHODS]
    for i in range(2_000):
        state = parse_position(game, random_text(rng, 4, 5, 0.9), i % 2)
        assert len({solver.value(state) for solver in solvers}) == 1


OUTCOMES = [
    *((2, n, "P" if n % 3 == 0 else "N") for n in range(2, 14)),
    *((3, n, "N" if n % 2 else "P") for n in range(3, 8)),
    (4, 4, "N"),
    (4, 5, "N"),
    (4, 6, "P"),
    (5, 5, "P"),
]


@pytest.mark.parametrize(("rows", "cols", "known"), OUTCOMES)
def test_known_outcomes(rows, cols, known):
    assert outcome(SumSolver(Clobber(rows, cols), 10**8), chequered(rows, cols)) == known


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "known"),
    [(4, 7, "N"), (3, 9, "N"), (3, 10, "P"), (2, 14, "N"), (2, 15, "P"), (2, 16, "N")],
)
def test_known_outcomes_that_take_longer(rows, cols, known):
    assert outcome(SumSolver(Clobber(rows, cols), 10**9), chequered(rows, cols)) == known


def turned(text):
    return "|".join("".join(row) for row in zip(*text.split("|")[::-1], strict=True))


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_symmetric_and_swapped_positions_agree(seed):
    text = random_text(random.Random(seed), 3, 5, 0.9)
    game, turned_game = Clobber(3, 5), Clobber(5, 3)
    value = SumSolver(game, 10**6, threads=1).value(parse_position(game, text))
    other = SumSolver(turned_game, 10**6, threads=1)
    assert other.value(parse_position(turned_game, turned(text))) == value
    swapped = turned(text).translate(str.maketrans("xo", "ox"))
    assert other.value(parse_position(turned_game, swapped, 1)) == value


@pytest.mark.parametrize(
    ("variant", "name"), list(zip(VARIANTS, cgt.VARIANTS, strict=True)), ids=str
)
def test_values_agree_with_plain_python(variant, name):
    rng = random.Random(5)
    game = Clobber(2, 5, variant)
    solver = SumSolver(game, 10**6, threads=1)
    for _ in range(40):
        text = random_text(rng, 2, 5, 0.85 if variant != CANNIBAL else 0.7)
        assert solver.canonical_value(parse_position(game, text)) is cgt.clobber(text, name)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("xo", "*"),
        ("xxo", "↑"),
        ("xxxo", "⇑*"),
        ("xoxo", "±{*,↑}"),
        ("xoxoxo", "0"),
        ("xo|ox", "*"),
        ("xox|oxo", "0"),
        ("xox|oxo|xox", "*"),
        (chequered(3, 4), "0"),
        ("xx|xx", "0"),
        ("xo.xxo", "↑*"),
    ],
)
def test_values_known_from_theory(text, value):
    rows, cols = len(text.split("|")), len(text.split("|")[0])
    game = Clobber(rows, cols)
    assert (
        str(SumSolver(game, 10**6, threads=1).canonical_value(parse_position(game, text))) == value
    )


def test_no_value_for_large_parts():
    game = Clobber(5, 5)
    solver = SumSolver(game, 10**6, threads=1)
    assert solver.canonical_value(parse_position(game, chequered(5, 5))) is None


@pytest.mark.parametrize(("pairs", "nim"), list(enumerate((0, 1, 3, 0, 2, 0, 2, 0, 3))))
def test_nim_values(pairs, nim):
    game = Clobber(1, max(2, 2 * pairs), IMPARTIAL)
    text = "xo" * pairs or ".."
    solver = SumSolver(game, 10**6, threads=1)
    assert solver.canonical_value(parse_position(game, text)).nim_value == nim


def test_graphs_agree_with_boards_and_with_alpha_beta():
    rng = random.Random(2)
    edges = " ".join(
        f"{a}-{b}"
        for a in range(12)
        for b in range(a + 1, 12)
        if (b == a + 1 and b % 4) or b == a + 4
    )
    board = Clobber(3, 4)
    for _ in range(25):
        text = random_text(rng, 3, 4, 0.9)
        graph = GraphClobber(edges, text.replace("|", ""))
        state = parse_position(graph, graph.stones)
        found = SumSolver(graph, 10**6, threads=1).value(state)
        assert found == SumSolver(board, 10**6, threads=1).value(parse_position(board, text))
        assert found == alphabeta.Solver(graph, 10**6).value(state)


def test_a_ring_is_no_board():
    """x takes an o. In a row the other is out of reach then; in a ring it takes x and wins."""
    row, ring = GraphClobber("0-1 0-2", "xoo"), GraphClobber("0-1 0-2 1-2", "xoo")
    assert SumSolver(row, 10**6, threads=1).value(parse_position(row, "xoo")) == 1
    assert SumSolver(ring, 10**6, threads=1).value(parse_position(ring, "xoo")) == -1


def test_moves_and_best_play():
    game = Clobber(3, 4)
    state = parse_position(game, "xox.|oxox|xo.o")
    solver = engine.make_solver(game, state, 10**7)
    other = alphabeta.Solver(game, 10**7)
    assert engine.move_values(solver, state) == engine.move_values(other, state)
    line = engine.principal_line(solver, state)
    wins = solver.value(state) == 1
    assert len(line) % 2 == wins  # whoever wins makes the last move
    assert [format_move(game, action) for action in line]


def test_engines_by_game():
    large = Clobber(9, 9)
    state = parse_position(large, chequered(9, 9))
    assert not can_be_split(large, state)
    assert isinstance(engine.make_solver(large, state, 10**6), alphabeta.Solver)
    late = parse_position(large, "|".join(["xo.......", *["........."] * 7, ".......ox"]))
    solver = engine.make_solver(large, late, 10**6)
    assert isinstance(solver, SumSolver)
    assert len(split_position(large, late)) == 2
    assert solver.value(late) == -1  # * + *


def test_two_threads_and_two_seeds_agree():
    game = Clobber(4, 5)
    rng = random.Random(9)
    solvers = [SumSolver(game, 10**8, threads, seed) for threads, seed in ((1, 0), (2, 0), (2, 5))]
    for i in range(30):
        state = parse_position(game, random_text(rng, 4, 5, 1.0), i % 2)
        assert len({solver.value(state) for solver in solvers}) == 1


def test_the_table_grows_and_stays_within_its_memory():
    game = Clobber(4, 6)
    free, tight = SumSolver(game, 10**9, threads=1), SumSolver(game, 4 * 2**20, threads=1)
    state = parse_position(game, chequered(4, 6))
    assert free.value(state) == tight.value(state) == -1
    assert len(free.table.entries) > SMALLEST == len(tight.table.entries)


def test_limits_and_progress():
    game = Clobber(4, 6)
    solver = SumSolver(game, 10**8, threads=1)
    state = parse_position(game, chequered(4, 6))
    seen = []
    assert solver.value(state, max_nodes=0) is None
    assert solver.value(state, seen.append, max_nodes=100) is None
    assert solver.value(state, seen.append) == -1
    assert solver.value(state, max_nodes=0) == -1
    assert [each.nodes for each in seen] == sorted(each.nodes for each in seen)
    assert 0 < seen[-1].fill < 1
    assert 0 < seen[-2].moves <= 38
    done = [each.moves_done for each in seen[1:-1]]  # of the search to the end, before it was over
    assert done[0] == 0  # the first move is under way
    assert done == sorted(done)
    assert 0 < done[-1] < seen[-2].moves


@pytest.mark.parametrize(
    ("fill", "memory", "grows"),
    [(0.5, 2, False), (0.51, 2, True), (0.99, 2, True), (0.99, 1.9, False)],
)
def test_the_table_grows_when_more_than_half_is_in_use(monkeypatch, fill, memory, grows):
    """If two of its size fit in the memory. A fuller table would forget more and more."""
    solver = SumSolver(Clobber(4, 6), int(memory * SMALLEST * BYTES_PER_ENTRY), threads=1)
    monkeypatch.setattr(position_table, "fill_of", lambda table: fill)
    solver._make_room()
    assert len(solver.table.entries) == (2 * SMALLEST if grows else SMALLEST)


def test_an_interrupted_search_leaves_a_sound_table():
    game = Clobber(4, 6)
    solver = SumSolver(game, 10**8, threads=2)
    state = parse_position(game, chequered(4, 6))

    def interrupt(progress):
        if progress.nodes > 10_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.value(state, interrupt)
    assert solver.value(state) == -1


def test_saved_tables(tmp_path):
    game, path = Clobber(4, 5), tmp_path / "table"
    state = parse_position(game, chequered(4, 5))
    first = SumSolver(game, 10**8, threads=1)
    first.value(state)
    first.save(path)
    again = SumSolver(game, 10**8, threads=1)
    again.load(path)
    assert again.value(state) == 1
    assert again.nodes == 0
    with pytest.raises(UsageError, match="was made with"):
        SumSolver(game, 10**8, threads=1, seed=1).load(path)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(UsageError, match="is damaged"):
        again.load(path)
    path.write_bytes(json.dumps({}).encode())
    with pytest.raises(UsageError, match="is not a table"):
        again.load(path)


def test_too_many_parts_or_too_large():
    game = Clobber(9, 9)
    with pytest.raises(UsageError, match="too large"):
        split_position(game, parse_position(game, chequered(9, 9)))
    with pytest.raises(GameError):
        parse_position(game, "xo")


@pytest.mark.parametrize("player", [BLACK, WHITE])
@pytest.mark.parametrize("value", [-1, 1])
def test_it_remembers_what_it_is_told(player, value):
    game = Clobber(4, 5)
    start = parse_position(game, "xoxox|oxoxo|xoxox|oxoxo", player)
    solver = SumSolver(game, 10**7, threads=1)
    assert solver.value(start, max_nodes=0) is None
    solver.remember(start, value)
    assert solver.value(start, max_nodes=0) == value
    assert solver.nodes == 0
    swapped = parse_position(game, "oxoxo|xoxox|oxoxo|xoxox", 1 - player)
    assert solver.value(swapped) == value
    # What its small components decide it does not take from others.
    small = parse_position(game, "xo...|.....|.....|.....", player)
    solver.remember(small, -1)
    assert solver.value(small) == 1
