"""From finished games to training samples."""

from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from zerolab.records.samples import Samples
from zerolab.training.selfplay.selfplay import GameRecord


class TargetConfig(BaseModel):
    """How the value targets are made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    search_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Share of the search's value in the target; the rest is the game's result (jans: 0)."""
    exact_targets: bool = False
    """Whether a value that the search has proven replaces both (jans: no)."""


def make_samples(config: TargetConfig, record: GameRecord) -> Samples:
    """The positions of a game that are worth learning from."""
    value = config.search_share * record.values + (1 - config.search_share) * record.results
    if config.exact_targets:
        value = np.where(record.proven, record.values, value)
    rows = np.flatnonzero(record.full)
    samples = Samples(
        record.states, record.policies, value.astype(np.float32), np.ones(len(value), np.float32)
    )
    return samples.take(rows)
