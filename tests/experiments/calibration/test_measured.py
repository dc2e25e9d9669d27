"""Parts of a game, and settings that are made small."""

import numpy as np
import pytest

from tests.training.test_continuous import TINY
from zerolab.experiments.calibration.measured import parts_of, shrunken, simulations_in
from zerolab.training.selfplay.move_times import PlayTimes

# 14 plies, of which the first 12 had two moves of 10 simulations and 1 s each; there is nothing of
# the last part.
PLAYED = PlayTimes(np.repeat([2.0, 0], [12, 2]), np.repeat([20.0, 0], [12, 2]), np.zeros(14))
PLAYED = PLAYED._replace(moves=PLAYED.seconds)


def test_parts_without_moves_are_as_the_others() -> None:
    parts = parts_of(PLAYED, length=14, scale=4.0)
    assert len(parts) == 7
    assert {(part.simulations, part.seconds) for part in parts} == {(40, 0.1)}
    assert [part.share for part in parts] == pytest.approx([1 / 6] * 6 + [0])


def test_games_that_begin_with_random_moves_have_fewer_early_ones() -> None:
    """With none to 3 such moves, plies 0, 1 and 2 are searched in 1, 2 and 3 of 4 games."""
    even = parts_of(PLAYED, length=14, scale=1.0, opening=0)
    assert [part.share for part in even] == pytest.approx([1 / 7] * 7)
    shares = [part.share for part in parts_of(PLAYED, length=14, scale=1.0, opening=3)]
    assert shares == pytest.approx([each / 12.5 for each in (0.75, 1.75, 2, 2, 2, 2, 2)])


@pytest.mark.parametrize(
    ("seconds", "most", "rounds", "expected"),
    [(6, 100, 0.01, 100), (6, 100, 0.04, 50), (6, 100, 10, 8), (6, 5, 10, 5)],
)
def test_simulations_fit_into_the_time(
    seconds: float, most: int, rounds: float, expected: int
) -> None:
    """Three moves are to be made; eight simulations are the fewest."""
    assert simulations_in(seconds, most, rounds) == expected


def test_short_searches_shrink_too() -> None:
    assert shrunken(TINY, 5) == {"max_simulations": 5}
    capped = TINY.changed(max_simulations=100, fast_simulations=20)
    assert shrunken(capped, 25) == {"max_simulations": 25, "fast_simulations": 5}
    assert shrunken(capped, 2)["fast_simulations"] == 1
