"""Values as text: written, read back, and what is not one refused."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.strategies import any_text, quick
from tests.solver.cgt.test_value import all_small, values
from zerolab.errors import UsageError
from zerolab.solver.cgt.value import (
    DOWN,
    STAR,
    UP,
    ZERO,
    Value,
    dyadic,
    game,
    integer,
    parse,
    star,
    up,
)

TEXTS = [
    (ZERO, "0", "0"),
    (integer(-3), "-3", "-3"),
    (dyadic(5, 2), "5/4", "5/4"),
    (STAR, "*", "*"),
    (star(2), "*2", "*2"),
    (UP, "↑", "^"),
    (DOWN, "↓", "v"),
    (up(2), "⇑", "^^"),
    (up(-2) + STAR, "⇓*", "vv*"),
    (up(3) + star(3), "↑3*3", "^3*3"),
    (integer(2) + UP + STAR, "2↑*", "2^*"),
    (dyadic(-1, 1) + up(-5), "-1/2↓5", "-1/2v5"),
    (game([integer(2)], [integer(-1)]), "{2|-1}", "{2|-1}"),
    (game([UP, STAR], [integer(-1), DOWN]), "{*,↑|-1}", "{*,^|-1}"),
    (game([integer(1)], [integer(-1)]), "±1", "+-1"),
    (parse("{^^|vv}"), "±⇑", "+-^^"),
    (game([integer(1) + STAR], [integer(-1) + STAR]), "±(1*)", "+-(1*)"),
    (game([UP, STAR], [DOWN, STAR]), "±{*,↑}", "+-{*,^}"),
    (parse("{{4|2}|{-2|-4}}"), "±{4|2}", "+-{4|2}"),
    (parse("{0|{0|-1}}"), "{0|{0|-1}}", "{0|{0|-1}}"),
]


@pytest.mark.parametrize(("value", "text", "plain"), TEXTS, ids=[plain for _, _, plain in TEXTS])
def test_text(value: Value, text: str, plain: str) -> None:
    assert (str(value), repr(value), value.text(ascii=True)) == (text, text, plain)
    assert parse(text) is parse(plain) is value


@quick
@given(values | all_small)
def test_text_round_trip(value: Value) -> None:
    assert parse(str(value)) is value
    assert parse(value.text(ascii=True)) is value
    assert value.text(ascii=True).isascii()


def test_text_is_read_liberally() -> None:
    assert parse(" { ^ , * | v , * } ") is parse("±{↑,*}") is parse("+- {*,^}")
    assert parse("{|}") is parse("*0") is parse("0^0") is ZERO
    assert parse("{1,2|}") is integer(3)
    assert parse("2/4") is dyadic(1, 1)
    assert parse("±(±1)") is parse("{±1|±1}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected a number, an arrow, a star, { or .- at the end"),
        ("1 2", "expected nothing more at '2'"),
        ("{1|2", "expected '}' at the end"),
        ("{1,|2}", "expected a number, .* at '|2}'"),
        ("*^", r"expected nothing more at '\^'"),
        ("1/0", "expected nothing more at '/0'"),
        ("±(1,2)", r"expected '\)' at ',2\)'"),
        ("1/3", "1/3 is not possible: expected .* a power of two"),
        ("1001", "expected a number from -1000 to 1000"),
        ("*51", "a nimber or multiple of up of 51 is not possible: expected 0 to 50"),
        ("v999999999", "expected 0 to 50"),
        ("{" * 60, "expected games nested at most 50 deep"),
    ],
)
def test_bad_text_is_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        parse(text)


@quick
@given(any_text | st.text("0123/{|},*^v+-±↑()", max_size=12))
@example("^50*50")
@example("-1000v50*49")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = parse(text)
    except UsageError:
        return
    assert parse(str(value)) is value
