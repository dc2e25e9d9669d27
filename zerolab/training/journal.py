"""What learner.jsonl says of a step: OpenSpiel's fields, so that its analysis can draw our runs.

Where OpenSpiel counts slots of an evaluation that are not filled yet as draws, we have null.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from zerolab.search.cache import CacheStatistics
from zerolab.training.selfplay import GameRecord
from zerolab.training.staged import Iteration, StagedTrainer
from zerolab.training.trainer import Step, Trainer

STAGES = 7  # parts of a game, from its start to its end, at which values are judged
LENGTH_BINS = 100
OUTCOMES = ("Player1", "Player2", "Draw")


def entry(
    trainer: Trainer | StagedTrainer, step: Step | Iteration, trajectories: int, seconds: float
) -> dict[str, Any]:
    """A line of the log of either loop; `trajectories` and `seconds` are of the run so far."""
    records = step.records
    states = sum(len(record.states) for record in records)
    spent = step.play_seconds + step.learn_seconds
    lengths = [len(record.states) for record in records]
    accuracy, prediction = _by_stage(records)
    return {
        "step": step.number,
        "total_states": trainer.replay.added,
        "states_per_s": states / spent,
        "states_per_s_actor": states / step.play_seconds,
        "total_trajectories": trajectories,
        "trajectories_per_s": len(records) / spent,
        "queue_size": 0,
        "game_length": statistics(lengths),
        "game_length_hist": np.bincount(lengths, minlength=LENGTH_BINS).tolist(),
        "outcomes": {"counts": _outcomes(records), "names": list(OUTCOMES)},
        "value_accuracy": accuracy,
        "value_prediction": prediction,
        "eval": {"count": 0, "results": [None] * trainer.config.eval_levels},
        "batch_size": statistics([trainer.config.batch]),
        "batch_size_hist": [0, 1],
        "loss": {
            "policy": step.losses.policy,
            "value": step.losses.value,
            "l2reg": step.losses.l2,
            "sum": step.losses.total,
        },
        "cache": _cache(step.cache, step.play_seconds),
        "proven": float(np.mean(np.concatenate([record.proven for record in records]))),
        "time_abs": time.time(),
        "time_rel": seconds,
        "time_str": time.strftime("%Y-%m-%d %H:%M:%S"),
    }


def statistics(values: Sequence[float]) -> dict[str, float]:
    """A few numbers in place of many."""
    return {
        "num": len(values),
        "min": float(np.min(values)),
        "max": float(np.max(values)),
        "avg": float(np.mean(values)),
        "std_dev": float(np.std(values)),
    }


def _by_stage(
    records: list[GameRecord],
) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    """Whether values had the right sign, and how firm they were, from the start to the end."""
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
    """Games won by Black, by White, and drawn; Black moves first."""
    results = np.array([record.results[0] for record in records])
    return [int((results > 0).sum()), int((results < 0).sum()), int((results == 0).sum())]


def _cache(cache: CacheStatistics, seconds: float) -> dict[str, float]:
    rates = {
        "requests_per_s": cache.requests / seconds,
        "misses_per_s": cache.misses / seconds,
    }
    return cache._asdict() | rates
