"""Reports in the formats that Go programs read."""

import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.engines.gtp_analysis import (
    AnalysisRequest,
    kata_line,
    lz_line,
    parse_colour,
    parse_request,
)
from zerolab.search.analysis import Analysis, Candidate

FOUND = Analysis(
    simulations=100,
    nodes=50,
    value=0.5,
    proven=False,
    candidates=[
        Candidate(3, 75, 0.75, 0.5, False, 0.25, (3, 1)),
        Candidate(1, 25, 0.25, -1.0, True, 0.5, (1,)),
        Candidate(2, 0, 0.0, 0.0, False, 0.25, (2,)),
    ],
)


def name(action):
    return f"C{action}"


def test_as_leela_zero():
    assert lz_line(FOUND, name, None) == (
        "info move C3 visits 75 winrate 7500 prior 2500 lcb 7500 order 0 pv C3 C1 "
        "info move C1 visits 25 winrate 0 prior 5000 lcb 0 order 1 pv C1"
    )


def test_as_kata_go():
    assert kata_line(FOUND, name, 1) == (
        "info move C3 visits 75 utility 0.500000 winrate 0.750000 prior 0.250000 lcb 0.750000 "
        "order 0 pv C3 C1"
    )


def test_where_nothing_was_tried_there_is_still_a_move():
    found = FOUND._replace(candidates=FOUND.candidates[2:])
    assert lz_line(found, name, None).startswith("info move C2 visits 0 winrate 5000 ")


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ("", AnalysisRequest()),
        ("50", AnalysisRequest(interval=50)),
        ("interval 50", AnalysisRequest(interval=50)),
        ("B 20 maxmoves 3", AnalysisRequest("black", 20, 3)),
        ("white interval 0 minmoves 5 ownership true", AnalysisRequest("white", 1)),
        ("999999999 w", AnalysisRequest("white", 10**6)),
    ],
)
def test_arguments(words, request_):
    assert parse_request(words.split()) == request_


@pytest.mark.parametrize("words", ["red", "interval", "interval x", "avoid b d4,e5 10", "-1"])
def test_wrong_arguments(words):
    with pytest.raises(UsageError, match="syntax error"):
        parse_request(words.split())


def test_seconds():
    assert AnalysisRequest(interval=25).seconds == 0.25


@pytest.mark.parametrize(
    ("text", "colour"), [("b", "black"), ("WHITE", "white"), ("W", "white"), ("bl", None)]
)
def test_colours(text, colour):
    assert parse_colour(text) == colour
