"""The configuration of the supervised loop: a network learns the moves and results of games.

Defaults are those of cazenave, except that an epoch and a run are shorter.
"""

import math
from typing import Annotated, Literal, Self

from pydantic import Field

from zerolab.encodings.views import Encoding
from zerolab.networks.architectures import Recipe
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.settings.flat_names import Leaves, Settings, parse_settings
from zerolab.training.settings.shared_config import LearnerConfig, NetworkChoice, Positive

CHOSEN = ("max_simulations", "uct_c", "encoding")  # of the search that the network plays with


class SupervisedConfig(Settings):
    """The settings of a supervised run: everything except game, time and seed."""

    data: str = ""
    """The packed dataset, or the directory of a run, that the network learns from."""
    digest: str = ""
    """Identifies the games in it; a run continues only with the same games."""
    epochs: Positive = 20
    """How often accuracy and error are measured (cazenave: 200)."""
    epoch_samples: Positive = 100_000
    """Positions learnt in an epoch (cazenave: 1,000,000)."""
    learner: LearnerConfig = LearnerConfig(
        learning_rate=0.005, train_batch_size=256, symmetries=True
    )
    """As in cazenave, section V; a random symmetry for each position."""
    schedule: Literal["stepped", "cosine", "constant"] = "stepped"
    """stepped: a tenth of the learning rate after half of the epochs, a hundredth after three
    quarters (cazenave: after 100 and 150 of 200)."""
    value_loss: Literal["mse", "bce"] | None = None
    """Squared error or cross-entropy; none for the network's own."""
    value_weight: Annotated[float, Field(ge=0)] | None = None
    """Factor on the value loss (cazenave: 1 and 4); none for the network's own."""
    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    """L2 regularisation (cazenave: 0.0001)."""
    validation_positions: Positive = 10_000
    """Positions of validation games that accuracy and error are measured on, one of each game as
    far as there are games (cazenave: 100,000)."""
    network: NetworkChoice = NetworkChoice(
        nn_model="mobile.small.conv.bin", nn_width=None, nn_depth=None
    )
    search: Annotated[SearchConfig, Leaves(only=CHOSEN)] = SearchConfig(max_simulations=100)
    """How the network searches when it plays."""
    checkpoint_freq: Positive = 1
    """Epochs between stored networks."""

    @property
    def encoding(self) -> Encoding:
        """The encoding of the network's input."""
        return self.search.encoding

    @property
    def recipe(self) -> Recipe:
        """The network, and its loss with these changes."""
        network, loss = self.network.recipe
        changes: dict[str, object] = {"weight_decay": self.weight_decay, "decoupled": False}
        if self.value_loss is not None:
            changes["value"] = self.value_loss
        if self.value_weight is not None:
            changes["value_weight"] = self.value_weight
        return Recipe(network, loss.model_copy(update=changes))

    @property
    def max_steps(self) -> int:
        """Steps of the loop, which are epochs."""
        return self.epochs

    @property
    def batches(self) -> int:
        """Batches of an epoch."""
        return self.learner.batches_of(self.epoch_samples)

    def rate(self, progress: float) -> float:
        """The learning rate when this share of the run is done."""
        first = self.learner.learning_rate
        if self.schedule == "cosine":
            return first * (1 + math.cos(math.pi * min(1.0, progress))) / 2
        if self.schedule == "stepped" and progress >= 0.5:
            return first / (10 if progress < 0.75 else 100)
        return first

    def smallest(self) -> Self:
        """Settings of a run that compiles the same kernels with very little work."""
        return self.changed(epoch_samples=2, train_batch_size=2, validation_positions=2)


def parse_supervised(values: dict[str, object]) -> SupervisedConfig:
    """A configuration from a file or from options; a UsageError names the first mistake."""
    return parse_settings(SupervisedConfig, values)
