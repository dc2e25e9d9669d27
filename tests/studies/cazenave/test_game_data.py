"""Records become a dataset once, and others never pass for them."""

import pytest

from tests.records.making import as_line, random_recorded
from tests.studies.cazenave.records_of_go import BOARD, GAMES, write_games
from zerolab.errors import UsageError
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.records.dataset import open_dataset
from zerolab.studies.cazenave import game_data
from zerolab.studies.cazenave.game_data import board_of, pack_once


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_records_are_packed_once(tmp_path, monkeypatch):
    source = write_games(tmp_path / "games.sgfl")
    shares = []
    packed = pack_once(source, shares.append)
    assert shares[-1] == 1
    dataset = open_dataset(packed)
    assert 0 < dataset.header.validation_games < dataset.header.games <= GAMES
    assert dataset.game == Go(4, 4)
    monkeypatch.delattr(game_data, "pack_files")
    assert pack_once(source) == packed
    assert pack_once(packed) == packed  # packed games are taken as they are


def test_other_records_have_another_place(tmp_path):
    source = write_games(tmp_path / "games.sgfl")
    before = pack_once(source)
    source.write_bytes(source.read_bytes() + b"\n" + as_line(*random_recorded(BOARD, 1, seed=1)))
    assert pack_once(source) != before
    renamed = source.rename(tmp_path / "others.sgfl")
    assert pack_once(renamed).parent.name.startswith("others-")


def test_a_directory_of_records(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    write_games(folder / "games.sgfl")
    assert open_dataset(pack_once(folder)).header.games > 0


def test_the_first_game_says_which_board(tmp_path):
    source = tmp_path / "games.sgfl"
    games = [*random_recorded(Go(3, 5), 1), *random_recorded(BOARD, 1)]
    source.write_bytes(b"nonsense\n" + b"\n".join(map(as_line, games)))
    assert board_of(source) == Go(3, 5)


def test_what_cannot_be_learnt_from(tmp_path):
    with pytest.raises(UsageError, match="does not exist; expected records of Go"):
        pack_once(tmp_path / "missing.sgf")
    source = tmp_path / "games.sgfl"
    source.write_bytes(b"nonsense")
    with pytest.raises(UsageError, match="no game that can be read"):
        pack_once(source)
    source.write_bytes(as_line(*random_recorded(Gobang(5, 5), 1)))
    with pytest.raises(UsageError, match=r"games of gobang 5x5; .* 21 planes of Go"):
        pack_once(source)


def test_without_data_the_shipped_games_are_used():
    packed = pack_once(None)
    assert packed.parent.name.startswith("gnugo-9x9-")
    assert open_dataset(packed).game == Go(9, 9)
