"""Opening datasets: what is written is read, and damaged files are refused with a sentence."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.records.making import GAME, random_recorded
from zerolab.errors import UsageError
from zerolab.records.dataset import KEY, open_dataset
from zerolab.records.mapped_arrays import map_arrays, write_arrays
from zerolab.records.packing import pack


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packed") / "games.data"
    pack(random_recorded(GAME, 12), GAME, path, share=0.3)
    return path


def test_the_layout_is_that_of_safetensors(packed: Path) -> None:
    from safetensors import numpy, safe_open

    dataset = open_dataset(packed)
    for name, array in numpy.load_file(packed).items():
        np.testing.assert_array_equal(array, getattr(dataset, name))
    with safe_open(packed, "np") as file:
        assert json.loads(file.metadata()[KEY])["games"] == 12


def test_arrays_are_mapped_not_read(packed: Path) -> None:
    moves = open_dataset(packed).moves
    assert not moves.flags.writeable
    assert not moves.flags.owndata


def test_arrays_are_aligned(tmp_path: Path) -> None:
    """However long the header is, and however many moves there are."""
    for length in range(8):
        games = random_recorded(GAME, 5, seed=length)
        dataset = pack(games, GAME, tmp_path / "games", sources=["x" * length])
        assert dataset.offsets.flags.aligned
        assert dataset.moves.flags.aligned


def test_headers_are_bounded(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerolab.records.mapped_arrays.MAX_HEADER", 100)
    with pytest.raises(UsageError, match="is not a file of packed games"):
        open_dataset(packed)


def change(packed: Path, path: Path, texts: dict | None = None, **arrays: object) -> Path:
    """A file whose digest fits, with other content."""
    found = map_arrays(packed)
    changed = {name: np.array(array) for name, array in found.arrays.items()}
    for name, edit in arrays.items():
        changed[name] = edit(changed[name])
    header = json.loads(found.texts[KEY]) | (texts or {})
    write_arrays(path, {KEY: json.dumps(header)}, changed)
    return path


def put(index: int, value: int):
    def edit(array: np.ndarray) -> np.ndarray:
        array[index] = value
        return array

    return edit


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ({"moves": put(5, 25)}, "a move is not one of the 25 actions of gobang 5x5"),
        ({"offsets": put(0, 1)}, "offsets of games do not ascend"),
        ({"offsets": put(-1, 7)}, "offsets of games do not ascend"),
        ({"offsets": put(3, 0)}, "offsets of games do not ascend"),
        ({"offsets": lambda offsets: put(3, offsets[2])(offsets)}, "offsets of games do not"),
        ({"results": put(2, 2)}, "a result or a flag is out of range"),
        ({"results": put(2, -2)}, "a result or a flag is out of range"),
        ({"results": put(2, -128)}, "a result or a flag is out of range"),
        ({"validation": put(2, 2)}, "a result or a flag is out of range"),
        ({"validation": lambda flags: 1 - flags}, "games for validation"),
        ({"results": lambda results: results[1:]}, "results are not 12 numbers"),
        ({"moves": lambda moves: moves.astype(np.int64)}, "moves are not"),
        ({"moves": lambda moves: moves.reshape(1, -1)}, "moves are not"),
        ({"moves": lambda moves: moves.reshape(-1, 1)}, "moves are not"),
        ({"texts": {"games": 11}}, "offsets are not 12 numbers"),
        ({"texts": {"format": 2}}, "is not a dataset that this version reads: format"),
        ({"texts": {"surprise": 2}}, "is not a dataset that this version reads: surprise"),
        ({"texts": {"game": "../rules.py"}}, "'../rules.py' is not a game"),
        ({"texts": {"parameters": {"rows": 0}}}, "a board of 0x"),
    ],
)
def test_what_sampling_relies_on_is_checked(
    packed: Path, tmp_path: Path, edits: dict, reason: str
) -> None:
    path = change(packed, tmp_path / "changed", **edits)
    with pytest.raises(UsageError) as error:
        open_dataset(path)
    assert reason in str(error.value)
    assert str(path) in str(error.value)


def test_arrays_of_other_names(packed: Path, tmp_path: Path) -> None:
    found = map_arrays(packed)
    write_arrays(tmp_path / "a", found.texts, {**found.arrays, "more": found.arrays["moves"]})
    write_arrays(tmp_path / "b", found.texts, {"moves": found.arrays["moves"]})
    write_arrays(tmp_path / "c", {}, found.arrays)
    for name in "ab":
        with pytest.raises(UsageError, match="its arrays are not those of a dataset"):
            open_dataset(tmp_path / name)
    with pytest.raises(UsageError, match="is not a dataset"):
        open_dataset(tmp_path / "c")


def test_files_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        open_dataset(tmp_path / "missing")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        open_dataset(tmp_path)
    for number, data in enumerate(
        [
            b"",
            b"short",
            b"(;GM[1])" * 50,
            struct.pack("<Q", 2**63) + b"{}",
            struct.pack("<Q", 2) + b"{}",
            struct.pack("<Q", 2) + b"[]",
            struct.pack("<Q", 20) + b'{"__metadata__":null}',
            struct.pack("<Q", 9000) + b"[" * 9000,
        ]
    ):
        path = tmp_path / str(number)
        path.write_bytes(data)
        with pytest.raises(UsageError, match="is not a file of packed games, or only part of one"):
            open_dataset(path)


@pytest.mark.parametrize("entry", [[0, 2], [2, 0], [-2, 0], [2, 10**9], ["0", "2"], [0]])
def test_places_outside_the_file(tmp_path: Path, entry: list) -> None:
    header = {"__metadata__": {}, "moves": {"dtype": "U16", "shape": [2], "data_offsets": entry}}
    text = json.dumps(header).encode()
    (tmp_path / "a").write_bytes(struct.pack("<Q", len(text)) + text + b"\0\0\0\0")
    with pytest.raises(UsageError, match="is not a file of packed games"):
        open_dataset(tmp_path / "a")


@settings(max_examples=60)
@given(data=st.data())
def test_every_damage_is_noticed(packed: Path, data: st.DataObject) -> None:
    """A bit that is turned over, or an end that is missing; spaces of the header are no damage."""
    content = bytearray(packed.read_bytes())
    if data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    path = packed.with_name("damaged")
    path.write_bytes(content)
    try:
        after = open_dataset(path)
    except UsageError as error:
        message = str(error)
    else:  # a letter of the header, which is for people
        message = f"{path}"
        for name, array in map_arrays(packed).arrays.items():
            np.testing.assert_array_equal(array, getattr(after, name))
    assert str(path) in message
    assert "\n" not in message
