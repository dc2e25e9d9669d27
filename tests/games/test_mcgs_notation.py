import pytest

from zerolab.games.base import GameError
from zerolab.games.mcgs_notation import format_mcgs, is_mcgs, parse_mcgs


@pytest.mark.parametrize(
    ("text", "position", "first"),
    [
        ("[clobber] XO|OX {B}", "xo|ox", "black"),
        ("XO|OX", "xo|ox", None),
        ("[clobber] X.O.X|OXOXO {W}", "x.o.x|oxoxo", "white"),
        ("[clobber_1xn] XOXOXO {B, W}", "xoxoxo", "both"),
        ("[clobber] XO|OX X.O|OXO {B}", "xo.x.o|ox.oxo", "black"),
        ("[clobber] XO XX|OO", "xo.xx|...oo", None),
    ],
)
def test_reads(text, position, first):
    assert is_mcgs(text)
    assert parse_mcgs(text) == (position, first)


def test_writes_what_it_reads():
    text = format_mcgs("xo|o.", [0, 1])
    assert text == "[clobber] XO|O. {B, W}"
    assert parse_mcgs(text) == ("xo|o.", "both")


@pytest.mark.parametrize(
    "text", ["[nogo] XO", "XO|OXO", "[clobber] {B}", "XQ", "XO {C}", "[clobber"]
)
def test_refuses(text):
    with pytest.raises(GameError):
        parse_mcgs(text)


def test_our_own_form_is_another():
    assert not is_mcgs("xo|ox..")
