"""The configuration of the staged loop: the 12 hyper-parameters of wang, and further settings.

Defaults are those of Table 1. Docstrings give the paper's symbol and the values it tested.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from zerolab.encodings.views import Encoding
from zerolab.networks.architectures import NetworkConfig, Recipe
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.settings.flat_names import Leaves, Settings, parse_settings
from zerolab.training.settings.shared_config import LearnerConfig, NetworkChoice, Positive, Share

CHOSEN = ("max_simulations", "uct_c", "encoding")  # of the search; Algorithm 1 fixes the rest


class StagedConfig(Settings):
    """The settings of a run of the staged loop: everything except game, time and seed."""

    iterations: Positive = 100
    """I: rounds of self-play, training and arena (wang: 50, 100, 150; Table 2: 25, 50, 75)."""
    episodes: Positive = 50
    """E: games of self-play in an iteration (wang: 10, 50, 100; Table 2: 10, 20, 30)."""
    temperature_threshold: Positive = 15
    """T': moves before this one, counted from 1, are sampled (wang: 10, 15, 20)."""
    search: Annotated[SearchConfig, Leaves(only=CHOSEN), Field(validate_default=True)] = (
        SearchConfig(max_simulations=100, uct_c=1.0, policy_epsilon=0.0, temperature=1.0)
    )
    """How moves are searched, without noise at the root: max_simulations is m (wang: 25, 100, 200;
    Table 2: 25, 50, 75), uct_c is c (wang: 0.5, 1, 2). AlphaZeroGeneral's network sees the board
    from the view of the player to move, which is `own`.
    """
    retrain_window: Positive = 20
    """rs: number of recent iterations whose examples are learnt from (wang: 1, 20, 40)."""
    epochs: Positive = 10
    """ep: how often each example is learnt in an iteration (wang: 5, 10, 15)."""
    learner: LearnerConfig = LearnerConfig(train_batch_size=64, learning_rate=0.005)
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.3
    """d: share of units of dense layers that are dropped in training (wang: 0.2, 0.3, 0.4)."""
    arena_games: Positive = 40
    """n: games of the new network against the old one (wang: 20, 40, 100)."""
    update_threshold: Share = 0.6
    """u: share of decided games that the new network must win (wang: 0.5, 0.6, 0.7)."""

    arena: bool = True
    """Whether there is an arena; without it every new network is accepted (wang, section 5.2)."""
    loss: Literal["sum", "policy", "value", "product", "weighted"] = "sum"
    """What training minimises (wang, section 5.3: l+, lp, lv, lx; weighted is equation 3)."""
    policy_share: Share = 0.5
    """lambda of the weighted sum."""
    network: NetworkChoice = NetworkChoice(nn_model="wang", nn_width=None, nn_depth=None)
    batch: Positive = 64
    """Number of concurrent games, in all shares together."""
    shares: Annotated[int, Field(ge=1, le=1024)] = 4
    """Number of parts that the games of self-play and arena are divided into, each played by a
    thread; fewer where a part would have less than five games. More cores than shares are not used.
    A run depends on this number, not on the cores there are."""
    int8: bool = False
    """Whether self-play and arena evaluate in 8 bits, from the second iteration on."""
    checkpoint_freq: Positive = 10
    """Iterations between stored networks."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.arena and self.arena_games % 2:
            raise ValueError("arena_games must be even: each opening is played with both colours")
        if self.learner.train_batch_size < 2:  # a batch norm cannot learn from one
            raise ValueError("train_batch_size: Input should be greater than or equal to 2")
        return self

    @field_validator("search")
    @classmethod
    def _cool(cls, search: SearchConfig, info: ValidationInfo) -> SearchConfig:
        drop = info.data.get("temperature_threshold", 1) - 1  # ours counts from 0
        return search.model_copy(update={"temperature_drop": drop})

    @property
    def encoding(self) -> Encoding:
        """The encoding of the network's input."""
        return self.search.encoding

    @property
    def recipe(self) -> Recipe:
        """The network with this dropout, which replaces weight decay (wang, section 4.2)."""
        network, loss = self.network.recipe
        chosen = {"combine": self.loss, "policy_share": self.policy_share, "weight_decay": 0.0}
        return Recipe(
            NetworkConfig.model_validate(network.model_dump() | {"dropout": self.dropout}),
            loss.model_copy(update=chosen),
        )

    @property
    def targets(self) -> TargetConfig:
        """Value targets are the results of games alone."""
        return TargetConfig(search_share=0.0, exact_targets=False)

    @property
    def max_steps(self) -> int:
        """Steps of the loop, which are iterations."""
        return self.iterations

    def smallest(self) -> Self:
        """Settings of a run that compiles the same kernels with very little work."""
        return self.changed(episodes=2, max_simulations=2, epochs=1, arena_games=2)


def parse_staged(values: dict[str, object]) -> StagedConfig:
    """A configuration from a file or from options; a UsageError names the first mistake."""
    return parse_settings(StagedConfig, values)
