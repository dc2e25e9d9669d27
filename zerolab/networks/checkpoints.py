"""Networks in files: safetensors, with a header that says what the weights are for."""

import struct
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.games.catalogue import GAMES, describe, make_game, name_of
from zerolab.networks.architectures import NetworkConfig
from zerolab.networks.network import Network
from zerolab.networks.signature import signature_of

FORMAT = 1  # the one that this version writes and reads
KEY = "zerolab"  # of the header among the metadata, in ONNX models too
MAX_HEADER = 10_000_000  # bytes


class Header(BaseModel):
    """What a network is for and what it is made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    game: str
    """Name, size and options, as zerolab prints them."""
    rules: str
    """The game's name, or that of the file with its rules."""
    architecture: NetworkConfig
    encoding: Literal["colours", "own"]
    step: int = 0
    """Training steps so far."""
    version: str = __version__
    """Of zerolab, when it was written."""

    @classmethod
    def of(cls, game: Game, architecture: NetworkConfig, encoding: str, step: int = 0) -> "Header":
        """The header for a network of this game."""
        return cls.model_validate(
            {
                "game": describe(game),
                "rules": Path(name_of(game)).name,
                "architecture": architecture,
                "encoding": encoding,
                "step": step,
            }
        )

    def make_game(self) -> Game:
        """The game it was made for. Rules from a file are never loaded on a header's word."""
        if self.rules not in GAMES:
            raise UsageError(f"this network plays by the rules of {self.rules}; name that file")
        _, *words = self.game.split(" ")
        size = words.pop(0) if words and words[0][:1].isdigit() else None
        return make_game(self.rules, size, words)


def save_network(path: Path, network: Network, header: Header) -> None:
    """Write weights and header; a file of that name is replaced whole or not at all."""
    from safetensors.torch import save

    weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    with replacing(path) as file:
        file.write(save(weights, {KEY: header.model_dump_json()}))


def load_network(path: Path, game: Game | None = None) -> tuple[Network, Header]:
    """Read a network, in evaluation mode; `game` if it shall play another than it was made for."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    header = parse_header(path, _metadata(path, data).get(KEY))
    try:
        weights = load(data)
    except SafetensorError:
        raise UsageError(f"{path} is damaged: the weights cannot be read") from None
    own = header.make_game() if game is None else game
    _check_game(path, header, own)
    network = Network(header.architecture, signature_of(own, header.encoding))
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise UsageError(f"{path} is damaged: the weights do not fit its header") from None
    return network.eval(), header


def parse_header(path: Path, text: str | None) -> Header:
    """A header from its JSON; one clear sentence if it is none."""
    if text is None:
        raise UsageError(f"{path} is no network of zerolab: it has no header")
    try:
        return Header.model_validate_json(text)
    except ValidationError as error:
        if any(detail["loc"] == ("format",) for detail in error.errors()):
            raise UsageError(
                f"{path} is of another format than {FORMAT}, the one that zerolab {__version__} "
                f"reads; it may be of a newer zerolab"
            ) from None
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "header"
        raise UsageError(f"{path} is damaged: {where}: {first['msg']}") from None


def _metadata(path: Path, data: bytes) -> dict[str, Any]:
    """The text part of a safetensors file: eight bytes of length, then JSON."""
    import json

    try:
        (length,) = struct.unpack("<Q", data[:8])
        if length > min(MAX_HEADER, len(data) - 8):
            raise ValueError
        metadata = json.loads(data[8 : 8 + length]).get("__metadata__", {})
    except (struct.error, ValueError, AttributeError):
        raise UsageError(f"{path} is no network of zerolab, or only a part of one") from None
    return metadata if isinstance(metadata, dict) else {}


def _check_game(path: Path, header: Header, game: Game) -> None:
    """Another size is fine if the architecture serves any; another game never is."""
    if describe(game) == header.game:
        return

    def without_size(text: str) -> list[str]:
        return [word for word in text.split(" ") if not word[:1].isdigit()]

    if without_size(describe(game)) != without_size(header.game):
        raise UsageError(f"{path} is a network for {header.game}, not for {describe(game)}")
    if not header.architecture.serves_any_size:
        raise UsageError(
            f"{path} is a network for {header.game}, not for {describe(game)}; only networks with "
            f"conv policy and pooled value serve other sizes"
        )
