"""Values of short partizan games: canonical forms, their order, sums and atomic weights.

    >>> UP + STAR, UP > ZERO, UP.confused_with(STAR)
    (↑*, True, True)
    >>> game([integer(2), STAR], [integer(-1)])
    {2|-1}
    >>> clobber("xoxo"), clobber("xo|ox"), clobber("xxxo").atomic_weight
    (±{*,↑}, *, 2)

Left is Black, Right is White. Pure Python, slow and obvious: for notebooks, and to check the
compiled solver. value_notation.py defines the notation.

Conway, "On Numbers and Games", 1976 (ONAG); Berlekamp, Conway & Guy, "Winning Ways", 1982;
Siegel, "Combinatorial Game Theory", 2013.
"""

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.games.base import BLACK, WHITE, GameError
from zerolab.games.boards.stones import EMPTY
from zerolab.games.clobber import Variant
from zerolab.games.notation import DIRECTIONS, Point, parse_stones, size_of_position
from zerolab.solver.cgt.value_notation import Braces, Expression, PlusMinus, Sum, read, write

MEMO = 2**18  # results that are remembered of each operation
MAX_INTEGER = 1000
MAX_HEIGHT = 50  # of nimbers, multiples of up and exponents: recursion goes several times as deep

VARIANTS = tuple(variant.name.lower() for variant in Variant)

Component = tuple[tuple[Point, int], ...]  # connected stones in order, each with its colour


@dataclass(frozen=True, eq=False, repr=False)
class Value:
    """A game in canonical form. Equal games are one object; `game` and its like build them."""

    left: tuple["Value", ...]
    """Left's options, in a fixed order: the earliest born first."""
    right: tuple["Value", ...]
    """Right's options."""
    number: Fraction | None
    """The number that the game is, if it is one."""
    birthday: int
    """The height of the tree of options."""
    order: tuple[Any, ...]
    """A key to sort by."""

    # Python makes >= and > of these.

    def __le__(self, other: "Value") -> bool:
        return _at_most(self, other)

    def __lt__(self, other: "Value") -> bool:
        return self is not other and self <= other

    def confused_with(self, other: "Value") -> bool:
        """Whether neither game is at least the other: whoever moves first wins the difference."""
        return not (self <= other or self >= other)

    def __neg__(self) -> "Value":
        return self._negative

    def __add__(self, other: "Value") -> "Value":
        return _sum(self, other)

    def __sub__(self, other: "Value") -> "Value":
        return self + -other

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is the same object. An integer's options are as deep as it is large: not these.
        return (game, (self.left, self.right)) if self.number is None else (_number, (self.number,))

    def text(self, ascii: bool = False) -> str:
        """The game as it is usually written; `parse` reads it back (value_notation.py)."""
        return write(_expression(self), ascii)

    @property
    def outcome(self) -> str:
        """Who wins: L Left, R Right, N the next player to move, P the previous one."""
        if self >= ZERO:
            return "P" if self is ZERO else "L"
        return "R" if self < ZERO else "N"

    @property
    def is_number(self) -> bool:
        """Whether the game is a number."""
        return self.number is not None

    @property
    def is_nimber(self) -> bool:
        """Whether the game is a nimber, 0 among them."""
        return self.nim_value is not None

    @functools.cached_property
    def nim_value(self) -> int | None:
        """The n of a nimber *n; None for any other game."""
        if self.left != self.right:
            return None
        heaps = [option.nim_value for option in self.left]
        return len(heaps) if heaps == list(range(len(heaps))) else None

    @functools.cached_property
    def is_all_small(self) -> bool:
        """Whether in every subposition either both players can move or neither."""
        return bool(self.left) == bool(self.right) and all(
            option.is_all_small for option in self.left + self.right
        )

    @functools.cached_property
    def left_stop(self) -> Fraction:
        """The number at which play stops if Left begins."""
        if self.number is not None:
            return self.number
        return max(option.right_stop for option in self.left)

    @functools.cached_property
    def right_stop(self) -> Fraction:
        """The number at which play stops if Right begins."""
        if self.number is not None:
            return self.number
        return min(option.left_stop for option in self.right)

    @functools.cached_property
    def atomic_weight(self) -> "Value":
        """The atomic weight: roughly the multiple of up that an all-small game is worth
        (Siegel, section II.7).
        """
        if not self.is_all_small:
            raise UsageError(f"{self} has no atomic weight: only all-small games have one")
        left = [option.atomic_weight - integer(2) for option in self.left]
        right = [option.atomic_weight + integer(2) for option in self.right]
        weight = game(left, right)
        if weight.number is None or weight.number.denominator > 1:
            return weight
        # More integers than the simplest may fit between the options. The largest is right if the
        # game is greater than far star, a nimber larger than any in it; the smallest if less.
        far_star = _ups_plus_star(0, self.birthday + 1)
        step = integer((self > far_star) - (self < far_star))
        while step is not ZERO and not (
            any(weight + step <= option for option in left)
            or any(option <= weight + step for option in right)
        ):
            weight += step
        return weight

    @functools.cached_property
    def _negative(self) -> "Value":
        if self.number is not None:
            return _number(-self.number)
        return _intern((-option for option in self.right), (-option for option in self.left))


