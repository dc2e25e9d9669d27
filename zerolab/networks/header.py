"""The header of a network in a file: game, architecture, encoding, search.

PyTorch is not needed to read it.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from zerolab import __version__
from zerolab.encodings.views import Encoding
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import (
    GAMES,
    describe,
    make_game,
    name_of,
    parameters_of,
    remake,
)
from zerolab.networks.architectures import NetworkConfig

FORMAT = 2  # the newest that this version reads, and the one that it writes
KEY = "zerolab"  # of the header among the metadata, in ONNX models too
MAX_HEADER = 10_000_000  # bytes


class Header(BaseModel):
    """The game, architecture and settings of a network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1, 2] = 2
    game: str
    """Name, size and options, as zerolab prints them."""
    rules: str
    """The game's name, or that of the file with its rules."""
    parameters: dict[str, int | str] | None = None
    """Parameters of the game, by name; format 1 has none."""
    architecture: NetworkConfig
    encoding: Encoding
    step: int = 0
    """Training steps so far."""
    search: dict[str, int | float | bool | str | None] = {}
    """Settings of the search with which it plays to win, by name; missing ones have their
    defaults.
    """
    version: str = __version__
    """Version of zerolab that wrote it."""

    @classmethod
    def of(
        cls,
        game: Game,
        architecture: NetworkConfig,
        encoding: str,
        step: int = 0,
        search: Mapping[str, object] | None = None,
    ) -> "Header":
        """The header for a network of this game; `search` are settings to play with."""
        return cls.model_validate(
            {
                "game": describe(game),
                "rules": Path(name_of(game)).name,
                "parameters": parameters_of(game),
                "search": dict(search or {}),
                "architecture": architecture,
                "encoding": encoding,
                "step": step,
            }
        )

    def make_game(self) -> Game:
        """The game it was made for. Rules in a file are never loaded because a header names
        them.
        """
        if self.rules not in GAMES:
            raise UsageError(f"this network plays by the rules of {self.rules}; name it as game")
        if self.parameters is None:
            return remake(self.rules, self.game)
        return make_game(
            self.rules, options=[f"{key}={value}" for key, value in self.parameters.items()]
        )

    def check_game(self, game: Game) -> None:
        """Accept another start, and another size if the architecture fits any; reject other
        games.
        """
        rules, words, size = identity(Path(name_of(game)).name, describe(game))
        own_rules, own_words, own_size = identity(self.rules, self.game)
        complaint = f"this is a network for {self.game}, not for {describe(game)}"
        if (rules, words) != (own_rules, own_words):
            raise UsageError(complaint)
        if size != own_size and not self.architecture.serves_any_size:
            raise UsageError(
                f"{complaint}; only networks with conv policy and pooled value fit other sizes"
            )


def identity(rules: str, description: str) -> tuple[str, list[str], list[str]]:
    """Rules, options that change them, and size, from a description."""
    words = description.split(" ")[1:]
    options = [word for word in words if "=" in word and not word.startswith("start=")]
    return rules, options, [word for word in words if "=" not in word]


def read_header(path: Path) -> Header:
    """The header of a network in a file."""
    return parse_header(path, read_metadata(path, read_file(path)).get(KEY))


def read_file(path: Path) -> bytes:
    """The content of a file; a UsageError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def parse_header(path: Path, text: str | None) -> Header:
    """A header from its JSON; a UsageError if it is not valid."""
    if text is None:
        raise UsageError(f"{path} is not a network of zerolab: it has no header")
    try:
        return Header.model_validate_json(text)
    except ValidationError as error:
        if any(detail["loc"] == ("format",) for detail in error.errors()):
            raise UsageError(
                f"{path} is of another format than {FORMAT}, the one that zerolab {__version__} "
                f"reads; it may be from a newer zerolab"
            ) from None
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "header"
        raise UsageError(f"{path} is damaged: {where}: {first['msg']}") from None


def read_metadata(path: Path, data: bytes) -> dict[str, Any]:
    """The text part of a safetensors file: eight bytes of length, then JSON."""
    try:
        (length,) = struct.unpack("<Q", data[:8])
        if length > min(MAX_HEADER, len(data) - 8):
            raise ValueError
        metadata = json.loads(data[8 : 8 + length]).get("__metadata__", {})
    except (struct.error, ValueError, AttributeError, RecursionError):
        raise UsageError(
            f"{path} is not a network or checkpoint of zerolab, or only part of one"
        ) from None
    return metadata if isinstance(metadata, dict) else {}
