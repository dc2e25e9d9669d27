import json
import struct
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.networks.making import CONFIGS, make_network, random_planes
from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber, Variant
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.networks.checkpoints import load_network, save_network
from zerolab.networks.header import Header
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_evaluator import TorchEvaluator
from zerolab.networks.torch_network import Network

GAME = Clobber(4, 4, variant=Variant.CANNIBAL)
ANY_SIZE, ONE_SIZE = CONFIGS["mobile squeeze"], CONFIGS["dense heads"]


@pytest.fixture(name="saved")
def _saved(tmp_path: Path) -> Path:
    return save(tmp_path / "net.safetensors")


def save(path: Path) -> Path:
    network = make_network(ANY_SIZE, GAME)
    save_network(path, network, Header.of(GAME, ANY_SIZE, "own", step=7))
    return path


def rewrite(path: Path, change: dict[str, object]) -> None:
    """Change fields of the header and leave the weights alone."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    text = json.loads(data[8 : 8 + length])
    header = json.loads(text["__metadata__"]["zerolab"]) | change
    text["__metadata__"]["zerolab"] = json.dumps(header)
    encoded = json.dumps(text).encode()
    path.write_bytes(struct.pack("<Q", len(encoded)) + encoded + data[8 + length :])


def test_what_is_saved_is_loaded(saved: Path) -> None:
    network, header = load_network(saved)
    assert (header.game, header.rules) == ("clobber 4x4 variant=cannibal", "clobber")
    assert (header.step, header.encoding, header.version) == (7, "own", __version__)
    assert header.architecture == ANY_SIZE
    assert header.make_game() == GAME
    planes = random_planes(GAME, 9)
    expected, _ = TorchEvaluator(make_network(ANY_SIZE, GAME))(planes)
    logits, _ = TorchEvaluator(network)(planes)
    torch.testing.assert_close(logits, expected, rtol=0, atol=0)
    assert not network.training


@pytest.mark.parametrize(
    "game",
    [
        Clobber(4, 5, setup="xo..."[:5] + "|....." * 3),
        Othello(6, 6),
        GraphClobber("0-1 1-2", "xox"),
        Solitaire(3, 3, alternate=False),
    ],
    ids=str,
)
def test_the_game_is_kept_by_its_parameters(game: Any) -> None:
    header = Header.of(game, ANY_SIZE, "own")
    assert header.model_copy(update={"game": "a sentence"}).make_game() == game
    assert Header.model_validate_json(header.model_dump_json()) == header


def test_how_it_searches_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    search = {"uct_c": 1.5, "urgency": None, "gumbel": True, "max_simulations": 30}
    save_network(path, make_network(ANY_SIZE, GAME), Header.of(GAME, ANY_SIZE, "own", 3, search))
    assert load_network(path)[1].search == search


def test_the_encoding_is_kept(tmp_path: Path) -> None:
    game, path = Clobber(4, 5), tmp_path / "net.safetensors"
    network = Network(ANY_SIZE, signature_of(game, "components")).eval()
    save_network(path, network, Header.of(game, ANY_SIZE, "components"))
    loaded, header = load_network(path)
    assert header.encoding == "components"
    assert loaded.signature.input_shape == (7, 4, 5)


def test_another_size(saved: Path, tmp_path: Path) -> None:
    larger = GAME._replace(rows=6, cols=5)
    network, _ = load_network(saved, larger)
    assert network.signature.actions == 120
    dense = tmp_path / "dense.safetensors"
    save_network(dense, make_network(ONE_SIZE, GAME), Header.of(GAME, ONE_SIZE, "own"))
    load_network(dense, GAME)
    with pytest.raises(UsageError, match="only networks with conv policy and pooled value"):
        load_network(dense, larger)


def test_another_game(saved: Path) -> None:
    for other in (Othello(4, 4), Clobber(4, 4)):
        with pytest.raises(UsageError, match="is a network for clobber 4x4 variant=cannibal, not"):
            load_network(saved, other)


def test_truncated_anywhere(saved: Path, tmp_path: Path) -> None:
    data = saved.read_bytes()
    part = tmp_path / "part.safetensors"
    for length in (0, 1, 7, 8, 9, 500, len(data) // 2, len(data) - 1):
        part.write_bytes(data[:length])
        with pytest.raises(UsageError, match=r"only part of one|damaged"):
            load_network(part)


def test_deep_junk(tmp_path: Path) -> None:
    path = tmp_path / "deep"
    text = b"[" * 100_000
    path.write_bytes(struct.pack("<Q", len(text)) + text)
    with pytest.raises(UsageError, match="not a network or checkpoint"):
        load_network(path)


def test_another_start_is_the_same_game(saved: Path) -> None:
    load_network(saved, GAME._replace(setup="random"))


@given(junk=st.binary(max_size=300))
def test_junk(junk: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "junk"
    path.write_bytes(junk)
    with pytest.raises(UsageError, match="not a network or checkpoint of zerolab"):
        load_network(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 3}, "may be from a newer zerolab"),
        ({"architecture": {"width": -1}}, "damaged: architecture.width"),
        ({"architecture": ANY_SIZE.model_dump() | {"width": 9}}, "do not fit its header"),
        ({"architecture": ANY_SIZE.model_dump() | {"width": 90_000}}, "parameters is not possible"),
        ({"encoding": "smell"}, "damaged: encoding"),
        ({"rules": "/etc/game.py"}, "name it as game"),
        ({"parameters": {"variant": "sideways"}}, "variant=sideways is not possible"),
        ({"parameters": {"wings": 2}}, "'wings=2' is not an option of clobber"),
        (
            {"format": 1, "parameters": None, "game": "clobber 4x4 variant=sideways"},
            "variant=sideways is not possible",
        ),
        ({"more": 1}, "damaged: more"),
    ],
)
def test_headers_of_other_times(saved: Path, change: dict[str, object], message: str) -> None:
    rewrite(saved, change)
    with pytest.raises(UsageError, match=message):
        load_network(saved)


def test_places_that_cannot_be_written_or_read(saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(UsageError, match="cannot be written: No such file or directory"):
        save(tmp_path / "nowhere" / "net.safetensors")
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_network(tmp_path / "missing")
    assert saved.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["net.safetensors"]
