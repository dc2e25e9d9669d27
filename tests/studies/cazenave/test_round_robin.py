"""cazenave-tournament: Table II from invented scores, names of players, a shrunken run."""

import pytest

from tests.studies.cazenave.records_of_go import write_games
from zerolab.games.playing.score import Score
from zerolab.studies.cazenave import round_robin
from zerolab.studies.cazenave.learning_sweeps import Learnt
from zerolab.studies.cazenave.round_robin import (
    PAPER,
    Standing,
    compare_orders,
    players_of,
    report_on,
)
from zerolab.studies.cazenave.scales import KINDS, SHRUNKEN, effort_of


def standing(player: str, wins: int, games: int = 100) -> Standing:
    return Standing(player, Score(wins, 0, games - wins))


def test_sigma_as_in_the_paper():
    """Its first row: 252 games, 0.754 won, sigma 0.027."""
    assert standing("a", 190, 252).sigma == pytest.approx(0.0271, abs=1e-4)


def orders(*wins: int) -> tuple[str, bool | None]:
    return compare_orders(
        {name: standing(name, won) for name, won in zip(PAPER, wins, strict=True)}
    )


def test_the_order_of_the_paper():
    assert orders(90, 70, 50, 30, 10) == (
        "of 4 neighbours in the paper's order 4 are in that order here",
        True,
    )
    text, reproduced = orders(90, 70, 50, 45, 10)
    assert reproduced is None
    assert "3 are in that order here; 1 cannot be told" in text
    text, reproduced = orders(70, 90, 50, 30, 10)
    assert reproduced is False
    assert "not so mobile.conv.bin above mobile.conv.bin.val4" in text


def test_two_standard_errors_are_sure():
    """At 50 of 100 sigma is 0.05, at 64 it is 0.048: a gap of 0.14 is 2.02 errors of 0.0693."""
    assert orders(99, 64, 50, 20, 1)[1] is True
    assert orders(99, 63, 50, 20, 1)[1] is None


def test_rows_are_ordered_by_what_was_won():
    report = report_on("title", [standing("a0", 10), standing("engine", 60)], is_complete=True)
    assert report.rows == [
        ("engine", "100", "0.600", "0.049", ""),
        ("a0", "100", "0.100", "0.030", "0.008"),
    ]
    assert report_on("title", [], is_complete=False).reproduced is None


def test_a_shrunken_tournament(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(round_robin, "find_program", lambda name: None)
    games = write_games(tmp_path / "games.sgfl")
    report = round_robin.play(SHRUNKEN, 1, lambda *done: None, games, workers=1)
    assert report.is_complete
    assert sorted(each["player"] for each in report.values) == sorted(KINDS)
    assert all(each["games"] == 10 for each in report.values)  # two against each of five


@pytest.mark.parametrize("is_installed", [True, False])
def test_players(monkeypatch, is_installed):
    program = "/usr/games/gnugo" if is_installed else None
    monkeypatch.setattr(round_robin, "find_program", lambda name: program)
    learnt = [Learnt(kind, 1, 9, (f"/runs/{kind}-0", f"/runs/{kind}-1"), ()) for kind in KINDS]
    effort = effort_of(SHRUNKEN)._replace(epochs=7, milliseconds=50)
    names = players_of(learnt, effort)
    assert next(iter(names.items())) == ("az:/runs/a0-0#7@50ms,vary", "a0")
    assert list(names.values())[6:] == (
        ["gnugo --mode gtp --level 1", "gnugo --mode gtp --level 10"] if is_installed else []
    )
