import numpy as np

from zerolab.training.samples.value_targets import TargetConfig, make_samples
from zerolab.training.selfplay.selfplay import GameRecord

# Black wins in three plies; the second position was proven, the third searched only a little.
RECORD = GameRecord(
    states=np.array([[0, 7, 8], [1, 7, 8], [0, 7, 8]], np.uint64),
    policies=np.eye(3, dtype=np.float32),
    values=np.array([0.5, 1.0, 0.2], np.float32),
    proven=np.array([False, True, False]),
    full=np.array([True, True, False]),
    actions=np.array([0, 1, 2]),
    results=np.array([1, -1, 1], np.float32),
)


def values(**settings: object) -> list[float]:
    samples = make_samples(TargetConfig.model_validate(settings), RECORD)
    np.testing.assert_array_equal(samples.policy, np.eye(3)[:2])
    np.testing.assert_array_equal(samples.states, RECORD.states[:2])
    return [round(float(value), 6) for value in samples.value]


def test_the_result_is_seen_by_the_player_to_move() -> None:
    assert values(exact_targets=False) == [1, -1]


def test_what_is_proven_takes_the_place_of_the_result() -> None:
    assert values(exact_targets=True) == [1, 1]


def test_a_share_of_the_search() -> None:
    assert values(exact_targets=False, search_share=0.5) == [0.75, 0]
    assert values(exact_targets=True, search_share=0.5) == [0.75, 1]
