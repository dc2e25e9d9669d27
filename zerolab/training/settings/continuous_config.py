"""The configuration of a training run; names as in OpenSpiel's AlphaZero, which jans used."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from zerolab.encodings.views import Encoding
from zerolab.networks.architectures import Recipe
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.samples.replay import ReplayConfig
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.settings.flat_names import Leaves, Settings, parse_settings
from zerolab.training.settings.shared_config import (
    DecayConfig,
    LearnerConfig,
    NetworkChoice,
    Positive,
)

FIXED = ("gumbel_c_visit", "gumbel_c_scale", "cache_size")  # of the search, in all runs


class TrainingConfig(Settings):
    """All that a run depends on besides game, time and seed."""

    learner: LearnerConfig = LearnerConfig()
    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the learning rate stays, or falls to zero over the time or the steps of the run."""
    decay: DecayConfig = DecayConfig()
    replay: ReplayConfig = ReplayConfig()
    max_steps: Annotated[int, Field(ge=0)] = 0
    """Steps of learning, if nothing else ends the run; 0 for no limit (jans: 0)."""
    checkpoint_freq: Positive = 10
    """Steps between checkpoints that are kept (jans: varied)."""
    actors: Annotated[int, Field(ge=0, le=1024)] = 0
    """Processes that play (jans: as many as there are cores left); 0: the learner plays itself, in
    turn with learning, and a seed gives the same run each time."""
    evaluators: Annotated[int, Field(ge=0, le=1024)] = 0
    """Processes that play against the ladder while the network learns (jans: 1 to 4)."""
    evaluation_window: Positive = 100
    """Games for each level of the ladder whose results are averaged (jans: 50 small, 100 large)."""
    eval_levels: Positive = 7
    """Levels of the ladder (jans: 7)."""
    search: Annotated[SearchConfig, Leaves(without=FIXED)] = SearchConfig()
    """How actors search."""
    network: NetworkChoice = NetworkChoice()
    batch: Positive = 64
    """Games that an actor plays at once."""
    exact_stones: Annotated[int, Field(ge=0)] = 0
    """Leaves at most as hard as a single component of this size are solved exactly (Clobber); 0
    for none."""
    targets: TargetConfig = TargetConfig()
    int8: bool = False
    """Whether actors evaluate in 8 bits."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        search = self.search
        if self.actors == 0 and self.evaluators > 0:
            raise ValueError("evaluators need actors: with actors=0, set evaluators=0 too")
        if search.fast_simulations is not None and search.fast_simulations > search.max_simulations:
            raise ValueError("fast_simulations cannot be more than max_simulations")
        if search.gumbel and (search.forced_playouts > 0 or search.reuse):
            raise ValueError("with gumbel there are no forced_playouts and no reuse")
        return self

    @property
    def encoding(self) -> Encoding:
        """What the network sees."""
        return self.search.encoding

    @property
    def recipe(self) -> Recipe:
        """The network, and the loss with this decay."""
        recipe = self.network.recipe
        return recipe._replace(loss=self.decay.of(recipe.loss))

    def smallest(self) -> Self:
        """Settings of a run that compiles the same kernels, with hardly any work in a step."""
        short = {"max_simulations": 2, "fast_simulations": self.search.fast_simulations and 1}
        few = {"replay_buffer_size": 8, "replay_buffer_reuse": 8, "train_batch_size": 2}
        return self.changed(**short, **few, batch=2, int8=False)


def parse_config(values: dict[str, object]) -> TrainingConfig:
    """A configuration from a file or from options; one sentence says what is wrong with it."""
    return parse_settings(TrainingConfig, values)
