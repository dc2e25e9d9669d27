import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerolab.kernels.compiling import kernel
from zerolab.solver.cgt import value as cgt
from zerolab.solver.clobber.sum_solver import to_value
from zerolab.solver.values.forms import simplest
from zerolab.solver.values.order import is_at_least_game, is_at_most, is_at_most_game
from zerolab.solver.values.store import (
    AT_LEAST,
    AT_MOST,
    BIRTHDAY,
    NO_VALUE,
    VALUES,
    make_values,
    marks_of_game,
)
from zerolab.solver.values.sums import add, negative
from zerolab.solver.values.yardsticks import FORMS, MOST_UPS

CAPACITY = 2**12
YARDSTICKS: list[cgt.Value] = []
for left, right in FORMS:
    YARDSTICKS.append(cgt.game([YARDSTICKS[i] for i in left], [YARDSTICKS[i] for i in right]))


@kernel
def make(values, options, lefts):
    for i in range(options.shape[0]):
        values.scratch[i] = options[i]
    return simplest(values, 0, lefts, options.shape[0])


@kernel
def compare(values, x, y):
    return is_at_most(values, x, y)


@kernel
def compare_with_game(values, x, options, lefts):
    """Whether x is at most, and at least, the game with these options, as it is on the stack."""
    for i in range(options.shape[0]):
        values.scratch[i] = options[i]
    stack = 0, lefts, options.shape[0]
    marks = marks_of_game(values, *stack)
    at_most = is_at_most_game(values, x, *stack, marks)
    return at_most, is_at_least_game(values, x, *stack, marks)


@kernel
def plus(values, x, y):
    return add(values, x, y)


@kernel
def minus(values, x):
    return negative(values, x)


def build(values, left, right):
    options = np.array([*left, *right], np.int64)
    return int(make(values, options, len(left)))


# A game as nested pairs of lists; both stores are built from the same text.
forms = st.recursive(
    st.just(((), ())),
    lambda inner: st.tuples(
        st.lists(inner, max_size=3).map(tuple), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=10,
)


def compiled(values, form):
    left, right = form
    return build(
        values,
        [compiled(values, each) for each in left],
        [compiled(values, each) for each in right],
    )


def bits(mask):
    return [bool(int(mask) >> i & 1) for i in range(len(FORMS))]


def plain(form):
    left, right = form
    return cgt.game([plain(each) for each in left], [plain(each) for each in right])


@settings(max_examples=200)
@given(forms, forms)
def test_agrees_with_plain_python(a, b):
    values = make_values(CAPACITY)
    x, y = compiled(values, a), compiled(values, b)
    plain_x, plain_y = plain(a), plain(b)
    assert to_value(values, x) is plain_x
    assert values.facts[x, BIRTHDAY] == plain_x.birthday
    assert bits(values.facts[x, AT_LEAST]) == [plain_x >= each for each in YARDSTICKS]
    assert bits(values.facts[x, AT_MOST]) == [plain_x <= each for each in YARDSTICKS]
    assert bool(compare(values, x, y)) == (plain_x <= plain_y)
    assert to_value(values, plus(values, x, y)) is plain_x + plain_y
    assert to_value(values, minus(values, x)) is -plain_x
    assert plus(values, x, minus(values, x)) == 0


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_values_built_on_values_agree_with_plain_python(seed, least):
    """Each game has up to three options on each side, drawn from the values before it.

    Such games are deeper than those of `forms`, and thousands of their comparisons are left open
    by the yardsticks. With `least` = 0 numbers and hot games are among them, with 1 both players
    can move or neither can, as in Clobber.
    """
    draw = np.random.default_rng(seed)
    values = make_values(CAPACITY)
    pool = [(0, cgt.ZERO)]
    for _ in range(60):
        recent = pool[-30:]
        sides = [
            [recent[i] for i in draw.integers(len(recent), size=draw.integers(least, 4))]
            for _ in range(2)
        ]
        left, right = ([number for number, _ in side] for side in sides)
        expected = cgt.game(*([value for _, value in side] for side in sides))
        options = np.array([*left, *right], np.int64)
        for number, value in pool:
            assert compare_with_game(values, number, options, len(left)) == (
                value <= expected,
                value >= expected,
            )
        made = build(values, left, right)
        assert to_value(values, made) is expected
        if expected.birthday < 8 and (made, expected) not in pool:
            pool.append((made, expected))


def test_yardsticks_are_what_they_are_meant_to_be():
    ups = [cgt.ZERO]
    for _ in range(MOST_UPS):
        ups.append(ups[-1] + cgt.UP)
    multiples = ups + [-up for up in ups[1:]]
    meant = {*multiples, *(each + cgt.STAR for each in multiples), cgt.star(2)}
    assert YARDSTICKS[0] is cgt.ZERO
    assert set(YARDSTICKS) == meant
    assert len(YARDSTICKS) == len(meant) == 31


def test_digests_are_the_same_in_every_store():
    one, other = make_values(CAPACITY), make_values(CAPACITY)
    star = build(one, [0], [0])
    up = build(one, [0], [star])
    build(other, [0], [])  # so that numbers differ
    other_star = build(other, [0], [0])
    other_up = build(other, [0], [other_star])
    assert up != other_up
    assert (one.digests[up] == other.digests[other_up]).all()
    assert (one.digests[up] != one.digests[star]).all()


def test_a_full_store_says_so():
    values = make_values(8)
    one = build(values, [0], [])
    two = plus(values, one, one)
    numbers = [0, one, two]
    while (number := build(values, [numbers[-1]], [])) != NO_VALUE:
        numbers.append(number)
    assert len(numbers) == values.counts[VALUES] == 8
    assert plus(values, one, one) == two  # it is remembered
    assert plus(values, numbers[6], numbers[7]) == NO_VALUE
    assert values.counts[VALUES] == 8


@pytest.mark.parametrize("n", range(5))
def test_nimbers_and_ups(n):
    values = make_values(CAPACITY)
    nimbers = [0]
    for _ in range(n):
        nimbers.append(build(values, nimbers, nimbers))
    assert str(to_value(values, nimbers[n])) == str(cgt.star(n))
    up = build(values, [0], [build(values, [0], [0])])
    total = 0
    for _ in range(n):
        total = plus(values, total, up)
    assert to_value(values, total) is cgt.up(n)
