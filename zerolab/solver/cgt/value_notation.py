"""How values of combinatorial games are written, as text and as a tree; the theory is in value.py.

| written       | ASCII           | meaning                                                       |
| ------------- | --------------- | ------------------------------------------------------------- |
| 3, -1/2       | 3, -1/2         | numbers                                                       |
| *, *2         | *, *2           | nimbers                                                       |
| ↑, ⇑, ↑3      | ^, ^^, ^3       | once, twice, three times up; the number counts arrows         |
| ↓, ⇓, ↓3      | v, vv, v3       | the same of down                                              |
| 2⇑*3          | 2^^*3           | a sum, always in this order: 2 + ⇑ + *3                       |
| {↑,*|-1}      | {^,*|-1}        | Left's options, then Right's; either side may be empty        |
| ±1, ±{2|0}    | +-1, +-{2|0}    | {1|-1} and {{2|0}|{0|-2}}: Right's options are minus Left's   |
| ±(1*), ±{↑,*} | +-(1*), +-{^,*} | {1*|-1*} and {↑,*|↓,*}: for a sum, and for several options    |

`read` accepts both notations, with spaces between games and signs. The ASCII is CGSuite's.
"""

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn, TypeAlias

from zerolab.errors import UsageError

MAX_NESTING = 50

ARROWS = {"↑": "^", "⇑": "^^", "↓": "v", "⇓": "vv"}
SIGN = {"±": "+-"}

_SUM = re.compile(
    r"(?P<number>-?[0-9]{1,9}(/[1-9][0-9]{0,8})?)?"
    r"((?P<arrow>[\^v])(?P<count>(?P=arrow)|[0-9]{1,9})?)?"
    r"(?P<star>\*[0-9]{0,9})?"
)


class Sum(NamedTuple):
    """A number, a multiple of up (down if negative) and a nimber."""

    number: Fraction
    ups: int
    nimber: int


class Braces(NamedTuple):
    """A game by the options of both players."""

    left: tuple["Expression", ...]
    right: tuple["Expression", ...]


class PlusMinus(NamedTuple):
    """A game that is its own negative, by the options of Left."""

    left: tuple["Expression", ...]


Expression: TypeAlias = Sum | Braces | PlusMinus


def write(expression: Expression, ascii: bool = False) -> str:
    """An expression as text."""
    text = _written(expression)
    if ascii:
        for symbol, plain in (ARROWS | SIGN).items():
            text = text.replace(symbol, plain)
    return text


def _written(expression: Expression) -> str:
    match expression:
        case Sum():
            return "".join(_parts(expression)) or "0"
        case Braces(left, right):
            return f"{{{_list(left)}|{_list(right)}}}"
        case PlusMinus((Braces() as only,)):
            return f"±{_written(only)}"
        case PlusMinus((Sum() as only,)) if len(_parts(only)) <= 1:
            return f"±{_written(only)}"
        case PlusMinus((only,)):
            return f"±({_written(only)})"
        case PlusMinus(left):
            return f"±{{{_list(left)}}}"


def _list(options: tuple[Expression, ...]) -> str:
    return ",".join(map(_written, options))


def _parts(terms: Sum) -> list[str]:
    """The text of a sum: its parts that are not zero."""
    parts = []
    if terms.number:
        parts.append(str(terms.number))
    if terms.ups:
        one, two = ("↑", "⇑") if terms.ups > 0 else ("↓", "⇓")
        many = abs(terms.ups)
        parts.append(one if many == 1 else two if many == 2 else f"{one}{many}")
    if terms.nimber:
        parts.append("*" if terms.nimber == 1 else f"*{terms.nimber}")
    return parts


def read(text: str) -> Expression:
    """The expression of a text."""
    plain = text.strip()
    for symbol, replacement in (ARROWS | SIGN).items():
        plain = plain.replace(symbol, replacement)
    reader = _Reader(text, plain)
    expression = reader.expression()
    if reader.rest:
        reader.fail("nothing more")
    return expression


class _Reader:
    """Reads a text from the front; `rest` is what is left of it."""

    def __init__(self, text: str, plain: str) -> None:
        self.text = text
        self.rest = plain
        self.nesting = 0

    def fail(self, expected: str) -> NoReturn:
        place = f"at '{self.rest}'" if self.rest else "at the end"
        raise UsageError(
            f"'{self.text}' is not a game: expected {expected} {place}; games are written like "
            "3/4, *2, ^^*, -1v3*2, {^,*|-1} or +-{^,*}"
        )

    def skip(self, length: int) -> None:
        self.rest = self.rest[length:].lstrip()

    def take(self, symbol: str) -> bool:
        """Whether the symbol comes next; then it is read."""
        comes = self.rest.startswith(symbol)
        if comes:
            self.skip(len(symbol))
        return comes

    def expect(self, symbol: str) -> None:
        if not self.take(symbol):
            self.fail(f"'{symbol}'")

    def expression(self) -> Expression:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self.fail(f"games nested at most {MAX_NESTING} deep")
        result: Expression
        if self.take("+-"):
            result = PlusMinus(self.options_of_plus_minus())
        elif self.take("{"):
            left = self.options()
            self.expect("|")
            result = Braces(left, self.options())
            self.expect("}")
        else:
            result = self.sum()
        self.nesting -= 1
        return result

    def options(self) -> tuple[Expression, ...]:
        if self.rest.startswith(("|", "}")):
            return ()
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return tuple(found)

    def options_of_plus_minus(self) -> tuple[Expression, ...]:
        if self.take("("):
            left: tuple[Expression, ...] = (self.expression(),)
            self.expect(")")
        elif self.take("{"):
            left = self.options()
            if self.take("|"):
                left = (Braces(left, self.options()),)
            self.expect("}")
        else:
            left = (self.sum(),)
        return left

    def sum(self) -> Sum:
        match = _SUM.match(self.rest)
        if match is None or not match.group():
            self.fail("a number, an arrow, a star, { or +-")
        self.skip(match.end())
        number, arrow, count, star = match.group("number", "arrow", "count", "star")
        ups = 0
        if arrow:
            ups = 2 if count == arrow else int(count or 1)
        nimber = 0
        if star:
            nimber = int(star[1:] or 1)
        return Sum(Fraction(number or 0), ups if arrow == "^" else -ups, nimber)
