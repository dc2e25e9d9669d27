"""How much time pruning has saved, on invented trials."""

import pytest

from tests.experiments.sweeps.small import small_sweep
from zerolab.experiments.sweeps.findings import COMPLETE, FAILED, PRUNED, SweepSummary, TrialSummary


def saved(*trials):
    """Of trials with their states and seconds."""
    found = [
        TrialSummary(
            *(number, state, {}, (1.0,) if state == COMPLETE else None),
            *((None,), (), None, seconds, None),
        )
        for number, (state, seconds) in enumerate(trials)
    ]
    return SweepSummary(small_sweep(), tuple(found), (), ()).time_saved


def test_pruned_runs_would_have_taken_as_long_as_complete_ones():
    """Complete runs take 15 s on average, so five runs 75 s; they took 45."""
    complete = (COMPLETE, 10.0), (COMPLETE, 20.0)
    pruned = (PRUNED, 3.0), (PRUNED, 6.0), (PRUNED, 6.0)
    assert saved(*complete, *pruned) == pytest.approx(0.4)
    assert saved(*complete, *pruned, (FAILED, 100.0)) == pytest.approx(0.4)
    assert saved(*complete) is None
    assert saved(*pruned) is None
