"""Recorded games for the tests."""

import gzip
import lzma
import zipfile
from pathlib import Path

import numpy as np

from zerolab.games.base import Game, legal_actions, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.gobang import Gobang
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.records.recorded_game import RecordedGame
from zerolab.records.sgf import write_sgf

GAME = Gobang(5, 5, 4)


def random_recorded(
    game: Game, count: int, seed: int = 0, longest: int = 1000
) -> list[RecordedGame]:
    """Different games at random, of up to `longest` plies, with results at random."""
    draw, scratch = np.random.default_rng(seed), np.empty(num_actions(game), np.int64)
    found: dict[tuple[int, ...], RecordedGame] = {}
    while len(found) < count:
        state, actions = initial_state(game, stream(0)), []
        plies = int(draw.integers(1, longest + 1))
        while len(actions) < plies and (legal := legal_actions(game, state, scratch)):
            actions.append(int(scratch[draw.integers(legal)]))
            step(game, state, actions[-1])
        result = float(draw.integers(-1, 2))
        found.setdefault(tuple(actions), RecordedGame(game, tuple(actions), result))
    return list(found.values())


def replay(game: Game, actions: tuple[int, ...]) -> list[Position]:
    """All positions of a game, the last one included: the slow twin of sampling."""
    positions = [Position.start(game)]
    for action in actions:
        positions.append(positions[-1].after(action))
    return positions


def as_line(recorded: RecordedGame) -> bytes:
    return "".join(write_sgf(recorded).split()).encode()


def write_compressed(path: Path, data: bytes) -> None:
    """Write a file as its name says."""
    if path.suffix == ".gz":
        data = gzip.compress(data)
    elif path.suffix == ".xz":
        data = lzma.compress(data)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("deep/games.sgf", data)
    else:
        path.write_bytes(data)
