"""How large the studies of cazenave are: in minutes, in an evening, or as in the paper.

Shorter studies have the paper's shapes with fewer parameters, `tiny` and `medium`, and fewer
positions to learn from; the full one has its networks and its 200 epochs of a million positions.
"""

from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.go import Go
from zerolab.training.lesson_sources import digest_of, open_lessons
from zerolab.training.settings.supervised_config import SupervisedConfig, parse_supervised

ENCODING = "golois"
QUICK, EVENING, FULL, SHRUNKEN = "quick", "evening", "full", "shrunken"
SCALES = (QUICK, EVENING, FULL)
KINDS = (
    *("a0", "a0.conv.bin", "a0.conv.bin.val4"),
    *("mobile", "mobile.conv.bin", "mobile.conv.bin.val4"),
)
"""The networks of section V.A by what they are, without their size."""


class Effort(NamedTuple):
    """How much is learnt, and by which networks."""

    name: str
    small: str
    """Size of the networks of section V.A, as in their names."""
    large: tuple[str, ...]
    """The networks of section V.B."""
    residual_blocks: tuple[int, ...]
    """Of the networks of section V.C."""
    mobile_blocks: tuple[int, ...]
    residual: str
    """The network of section V.C that has them."""
    mobile: str
    epochs: int
    epoch_samples: int
    seeds: int
    validation: int
    """Positions."""
    precision: str
    rounds: int
    """Pairs of games of each pairing of the tournament."""
    milliseconds: int
    """For a move of the tournament."""

    @property
    def small_networks(self) -> tuple[str, ...]:
        """The six networks of section V.A, in the order of KINDS."""
        names = (kind.split(".", 1) for kind in KINDS)
        return tuple(".".join([name[0] + self.small, *name[1:]]) for name in names)

    def config(self, game: Go, data: Path, seed: int) -> SupervisedConfig:
        """The settings of a run, except its network."""
        config = parse_supervised(
            {
                "data": str(data),
                "epochs": self.epochs,
                "epoch_samples": self.epoch_samples,
                "precision": self.precision,
                "validation_positions": self.validation,
                "encoding": ENCODING,
            }
        )
        return config.changed(digest=digest_of(open_lessons(game, config, seed)))


_MEDIUM = ("a0.medium", "mobile.medium", "mobile.medium.conv.bin", "mobile.medium.conv.bin.val4")
EFFORTS = {
    QUICK: Effort(
        QUICK,
        small=".tiny",
        large=_MEDIUM,
        residual_blocks=(1, 3),
        mobile_blocks=(3, 9),
        residual="a0.tiny",
        mobile="mobile.tiny.conv.bin",
        epochs=10,
        epoch_samples=10_000,
        seeds=1,
        validation=2_000,
        precision="bfloat16",
        rounds=1,
        milliseconds=20,
    ),
    EVENING: Effort(
        EVENING,
        small=".tiny",
        large=_MEDIUM,
        residual_blocks=(1, 2, 3, 5, 8),
        mobile_blocks=(2, 4, 9),
        residual="a0.tiny",
        mobile="mobile.tiny.conv.bin",
        epochs=20,
        epoch_samples=50_000,
        seeds=2,
        validation=10_000,
        precision="bfloat16",
        rounds=10,
        milliseconds=100,
    ),
    FULL: Effort(
        FULL,
        small=".small",
        large=("a0.20", "mobile.40", "mobile.conv.bin.40", "mobile.conv.bin.val4.40"),
        residual_blocks=(5, 10, 15, 20, 30, 40),
        mobile_blocks=(10, 20, 40),
        residual="a0.20",
        mobile="mobile.conv.bin.40",
        epochs=200,
        epoch_samples=1_000_000,
        seeds=1,
        validation=100_000,
        precision="float32",
        rounds=18,
        milliseconds=1000,
    ),
    SHRUNKEN: Effort(
        SHRUNKEN,
        small=".tiny",
        large=("a0.tiny", "mobile.tiny", "mobile.tiny.conv.bin", "mobile.tiny.conv.bin.val4"),
        residual_blocks=(1, 2),
        mobile_blocks=(1,),
        residual="a0.tiny",
        mobile="mobile.tiny.conv.bin",
        epochs=2,
        epoch_samples=512,
        seeds=2,
        validation=16,
        precision="float32",
        rounds=1,
        milliseconds=1,
    ),
}


def effort_of(scale: str) -> Effort:
    """The effort of that name; SHRUNKEN is for tests."""
    if scale not in EFFORTS:
        raise UsageError(f"'{scale}' is no scale; expected {', '.join(SCALES)}")
    return EFFORTS[scale]
