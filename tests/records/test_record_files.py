"""Records of files and directories: every format, and files that are damaged or hostile."""

import gzip
import io
import lzma
import os
import re
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.records.making import GAME, as_line, random_recorded, write_compressed
from zerolab.errors import UsageError
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.position import Position
from zerolab.records import expanding, sgf
from zerolab.records.record_files import RecordFiles, check_games_file, games_in, write_games
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError
from zerolab.records.sgf import LONGEST, read_lines, read_sgf
from zerolab.records.sgf_collections import split_collection

GAMES = random_recorded(GAME, 6)
COLLECTION = b"\n".join(map(as_line, GAMES))


def actions(records: object) -> list[tuple[int, ...] | str]:
    return [each.actions if isinstance(each, RecordedGame) else str(each) for each in records]


EXPECTED = [each.actions for each in GAMES]


@pytest.mark.parametrize("compression", ["", ".gz", ".xz", ".zip"])
@pytest.mark.parametrize("kind", [".sgf", ".sgfl"])
def test_every_format(kind: str, compression: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{kind}{compression}"
    write_compressed(path, COLLECTION)
    found = list(games_in(path))
    assert actions(found) == EXPECTED
    where = f"{path}, deep/games.sgf" if compression == ".zip" else str(path)
    number = "line 2" if kind == ".sgfl" and compression != ".zip" else "game 2"
    assert found[1].source == f"{where}, {number}"


def test_files_of_several_compressed_parts(tmp_path: Path) -> None:
    half = COLLECTION.index(b"\n", len(COLLECTION) // 2)
    for suffix, compress in ((".gz", gzip.compress), (".xz", lzma.compress)):
        padding = b"\0" * 8 if suffix == ".xz" else b""
        parts = compress(COLLECTION[:half]) + padding + compress(COLLECTION[half:]) + padding
        path = tmp_path / f"games.sgf{suffix}"
        path.write_bytes(parts)
        assert actions(games_in(path)) == EXPECTED


def test_a_directory_is_read_in_order(tmp_path: Path) -> None:
    for name, game in zip(("b/2.sgf", "b/10.sgf", "a.sgf", "c/d/e.sgfl"), GAMES, strict=False):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(as_line(game))
    (tmp_path / "README.md").write_text("(;GM[1])")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "waits.sgf")  # opening it would hang
    assert actions(games_in(tmp_path)) == [EXPECTED[i] for i in (2, 1, 0, 3)]


@pytest.mark.parametrize("is_backwards", [False, True])
def test_the_order_is_that_of_names(is_backwards: bool, tmp_path: Path) -> None:
    """Not that in which files were made, or the opposite, as some systems list them."""
    names = [f"{folder}/{file}.sgf" for folder in "abc" for file in "xyz"]
    for name in names[::-1] if is_backwards else names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(as_line(GAMES[0]))
    sources = [each.source for each in games_in(tmp_path)]
    assert sources == [str(tmp_path / name) for name in names]


def test_an_archive_whose_directory_makes_no_sense(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: object) -> None:
        raise ValueError("negative seek value")

    write_compressed(tmp_path / "a.zip", COLLECTION)
    monkeypatch.setattr(zipfile, "ZipFile", fail)
    (found,) = games_in(tmp_path / "a.zip")
    assert str(found).endswith("a.zip: it cannot be read: negative seek value")


def test_members_of_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("b.sgf.gz", gzip.compress(as_line(GAMES[1])))
        archive.writestr("a.sgfl.xz", lzma.compress(as_line(GAMES[0])))
        archive.writestr("readme", "hello")
        archive.mkdir("c.sgf")
    assert actions(games_in(tmp_path / "a.zip")) == EXPECTED[:2]


def test_missing_paths_are_mistakes_of_the_user(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file or directory"):
        games_in(tmp_path / "missing.sgf")


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.sgf.xz", b"no archive", "it cannot be read: "),
        ("a.sgf.gz", b"no archive", "it cannot be read: Not a gzipped file"),
        ("a.zip", b"no archive", "it cannot be read: File is not a zip file"),
        ("a.sgf.xz", b"", "it cannot be read: it ends too early"),
        ("a.sgf", b"", "there is no game in it"),
        ("a.sgfl", b"\n \n", "there is no game in it"),
        ("a.sgfl", b"hello", ", line 1: it is not SGF"),
        ("a.sgf", COLLECTION.decode().encode("utf-16"), "there is no game in it"),
        ("a.doc", COLLECTION, "its name is not that of a record"),
        ("a.sgf", b"(;FF[4]GM[4]SZ[5];B[aa];W[", "it is not SGF"),
    ],
)
def test_files_that_cannot_be_read(name: str, data: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    (found,) = games_in(tmp_path / name)
    assert isinstance(found, RecordError)
    assert str(found).startswith(str(tmp_path / name))
    assert reason in str(found)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_what_comes_before_the_damage_is_read(suffix: str, tmp_path: Path) -> None:
    lines = b"\n".join(map(as_line, random_recorded(GAME, 2000)))
    path = tmp_path / f"games.sgfl{suffix}"
    write_compressed(path, lines)
    path.write_bytes(path.read_bytes()[:-20])
    *found, last = games_in(path)
    assert isinstance(last, RecordError)
    assert last.reason == Reason.UNREADABLE
    assert len(found) > 100


def test_one_damaged_member_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, game in zip("abc", GAMES, strict=False):
            archive.writestr(f"{name}.sgf", as_line(game))
    data = bytearray(path.read_bytes())
    data[data.index(as_line(GAMES[1])) + 40] ^= 1
    path.write_bytes(data)
    found = list(games_in(path))
    assert [type(each) for each in found].count(RecordedGame) >= 2
    assert any("b.sgf: it cannot be read: Bad CRC-32" in str(each) for each in found)


def test_encrypted_and_odd_members(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.sgf", as_line(GAMES[0]), zipfile.ZIP_LZMA)
        archive.writestr("b.sgf", as_line(GAMES[0]))
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[data.rindex(b"PK\x01\x02") + 8] |= 1  # the flag of the last entry
    (tmp_path / "a.zip").write_bytes(data)
    first, second = games_in(tmp_path / "a.zip")
    assert "a.sgf: it cannot be read: it is compressed by a method other than" in str(first)
    assert "b.sgf: it cannot be read: it is encrypted" in str(second)


@pytest.mark.parametrize("name", ["bomb.sgf.xz", "bomb.sgfl.gz", "bomb.sgf.zip", "bomb.sgfl.xz"])
def test_bombs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are neither kept in memory nor read for long; xz alone takes 8 MB."""
    monkeypatch.setattr(expanding, "_FREE", 2**22)
    monkeypatch.setattr(expanding, "MOST_EXPANSION", 100)
    write_compressed(tmp_path / name, b"\0" * 2**26)
    tracemalloc.start()
    try:
        found = list(games_in(tmp_path / name))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "it expands more than 100 times" in str(found[-1])
    assert most < 2**24


def test_the_dictionary_of_xz_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expanding, "MOST_MEMORY", 2**20)
    write_compressed(tmp_path / "a.sgf.xz", COLLECTION)
    (found,) = games_in(tmp_path / "a.sgf.xz")
    assert "it cannot be read: Memory usage limit exceeded" in str(found)


def test_long_lines_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = max(len(as_line(game)) for game in GAMES)
    monkeypatch.setattr(sgf, "LONGEST", longest)
    for end in (b"\n", b""):
        for length in (longest + 1, 2 * longest, 5 * longest + 3):
            data = as_line(GAMES[0]) + b"\n" + b"(" * length + b"\n" + as_line(GAMES[1]) + end
            first, long, last = read_lines(io.BytesIO(data), "a")
            assert (first.actions, last.actions) == tuple(EXPECTED[:2])
            assert str(long) == f"a, line 2: it is longer than {longest} bytes"
            assert long.reason == Reason.TOO_LONG
    (only,) = read_lines(io.BytesIO(b"(" * 5 * longest), "a")
    assert "line 1" in str(only)


class Trickle(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data, self.step = data, step

    def read(self, size: int = -1) -> bytes:
        part, self.data = self.data[: self.step], self.data[self.step :]
        return part


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_data_may_end_anywhere_for_a_while(step: int) -> None:
    """Also after a backslash in a comment that looks like a game."""
    text = b"(;FF[4]C[a\\](;GM[1\\]];B[aa](;W[bb])(;W[cc]))"
    assert list(split_collection(Trickle(text * 3, step), LONGEST)) == [text] * 3


@settings(max_examples=100)
@given(st.integers(1, 200), st.lists(st.sampled_from(range(5)), max_size=12))
def test_a_collection_is_split_alike_however_it_is_read(step: int, parts: list[int]) -> None:
    pieces = [as_line(GAMES[0]), b"(;FF[4]C[a\\](;GM[1\\]];B[aa](;W[bb])(;W[cc]))"]
    pieces += [b"(;GM[4];B[aa](", b" junk ) ( \n", b"(  \n ;SZ[5];B[a\\\\])"]
    data = b"".join(pieces[part] for part in parts)
    whole = list(split_collection(io.BytesIO(data), LONGEST))
    assert list(split_collection(Trickle(data, step), LONGEST)) == whole
    assert b"".join(whole).count(pieces[0]) == parts.count(0)
    assert all(text.startswith(b"(") for text in whole)


@pytest.mark.parametrize("piece", ["(;", "[", "(;FF[4]", "(", "\\", "(;B[\\]", "(;C[", "( "])
def test_no_repetition_takes_quadratic_time(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a megabyte would take hours; what is held in memory is bounded too."""
    monkeypatch.setattr(sgf, "LONGEST", 2**14)
    data = b"(;FF[4]" + piece.encode() * (2**19 // len(piece))
    longest = 0
    for text in split_collection(io.BytesIO(data), 2**14):
        longest = max(longest, len(text))
    assert longest <= 2**18
    for _ in zip(read_sgf(io.BytesIO(data)), range(20), strict=False):
        pass


def test_the_share_that_is_read(tmp_path: Path) -> None:
    for name in ("a.sgfl", "b.sgf.xz"):
        write_compressed(tmp_path / name, COLLECTION)
    files = RecordFiles([tmp_path])
    shares = [files.share for _ in files]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] <= 1
    assert files.share == 1
    assert RecordFiles([]).share == 0


def mutate(text: bytes, draw: np.random.Generator) -> bytes:
    """A few bytes changed, dropped or doubled, mostly those that mean something in SGF."""
    data = bytearray(text)
    for _ in range(int(draw.integers(1, 5))):
        place = int(draw.integers(len(data))) if data else 0
        match int(draw.integers(4)):
            case 0:
                data[place : place + 1] = bytes([int(draw.choice(list(b"()[];:\\BWaz09\xff\n")))])
            case 1:
                data[place : place + 1] = bytes([int(draw.integers(256))])
            case 2:
                del data[place : place + int(draw.integers(1, 20))]
            case _:
                data[place:place] = data[place : place + int(draw.integers(1, 60))]
    return bytes(data)


def read_mutants(path: Path, count: int, seed: int) -> tuple[int, int]:
    """How many mutated records are games still, and how many are not."""
    draw = np.random.default_rng(seed)
    lines = [mutate(as_line(GAMES[i % 6]), draw).replace(b"\n", b" ") for i in range(count)]
    path.write_bytes(b"\n".join(lines))
    found = [isinstance(each, RecordedGame) for each in games_in(path)]
    return sum(found), len(found) - sum(found)


def test_mutated_records(tmp_path: Path) -> None:
    for name in ("a.sgfl", "a.sgf"):
        games, errors = read_mutants(tmp_path / name, 400, seed=1)
        assert games > 20
        assert errors > 20


@pytest.mark.slow
def test_a_hundred_thousand_mutated_records(tmp_path: Path) -> None:
    for seed, name in enumerate(("a.sgfl", "a.sgf")):
        games, errors = read_mutants(tmp_path / name, 50_000, seed)
        assert games > 2_000
        assert errors > 2_000


@pytest.mark.parametrize("name", ["a.sgf.xz", "a.sgf.gz", "a.sgf.zip"])
def test_mutated_archives(name: str, tmp_path: Path) -> None:
    write_compressed(tmp_path / name, COLLECTION)
    data, draw = (tmp_path / name).read_bytes(), np.random.default_rng(1)
    for _ in range(300):
        (tmp_path / name).write_bytes(mutate(data, draw))
        assert list(games_in(tmp_path / name))


@pytest.mark.parametrize("kind", [".sgf", ".sgfl", ".sgf.xz", ".sgfl.xz"])
def test_games_that_are_written_are_read_back(kind: str, tmp_path: Path) -> None:
    names = ("gtp:engine --level 4 [x]\\", "two\nlines")
    games = [each._replace(names=names) for each in GAMES]
    games.append(RecordedGame.of(Position.parse(Clobber(2, 3), "xo.|.ox", "white").play("b2a2")))
    path = tmp_path / f"some.games{kind}"
    path.write_bytes(b"something else")
    write_games(path, games)
    assert list(tmp_path.iterdir()) == [path]
    back = list(games_in(path))
    assert [each._replace(source="", names=("", "")) for each in back] == [
        each._replace(names=("", "")) for each in games
    ]
    assert {each.names for each in back[:-1]} == {(names[0], "two lines")}
    data = path.read_bytes()
    text = lzma.decompress(data) if kind.endswith(".xz") else data
    assert text.startswith(b"(;")
    assert text.endswith(b")\n")
    is_by_line = all(line.startswith(b"(;") for line in text.splitlines())
    assert is_by_line == kind.startswith(".sgfl")
    assert max(map(len, text.splitlines())) < 100 or is_by_line
    assert re.search(rb"[;\]] ", text) is None  # no space between moves


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("games.txt", "not a name for games; expected one that ends in .sgf, .sgfl"),
        ("games.sgf.gz", "not a name for games"),
        ("games.xz", "not a name for games"),
        (".sgf", "not a name for games"),
        ("no/games.sgf", "there is no directory"),
        ("folder.sgf", "it is not a file"),
    ],
)
def test_where_games_cannot_be_written(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "folder.sgf").mkdir()
    with pytest.raises(UsageError, match=words):
        check_games_file(tmp_path / name, GAME)


def test_games_that_can_be_written(tmp_path: Path) -> None:
    for kind in (".sgf", ".sgfl", ".sgf.xz", ".sgfl.xz"):
        check_games_file(tmp_path / f"a.b{kind}", Clobber(3, 3, setup=RANDOM))
    rules = Path(__file__).parents[2] / "examples" / "snort.py"
    with pytest.raises(UsageError, match="are not written as SGF"):
        check_games_file(tmp_path / "a.sgf", make_game(str(rules), "4x4"))
    assert list(tmp_path.iterdir()) == []
