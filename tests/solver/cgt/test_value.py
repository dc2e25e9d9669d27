import copy
import doctest
import functools
import pickle
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.strategies import quick, rows_of
from zerolab.errors import UsageError
from zerolab.solver.cgt import value as cgt
from zerolab.solver.cgt.value import (
    DOWN,
    STAR,
    UP,
    ZERO,
    Value,
    clobber,
    dyadic,
    game,
    integer,
    number,
    parse,
    star,
    up,
)

# Games as nested tuples of options, with nothing simplified: what the twins play.
Tree = tuple[tuple["Tree", ...], tuple["Tree", ...]]

trees: st.SearchStrategy[Tree] = st.recursive(
    st.just(((), ())),
    lambda inner: st.tuples(
        st.lists(inner, max_size=3).map(tuple), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


def value_of(tree: Tree) -> Value:
    return game(map(value_of, tree[0]), map(value_of, tree[1]))


def games_over(leaves: st.SearchStrategy[Value], fewest: int) -> st.SearchStrategy[Value]:
    def build(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
        options = st.lists(inner, min_size=fewest, max_size=2)
        return st.builds(game, options, options)

    return st.recursive(leaves, build, max_leaves=5)


dyadics = st.builds(Fraction, st.integers(-12, 12), st.sampled_from([1, 2, 4]))
infinitesimals = st.builds(lambda n, m: up(n) + star(m), st.integers(-3, 3), st.integers(0, 3))
values = games_over(dyadics.map(number) | infinitesimals, fewest=0)
all_small = games_over(infinitesimals, fewest=1) | rows_of(2, 3).map(clobber)


def followers(value: Value) -> set[Value]:
    return {value}.union(*(followers(option) for option in value.left + value.right))


# Order and outcome, against plain play.


@functools.cache
def mover_wins(left_moves: bool, trees: tuple[Tree, ...]) -> bool:
    """Whether the mover wins a sum of games: some move leaves the opponent without a win."""
    return any(
        not mover_wins(not left_moves, (*trees[:i], option, *trees[i + 1 :]))
        for i, (left, right) in enumerate(trees)
        for option in (left if left_moves else right)
    )


def outcome(left_first: bool, right_first: bool) -> str:
    """By whether the mover wins."""
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[
        left_first, right_first
    ]


@quick
@given(trees, trees)
def test_sums_and_order_agree_with_plain_play(one: Tree, other: Tree) -> None:
    a, b = value_of(one), value_of(other)
    both = (one, other)
    assert (a + b).outcome == outcome(mover_wins(True, both), mover_wins(False, both))
    difference = (one, mirrored(other))
    left_first, right_first = mover_wins(True, difference), mover_wins(False, difference)
    assert (a <= b) == (not left_first)
    assert (a >= b) == (not right_first)
    assert (a == b) == (not left_first and not right_first)
    assert a.confused_with(b) == (left_first and right_first)
    assert (a < b, a > b) == (right_first and not left_first, left_first and not right_first)


def mirrored(tree: Tree) -> Tree:
    return tuple(map(mirrored, tree[1])), tuple(map(mirrored, tree[0]))


@quick
@given(trees)
def test_equal_games_are_one_object_in_canonical_form(tree: Tree) -> None:
    value = value_of(tree)
    assert value == -value_of(mirrored(tree))
    assert value.birthday <= height(tree)
    for each in followers(value):
        assert game(each.left, each.right) is each
        assert game(each.left * 2, reversed(each.right)) is each
        assert not any(a < b for a, b in product(each.left, repeat=2))
        assert not any(a < b for a, b in product(each.right, repeat=2))
        assert not any(reply <= each for option in each.left for reply in option.right)
        assert not any(reply >= each for option in each.right for reply in option.left)


def height(tree: Tree) -> int:
    return max((height(option) + 1 for option in tree[0] + tree[1]), default=0)


@quick
@given(values, values, values)
def test_games_are_an_ordered_group(a: Value, b: Value, c: Value) -> None:
    assert a + ZERO is a
    assert a - a is ZERO
    assert ZERO - (-a) is a
    assert a + b is b + a
    assert (a + b) + c is a + (b + c)
    assert -(a + b) is -a - b
    assert (a <= b) == (a + c <= b + c) == (-b <= -a) == (a - b <= ZERO)
    assert not (a <= b and b <= c) or a <= c


@quick
@given(values)
def test_copies_are_the_same_object(value: Value) -> None:
    assert copy.deepcopy(value) is value
    assert pickle.loads(pickle.dumps(value)) is value


def test_values_do_not_change() -> None:
    with pytest.raises(AttributeError):
        # The type checker refuses it too; what is tested is that Python does.
        UP.left = ()  # type: ignore[misc]  # that it cannot be is what is tested


# Kinds of values.


@quick
@given(dyadics, dyadics)
def test_numbers(x: Fraction, y: Fraction) -> None:
    a, b = number(x), number(y)
    assert (a.number, a.is_number, a.left_stop, a.right_stop) == (x, True, x, x)
    assert (a + b, -a, a <= b) == (number(x + y), number(-x), x <= y)
    if x < y:  # {x|y} is the simplest number between
        between = game([a], [b])
        assert between.number is not None
        assert x < between.number < y
        assert all(
            option.number is None or not x < option.number < y
            for option in between.left + between.right
        )


def test_numbers_by_name() -> None:
    assert integer(3) == game([integer(2)], []) == game([integer(2), ZERO, STAR], [integer(9)])
    assert dyadic(-3, 2) == number(Fraction(-3, 4))
    assert dyadic(4, 1) == integer(2)
    assert integer(1000) + integer(-1000) is ZERO
    assert (integer(1000) + STAR).birthday == 1001
    assert pickle.loads(pickle.dumps(integer(1000))) is integer(1000)
    assert not integer(1000).is_nimber


def heap(size: int) -> Tree:
    smaller = tuple(map(heap, range(size)))
    return smaller, smaller


@pytest.mark.parametrize("n", range(5))
@pytest.mark.parametrize("m", range(5))
def test_nimbers_add_as_heaps_of_nim(n: int, m: int) -> None:
    assert star(n) + star(m) is star(n ^ m)
    assert (star(n).nim_value, star(n).birthday) == (n, n)
    assert n == m or star(n).confused_with(star(m))
    assert not mover_wins(True, (heap(n), heap(m), heap(n ^ m)))
    assert value_of(heap(n)) is star(n)
    # The least that is missing.
    assert game([star(n), star(m)], [star(n), star(m)]) is star(min({0, 1, 2} - {n, m}))


@pytest.mark.parametrize("n", range(-4, 5))
@pytest.mark.parametrize("m", range(4))
def test_ups_and_nimbers(n: int, m: int) -> None:
    value = sum([UP] * n + [DOWN] * -n, star(m))
    assert value is up(n) + star(m)
    assert value is parse(f"{'v' if n < 0 else '^'}{abs(n)}*{m}")
    assert value.nim_value == (m if n == 0 else None)
    assert value.is_all_small
    assert value.left_stop == value.right_stop == 0


@quick
@given(values, dyadics)
def test_stops(value: Value, x: Fraction) -> None:
    assert value.left_stop >= value.right_stop
    if x > value.left_stop:
        assert value < number(x)
    if x < value.right_stop:
        assert value > number(x)
    if value.right_stop < x < value.left_stop:
        assert value.confused_with(number(x))
    moved = value + number(x)
    assert (moved.left_stop, moved.right_stop) == (value.left_stop + x, value.right_stop + x)


@quick
@given(values, dyadics)
def test_nobody_need_move_in_a_number(value: Value, x: Fraction) -> None:
    # Number avoidance: who can win value + x, which is no number, can win by a move in value.
    if not value.is_number:
        still = number(x)
        total = value + still
        assert (total.outcome in "LN") == any(a + still >= ZERO for a in value.left)
        assert (total.outcome in "RN") == any(a + still <= ZERO for a in value.right)
        assert total is game((a + still for a in value.left), (a + still for a in value.right))


# Atomic weights.

# Text, birthday, atomic weight. The first lines are from the tests of CGSuite (Siegel),
# CanonicalShortGameTestCase.scala; the last ones from Winning Ways, ch. 8.
A = "{0|{0,v*|vv}}"
B = f"{{{A}|vv,{{0,v*|vv}}}}"
ATOMIC_WEIGHTS = [
    ("*8", 8, "0"),
    ("^", 2, "1"),
    ("v*", 2, "-1"),
    ("^*6", 8, "1"),
    ("{{{{0|*}|*}|*}|*}", 5, "1"),
    ("{0|{0|v*}}", 4, "1"),
    ("{0|{0|v3}}", 6, "0"),
    ("{^3|vv}", 5, "{1|0}"),
    (f"{{{A}|{{{B},{A}|{{{B}|vv}}}}}}", 9, "0"),
    ("0", 0, "0"),
    ("^^*", 3, "2"),
    ("v7*3", 9, "-7"),
]


@pytest.mark.parametrize(("text", "birthday", "weight"), ATOMIC_WEIGHTS)
def test_known_atomic_weights(text: str, birthday: int, weight: str) -> None:
    assert parse(text).birthday == birthday
    assert parse(text).atomic_weight is parse(weight)


@quick
@given(all_small, all_small)
def test_laws_of_atomic_weights(a: Value, b: Value) -> None:
    assert (a + b).atomic_weight is a.atomic_weight + b.atomic_weight
    assert (-a).atomic_weight is -a.atomic_weight


@quick
@given(all_small)
def test_two_ahead_wins(a: Value) -> None:
    if a.atomic_weight >= integer(2):
        assert a > ZERO
    if a.atomic_weight >= integer(1):
        assert a.outcome in "LN"
    # One ahead beats far star, and nothing else does (Winning Ways, ch. 8); any star is far that is
    # larger than all within the game.
    for more in (1, 2, 5):
        assert (a > star(a.birthday + more)) == (a.atomic_weight >= integer(1))


def test_numbers_have_no_atomic_weight() -> None:
    with pytest.raises(UsageError, match=r"1\* has no atomic weight: only all-small"):
        _ = parse("1*").atomic_weight


def test_what_cannot_be_built_is_said() -> None:
    with pytest.raises(UsageError, match="a nimber of -1 is not possible: expected 0 to 50"):
        star(-1)
    with pytest.raises(UsageError, match="a multiple of up of 51"):
        up(-51)
    with pytest.raises(UsageError, match="an exponent of 51"):
        dyadic(1, 51)


# Clobber.


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("x", "0"),
        ("xo", "*"),
        ("xxo", "^"),
        ("oox", "v"),
        ("xxxo", "^^*"),
        ("xoxo", "{^,*|v,*}"),
        ("xoxoxo", "0"),
        ("xo|ox", "*"),
        ("xox|oxo", "0"),
        ("xox|oxo|xox", "*"),
        ("xox|ox.", "{^^*|*,v}"),  # GameGridTest.scala of CGSuite
        ("xx|xx", "0"),
        ("xo.o|x..x|oxx.", "{0,*|0}"),  # three components: ^, *, up
        ("...|...", "0"),
    ],
)
def test_values_of_clobber(position: str, value: str) -> None:
    assert clobber(position) is parse(value)


def test_values_of_impartial_clobber() -> None:
    nim_values = [clobber("xo" * n + ".", "impartial").nim_value for n in range(9)]
    assert nim_values == [0, 1, 3, 0, 2, 0, 2, 0, 3]


def test_values_of_cannibal_clobber() -> None:
    assert [str(clobber("x" * n, "cannibal")) for n in range(1, 4)] == ["0", "1", "2"]
    assert clobber("xox", "cannibal") is parse("{1|0}")


def plain_outcome(position: str, variant: str) -> str:
    """Who wins, by trying everything on lists of rows."""
    return outcome(wins(position, "x", variant), wins(position, "o", variant))


@functools.cache
def wins(position: str, player: str, variant: str) -> bool:
    board = position.split("|")
    opponent = "o" if player == "x" else "x"
    size = range(len(board)), range(len(board[0]))
    for row, col in product(*size):
        for to_row, to_col in product(*size):
            if abs(row - to_row) + abs(col - to_col) != 1:
                continue
            stone, taken = board[row][col], board[to_row][to_col]
            legal = {
                "normal": stone == player and taken == opponent,
                "cannibal": stone == player and taken != ".",
                "impartial": "." not in (stone, taken) and stone != taken,
            }
            if legal[variant]:
                after = [list(line) for line in board]
                after[row][col], after[to_row][to_col] = ".", stone
                if not wins("|".join(map("".join, after)), opponent, variant):
                    return True
    return False


@quick
@given(rows_of(2, 3) | rows_of(1, 7) | rows_of(3, 3), st.sampled_from(cgt.VARIANTS))
def test_outcomes_of_clobber_agree_with_trying_everything(position: str, variant: str) -> None:
    value = clobber(position, variant)
    assert value.outcome == plain_outcome(position, variant)
    assert variant == "cannibal" or value.is_all_small
    assert variant != "impartial" or value.is_nimber


@quick
@given(rows_of(2, 4))
def test_clobber_is_fair(position: str) -> None:
    value = clobber(position)
    swapped = position.translate(str.maketrans("xo", "ox"))
    assert clobber(swapped) is -value
    assert clobber(position[::-1]) is value
    rows = position.split("|")
    assert clobber("|".join(map("".join, zip(*rows, strict=True)))) is value


def moves_of_the_only_o(position: str) -> list[str]:
    rows = position.split("|")
    stones = {(r, c): rows[r][c] for r in range(len(rows)) for c in range(len(rows[0]))}
    (row, col) = next(point for point, stone in stones.items() if stone == "o")
    found = []
    for to in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if stones.get(to) == "x":
            after = stones | {(row, col): ".", to: "o"}
            width = len(rows[0])
            text = "".join(after[point] for point in sorted(after))
            found.append("|".join(text[i : i + width] for i in range(0, len(text), width)))
    return found


def moves_until_decided(position: str) -> int:
    """How many moves the only o needs until it has none, or can end in one move and in two."""
    options = moves_of_the_only_o(position)
    lengths = {1 for after in options if not moves_of_the_only_o(after)} | {
        2
        for after in options
        for then in moves_of_the_only_o(after)
        if not moves_of_the_only_o(then)
    }
    if not options or lengths == {1, 2}:
        return 0
    return 1 + min(map(moves_until_decided, options))


@pytest.mark.parametrize(
    "shape", ["xxx|xxx", "xxxx", "xxx|x.x", "xx.|xxx|.x.", "xxxx|.xx.", "x.x|xxx"]
)
def test_atomic_weight_of_a_single_stone(shape: str) -> None:
    # J.P. Grossman's lemma (solutions to his Clobber problems, 2002): a connected position with a
    # single o has atomic weight k - 1, where k counts the moves that the o needs as above.
    for cell, stone in enumerate(shape):
        if stone == "x":
            position = shape[:cell] + "o" + shape[cell + 1 :]
            assert clobber(position).atomic_weight is integer(moves_until_decided(position) - 1)


@pytest.mark.parametrize(
    ("position", "variant", "says"),
    [
        ("xoy", "normal", "'y' in row 'xoy' is not a cell"),
        ("xo|x", "normal", "row 'x' has 1 cells, expected 2"),
        ("xo", "misere", "variant misere is not possible; expected normal, cannibal, impartial"),
    ],
)
def test_bad_positions_are_refused(position: str, variant: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        clobber(position, variant)


def test_examples() -> None:
    assert doctest.testmod(cgt).failed == 0
