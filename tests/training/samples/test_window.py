import numpy as np
import pytest

from tests.training.samples.test_replay import numbered
from zerolab.training.samples.window import Window


def test_the_last_iterations_are_kept_whole() -> None:
    window = Window(3)
    for number, size in enumerate((5, 2, 7, 4)):
        window.add(numbered(10 * number, size))
    assert window.sizes == [2, 7, 4]
    assert (window.added, window.oldest) == (18, 5)
    expected = [*range(10, 12), *range(20, 27), *range(30, 34)]
    assert window.samples.value.tolist() == expected


def test_a_restored_window_drops_the_same_iterations() -> None:
    window, again = Window(2), Window(2)
    window.add(numbered(0, 5))
    window.add(numbered(5, 3))
    assert [first for first, _ in window.since(0)] == [0, 5]
    assert [first for first, _ in window.since(5)] == [5]
    again.restore([samples for _, samples in window.since(0)], window.oldest)
    for each in (window, again):
        each.add(numbered(8, 4))
    assert window.sizes == again.sizes == [3, 4]
    assert window.added == again.added
    for one, other in zip(window.samples, again.samples, strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="cannot come before"):
        again.restore([numbered(0, 13)], -1)
