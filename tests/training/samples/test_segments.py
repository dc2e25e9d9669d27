"""Samples on disk: written once, read to the bit, deleted when they have left the buffer."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.records.samples import Samples
from zerolab.training.samples import segments
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.segments import (
    Segment,
    read_all,
    read_whole,
    remove_others,
    write_new,
)
from zerolab.training.samples.window import Window

GAME, ACTIONS = Clobber(2, 2), 16


def sparse(first: int, count: int) -> Samples:
    """Samples with a few moves in each policy; one has all, one none."""
    draw = np.random.default_rng(first)
    policy = draw.random((count, ACTIONS), np.float32)
    policy[draw.random((count, ACTIONS)) < 0.8] = 0
    policy[:1], policy[1:2] = draw.random(ACTIONS), 0
    return Samples(
        draw.integers(2**64, size=(count, 3), dtype=np.uint64, endpoint=False),
        policy,
        draw.random(count, np.float32),
        np.arange(first, first + count, dtype=np.float32),
    )


def names_in(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def restored(directory: Path, written: list[Segment], added: int, capacity: int) -> Replay:
    replay = Replay(GAME, capacity)
    replay.restore(read_all(directory, written, ACTIONS), written[0].first)
    assert replay.added == added
    return replay


def assert_same(one: Samples, other: Samples) -> None:
    for mine, theirs in zip(one, other, strict=True):
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def test_a_buffer_comes_back_to_the_bit_and_the_disk_does_not_grow(tmp_path: Path) -> None:
    """Places in the ring decide what is drawn; five samples a step fill it after four steps."""
    replay, written, added = Replay(GAME, 17), [], 0
    for step in range(1, 30):
        replay.add(sparse(added, 5))
        added += 5
        before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        written = write_new(tmp_path, replay, written)
        after = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
        # One file is new, and no other was touched.
        assert before.items() <= after.items()
        assert set(after) - set(before) == {f"replay-{step:06}.safetensors"}
        remove_others(tmp_path, written)
        assert names_in(tmp_path) == [segment.name for segment in written]
        assert len(written) <= 4  # of five each: 17 samples are spread over four at most
        assert_same(restored(tmp_path, written, added, 17).samples, replay.samples)
    assert replay.added == added


def test_a_policy_is_kept_as_the_moves_it_has(tmp_path: Path) -> None:
    replay = Replay(GAME, 8)
    replay.add(sparse(0, 8))
    (segment,) = write_new(tmp_path, replay, [])
    arrays = load_file(tmp_path / segment.name)
    policy = replay.samples.policy
    assert arrays["policy_counts"].tolist() == (policy > 0).sum(axis=1).tolist()
    assert arrays["policy_counts"][:2].tolist() == [ACTIONS, 0]
    assert arrays["policy_values"].size == (policy > 0).sum() < policy.size
    assert arrays["policy_actions"].dtype == np.uint8  # 16 actions


def test_iterations_are_segments(tmp_path: Path) -> None:
    window, written = Window(2), []
    for first, count in ((0, 4), (4, 1), (5, 3)):
        window.add(sparse(first, count))
        written = write_new(tmp_path, window, written)
        remove_others(tmp_path, written)
    assert [(each.number, each.first, each.count) for each in written] == [(2, 4, 1), (3, 5, 3)]
    again = Window(2)
    again.restore(read_all(tmp_path, written, ACTIONS), written[0].first)
    assert again.added == window.added
    assert again.sizes == [1, 3]
    assert_same(again.samples, window.samples)
    # As when the checkpoint before had the whole window: nothing is written yet.
    assert [(each.number, each.first) for each in write_new(tmp_path, window, [])] == [
        (1, 4),
        (2, 5),
    ]


def test_what_is_not_needed_is_deleted(tmp_path: Path) -> None:
    replay = Replay(GAME, 8)
    replay.add(sparse(0, 8))
    written = write_new(tmp_path, replay, [])
    for name in ("replay-000007.safetensors", "replay-000001.safetensors.x7w", "other.safetensors"):
        (tmp_path / name).write_bytes(b"")
    remove_others(tmp_path, written)
    assert names_in(tmp_path) == ["other.safetensors", "replay-000001.safetensors"]


def test_many_small_segments_are_put_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "MOST", 3)
    replay, written = Replay(GAME, 100), []
    for step in range(5):
        replay.add(sparse(2 * step, 2))
        written = write_new(tmp_path, replay, written)
    assert [(each.number, each.first, each.count) for each in written] == [(5, 0, 10)]
    assert_same(restored(tmp_path, written, 10, 100).samples, replay.samples)


def test_damaged_and_missing_segments_get_a_sentence(tmp_path: Path) -> None:
    replay = Replay(GAME, 8)
    replay.add(sparse(0, 8))
    (segment,) = write_new(tmp_path, replay, [])
    path = tmp_path / segment.name
    data = path.read_bytes()
    for length in (0, 7, 100, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(UsageError, match=r"000001.safetensors, which the checkpoint needs, is"):
            list(read_all(tmp_path, [segment], ACTIONS))
    path.write_bytes(data)
    for other in ({"count": 7}, {"first": 3}):  # as of another run
        with pytest.raises(UsageError, match="is damaged"):
            list(read_all(tmp_path, [segment.model_copy(update=other)], ACTIONS))
    with pytest.raises(UsageError, match="is damaged"):
        list(read_all(tmp_path, [segment], ACTIONS - 1))
    path.unlink()
    with pytest.raises(UsageError, match="which the checkpoint needs: No such file"):
        list(read_all(tmp_path, [segment], ACTIONS))


@pytest.mark.parametrize("added", [3, 10, 17, 20])
def test_a_buffer_from_before_there_were_segments(added: int) -> None:
    """It was kept as the ring had it."""
    replay, again = Replay(GAME, 10), Replay(GAME, 10)
    replay.add(sparse(0, added))
    again.restore(read_whole(replay.samples._asdict(), added), replay.oldest)
    assert_same(again.samples, replay.samples)
    for each in (replay, again):
        each.add(sparse(added, 4))
    assert_same(again.samples, replay.samples)


def test_a_window_from_before_there_were_segments() -> None:
    samples = sparse(0, 9)
    sizes = np.array([4, 5])
    parts = read_whole(samples._asdict() | {"sizes": sizes}, 20)
    assert [part.size for part in parts] == [4, 5]
    with pytest.raises(ValueError, match="cannot be those"):
        read_whole(samples._asdict() | {"sizes": sizes + 1}, 20)
