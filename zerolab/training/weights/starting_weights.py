"""Weights that a run begins with: of a smaller board, of game records, or of an earlier run."""

from pathlib import Path

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.networks.checkpoints import load_network
from zerolab.networks.header import read_header
from zerolab.networks.torch_network import Network
from zerolab.training.runs.logs import network_of
from zerolab.training.settings.loops import RunConfig


def load_starting_network(game: Game, config: RunConfig) -> Network | None:
    """The network that a run with these settings begins with, or None for random weights."""
    source = config.network.nn_weights
    if source is None:
        return None
    path = network_of(Path(source)) if Path(source).is_dir() else Path(source)
    header = read_header(path)
    if header.encoding != config.encoding:
        raise UsageError(
            f"{path} sees positions as '{header.encoding}', this run as '{config.encoding}'; "
            f"set encoding={header.encoding}"
        )
    ours, theirs = (each.model_dump() for each in (config.recipe.network, header.architecture))
    differences = [
        f"{name} is {theirs[name]}, not {ours[name]}"
        for name in ours
        if ours[name] != theirs[name] and name != "dropout"  # which has no weights
    ]
    if differences:
        raise UsageError(f"{path} is a network of another kind: {', '.join(differences)}")
    return load_network(path, game)[0]