class Form(NamedTuple):
    """Options of Left and of Right that need not be those of a canonical form."""

    left: frozenset[Value]
    right: frozenset[Value]
    number: None = None  # as far as is known


@functools.lru_cache(MEMO)
def _at_most(one: Value | Form, other: Value | Form) -> bool:
    """Whether one <= other: no move of Left's in one, and none of Right's in other, refutes it."""
    if one.number is not None and other.number is not None:
        return one.number <= other.number
    if one is other:
        return True
    for option in one.left:
        if _at_most(other, option):
            return False
    for option in other.right:
        if _at_most(option, one):
            return False
    return True


# Building. All values come from `_intern`.

_values: dict[tuple[tuple[Value, ...], tuple[Value, ...]], Value] = {}


def _intern(left: Iterable[Value], right: Iterable[Value]) -> Value:
    """The one value with these options, which must be those of a canonical form."""
    lefts = tuple(sorted(left, key=lambda option: option.order))
    rights = tuple(sorted(right, key=lambda option: option.order))
    if (lefts, rights) not in _values:
        birthday = max((option.birthday + 1 for option in lefts + rights), default=0)
        orders = (tuple(option.order for option in options) for options in (lefts, rights))
        _values[lefts, rights] = Value(
            lefts, rights, _number_between(lefts, rights), birthday, (birthday, *orders)
        )
    return _values[lefts, rights]


def _number_between(left: tuple[Value, ...], right: tuple[Value, ...]) -> Fraction | None:
    """The number whose canonical form has these options, if they are those of one."""
    below = [option.number for option in left]
    above = [option.number for option in right]
    match below, above:
        case [], []:
            return Fraction(0)
        case [Fraction() as low], []:
            return low + 1
        case [], [Fraction() as high]:
            return high - 1
        case [Fraction() as low], [Fraction() as high] if low < high:
            return (low + high) / 2
    return None


def game(left: Iterable[Value], right: Iterable[Value]) -> Value:
    """The value of {left|right}, by its canonical form."""
    form = Form(frozenset(left), frozenset(right))
    while True:
        form = _without_dominated(form)
        shorter = _without_reversible(form)
        if shorter is None:
            return _intern(form.left, form.right)
        form = shorter


def _without_dominated(form: Form) -> Form:
    """Remove options that are worse for their player than another option."""
    left, right, _ = form
    return Form(
        frozenset(option for option in left if not any(option < other for other in left)),
        frozenset(option for option in right if not any(other < option for other in right)),
    )


def _without_reversible(form: Form) -> Form | None:
    """With one reversible option replaced by what is played after the reply; None if there is none.

    An option is reversible if the opponent has a reply at least as good for him as the game itself.
    """
    left, right, _ = form
    for option in left:
        for reply in option.right:
            if _at_most(reply, form):
                return Form(left - {option} | set(reply.left), right)
    for option in right:
        for reply in option.left:
            if _at_most(form, reply):
                return Form(left, right - {option} | set(reply.right))
    return None


@functools.lru_cache(MEMO)
def _sum(one: Value, other: Value) -> Value:
    if one.number is not None and other.number is not None:
        return _number(one.number + other.number)
    if one.nim_value is not None and other.nim_value is not None:
        return _ups_plus_star(0, one.nim_value ^ other.nim_value)
    if other.number is not None:
        one, other = other, one
    left = [one + option for option in other.left]
    right = [one + option for option in other.right]
    if one.number is not None:
        # Nobody moves in a number before the rest is over, so the form is canonical already
        # (the number translation theorem).
        return _intern(left, right)
    left += [option + other for option in one.left]
    right += [option + other for option in one.right]
    return game(left, right)


@functools.lru_cache(MEMO)
def _number(number: Fraction) -> Value:
    if number.denominator > 1:
        step = Fraction(1, number.denominator)
        return _intern([_number(number - step)], [_number(number + step)])
    value = _intern([], [])
    for _ in range(abs(number.numerator)):
        value = _intern([value], []) if number > 0 else _intern([], [value])
    return value


@functools.lru_cache(MEMO)
def _ups_plus_star(ups: int, size: int) -> Value:
    """The sum of a multiple of up, or down if negative, and *size; inverse of `_ups_and_star`.

    The canonical form of n times up + *m, n positive, is {0 | n - 1 times up + *(m xor 1)}; but
    that of up + star is {0,*|0} (Winning Ways, ch. 8).
    """
    if ups < 0:
        return -_ups_plus_star(-ups, size)
    options: list[Value] = []
    for _ in range(size ^ (ups & 1)):
        options.append(_intern(options, options))
    value = _intern(options, options)
    for _ in range(ups):
        value = _intern([ZERO], [value]) if value is not ZERO else _intern([ZERO, STAR], [ZERO])
    return value


def integer(n: int) -> Value:
    """The number n."""
    return number(Fraction(n))


