"""How large a study of wang is: in minutes, in an evening, or as in the paper.

Shorter studies shrink what costs time, by the same factors for minimum, default and maximum, and
the network.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.studies.wang.paper import Parameter
from zerolab.training.settings.staged_config import StagedConfig

DIRECTORY = Path("runs/wang")
QUICK, EVENING, FULL, TINY = "quick", "evening", "full", "tiny"
SCALES = (QUICK, EVENING, FULL)


class Effort(NamedTuple):
    """What replaces the defaults of Table 1, and how often things are repeated."""

    name: str
    defaults: dict[str, float]
    """The settings that a shorter study shrinks."""
    width: int | None
    """Channels of the network; None as in the paper, 512."""
    seeds: int
    correlated: dict[str, tuple[int, ...]]
    """Instead of Table 2."""
    games: int
    """Of a pair in tournaments."""
    questions: int
    """Positions with exact answers."""

    @property
    def base(self) -> StagedConfig:
        """Defaults."""
        return StagedConfig().changed(**self.defaults, nn_width=self.width)

    def values(self, parameter: Parameter) -> tuple[float, ...]:
        """Minimum, default and maximum of a parameter."""
        if not parameter.scales or not self.defaults:
            return parameter.values
        _, default, _ = parameter.values
        own = self.defaults[parameter.setting]
        least = 2 if parameter.setting == "arena_games" else 1
        found = [max(least, round(own * value / default)) for value in parameter.values]
        if parameter.setting == "arena_games":
            found = [value + value % 2 for value in found]
        return tuple(found)


EFFORTS = {
    QUICK: Effort(
        QUICK,
        {
            "iterations": 4,
            "episodes": 10,
            "max_simulations": 16,
            "retrain_window": 4,
            "epochs": 4,
            "arena_games": 8,
        },
        width=16,
        seeds=1,
        correlated={
            "iterations": (1, 2, 3),
            "episodes": (2, 4, 6),
            "max_simulations": (4, 8, 12),
            "epochs": (1, 2, 3),
        },
        games=2,
        questions=50,
    ),
    EVENING: Effort(
        EVENING,
        {
            "iterations": 12,
            "episodes": 25,
            "max_simulations": 40,
            "retrain_window": 6,
            "epochs": 6,
            "arena_games": 20,
        },
        width=32,
        seeds=3,
        correlated={
            "iterations": (4, 8, 12),
            "episodes": (4, 8, 12),
            "max_simulations": (8, 16, 24),
            "epochs": (2, 4, 6),
        },
        games=10,
        questions=200,
    ),
    FULL: Effort(
        FULL,
        {},
        width=None,
        seeds=8,
        correlated={
            "iterations": (25, 50, 75),
            "episodes": (10, 20, 30),
            "max_simulations": (25, 50, 75),
            "epochs": (5, 10, 15),
        },
        games=10,
        questions=500,
    ),
    TINY: Effort(
        TINY,
        {
            "iterations": 2,
            "episodes": 2,
            "max_simulations": 2,
            "retrain_window": 2,
            "epochs": 2,
            "arena_games": 2,
        },
        width=4,
        seeds=1,
        correlated={
            "iterations": (1, 2),
            "episodes": (2, 3),
            "max_simulations": (2, 3),
            "epochs": (1, 2),
        },
        games=2,
        questions=4,
    ),
}


def effort_of(scale: str) -> Effort:
    """The effort of that name; TINY is for tests."""
    if scale not in EFFORTS:
        raise UsageError(f"'{scale}' is no scale; expected {', '.join(SCALES)}")
    return EFFORTS[scale]


def place_of(study: str, scale: str, seed: int, parts: Sequence[str] = ()) -> Path:
    """Where the runs of a study are kept."""
    return DIRECTORY.joinpath(f"{study}-{scale}-seed{seed}", *parts)
