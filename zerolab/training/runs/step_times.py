"""What learner.jsonl says of where the time went: the terms of wang's equation 2, and the rest.

self-play   seconds per simulation, by part of the game
learning    seconds per batch
arena       seconds per simulation (staged loop)
"""

from typing import Any, NamedTuple

from zerolab.training.selfplay.move_times import PlayTimes
from zerolab.training.steps import COMPARING, LEARNING, Step


class Around(NamedTuple):
    """Seconds that the loop spends between two steps; None for what was not done."""

    compiling: float | None = None
    """Before the first step."""
    checkpoint: float | None = None
    """After the step before."""


def time_fields(step: Step, around: Around, length: float, parts: int) -> dict[str, Any]:
    """The field `time` of a line; games of this mean `length` are divided into `parts`."""
    stages = step.stages
    seconds = step.learn_seconds if stages is None else stages.seconds[LEARNING]
    arena = None
    if stages is not None and stages.arena is not None:
        arena = _rate(stages.seconds[COMPARING], stages.arena.simulations, "simulation")
    times = step.games.times
    return {
        **around._asdict(),
        "selfplay": None if times is None else _selfplay(times.parts(parts, length)),
        "learning": per_batch(seconds, step.batches),
        "arena": arena,
    }


def per_batch(seconds: float, batches: int) -> dict[str, float | None]:
    """What learning has cost."""
    return _rate(seconds, batches, "batch", "batches")


def _selfplay(parts: PlayTimes) -> dict[str, Any]:
    """Seconds are those of all who play, added up: games in four processes cost four a second."""
    seconds, simulations, moves = (float(each.sum()) for each in parts)
    pairs = zip(parts.seconds, parts.simulations, strict=True)
    rates = [_rate(float(spent), float(count), "simulation") for spent, count in pairs]
    return {**_rate(seconds, simulations, "simulation"), "moves": moves, "parts": rates}


def _rate(seconds: float, count: float, unit: str, units: str = "") -> dict[str, float | None]:
    """What was done, and what one of it has cost, if anything was done."""
    each = seconds / count if count else None
    return {"seconds": seconds, units or f"{unit}s": count, f"per_{unit}": each}
