"""How large the contest of mobile and residual networks is: minutes, two hours, or a day."""

from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset

QUICK, EVENING, FULL, TINY = "quick", "evening", "full", "tiny"


class ContestScale(NamedTuple):
    """How long networks train, and how closely they are compared."""

    name: str
    seconds: float
    """Of each run, where networks train for the same time."""
    steps: int
    """Of each run, where they train for the same number of steps."""
    seeds: int
    changes: dict[str, object]
    """Of our preset. Short runs have a small buffer: with it a step takes seconds, and a run whose
    time is over ends after the step that it is in.
    """
    games: int
    """Of each two networks in a tournament, and of each network with a level of the ladder."""
    simulations: int
    """A move, in the tournament with equal simulations."""
    milliseconds: int
    """A move, in the tournament with equal time."""
    measuring: float
    """Seconds for each measurement of speed."""

    def settings(self, game: Clobber) -> TrainingConfig:
        """Our preset; no process judges while it learns, all time is for learning and playing."""
        return make_preset("zerolab", game).changed(evaluators=0, **self.changes)


SCALES = {
    QUICK: ContestScale(
        QUICK,
        seconds=15.0,
        steps=5,
        seeds=1,
        changes={"replay_buffer_size": 2**10},
        games=4,
        simulations=50,
        milliseconds=20,
        measuring=0.5,
    ),
    EVENING: ContestScale(
        EVENING,
        seconds=240.0,
        steps=24,
        seeds=3,
        changes={"replay_buffer_size": 2**12},
        games=12,
        simulations=100,
        milliseconds=30,
        measuring=2.0,
    ),
    FULL: ContestScale(
        FULL,
        seconds=1800.0,
        steps=60,
        seeds=3,
        changes={},
        games=20,
        simulations=100,
        milliseconds=100,
        measuring=4.0,
    ),
    TINY: ContestScale(
        TINY,
        seconds=0.01,
        steps=2,
        seeds=2,
        changes={
            **{"actors": 0, "max_simulations": 2, "batch": 4, "exact_stones": 4, "int8": False},
            **{"replay_buffer_size": 32, "train_batch_size": 8},
        },
        games=2,
        simulations=2,
        milliseconds=1,
        measuring=0.001,
    ),
}


def scale_of(name: str) -> ContestScale:
    """The scale of that name; TINY is for tests."""
    if name not in SCALES:
        raise UsageError(f"'{name}' is no scale; expected {', '.join((QUICK, EVENING, FULL))}")
    return SCALES[name]
