"""Games of one kind packed into one file: moves and results, from which positions are rebuilt."""

from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import GAMES, describe, make_game
from zerolab.games.notation import num_actions
from zerolab.records.mapped_arrays import map_arrays

KEY = "zerolab.dataset"  # of the header among the texts of the file


class DatasetHeader(BaseModel):
    """What is in a dataset, and where it came from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    game: str
    """The name of the rules."""
    parameters: dict[str, int | str]
    """Of the game, by name."""
    games: int
    """For training and for validation."""
    moves: int
    validation_games: int
    validation_share: float
    seed: int
    """Of the choice of validation games."""
    training_digest: str
    validation_digest: str
    read: int
    """Records that were read, and that were rejected, by reason."""
    rejected: dict[str, dict[str, int | str]]
    sources: list[str]
    """Where they were read from."""


class Dataset(NamedTuple):
    """Packed games; the arrays are mapped from the file."""

    path: Path
    game: Game
    header: DatasetHeader
    moves: npt.NDArray[np.uint16]  # of all games, one after the other
    offsets: npt.NDArray[np.int64]  # [games + 1], where the moves of each begin
    results: npt.NDArray[np.int8]  # [games], for Black: 1 won, 0 drawn, -1 lost
    validation: npt.NDArray[np.uint8]  # [games], 1 for games that nobody learns from

    def games_for(self, validation: bool) -> npt.NDArray[np.int64]:
        """The numbers of the games for validation, or of those for training."""
        return np.flatnonzero(self.validation == validation)


def open_dataset(path: Path) -> Dataset:
    """Map a dataset into memory; a UsageError says what is wrong with a damaged one."""
    texts, arrays = map_arrays(path)
    try:
        header = DatasetHeader.model_validate_json(texts.get(KEY, ""))
        if header.game not in GAMES:
            raise UsageError(f"'{header.game}' is not a game")
        options = [f"{key}={value}" for key, value in header.parameters.items()]
        game = make_game(header.game, options=options)
        dataset = Dataset(path, game, header, **arrays)
    except UsageError as error:
        raise UsageError(f"{path} cannot be used: {error}") from None
    except ValidationError as error:
        what = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the header"
        raise UsageError(
            f"{path} is not a dataset that this version reads: {what}: {error.errors()[0]['msg']}"
        ) from None
    except TypeError:
        raise UsageError(f"{path} is damaged: its arrays are not those of a dataset") from None
    if (flaw := _find_flaw(dataset)) is not None:
        raise UsageError(f"{path} is damaged: {flaw}")
    return dataset


def _find_flaw(dataset: Dataset) -> str | None:
    """What of all that sampling relies on is not so."""
    _, game, header, moves, offsets, results, validation = dataset
    kinds = {"moves": "<u2", "offsets": "<i8", "results": "i1", "validation": "u1"}
    lengths = {
        "moves": header.moves,
        "offsets": header.games + 1,
        "results": header.games,
        "validation": header.games,
    }
    for name, kind in kinds.items():
        values = getattr(dataset, name)
        if values.dtype != np.dtype(kind) or values.shape != (lengths[name],):
            return f"{name} are not {lengths[name]:,} numbers of the right kind"
    if offsets[0] != 0 or offsets[-1] != len(moves) or (np.diff(offsets) <= 0).any():
        return "the offsets of games do not ascend from 0 to the number of moves"
    if len(moves) and int(moves.max()) >= num_actions(game):
        return f"a move is not one of the {num_actions(game):,} actions of {describe(game)}"
    if (results > 1).any() or (results < -1).any() or (validation > 1).any():
        return "a result or a flag is out of range"
    if int(validation.sum()) != header.validation_games:
        return f"there are not {header.validation_games:,} games for validation"
    return None
