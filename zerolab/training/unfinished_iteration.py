"""An unfinished iteration of the staged loop, so that a run can stop in the middle of it.

Stages record their work here, move by move and batch by batch. An iteration that is stopped between
two of these continues from there later, with other random numbers in its games.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch
from pydantic import BaseModel, ConfigDict, field_validator

from zerolab.games.base import Game
from zerolab.games.position import Position
from zerolab.search.batched.cache import CacheStatistics
from zerolab.training.arena import ArenaGame
from zerolab.training.learner import Arrays, Learner, LossValues
from zerolab.training.selfplay.move_times import PlayTimes, total
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.selfplay_share import SelfPlayShare
from zerolab.training.selfplay.sources import Counts, SelfPlayBatch, together
from zerolab.training.steps import LEARNING

FINISHED, UNFINISHED, CANDIDATE, ARENA = "finished.", "unfinished.", "candidate.", "arena."
ORDER, BATCHES, TIMES, TORCH = "order", "batches", "times", "torch"


class Numbers(BaseModel):
    """The numbers of an unfinished iteration; its arrays are beside them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: int
    """Number of complete iterations before it."""
    seconds: float
    """Time that the run has taken so far."""
    stage_seconds: dict[str, float]
    processor_seconds: dict[str, float]
    draw: dict[str, Any]
    cache: dict[str, float]
    epochs: list[list[float]]
    losses: list[list[float]]

    @field_validator("processor_seconds", mode="before")
    @classmethod
    def _by_phase(cls, seconds: object) -> object:
        """Iterations of earlier versions know that of learning only."""
        return {LEARNING: seconds} if isinstance(seconds, float) else seconds


