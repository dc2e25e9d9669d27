import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerolab.games.clobber import Clobber
from zerolab.records.samples import Samples
from zerolab.training.samples.replay import Replay

GAME = Clobber(2, 2)


def numbered(first: int, count: int) -> Samples:
    """Samples that say when they were made."""
    numbers = np.arange(first, first + count)
    return Samples(
        np.repeat(numbers[:, None], 3, axis=1).astype(np.uint64),
        np.repeat(numbers[:, None], 16, axis=1).astype(np.float32),
        numbers.astype(np.float32),
        numbers.astype(np.float32),
    )


@given(capacity=st.integers(1, 12), counts=st.lists(st.integers(0, 30), max_size=8))
def test_the_last_samples_are_kept(capacity: int, counts: list[int]) -> None:
    replay, total = Replay(GAME, capacity), 0
    for count in counts:
        replay.add(numbered(total, count))
        total += count
    kept = sorted(replay.samples.value)
    assert kept == list(range(max(0, total - capacity), total))
    assert replay.size == len(kept)
    np.testing.assert_array_equal(replay.samples.states[:, 2], replay.samples.value)
    np.testing.assert_array_equal(replay.samples.policy[:, 15], replay.samples.weight)
    ((first, samples),) = replay.since(0) or [(0, numbered(0, 0))]
    assert samples.value.tolist() == list(range(first, total))  # the oldest first
    again = Replay(GAME, capacity)
    again.restore([samples], first)
    again.add(numbered(total, 3))
    replay.add(numbered(total, 3))
    for one, other in zip(again.samples, replay.samples, strict=True):
        np.testing.assert_array_equal(one, other)


def test_all_are_drawn_alike() -> None:
    replay = Replay(GAME, 10)
    replay.add(numbered(0, 4))
    drawn = replay.draw(4000, np.random.default_rng(1)).value
    counts = np.bincount(drawn.astype(int), minlength=4)
    assert counts.sum() == 4000
    assert (abs(counts - 1000) < 5 * np.sqrt(750)).all()


def test_impossible_buffers() -> None:
    with pytest.raises(ValueError, match="expected 1 or more"):
        Replay(GAME, 0)
    for first in (6, 1, -1):  # of 9 samples the last 4 are in the buffer, of 4 all
        with pytest.raises(ValueError, match=f"3 samples cannot all come after {first} others"):
            Replay(GAME, 4).restore([numbered(0, 3)], first)


def test_parts_of_a_buffer_are_not_in_memory_together() -> None:
    made: list[weakref.ref[Any]] = []

    def parts() -> Iterator[Samples]:
        for number in range(5):
            assert sum(each() is not None for each in made) <= 1
            part = numbered(number, 1)
            made.append(weakref.ref(part.policy))
            yield part
            del part

    replay = Replay(GAME, 5)
    replay.restore(parts(), 0)
    assert replay.samples.value.tolist() == list(range(5))


def test_what_came_since() -> None:
    replay = Replay(GAME, 5)
    assert replay.since(0) == []
    for first, count in ((0, 3), (3, 4)):
        replay.add(numbered(first, count))
    for asked, first in ((0, 2), (2, 2), (3, 3), (6, 6)):
        ((found, samples),) = replay.since(asked)
        assert (found, samples.value.tolist()) == (first, list(range(first, 7)))
    assert replay.since(7) == []
    assert replay.oldest == 2
