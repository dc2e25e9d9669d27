"""The forecast for many actors: sums that can be done by hand."""

import pytest

from zerolab.benchmarks.cluster_model import ClusterCosts, forecast_cluster, saturation

# A step: 10 batches of 0.1 s, 100 positions of 2 + 3 ms, a network of 0.4 s and 1 ms an actor.
COSTS = ClusterCosts(
    states_per_second=5.0,
    states_per_step=100,
    batches_per_step=10,
    batch_seconds=0.1,
    sample_seconds=0.002,
    model_seconds=0.4,
    model_bytes=1000,
    announce_seconds=0.001,
    arrival_seconds=0.01,
    receive_seconds=0.003,
    parcel_seconds=0.1,
    state_bytes=200.0,
)


def test_few_actors_leave_the_learner_time() -> None:
    """Two play 10 positions a second: a tenth of a step."""
    found = forecast_cluster(COSTS, 2)
    assert (found.played, found.learnt) == (10, 10)
    shares = found.learning, found.receiving, found.sending
    assert shares == pytest.approx((0.1, 0.05, 0.0402))
    assert found.busy == pytest.approx(0.1902)
    assert found.megabytes == pytest.approx(0.002)


def test_many_wait_for_the_learner() -> None:
    """A step with 100 actors takes 1 + 0.5 + 0.4 + 0.1 s."""
    found = forecast_cluster(COSTS, 100)
    assert (found.played, found.learnt) == (500, 50)
    assert found.busy == pytest.approx(1)


def test_where_they_begin_to_wait() -> None:
    """n actors play 100 positions in 20/n s; a step takes 1.9 + n/1000 s: equal at 10.5."""
    assert saturation(COSTS) == 11
    assert forecast_cluster(COSTS, 10).busy < 1
    assert forecast_cluster(COSTS, 11).busy == pytest.approx(1)


def test_a_faster_learner_takes_more_until_the_rest_is_the_limit() -> None:
    """Ten times as fast: 1.0 + n/1000 s. However fast, 0.9 s are left."""
    assert saturation(COSTS, speedup=10) == 20
    assert saturation(COSTS, speedup=1e9) == 22
    free = COSTS._replace(
        batch_seconds=1e-12, sample_seconds=0.0, receive_seconds=0.0, model_seconds=0.0
    )
    assert saturation(free._replace(announce_seconds=0.0)) is None
