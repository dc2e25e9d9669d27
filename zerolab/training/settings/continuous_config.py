"""The configuration of a training run; names as in OpenSpiel's AlphaZero, which jans used."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from zerolab.encodings.views import Encoding
from zerolab.networks.architectures import Recipe
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.samples.replay import ReplayConfig
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.selfplay.workforce import UNLIMITED
from zerolab.training.settings.flat_names import Leaves, Settings, parse_settings
from zerolab.training.settings.shared_config import (
    DecayConfig,
    LearnerConfig,
    NetworkChoice,
    Positive,
)

FIXED = ("gumbel_c_visit", "gumbel_c_scale", "cache_size")  # of the search, in all runs


class TrainingConfig(Settings):
    """The settings of a run of the continuous loop: everything except game, time and seed."""

    learner: LearnerConfig = LearnerConfig()
    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the learning rate is constant, or falls to zero over the duration of the run."""
    decay: DecayConfig = DecayConfig()
    replay: ReplayConfig = ReplayConfig()
    max_steps: Annotated[int, Field(ge=0)] = 0
    """Maximal number of steps of learning; 0 for no limit (jans: 0)."""
    checkpoint_freq: Positive = 10
    """Steps between checkpoints that are kept (jans: varied)."""
    actors: Annotated[int, Field(ge=0, le=UNLIMITED)] = 0
    """Processes that play (jans: one per remaining core); 0: the learner plays itself, alternating
    with learning, and the run depends on its seed alone; 1024: as many as there is room for."""
    evaluators: Annotated[int, Field(ge=0, le=UNLIMITED)] = 0
    """Processes that play against the ladder while the network learns (jans: 1 to 4)."""
    evaluation_window: Positive = 100
    """Number of recent games averaged at each level of the ladder (jans: 50 small, 100 large)."""
    eval_levels: Positive = 7
    """Levels of the ladder (jans: 7)."""
    search: Annotated[SearchConfig, Leaves(without=FIXED)] = SearchConfig()
    """How actors search."""
    network: NetworkChoice = NetworkChoice()
    batch: Positive = 64
    """Number of games that an actor plays concurrently."""
    exact_stones: Annotated[int, Field(ge=0)] = 0
    """Leaves at most as hard as a single component of this number of stones are solved exactly
    (Clobber); 0 for none."""
    targets: TargetConfig = TargetConfig()
    int8: bool = False
    """Whether actors evaluate in 8 bits."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        search = self.search
        if self.actors == 0 and self.evaluators > 0:
            raise ValueError("evaluators need actors: with actors=0 set evaluators=0 too")
        if search.fast_simulations is not None and search.fast_simulations > search.max_simulations:
            raise ValueError("fast_simulations cannot be more than max_simulations")
        if search.gumbel and (search.forced_playouts > 0 or search.reuse):
            raise ValueError("gumbel cannot be combined with forced_playouts or reuse")
        return self

    @property
    def encoding(self) -> Encoding:
        """The encoding of the network's input."""
        return self.search.encoding

    @property
    def recipe(self) -> Recipe:
        """The network, and the loss with this decay."""
        recipe = self.network.recipe
        return recipe._replace(loss=self.decay.of(recipe.loss))

    def smallest(self) -> Self:
        """Settings of a run that compiles the same kernels with very little work."""
        short = {"max_simulations": 2, "fast_simulations": self.search.fast_simulations and 1}
        few = {"replay_buffer_size": 8, "replay_buffer_reuse": 8, "train_batch_size": 2}
        return self.changed(**short, **few, batch=2, int8=False)


def parse_config(values: dict[str, object]) -> TrainingConfig:
    """A configuration from a file or from options; a UsageError names the first mistake."""
    return parse_settings(TrainingConfig, values)
