"""The configuration of the staged loop: the 12 hyper-parameters of wang, and what they leave open.

Defaults are those of Table 1. A docstring gives the paper's symbol and the values it tested.
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from zerolab.encodings.views import Encoding
from zerolab.networks.architectures import NetworkConfig, Recipe, make_recipe
from zerolab.search.batched import SearchConfig
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.settings.continuous_config import Positive, Share, parse_settings, sentence


class StagedConfig(BaseModel):
    """All that a staged run depends on besides game, time and seed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    iterations: Positive = 100
    """I: rounds of self-play, training and arena (wang: 50, 100, 150; Table 2: 25, 50, 75)."""
    episodes: Positive = 50
    """E: games of self-play in an iteration (wang: 10, 50, 100; Table 2: 10, 20, 30)."""
    temperature_threshold: Positive = 15
    """T': moves before this one, counted from 1, are drawn by lot (wang: 10, 15, 20)."""
    max_simulations: Positive = 100
    """m: simulations for a move (wang: 25, 100, 200; Table 2: 25, 50, 75)."""
    uct_c: Annotated[float, Field(ge=0)] = 1.0
    """c: weight of exploration (wang: 0.5, 1, 2)."""
    retrain_window: Positive = 20
    """rs: iterations whose examples are learnt from (wang: 1, 20, 40)."""
    epochs: Positive = 10
    """ep: how often each example is learnt in an iteration (wang: 5, 10, 15)."""
    train_batch_size: Annotated[int, Field(ge=2)] = 64
    """bs: examples in a minibatch (wang: 32, 64, 96)."""
    learning_rate: Annotated[float, Field(gt=0)] = 0.005
    """lr: of Adam (wang: 0.001, 0.005, 0.01)."""
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.3
    """d: share of units of dense layers that are left out in training (wang: 0.2, 0.3, 0.4)."""
    arena_games: Positive = 40
    """n: games of the new network against the old one (wang: 20, 40, 100)."""
    update_threshold: Share = 0.6
    """u: share of decided games that the new network must win (wang: 0.5, 0.6, 0.7)."""

    arena: bool = True
    """Whether there is an arena; without it every new network is taken (wang, section 5.2)."""
    loss: Literal["sum", "policy", "value", "product", "weighted"] = "sum"
    """What training makes small (wang, section 5.3: l+, lp, lv, lx; weighted is equation 3)."""
    policy_share: Share = 0.5
    """lambda of the weighted sum."""
    nn_model: str = "wang"
    """A network by name (wang: 4 convolutions and 2 dense layers)."""
    nn_width: Positive | None = None
    """None as the network of that name has it."""
    nn_depth: Positive | None = None
    """None as the network of that name has it."""
    encoding: Encoding = "own"
    """What the network sees; AlphaZeroGeneral shows the board as the player to move has it."""
    symmetries: bool = False
    """Whether positions are turned at random before they are learnt (wang does not say)."""
    batch: Positive = 64
    """Games that are played at once."""
    checkpoint_freq: Positive = 10
    """Iterations between networks that are kept."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.arena and self.arena_games % 2:
            raise ValueError("arena_games must be even: each opening is played with both colours")
        try:
            self._network()
        except ValidationError as error:  # there must be such a network
            raise ValueError(sentence(error)) from None
        return self

    def _network(self) -> NetworkConfig:
        network = make_recipe(self.nn_model, self.nn_width, self.nn_depth).network
        return NetworkConfig.model_validate(network.model_dump() | {"dropout": self.dropout})

    @property
    def recipe(self) -> Recipe:
        """The network with this dropout, which stands in for weight decay (wang, section 4.2)."""
        loss = make_recipe(self.nn_model).loss.model_copy(
            update={"combine": self.loss, "policy_share": self.policy_share, "weight_decay": 0.0}
        )
        return Recipe(self._network(), loss)

    @property
    def search(self) -> SearchConfig:
        """How moves are searched; Algorithm 1 has no noise at the root."""
        return SearchConfig(
            max_simulations=self.max_simulations,
            uct_c=self.uct_c,
            policy_epsilon=0.0,
            temperature=1.0,
            temperature_drop=self.temperature_threshold - 1,  # ours counts from 0
            encoding=self.encoding,
        )

    @property
    def targets(self) -> TargetConfig:
        """How games ended, and nothing else."""
        return TargetConfig(search_share=0.0, exact=False)

    @property
    def max_steps(self) -> int:
        """Steps of the loop, which are iterations."""
        return self.iterations

    def smallest(self) -> Self:
        """The same kind of run with a first iteration of next to no work."""
        small = {"episodes": 2, "max_simulations": 2, "epochs": 1, "arena_games": 2}
        return self.model_copy(update=small)


def parse_staged(values: dict[str, object]) -> StagedConfig:
    """A configuration from a file or from options; one sentence says what is wrong with it."""
    return parse_settings(StagedConfig, values)
