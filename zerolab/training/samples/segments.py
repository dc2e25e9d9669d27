"""Samples on disk. The samples of a step are written once, to one file: a segment.

A checkpoint names the segments that it needs, so its cost depends on what is new, not on the
buffer. Files are replaced atomically. A segment that no checkpoint names, because its step was
never finished or its samples have left the buffer, is deleted.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.records.samples import Samples
from zerolab.training.learner import Arrays
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.window import Window

FILES = "replay-*.safetensors"
MOST = 1000  # segments; small ones are then put together


class Segment(BaseModel):
    """A file of samples, as a checkpoint names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    first: int
    """Number of samples added to the buffer before those in the segment."""
    count: int

    @property
    def end(self) -> int:
        """Number of samples added up to its last one."""
        return self.first + self.count

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"replay-{self.number:06}.safetensors"


def write_new(
    directory: Path, replay: Replay | Window, written: Sequence[Segment]
) -> list[Segment]:
    """Write the samples that are in none of the `written` segments; return all segments needed."""
    needed = [segment for segment in written if segment.end > replay.oldest]
    number = written[-1].number + 1 if written else 1
    if len(needed) > MOST:
        needed = []
    for first, samples in replay.since(needed[-1].end if needed else 0):
        segment = Segment(number=number, first=first, count=samples.size)
        _write(directory / segment.name, segment, samples)
        needed.append(segment)
        number += 1
    return needed


def read_all(directory: Path, segments: Iterable[Segment], actions: int) -> Iterator[Samples]:
    """The samples of each segment, of a game with this number of actions."""
    return (_read(directory / segment.name, segment, actions) for segment in segments)


def remove_others(directory: Path, needed: Iterable[Segment]) -> None:
    """Delete all segments except those needed, and the left-overs of killed writers."""
    names = {segment.name for segment in needed}
    for path in (*directory.glob(FILES), *directory.glob(f"{FILES}.*")):
        if path.name not in names:
            path.unlink()


def _write(path: Path, segment: Segment, samples: Samples) -> None:
    from safetensors.numpy import save

    # Most moves have no visits: a policy is stored as its visited moves, row after row.
    rows, actions = np.nonzero(samples.policy)
    kind = np.min_scalar_type(samples.policy.shape[1])
    counts = np.bincount(rows, minlength=samples.size)
    arrays: Arrays = {
        "first": np.array([segment.first], np.int64),
        "states": samples.states,
        "policy_counts": counts.astype(kind),  # [n]
        "policy_actions": actions.astype(kind),  # [sum of counts]
        "policy_values": samples.policy[rows, actions],  # [sum of counts]
        "value": samples.value,
        "weight": samples.weight,
    }
    with replacing(path) as file:
        file.write(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))


def _read(path: Path, segment: Segment, actions: int) -> Samples:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(path.read_bytes())
        policy = np.zeros((segment.count, actions), np.float32)
        rows = np.repeat(np.arange(segment.count), arrays["policy_counts"])
        policy[rows, arrays["policy_actions"]] = arrays["policy_values"]
        samples = Samples(arrays["states"], policy, arrays["value"], arrays["weight"])
        if int(arrays["first"][0]) != segment.first:
            raise ValueError
    except OSError as error:
        raise UsageError(f"{path}, which the checkpoint needs: {error.strerror}") from None
    except (SafetensorError, KeyError, ValueError, IndexError):
        raise UsageError(f"{path}, which the checkpoint needs, is damaged") from None
    return samples


def read_whole(arrays: Arrays, added: int) -> list[Samples]:
    """The samples in a checkpoint of the format before segments, in the order they were added."""
    samples = Samples(*(arrays[name] for name in Samples._fields))
    if "sizes" in arrays:  # of the iterations of the staged loop
        ends = np.cumsum(arrays["sizes"])
        if ends[-1] != samples.size:
            raise ValueError(f"{samples.size} samples cannot be those of {ends[-1]}")
        return [
            samples.take(slice(end - size, end))
            for size, end in zip(arrays["sizes"], ends, strict=True)
        ]
    # A full ring has its oldest sample where the next one goes.
    return [samples.take(np.roll(np.arange(samples.size), -(added % samples.size)))]
