"""The positions that a run of self-play has stored, for another network to learn from."""

from pathlib import Path

from pydantic import ValidationError

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.notation import num_actions
from zerolab.networks.header import read_file, read_metadata
from zerolab.records.samples import Samples
from zerolab.training.runs.run_directory import CHECKPOINT, KEY, Progress, Run
from zerolab.training.samples.segments import read_all
from zerolab.training.samples.window import join


def read_samples(directory: Path, game: Game) -> Samples:
    """The samples of a run's last checkpoint, in the order in which they were played."""
    Run.open(directory, game)  # a UsageError where there is no run of this game
    path = directory / CHECKPOINT
    text = read_metadata(path, read_file(path)).get(KEY)
    try:
        progress = Progress.model_validate_json(text or "")
    except ValidationError:
        raise UsageError(f"{path} is damaged or of another version") from None
    if not progress.segments:
        raise UsageError(f"{directory} has no stored positions to learn from")
    return join(list(read_all(directory, progress.segments, num_actions(game))))
