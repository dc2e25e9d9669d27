"""The games that come with the package: complete, legal, different, and enough to learn from."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.documentation import ROOT
from zerolab.games.go import Go
from zerolab.records.packing import pack_files
from zerolab.records.record_files import games_in
from zerolab.records.recorded_game import RecordedGame
from zerolab.studies.shipped_games import GO_9X9

GAME = Go(9, 9)


@pytest.fixture(scope="module", name="games")
def fixture_games() -> list[RecordedGame]:
    """All games; reading them checks every move against the rules."""
    records = list(games_in(GO_9X9))
    assert [each for each in records if not isinstance(each, RecordedGame)] == []
    return [each for each in records if isinstance(each, RecordedGame)]


def test_there_are_enough_games_of_one_kind(games: list[RecordedGame]) -> None:
    assert 1_500 <= len(games) <= 2_500
    assert {(each.game, each.start, each.turn) for each in games} == {(GAME, None, "black")}
    assert GO_9X9.stat().st_size <= 300_000


def test_no_game_occurs_twice(games: list[RecordedGame]) -> None:
    assert len({each.actions for each in games}) == len(games)
    openings = {RecordedGame(GAME, each.actions[:2], None).position().text for each in games}
    assert len(openings) == len(games)


def test_every_game_was_played_to_its_end(games: list[RecordedGame]) -> None:
    """By the rules of a whole game, superko included; the results are those of the last boards."""
    for each in games[::20]:
        outcome = each.position().outcome()
        assert outcome is not None
        assert outcome.value == each.result
    assert all(each.actions[-2:] == (81, 81) for each in games)  # two passes


def test_neither_colour_wins_nearly_always(games: list[RecordedGame]) -> None:
    wins = Counter(each.result for each in games)
    assert wins.keys() == {1.0, -1.0}
    assert min(wins.values()) > len(games) / 3


def test_the_players_are_those_of_the_page(games: list[RecordedGame]) -> None:
    (names,) = {each.names for each in games}
    page = (ROOT / "docs" / "records.md").read_text("utf-8")
    command = re.search(r"^\$ G=\"(gtp:gnugo .*)\"$", page, re.MULTILINE)
    assert command is not None
    assert names == (command[1], command[1])
    assert f"{len(games):,} games" in page


def test_a_dataset_takes_all_of_them(tmp_path: Path) -> None:
    header = pack_files([GO_9X9], GAME, tmp_path / "packed", share=0.05, seed=0).header
    assert (header.rejected, header.games) == ({}, header.read)
    assert 50 <= header.validation_games <= 120


def test_an_installed_package_has_them() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["zerolab"]
    found = {path for pattern in patterns for path in (ROOT / "zerolab").glob(pattern)}
    assert GO_9X9 in found
