"""The weights that order moves, learnt again."""

import numpy as np
import pytest

from zerolab.games.clobber import Clobber
from zerolab.solver.clobber.outlook import PER_HEIGHT, WEIGHTS
from zerolab.studies import solver_outlook
from zerolab.studies.solver_outlook import KINDS, Sample, count_stones, draw, fit, learn


def test_stones_are_counted_by_owner_friends_and_foes() -> None:
    """x x o
    . o x  with x to move, written row by row from the lowest bit."""
    keys = [(owner, kind) for owner in range(2) for kind in KINDS]
    found = {key: count for key, count in zip(keys, count_stones(35, 20, 3), strict=True) if count}
    assert found == {(0, (1, 0)): 1, (0, (1, 2)): 1, (0, (0, 2)): 1, (1, (0, 2)): 2}


def test_positions_are_solved_ones_with_a_large_component() -> None:
    """The same seed, the same positions; at least eight stones in each."""
    first, again, other = (draw(Clobber(3, 5), 30, seed) for seed in (1, 1, 2))
    assert (first.counts == again.counts).all()
    assert first.counts.tolist() != other.counts.tolist()
    assert first.counts.shape == (30, 2 * len(KINDS) + 1)
    assert (first.counts[:, :-1].sum(axis=1) >= 8).all()
    assert 0 < first.won.mean() < 1


def test_known_weights_are_found_again() -> None:
    """From results drawn with their odds."""
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 4, (20_000, 2 * len(KINDS) + 1)).astype(float)
    weights = rng.normal(0, 0.3, counts.shape[1])
    odds = counts @ weights - (counts @ weights).mean()
    won = rng.random(len(odds)) < 1 / (1 + np.exp(-odds))
    found, right = fit(Sample(counts, won.astype(float)))
    assert np.abs(found - weights).max() < 0.1
    assert 0.5 < right < 1


def test_a_report() -> None:
    """A few positions of each board; a stone with friends is good for its owner."""
    seen: list[float] = []
    report = learn(150, 1, lambda done, total: seen.append(done / total))
    assert report.is_complete
    assert len(report.rows) == len(report.values) == 2 * len(KINDS) + 1
    assert seen[-1] == 1
    assert report.values[-1]["found"] > 0
    assert report.values[-1]["used"] == PER_HEIGHT
    assert "of 900 positions" in report.verdict


def test_an_interrupt_keeps_whole_boards() -> None:
    """Or says that there is none."""

    def stop_at(number: int) -> str:
        def on_progress(done: float, total: float) -> None:
            if done == number:
                raise KeyboardInterrupt

        report = learn(50, 1, on_progress)
        assert not report.is_complete
        return report.verdict

    assert "stopped after 2 of 6 boards" in stop_at(2)
    assert stop_at(0) == "stopped before the first board was done"


@pytest.mark.slow
def test_the_weights_in_use_are_what_the_study_finds() -> None:
    """As the page says: at full scale, with seed 1."""
    report = learn(solver_outlook.FULL, 1, lambda done, total: None)
    for cell in report.values:
        assert abs(cell["found"] - cell["used"]) <= 1, cell
    assert WEIGHTS.shape == (2, 5, 5)
