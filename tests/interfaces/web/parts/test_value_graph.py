"""The graph of a game's values, and the list of its moves, without a browser."""

from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.interfaces.web.parts.move_list import _table
from zerolab.interfaces.web.parts.value_graph import MOST_STONES, value_chart


def game(rules, plies, first=None):
    position = first or Position.start(rules)
    for _ in range(plies):
        position = position.after(position.legal_actions[0])
    return position.history


def marked(curve):
    """The places of a curve that are marked as mistakes."""
    return [place for place, each in enumerate(curve["data"]) if isinstance(each, dict)]


def test_there_is_a_curve_for_each_side():
    chart = value_chart(game(Clobber(3, 3), 3), 2, [1.0, -0.25, None, -1.0])
    black, white = chart["series"]
    assert (black["name"], black["data"]) == ("Black", [1.0, -0.25, None, -1.0])
    assert (white["name"], white["data"]) == ("White", [-1.0, 0.25, None, 1.0])
    assert black["markLine"]["data"] == [{"xAxis": 2}]
    assert chart["xAxis"]["data"][0] == "0 start"
    assert chart["xAxis"]["data"][1].startswith("1 ")


def test_mistakes_are_marked_on_the_curve_of_who_made_them():
    positions = game(Clobber(3, 3), 3)
    black, white = value_chart(positions, 0, [1.0, -1.0, 1.0, 1.0], [0, 1])["series"]
    assert (marked(black), marked(white)) == ([1], [2])
    assert black["data"][1]["value"] == -1.0
    assert white["data"][2]["value"] == -1.0
    assert black["data"][1]["label"]["formatter"] == "?"


def test_whites_first_move_is_whites_mistake():
    first = Position.parse(Clobber(2, 2), "xo|ox", "white")
    black, white = value_chart(game(None, 1, first), 0, [-1.0, 1.0], [0])["series"]
    assert (marked(black), marked(white)) == ([], [1])


def test_a_puzzle_has_one_curve():
    (curve,) = value_chart(game(Solitaire(2, 3), 2), 0, [0.5, 0.5, 0.25], [1])["series"]
    assert marked(curve) == [2]


def test_a_long_game_has_small_stones():
    positions = game(Clobber(3, 3), 1)
    short, long = (value_chart(positions, 0, [0.0] * n) for n in (MOST_STONES, MOST_STONES + 1))
    assert short["series"][0]["symbolSize"] > long["series"][0]["symbolSize"]


def test_moves_stand_in_the_column_of_who_made_them():
    first = Position.parse(Clobber(2, 2), "xo|ox", "white")
    table = _table(game(None, 2, first), 1, ["", "<loses>", ""], [0])
    cells = table.split('<span class="zl-no">')[1:]
    assert len(cells) == 2 if len(game(None, 2, first)) > 2 else 1
    assert '<span class="zl-move"></span>' in cells[0]  # Black has not moved before
    assert "&lt;loses&gt;" in cells[0]
    assert cells[0].index("zl-bad") < cells[0].index("</button>")
    assert "zl-now" in cells[0]
    black = _table(game(Clobber(3, 3), 2), 0, ["", "", ""], [])
    assert black.count("zl-no") == 1
    assert "zl-now" not in black
