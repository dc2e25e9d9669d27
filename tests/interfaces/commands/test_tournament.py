"""zerolab tournament: what is asked for reaches the event."""

from pathlib import Path

import pytest

from tests.interfaces.commands.promised import promised
from zerolab.evaluation.matches.tournaments import Event
from zerolab.experiments.engines.engine import HERE
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main


@pytest.fixture
def shown(monkeypatch):
    """What would be played and shown."""
    calls = []
    monkeypatch.setattr(
        "zerolab.interfaces.views.results.tournament_view.show_tournament",
        lambda out, *arguments: calls.append(arguments),
    )
    return calls


COMMAND = ("tournament", "clobber", "--size", "3x4", "--players", "random", "first")


def test_defaults_are_those_of_the_page(shown):
    main(COMMAND)
    said = promised("tournaments.md", "tournament")
    assert said.keys() == {"rounds", "opening"}
    assert shown == [
        (
            Event(Clobber(3, 4), ("random", "first"), is_gauntlet=False, seed=0, **said),
            None,
            None,
            None,
            None,
            HERE,
        )
    ]


def test_each_option_is_passed_on(shown):
    main(
        [
            *COMMAND,
            *("--rounds", "3", "--gauntlet", "--opening", "5", "--seed", "7"),
            *("--results", "games.jsonl", "--anchor", "first", "--plot", "elo.svg"),
            *("--save", "games.sgf"),
        ]
    )
    event = Event(Clobber(3, 4), ("random", "first"), 3, is_gauntlet=True, opening=5, seed=7)
    assert shown == [
        (event, Path("games.jsonl"), "first", Path("elo.svg"), Path("games.sgf"), HERE)
    ]
