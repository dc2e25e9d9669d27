"""Small networks (mlp.py) in files: NumPy's .npz, with a header that names the game.

``numpy.load(path)["weights"]`` reads the weights in any program; PyTorch is not needed.
"""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of
from zerolab.networks.header import identity, read_file
from zerolab.networks.mlp.mlp import Mlp, empty_mlp
from zerolab.networks.mlp.move_choice import check_size


class MlpHeader(BaseModel):
    """The game of a small network and how it was trained."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["mlp"] = "mlp"
    format: Literal[1] = 1
    game: str
    """Name, size and options, as zerolab prints them."""
    rules: str
    """The game's name, or that of the file with its rules."""
    cells: int
    hidden: tuple[int, ...]
    slope: Annotated[float, Field(ge=0, lt=1)]
    training: dict[str, Any]
    """Settings, number of games and seed, as given when it was saved."""
    version: str = __version__
    """Version of zerolab that wrote it."""

    def check_game(self, game: Game) -> None:
        """Accept another start; reject another game or size."""
        if identity(self.rules, self.game) != identity(Path(name_of(game)).name, describe(game)):
            raise UsageError(f"this is a network for {self.game}, not for {describe(game)}")


def save_mlp(
    path: Path, mlp: Mlp, game: Game, training: Mapping[str, object] | None = None
) -> None:
    """Write a network for a game; an existing file is replaced atomically."""
    check_size(mlp, game)
    header = MlpHeader(
        game=describe(game),
        rules=Path(name_of(game)).name,
        cells=mlp.cells,
        hidden=mlp.hidden,
        slope=mlp.slope,
        training=dict(training or {}),
    )
    with replacing(path) as file:
        np.savez(file, header=np.array(header.model_dump_json()), weights=mlp.weights)


def load_mlp(path: Path) -> tuple[Mlp, MlpHeader]:
    """Read a network and its header; a UsageError if it is not valid."""
    data = read_file(path)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            text, weights = str(arrays["header"]), arrays["weights"]
    except Exception:  # NumPy and zipfile raise a dozen kinds of error for a damaged file
        raise UsageError(
            f"{path} is not a small network of zerolab (mlp), or a damaged one: it cannot be read"
        ) from None
    try:
        header = MlpHeader.model_validate_json(text)
        mlp = empty_mlp(header.cells, header.hidden, header.slope)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "header"
        raise UsageError(f"{path} is not a small network (mlp): {where}: {first['msg']}") from None
    except UsageError as error:
        raise UsageError(f"{path} is damaged: {error}") from None
    if weights.dtype != np.float64 or weights.shape != mlp.weights.shape:
        raise UsageError(f"{path} is damaged: the weights do not fit its header")
    return mlp._replace(weights=np.ascontiguousarray(weights)), header