def dyadic(numerator: int, exponent: int) -> Value:
    """The number numerator / 2**exponent."""
    _check_height(exponent, "an exponent")
    return number(Fraction(numerator, 2**exponent))


def number(value: Fraction) -> Value:
    """A fraction whose denominator is a power of two: no others are values of short games."""
    denominator = value.denominator
    if denominator & (denominator - 1) or denominator > 2**MAX_HEIGHT or abs(value) > MAX_INTEGER:
        raise UsageError(
            f"{value} is not possible: expected a number from -{MAX_INTEGER} to {MAX_INTEGER} "
            f"whose denominator is a power of two, at most 2**{MAX_HEIGHT}"
        )
    return _number(value)


def star(n: int = 1) -> Value:
    """The nimber *n: a heap of n in Nim."""
    _check_height(n, "a nimber")
    return _ups_plus_star(0, n)


def up(n: int = 1) -> Value:
    """n times up; down if n is negative."""
    _check_height(abs(n), "a multiple of up")
    return _ups_plus_star(n, 0)


def _check_height(height: int, what: str) -> None:
    if not 0 <= height <= MAX_HEIGHT:
        raise UsageError(f"{what} of {height} is not possible: expected 0 to {MAX_HEIGHT}")


ZERO = integer(0)
STAR = star()
UP = up()
DOWN = up(-1)


# Text.


def parse(text: str) -> Value:
    """The value of a text (value_notation.py)."""
    return _evaluate(read(text))


def _evaluate(expression: Expression) -> Value:
    match expression:
        case Sum():
            fraction, ups, nimber = expression
            _check_height(max(abs(ups), nimber), "a nimber or multiple of up")
            return number(fraction) + _ups_plus_star(ups, nimber)
        case Braces(left, right):
            return game(map(_evaluate, left), map(_evaluate, right))
        case PlusMinus(left):
            options = list(map(_evaluate, left))
            return game(options, [-option for option in options])


def _expression(value: Value) -> Expression:
    stop = value.left_stop
    if stop == value.right_stop:
        parts = _ups_and_star(value - _number(stop))
        if parts is not None:
            return Sum(stop, *parts)
    left = tuple(map(_expression, value.left))
    if value is -value:
        return PlusMinus(left)
    return Braces(left, tuple(map(_expression, value.right)))


def _ups_and_star(value: Value) -> tuple[int, int] | None:
    """The n and m of a sum of n times up and *m; None for any other game."""
    if value.nim_value is not None:
        return 0, value.nim_value
    for sign, positive in ((1, value), (-1, -value)):
        if positive is _ups_plus_star(1, 1):
            return sign, 1
        if positive.left == (ZERO,) and len(positive.right) == 1:
            parts = _ups_and_star(positive.right[0])
            if parts is not None and parts[0] >= 0:
                return sign * (parts[0] + 1), parts[1] ^ 1
    return None


# Clobber.


def clobber(position: str, variant: str = "normal") -> Value:
    """The value of a Clobber position such as xoxo|ox..; Left plays the x. Up to a dozen stones."""
    if variant not in VARIANTS:
        raise GameError(f"variant {variant} is not possible; expected {', '.join(VARIANTS)}")
    rows, cols = size_of_position(position)
    cells = enumerate(parse_stones(position, rows, cols))
    return _stones_value(
        {divmod(cell, cols): stone for cell, stone in cells if stone != EMPTY}, variant
    )


def _stones_value(stones: dict[Point, int], variant: str) -> Value:
    return sum((_component_value(each, variant) for each in _components(stones)), ZERO)


def _components(stones: dict[Point, int]) -> list[Component]:
    """The connected components, each moved to the top-left corner."""
    found = []
    for points in connected_groups(stones):
        top, side = min(row for row, _ in points), min(col for _, col in points)
        moved = [((row - top, col - side), stones[row, col]) for row, col in points]
        found.append(tuple(sorted(moved)))
    return found


def connected_groups(points: Iterable[Point]) -> Iterator[list[Point]]:
    """Connected groups of points, in the order of each group's first point."""
    unseen = dict.fromkeys(points)
    while unseen:
        group = [next(iter(unseen))]
        del unseen[group[0]]
        for row, col in group:  # grows while it is walked through
            for point in ((row - 1, col), (row, col - 1), (row + 1, col), (row, col + 1)):
                if point in unseen:
                    del unseen[point]
                    group.append(point)
        yield group


@functools.lru_cache(MEMO)
def _component_value(component: Component, variant: str) -> Value:
    stones = dict(component)
    options: tuple[list[Value], list[Value]] = [], []  # of Black and of White
    for (row, col), stone in component:
        for down, right in DIRECTIONS:
            target = row + down, col + right
            if target in stones and (stones[target] != stone or variant == "cannibal"):
                after = stones | {target: stone}
                del after[row, col]
                value = _stones_value(after, variant)
                for player in (BLACK, WHITE) if variant == "impartial" else (stone,):
                    options[player].append(value)
    return game(*options)
