"""How much a learner can learn from many actors: the measured costs, added up.

A step learns `batches_per_step` batches, and is due when `states_per_step` new positions have come.
Beside the batches the learner's process takes in the games that have come, and gives the new
network out. All of this is added up as if it were done one after the other, which is pessimistic:
PyTorch leaves Python's lock while it computes, and with many actors parcels get larger, not more.
Cables have no end of capacity here; what they must carry is said beside.
"""

from typing import NamedTuple

ACTORS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class ClusterCosts(NamedTuple):
    """What was measured; seconds are those of one core."""

    states_per_second: float
    """Positions that one actor plays."""
    states_per_step: int
    batches_per_step: int
    batch_seconds: float
    sample_seconds: float
    """Of a new position until it is in the buffer."""
    model_seconds: float
    """Of a new network until it is in the object store."""
    model_bytes: int
    announce_seconds: float
    """Of telling one actor of it."""
    arrival_seconds: float
    """Until a worker has it and has said so."""
    receive_seconds: float
    """Processor time of the learner's process for a position that comes, in its parcel."""
    parcel_seconds: float
    """The same for a parcel."""
    state_bytes: float
    """Of a position on its way to the learner."""

    @property
    def learning_seconds(self) -> float:
        """Of a step."""
        return self.batches_per_step * self.batch_seconds


class Forecast(NamedTuple):
    """A number of actors."""

    actors: int
    played: float
    """Positions a second that they could play."""
    learnt: float
    """New positions a second that the learner takes: no more than are played."""
    learning: float
    """Share of the learner's time."""
    receiving: float
    sending: float
    megabytes: float
    """Games that reach the learner, a second."""

    @property
    def busy(self) -> float:
        """Share of the learner's time that is used; 1 where actors wait."""
        return self.learning + self.receiving + self.sending


def forecast_cluster(costs: ClusterCosts, actors: int, speedup: float = 1.0) -> Forecast:
    """`speedup` is how many times as fast the learner learns a batch as one core does."""
    played = actors * costs.states_per_second
    learning = costs.learning_seconds / speedup
    receiving = costs.states_per_step * (costs.receive_seconds + costs.sample_seconds)
    sending = costs.model_seconds + actors * costs.announce_seconds
    learnt = min(played, costs.states_per_step / (learning + receiving + sending))
    steps = learnt / costs.states_per_step
    return Forecast(
        *(actors, played, learnt, steps * learning, steps * receiving, steps * sending),
        learnt * costs.state_bytes / 1e6,
    )


def saturation(costs: ClusterCosts, speedup: float = 1.0) -> int | None:
    """The number of actors from which on they wait for the learner; None if a million do not."""
    low, high = 1, 2**20
    while low < high:
        middle = (low + high) // 2
        found = forecast_cluster(costs, middle, speedup)
        if found.learnt < found.played:
            high = middle
        else:
            low = middle + 1
    return low if low < 2**20 else None