@dataclasses.dataclass
class UnfinishedIteration:
    """What the stages of an iteration have done so far."""

    records: list[GameRecord] = dataclasses.field(default_factory=list)
    """Finished games of self-play."""
    unfinished: list[GameRecord] = dataclasses.field(default_factory=list)
    """Unfinished games; see SelfPlay.unfinished."""
    caches: list[CacheStatistics] = dataclasses.field(default_factory=list)
    batches: Counts | None = None  # [batch + 1]
    times: list[PlayTimes] = dataclasses.field(default_factory=list)
    """What moves of self-play have cost."""
    candidate: Learner | None = None
    """The network being trained, once there is one."""
    epochs: list[LossValues] = dataclasses.field(default_factory=list)
    """Losses of the complete epochs."""
    order: npt.NDArray[np.int64] | None = None  # [samples], of the epoch under way
    losses: list[LossValues] = dataclasses.field(default_factory=list)
    """Losses of the batches learnt in the current epoch."""
    arena: list[ArenaGame] = dataclasses.field(default_factory=list)
    stage_seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    processor_seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    """Processor time of each stage, over all threads."""

    @property
    def games(self) -> SelfPlayBatch:
        """The finished games, and statistics of playing them."""
        assert self.batches is not None
        cache, times = together(self.caches), total(self.times)
        return SelfPlayBatch(self.records, cache, self.batches, times=times)

    def take_games(self, shares: Sequence[SelfPlayShare]) -> None:
        """Keep what shares have played, in their order, whichever was the first to be done."""
        self.unfinished = []
        for share in shares:
            self.records += share.records
            self.unfinished += share.selfplay.unfinished()
            self.caches.append(share.selfplay.search.cache_statistics())
            counts = share.counted.batches
            self.batches = counts if self.batches is None else self.batches + counts

    def arrays(self) -> Arrays:
        """All arrays of the iteration by name, for `restore`."""
        arrays: Arrays = {TORCH: torch.get_rng_state().numpy()}
        for prefix, records in ((FINISHED, self.records), (UNFINISHED, self.unfinished)):
            if records:
                arrays |= {prefix + name: array for name, array in _pack(records).items()}
        if self.candidate is not None:
            arrays |= {CANDIDATE + name: each for name, each in self.candidate.arrays().items()}
        if self.arena:
            arrays[ARENA + "colours"] = np.array([each.colour for each in self.arena], np.int64)
            arrays[ARENA + "states"] = np.array([each.position.words for each in self.arena])
            arrays[ARENA + "lengths"] = np.array([len(each.moves) for each in self.arena], np.int64)
            moves = [move for each in self.arena for move in each.moves]
            arrays[ARENA + "moves"] = np.array(moves, np.int64)
            counts = [each.simulations for each in self.arena]
            arrays[ARENA + "simulations"] = np.array(counts, np.int64)
        if (times := total(self.times)) is not None:
            arrays[TIMES] = np.array(times)  # [3, plies]
        for name, array in ((ORDER, self.order), (BATCHES, self.batches)):
            if array is not None:
                arrays[name] = array
        return arrays

    def numbers(self, step: int, seconds: float, draw: np.random.Generator) -> Numbers:
        """All numbers of the iteration, for `restore`."""
        return Numbers(
            step=step,
            seconds=seconds,
            stage_seconds=self.stage_seconds,
            processor_seconds=self.processor_seconds,
            draw=dict(draw.bit_generator.state),
            cache=together(self.caches)._asdict() if self.caches else {},
            epochs=[list(each) for each in self.epochs],
            losses=[list(each) for each in self.losses],
        )

    @classmethod
    def restore(cls, game: Game, arrays: Arrays, numbers: Numbers, candidate: Learner) -> Self:
        """The iteration with these arrays and numbers; `candidate` becomes its network."""
        moves = _divide(arrays, ARENA + "moves", ARENA + "lengths")
        iteration = cls(
            records=_unpack(_named(arrays, FINISHED)),
            unfinished=_unpack(_named(arrays, UNFINISHED)),
            caches=[_cache(numbers.cache)] if numbers.cache else [],
            batches=arrays.get(BATCHES),
            times=[PlayTimes(*arrays[TIMES])] if TIMES in arrays else [],
            epochs=[LossValues(*each) for each in numbers.epochs],
            order=arrays.get(ORDER),
            losses=[LossValues(*each) for each in numbers.losses],
            arena=[
                ArenaGame(
                    number, int(colour), Position(game, state), tuple(int(move) for move in played)
                )
                for number, (colour, state, played) in enumerate(
                    zip(
                        arrays.get(ARENA + "colours", ()),
                        arrays.get(ARENA + "states", ()),
                        moves,
                        strict=True,
                    )
                )
            ],
            stage_seconds=dict(numbers.stage_seconds),
            processor_seconds=dict(numbers.processor_seconds),
        )
        if ARENA + "simulations" in arrays:  # iterations from before it was counted have none
            for each, count in zip(iteration.arena, arrays[ARENA + "simulations"], strict=True):
                each.simulations = int(count)
        if weights := _named(arrays, CANDIDATE):
            candidate.restore(weights)
            iteration.candidate = candidate
        torch.set_rng_state(torch.from_numpy(arrays[TORCH]))
        return iteration


def _pack(records: list[GameRecord]) -> Arrays:
    """Concatenated records, with their lengths."""
    fields = [name for name in GameRecord._fields if name != "opening"]
    return {
        **{name: np.concatenate([getattr(record, name) for record in records]) for name in fields},
        "opening": np.array([record.opening for record in records], np.int64),
        "lengths": np.array([len(record.states) for record in records], np.int64),
    }


def _unpack(arrays: Arrays) -> list[GameRecord]:
    if not arrays:
        return []
    parts = {
        name: _divide(arrays, name, "lengths") for name in GameRecord._fields if name != "opening"
    }
    return [
        GameRecord(**{name: each[number] for name, each in parts.items()}, opening=int(opening))
        for number, opening in enumerate(arrays["opening"])
    ]


def _divide(arrays: Arrays, name: str, lengths: str) -> list[npt.NDArray[Any]]:
    """An array cut into pieces of these lengths."""
    if lengths not in arrays:
        return []
    return np.split(arrays[name], np.cumsum(arrays[lengths])[:-1])


def _named(arrays: Arrays, prefix: str) -> Arrays:
    """The arrays whose names begin with the prefix, named without it."""
    return {
        name.removeprefix(prefix): each for name, each in arrays.items() if name.startswith(prefix)
    }


def _cache(numbers: dict[str, float]) -> CacheStatistics:
    whole = {
        name: int(numbers[name]) for name in ("size", "max_size", "requests", "hits", "misses")
    }
    return CacheStatistics(**whole, usage=numbers["usage"], hit_rate=numbers["hit_rate"])
