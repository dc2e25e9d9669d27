"""The configuration of a training run; names as in OpenSpiel's AlphaZero, which jans used."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from zerolab.encodings.views import Encoding
from zerolab.errors import UsageError
from zerolab.networks.architectures import Recipe, make_recipe, open_spiel_decay
from zerolab.search.batched import SearchConfig
from zerolab.training.samples.value_targets import TargetConfig

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Model = TypeVar("Model", bound=BaseModel)


class TrainingConfig(BaseModel):
    """All that a run depends on besides game, time and seed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    """jans: 0.01 small boards, 0.001 large ones."""
    schedule: Literal["constant", "cosine"] = "constant"
    """Whether the learning rate stays, or falls to zero over the time or the steps of the run."""
    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    """jans: 0.0001."""
    decouple_weight_decay: bool = False
    """Whether weights decay beside the gradient."""
    train_batch_size: Positive = 128
    """jans: 128 small boards; 128, 256 or 1024 large ones."""
    replay_buffer_size: Positive = 2**16
    """jans: 2^14 small boards, 2^16 to 2^19 large ones."""
    replay_buffer_reuse: Positive = 3
    """A step of learning comes after size / reuse new states (jans: 4 small, 2 or 3 large)."""
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
    uct_c: Annotated[float, Field(ge=0)] = 2.0
    """jans: 1 small boards, 2 large ones."""
    max_simulations: Positive = 100
    """jans: 25 small boards; 100, 150 or 200 large ones."""
    urgency: Annotated[float, Field(ge=0)] | None = None
    """First-play urgency reduction; None as in jans."""
    policy_alpha: Annotated[float, Field(gt=0)] | None = 1.0
    """jans: 0.25 small boards, 1 large ones; None for 10 / number of moves."""
    policy_epsilon: Share = 0.25
    """jans: 1 small boards, 0.25 large ones."""
    gumbel: bool = False
    """Whether Gumbel selection and completed values take the place of PUCT and its noise (Danihelka
    et al. 2022: yes, from 2 simulations on; jans: no)."""
    gumbel_considered: Positive = 16
    """Moves that Gumbel selection begins with (Danihelka et al. 2022: 16)."""
    fast_simulations: Positive | None = None
    """Playout cap randomisation: most moves get only so many simulations and no noise, and are not
    learnt (Wu 2019: 100 beside 600, growing to 200 beside 1000; jans: none)."""
    full_share: Annotated[float, Field(gt=0, le=1)] = 0.25
    """Share of moves searched in full where `fast_simulations` is set (Wu 2019: 0.25)."""
    forced_playouts: Annotated[float, Field(ge=0)] = 0.0
    """k of forced playouts, which the policy target leaves out again (Wu 2019: 2; jans: 0)."""
    reuse: bool = False
    """Whether the tree below the move that was played is kept (AlphaGo Zero: yes; jans: no)."""
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """jans: 1."""
    temperature_drop: Annotated[int, Field(ge=0)] = 10
    """jans: 4 small boards, 10 for 5x5 and 5x6, 0.182 N + 2.85 larger ones."""
    opening_plies: Annotated[int, Field(ge=0)] = 0
    """Most random moves before a game. From none to this number, each is equally likely; they are
    not learnt (jans: 0; ours: half the mean length of a random game)."""
    nn_model: str = "resnet"
    """jans: resnet."""
    nn_width: Positive | None = 128
    """jans: 128; None as the network of that name has it."""
    nn_depth: Positive | None = 6
    """jans: 2 small boards, max(rows, cols) give or take 1 large ones."""
    encoding: Encoding = "own"
    """jans: colours, then own from 5x6 on; `components`, for Clobber, is not in the paper."""
    batch: Positive = 64
    """Games that an actor plays at once."""
    symmetries: bool = False
    """Whether positions are turned at random before they are learnt (jans: no)."""
    cache_symmetric: bool = False
    """Whether turned positions share their evaluation."""
    exact_stones: Annotated[int, Field(ge=0)] = 0
    """Leaves at most as hard as a single component of this size are solved exactly (Clobber); 0
    for none."""
    search_share: Share = 0.0
    """Share of the search's value in value targets (jans: 0)."""
    exact_targets: bool = False
    """Whether proven values take the place of results (jans: no)."""
    int8: bool = False
    """Whether actors evaluate in 8 bits."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.replay_buffer_reuse > self.replay_buffer_size:
            raise ValueError("replay_buffer_reuse cannot be larger than replay_buffer_size")
        if self.actors == 0 and self.evaluators > 0:
            raise ValueError("evaluators need actors: with actors=0, set evaluators=0 too")
        if self.fast_simulations is not None and self.fast_simulations > self.max_simulations:
            raise ValueError("fast_simulations cannot be more than max_simulations")
        if self.gumbel and (self.forced_playouts > 0 or self.reuse):
            raise ValueError("with gumbel there are no forced_playouts and no reuse")
        make_recipe(self.nn_model, self.nn_width, self.nn_depth)  # there must be such a network
        return self

    @property
    def recipe(self) -> Recipe:
        """The network, and the loss with this decay."""
        recipe = make_recipe(self.nn_model, self.nn_width, self.nn_depth)
        # In the loss it means what OpenSpiel means; beside the gradient, what PyTorch means.
        decoupled = self.decouple_weight_decay
        decay = self.weight_decay if decoupled else open_spiel_decay(self.weight_decay)
        loss = recipe.loss.model_copy(
            update={
                "weight_decay": decay,
                "decoupled": decoupled,
            }
        )
        return recipe._replace(loss=loss)

    @property
    def search(self) -> SearchConfig:
        """How actors search."""
        return SearchConfig(
            max_simulations=self.max_simulations,
            uct_c=self.uct_c,
            urgency=self.urgency,
            policy_alpha=self.policy_alpha,
            policy_epsilon=self.policy_epsilon,
            gumbel=self.gumbel,
            gumbel_considered=self.gumbel_considered,
            fast_simulations=self.fast_simulations,
            full_share=self.full_share,
            forced_playouts=self.forced_playouts,
            reuse=self.reuse,
            temperature=self.temperature,
            temperature_drop=self.temperature_drop,
            opening_plies=self.opening_plies,
            encoding=self.encoding,
            cache_symmetric=self.cache_symmetric,
        )

    @property
    def targets(self) -> TargetConfig:
        """What is learnt from games."""
        return TargetConfig(search_share=self.search_share, exact=self.exact_targets)

    @property
    def states_per_step(self) -> int:
        """New states that a step of learning waits for."""
        return max(1, self.replay_buffer_size // self.replay_buffer_reuse)

    def smallest(self) -> Self:
        """The same kind of run with a first step of next to no work."""
        small = {
            "batch": 2,
            "max_simulations": 2,
            "replay_buffer_size": 8,
            "replay_buffer_reuse": 8,
            "train_batch_size": 2,
            "int8": False,
        }
        return self.model_copy(update=small)


def parse_config(values: dict[str, object]) -> TrainingConfig:
    """A configuration from a file or from options; one sentence says what is wrong with it."""
    return parse_settings(TrainingConfig, values)


def parse_settings(model: type[Model], values: dict[str, object]) -> Model:
    """The same for the configuration of any loop."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise UsageError(sentence(error)) from None


def sentence(error: ValidationError) -> str:
    """The first thing that is wrong with a configuration."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def change_settings(defaults: BaseModel, settings: Sequence[str]) -> dict[str, object]:
    """All settings by name, with those changed that are given as KEY=VALUE; `none` is no value."""
    values: dict[str, object] = dict(defaults.model_dump())
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key not in values:
            raise UsageError(
                f"'{setting}' is not a setting; expected KEY=VALUE with KEY one of "
                f"{', '.join(values)}"
            )
        values[key] = None if value == "none" else value
    return values
