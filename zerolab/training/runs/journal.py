"""The lines of learner.jsonl, with OpenSpiel's fields, so that its analysis can draw our runs.

OpenSpiel counts levels of the ladder without results as draws; here they are null.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from zerolab.games.base import BLACK, player_to_move
from zerolab.search.batched.cache import CacheStatistics
from zerolab.training.learner import LossValues
from zerolab.training.runs.step_times import Around, per_batch, time_fields
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import Counts
from zerolab.training.steps import COMPARING, LEARNING, PLAYING, Lesson, Stages, Step
from zerolab.training.trainer import Trainer

STAGES = 7  # parts of a game, from its start to its end, at which values are judged
LENGTH_BINS = 100
OUTCOMES = ("Player1", "Player2", "Draw")
NOTHING = Around()


def lesson_entry(lesson: Lesson, seconds: float, around: Around = NOTHING) -> dict[str, Any]:
    """A line of the log of a supervised run; `seconds` are those of the run so far."""
    size = lesson.samples / (lesson.number * lesson.batches)
    return {
        "step": lesson.number,
        "total_states": lesson.samples,
        "states_per_s": lesson.batches * size / lesson.seconds,
        "loss": _losses(lesson.losses),
        "learning_rate": lesson.learning_rate,
        "validation": lesson.validation,
        "learn_seconds": lesson.seconds,
        "learn_processor_seconds": lesson.processor_seconds,
        "digests": lesson.digests,
        **_clock(seconds),
        "time": {**around._asdict(), "learning": per_batch(lesson.seconds, lesson.batches)},
    }


def entry(
    trainer: Trainer, step: Step, trajectories: int, seconds: float, around: Around = NOTHING
) -> dict[str, Any]:
    """A line of the log; `trajectories` and `seconds` are those of the run so far.

    Actors play while the learner learns; without actors, playing and learning alternate.
    """
    records, actors = step.games.records, step.games.actors
    states = sum(len(record.states) for record in records)
    spent = step.play_seconds + step.learn_seconds
    playing = spent if actors else step.play_seconds
    lengths = [record.plies for record in records]
    accuracy, prediction = _by_stage(records)
    return {
        "step": step.number,
        "total_states": trainer.replay.added,
        "states_per_s": states / spent,
        "states_per_s_actor": states / playing / max(1, actors),
        "total_trajectories": trajectories,
        "trajectories_per_s": len(records) / spent,
        "queue_size": step.games.waiting,
        "game_length": statistics(lengths),
        "game_length_hist": np.bincount(lengths, minlength=LENGTH_BINS).tolist(),
        "outcomes": {"counts": _outcomes(records), "names": list(OUTCOMES)},
        "value_accuracy": accuracy,
        "value_prediction": prediction,
        **{
            kind: {"count": each.count, "results": each.means()}
            for kind, each in trainer.evaluations.items()
        },
        "batch_size": _of_counts(step.games.batches),
        "batch_size_hist": step.games.batches.tolist(),
        "loss": _losses(step.losses),
        "cache": _cache(step.games.cache, spent),
        "distinct_states": _distinct_states(records),
        "proven": float(np.mean(np.concatenate([record.proven for record in records]))),
        "actors": actors,
        "restarts": step.games.restarts,
        **({} if step.games.receipts is None else {"messages": step.games.receipts._asdict()}),
        **({"engine": dict(step.games.engine)} if step.games.engine else {}),
        "play_seconds": step.play_seconds,
        "learn_seconds": step.learn_seconds,
        "learn_processor_seconds": step.learn_processor_seconds,
        "perfect": None if trainer.measured is None else trainer.measured.fields,
        **_clock(seconds),
        "time": time_fields(step, around, float(np.mean(lengths)), STAGES),
        **({} if step.stages is None else _stages(step.stages)),
    }


def _losses(losses: LossValues) -> dict[str, float]:
    return {
        "policy": losses.policy,
        "value": losses.value,
        "l2reg": losses.l2,
        "sum": losses.total,
    }


def _clock(seconds: float) -> dict[str, Any]:
    return {
        "time_abs": time.time(),
        "time_rel": seconds,
        "time_str": time.strftime("%Y-%m-%d %H:%M:%S"),
    }


def _stages(stages: Stages) -> dict[str, Any]:
    """The fields of steps of the staged loop."""
    arena, names = stages.arena, {"play": PLAYING, "train": LEARNING, "arena": COMPARING}
    return {
        "epoch_losses": [losses._asdict() for losses in stages.epochs],
        "arena": None if arena is None else arena.fields,
        "accepted": stages.accepted,
        "window": stages.window,
        "stage_seconds": {name: stages.seconds[phase] for name, phase in names.items()},
        "stage_processor_seconds": {
            name: stages.processor_seconds[phase] for name, phase in names.items()
        },
    }


def statistics(values: Sequence[float]) -> dict[str, float]:
    """Summary statistics of numbers, with OpenSpiel's fields."""
    return {
        "num": len(values),
        "min": float(np.min(values)),
        "max": float(np.max(values)),
        "avg": float(np.mean(values)),
        "std_dev": float(np.std(values)),
    }


def _of_counts(counts: Counts) -> dict[str, float]:
    """The statistics of numbers, given how often each of them occurred."""
    sizes, total = np.arange(len(counts)), max(1, int(counts.sum()))
    seen = sizes[counts > 0] if counts.any() else np.zeros(1, np.int64)
    mean = float((sizes * counts).sum() / total)
    spread = float(np.sqrt((counts * (sizes - mean) ** 2).sum() / total))
    extremes = {"min": float(seen.min()), "max": float(seen.max())}
    return {"num": int(counts.sum()), **extremes, "avg": mean, "std_dev": spread}


def _by_stage(
    records: list[GameRecord],
) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    """Accuracy of the signs of values, and their size, by part of the game."""
    accuracy: list[list[float]] = [[] for _ in range(STAGES)]
    prediction: list[list[float]] = [[] for _ in range(STAGES)]
    for record in records:
        for stage in range(STAGES):
            ply = (len(record.states) - 1) * stage // (STAGES - 1)
            value, result = record.values[ply], record.results[ply]
            accuracy[stage].append(float((value >= 0) == (result >= 0)))
            prediction[stage].append(float(abs(value)))
    return [statistics(each) for each in accuracy], [statistics(each) for each in prediction]


def _outcomes(records: list[GameRecord]) -> list[int]:
    """Games won by Black, by White, and drawn; after an opening either may be the first to move."""
    results = np.array(
        [
            record.results[0] if player_to_move(record.states[0]) == BLACK else -record.results[0]
            for record in records
        ]
    )
    return [int((results > 0).sum()), int((results < 0).sum()), int((results == 0).sum())]


def _distinct_states(records: list[GameRecord]) -> float:
    """The share of positions that are distinct; low where games repeat."""
    states = np.concatenate([record.states for record in records])
    return len(np.unique(states, axis=0)) / len(states)


def _cache(cache: CacheStatistics, seconds: float) -> dict[str, float]:
    rates = {
        "requests_per_s": cache.requests / seconds,
        "misses_per_s": cache.misses / seconds,
    }
    return cache._asdict() | rates
