import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.matches.results_file import ResultsFile, Setting, read_results

SETTING = Setting("clobber 4x4", 2, 1)
PLAYERS = ["random", "first"]

texts = st.text(max_size=20)
numbers = st.integers(0, 2**53 - 1)
times = st.floats(0, 1e6)
games = st.builds(
    Played,
    numbers,
    st.sampled_from(PLAYERS),
    st.sampled_from(PLAYERS),
    st.sampled_from([1, 0, -1]),
    numbers,
    texts,
    texts,
    numbers,
    st.tuples(times, times),
    st.tuples(numbers, numbers),
    st.none() | texts,
    st.none(),
    st.none() | st.tuples(numbers, numbers),
) | st.builds(
    lambda reason: Played(0, *PLAYERS, None, 1, "", "", 1, (0.0, 0.0), (0, 0), failed=reason),
    texts.filter(bool),
)


def game(pair: int) -> Played:
    return Played(pair, "random", "first", 1, 9, "a1a2", "b1b2", 7, (0.1, 0.2), (1, 2))


def write(path: Path, *pairs: int) -> bytes:
    with ResultsFile(path, SETTING, PLAYERS) as results:
        results.add([game(pair) for pair in pairs])
    return path.read_bytes()


@settings(max_examples=50)
@given(st.lists(st.lists(games, max_size=3), max_size=4))
def test_games_come_back_as_they_were(tmp_path_factory, chunks):
    path = tmp_path_factory.mktemp("results") / "games.jsonl"
    for chunk in chunks:
        with ResultsFile(path, SETTING, PLAYERS) as results:
            results.add(chunk)
    written = [each for chunk in chunks for each in chunk]
    with ResultsFile(path, SETTING, PLAYERS) as results:
        assert results.games == written
    header, read = read_results(path) if path.exists() else ({}, [])
    assert read == written
    assert header["players"] == PLAYERS
    assert header["game"] == "clobber 4x4"


def test_a_file_cut_off_anywhere_goes_on(tmp_path):
    """As a killed writer leaves it: what is whole is kept, and the rest is written anew."""
    whole = write(tmp_path / "whole", 0, 1, 2)
    path = tmp_path / "cut"
    ends = [size for size in range(len(whole)) if b"\n" in whole[size - 1 : size + 2]]
    for size in {*range(0, len(whole), 10), *ends}:
        path.write_bytes(whole[:size])
        with ResultsFile(path, SETTING, PLAYERS) as results:
            kept = len(results.games)
            assert results.games == [game(pair) for pair in range(kept)]
            results.add([game(pair) for pair in range(kept, 3)])
        assert path.read_bytes() == whole


def test_a_damaged_last_line_is_cut_off(tmp_path):
    """A power failure may leave the line with nothing in it."""
    path = tmp_path / "games"
    whole = write(path, 0, 1)
    path.write_bytes(whole + b"\0" * 50 + b"\n")
    assert write(path, 2) == whole + whole.splitlines(keepends=True)[-1].replace(
        b": 1, ", b": 2, ", 1
    )


def test_a_damaged_line_before_is_told_and_nothing_is_changed(tmp_path):
    path = tmp_path / "games"
    lines = write(path, 0, 1, 2).splitlines(keepends=True)
    wrong = [
        {"pair": "1"},
        {"first": ["random"]},
        {"plies": None},
        {"result": 0.5},
        {"moves": 5},
        {"seconds": [1.0]},
        {"chosen": ["1", 2]},
        {"failed": 3, "result": None},
        {"more": 1},
    ]
    whole = json.loads(lines[1])
    for broken in (
        *(b"{}\n", b"\n", b"[1]\n", b'{"pair": 1}\n', lines[1].replace(b": 1,", b": 5,")),
        json.dumps(list(whole.values())).encode() + b"\n",
        *(json.dumps(whole | each).encode() + b"\n" for each in wrong),
    ):
        path.write_bytes(b"".join([*lines[:2], broken, lines[3]]))
        before = path.read_bytes()
        with pytest.raises(UsageError, match="is damaged in line 3"):
            ResultsFile(path, SETTING, PLAYERS)
        with pytest.raises(UsageError, match="is damaged in line 3"):
            read_results(path)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("setting", "players", "complaint"),
    [
        (SETTING._replace(game="clobber 5x5"), PLAYERS, "game clobber 4x4, not clobber 5x5"),
        (SETTING._replace(opening=3), PLAYERS, "opening 2, not 3"),
        (SETTING._replace(seed=2), PLAYERS, "seed 1, not 2"),
        (SETTING, ["random", "mc:2"], "in which first played too"),
    ],
)
def test_another_tournament_is_left_alone(tmp_path, setting, players, complaint):
    path = tmp_path / "games"
    before = write(path, 0)
    with pytest.raises(UsageError, match=complaint):
        ResultsFile(path, setting, players)
    assert path.read_bytes() == before


FORMAT = b'{"format": "zerolab tournament 1", "players": '


@pytest.mark.parametrize(
    "content",
    [
        *(b"my notes", b"my notes\n", b'{"game": "clobber"}\n', b"\n"),
        *(FORMAT + players + b"}\n" for players in (b"5", b"[1]", b"null", b'"random"')),
    ],
)
def test_another_file_is_left_alone(tmp_path, content):
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is not a file of results"):
        ResultsFile(path, SETTING, PLAYERS)
    assert path.read_bytes() == content


def test_players_may_be_added(tmp_path):
    path = tmp_path / "games"
    before = write(path, 0)
    with ResultsFile(path, SETTING, ["mc:2", *PLAYERS]) as results:
        assert results.games == [game(0)]
        assert path.read_bytes() == before
        results.add([game(1)._replace(second="mc:2")])
    with pytest.raises(UsageError, match="in which mc:2 played too"):
        ResultsFile(path, SETTING, PLAYERS)


def test_two_cannot_write_at_once(tmp_path):
    path = tmp_path / "games"
    with ResultsFile(path, SETTING, PLAYERS) as results:
        with pytest.raises(UsageError, match="is being written by another"):
            ResultsFile(path, SETTING, PLAYERS)
        results.add([game(0)])
    assert len(write(path, 1).splitlines()) == 3


def test_the_file_is_json_lines(tmp_path):
    header, line = map(json.loads, write(tmp_path / "games", 3).splitlines())
    assert header["format"] == "zerolab tournament 1"
    assert {"version", "game", "opening", "seed", "players"} < set(header)
    assert line["pair"] == 3
    assert "failed" not in line


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be written: No such file"):
        ResultsFile(tmp_path / "nowhere" / "games", SETTING, PLAYERS)
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        ResultsFile(tmp_path, SETTING, PLAYERS)
    with pytest.raises(UsageError, match="cannot be read"):
        read_results(tmp_path / "games")


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    path = tmp_path / "games"

    def fail(handle):
        raise OSError(28, os.strerror(28))

    with ResultsFile(path, SETTING, PLAYERS) as results:
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(UsageError, match="No space left"):
            results.add([game(0)])
