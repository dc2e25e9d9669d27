"""The loops: their names in config.json and the classes of their settings."""

from zerolab.errors import UsageError
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.settings.supervised_config import SupervisedConfig

SelfPlayConfig = TrainingConfig | StagedConfig
RunConfig = SelfPlayConfig | SupervisedConfig
CONTINUOUS, STAGED, SUPERVISED = "continuous", "staged", "supervised"
LOOPS: dict[str, type[RunConfig]] = {
    CONTINUOUS: TrainingConfig,
    STAGED: StagedConfig,
    SUPERVISED: SupervisedConfig,
}


def loop_name(config: RunConfig) -> str:
    """The name of the loop that takes these settings."""
    return next(name for name, kind in LOOPS.items() if isinstance(config, kind))


def of_self_play(config: RunConfig) -> SelfPlayConfig:
    """The same settings; a UsageError if they are those of a supervised run."""
    if isinstance(config, SupervisedConfig):
        raise UsageError("this is for runs of self-play; a supervised run shows its own time left")
    return config
