"""What calibrations have in common: a shrunken search, parts of a game, files of a run."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.experiments.footprint import Sizes
from zerolab.experiments.prediction import Costs, Part
from zerolab.games.base import Game, shape
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.training.runs.journal import STAGES
from zerolab.training.runs.run_directory import Run
from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.settings.loops import SelfPlayConfig
from zerolab.training.trainer import Trainer

MOVES = 3  # of each game, while it is measured
FEWEST = 8  # simulations


class Budget(NamedTuple):
    """Seconds to be spent on each thing that is measured, more or less."""

    play: float = 5.0
    """Twice: before and after the network has learnt a little."""
    learn: float = 5.0
    arena: float = 4.0


class Calibration(NamedTuple):
    """What was measured."""

    costs: Costs
    sizes: Sizes


def round_seconds(game: Game, config: SelfPlayConfig, model: bytes, games: int) -> float:
    """What the network takes to rate a position of each game."""
    evaluate = OnnxEvaluator(model)
    view = make_view(game, config.encoding)
    planes = np.zeros((games, view.planes, *shape(game)), np.float32)
    evaluate(planes)  # the first time takes longer
    return timed(lambda: evaluate(planes))


def simulations_in(seconds: float, most: int, rounds: float) -> int:
    """With how many simulations a few moves fit into this time, where `rounds` take so long."""
    return max(min(FEWEST, most), min(most, int(seconds / (MOVES * rounds))))


def shrunken(config: SelfPlayConfig, simulations: int) -> dict[str, object]:
    """Settings of the search that change with its simulations, those of short searches too."""
    fast = config.search.fast_simulations
    changes: dict[str, object] = {"max_simulations": simulations}
    if fast is not None:
        changes["fast_simulations"] = max(1, fast * simulations // config.search.max_simulations)
    return changes


def parts_of(
    played: PlayTimes, length: float, scale: float, opening: int | None = None
) -> tuple[Part, ...]:
    """What moves cost in each part of a game; a part without moves is as the mean of the others.

    `scale` is how many times the simulations of a real search are those that were measured. Parts
    have as many moves as were made there; if `opening` is given, as games of this length have that
    begin with a random number of random moves, from none up to the most, all equally likely.
    """
    parts = played.parts(STAGES, length)
    shares = parts.moves / parts.moves.sum()
    if opening is not None:
        plies = np.arange(max(1, round(length)))
        searched = np.minimum(1.0, (plies + 1) / (opening + 1))
        shares = PlayTimes(searched, searched, searched).parts(STAGES, length).moves
        shares = shares / shares.sum()
    rows = list(zip(*(each.tolist() for each in parts), strict=True))
    whole = _rates(*(float(each.sum()) for each in parts))
    found = []
    for share, row in zip(shares.tolist(), rows, strict=True):
        simulations, seconds = _rates(*row) if row[1] > 0 else whole
        found.append(Part(share, scale * simulations, seconds))
    return tuple(found)


def _rates(seconds: float, simulations: float, moves: float) -> tuple[float, float]:
    """Simulations of a move, and seconds of a simulation."""
    return simulations / moves, seconds / max(1.0, simulations)


def save_seconds(game: Game, config: SelfPlayConfig, trainer: Trainer) -> float:
    """What a checkpoint takes, of as many samples as the trainer has; nothing of it stays."""
    trainer.step = 1  # so that a network is saved if one is saved every step
    with tempfile.TemporaryDirectory() as directory:
        run = Run.create(Path(directory) / "run", game, config, seed=0)
        return timed(lambda: run.save(trainer))


def weight_bytes(trainer: Trainer) -> int:
    """Of the network alone."""
    return sum(each.nbytes for each in trainer.learner.network.state_dict().values())


def timed(action: Callable[[], object]) -> float:
    """Seconds that it takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started
