"""Studies by name: which take records of games, and what is said of a wrong request."""

from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.studies.cazenave import small_networks
from zerolab.studies.registry import STUDIES, run_study
from zerolab.studies.report import Report


def told(*done: float) -> None:
    pass


def test_records_are_handed_on(monkeypatch):
    asked = []

    def compare(scale, seed, on_progress, data):
        asked.append((scale, seed, data))
        return [Report("title", (), [], [], "", is_complete=True)]

    monkeypatch.setattr(small_networks, "compare", compare)
    run_study("cazenave-small", "evening", 3, told, data=Path("games.sgf"))
    run_study("cazenave-small", "quick", 1, told)
    assert asked == [("evening", 3, Path("games.sgf")), ("quick", 1, None)]


def test_studies_that_do_not_learn_from_records():
    with pytest.raises(
        UsageError,
        match=r"jans does not learn from game records; these do: cazenave-small, cazenave-large, ",
    ):
        run_study("jans", "quick", 1, told, data=Path("games.sgf"))


def test_scales():
    with pytest.raises(UsageError, match=r"jans has no scale 'evening'; expected quick or full"):
        run_study("jans", "evening", 1, told)
    assert {name for name, study in STUDIES.items() if study.takes_data} == {
        f"cazenave-{part}" for part in ("small", "large", "parameters", "tournament")
    }
