"""The two loops: their names in config.json and the classes of their settings."""

from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.staged_config import StagedConfig

RunConfig = TrainingConfig | StagedConfig
CONTINUOUS, STAGED = "continuous", "staged"
LOOPS: dict[str, type[RunConfig]] = {CONTINUOUS: TrainingConfig, STAGED: StagedConfig}


def loop_name(config: RunConfig) -> str:
    """The name of the loop that takes these settings."""
    return STAGED if isinstance(config, StagedConfig) else CONTINUOUS
