"""Runs that hold networks and nothing else."""

from pathlib import Path

from tests.networks.making import CONFIGS, make_network
from zerolab.games.base import Game
from zerolab.networks.checkpoints import save_network
from zerolab.networks.header import Header

SMALL = CONFIGS["dense heads"]


def make_run(directory: Path, game: Game, steps: tuple[int, ...]) -> Path:
    """A directory with a tiny network for each step, all of them different."""
    directory.mkdir()
    for step in steps:
        network = make_network(SMALL, game, seed=step)
        path = directory / f"network-{step:06}.safetensors"
        save_network(path, network, Header.of(game, SMALL, "own", step=step))
    return directory
