"""Small records that both loops use in their settings."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from zerolab.networks.architectures import Recipe, make_recipe, open_spiel_decay
from zerolab.networks.losses import LossConfig
from zerolab.training.settings.flat_names import sentence

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]


class LearnerConfig(BaseModel):
    """How the network learns from samples."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    """jans: 0.01 on small boards, 0.001 on large ones; lr of wang: 0.001, 0.005, 0.01."""
    train_batch_size: Positive = 128
    """jans: 128 on small boards; 128, 256 or 1024 on large ones; bs of wang: 32, 64, 96."""
    symmetries: bool = False
    """Whether a random symmetry is applied to each position (jans: no; wang does not say)."""
    precision: Literal["float32", "bfloat16"] = "float32"
    """Numbers that convolutions are computed in while learning; bfloat16 is faster where the
    processor has it. Weights and losses are float32 either way."""

    @property
    def is_half(self) -> bool:
        """Whether convolutions are computed in bfloat16."""
        return self.precision == "bfloat16"

    def batches_of(self, examples: int) -> int:
        """How many batches a number of examples makes: as many as whole ones fit, one at least."""
        return max(1, examples // self.train_batch_size)


class DecayConfig(BaseModel):
    """How weights decay."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    """jans: 0.0001."""
    decouple_weight_decay: bool = False
    """Whether weights decay separately from the gradient."""

    def of(self, loss: LossConfig) -> LossConfig:
        """A loss with this decay."""
        # In the loss it has OpenSpiel's meaning; separate from the gradient, PyTorch's.
        is_beside = self.decouple_weight_decay
        decay = self.weight_decay if is_beside else open_spiel_decay(self.weight_decay)
        return loss.model_copy(update={"weight_decay": decay, "decoupled": is_beside})


class NetworkChoice(BaseModel):
    """A network by name; None stands for the default of that network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nn_model: str = "resnet"
    """jans: resnet; wang: 4 convolutions and 2 dense layers, which is `wang`."""
    nn_width: Positive | None = 128
    """jans: 128."""
    nn_depth: Positive | None = 6
    """jans: 2 on small boards, max(rows, cols) plus or minus 1 on large ones."""
    nn_weights: str | None = None
    """A run, or a file of a network, whose weights the network begins with; none for random ones.
    It must be alike in all else, and fit any size if it comes from another board."""

    @model_validator(mode="after")
    def _exists(self) -> Self:
        try:
            _ = self.recipe
        except ValidationError as error:
            raise ValueError(sentence(error)) from None
        return self

    @property
    def recipe(self) -> Recipe:
        """The network, and the loss that goes with it."""
        return make_recipe(self.nn_model, self.nn_width, self.nn_depth)
