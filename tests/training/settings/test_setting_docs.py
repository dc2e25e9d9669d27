"""What settings mean, for forms."""

from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.setting_docs import setting_docs
from zerolab.training.settings.staged_config import StagedConfig


def test_every_setting_is_explained():
    for kind in (TrainingConfig, StagedConfig):
        docs = setting_docs(kind)
        assert list(docs) == kind.names()
        assert [name for name, text in docs.items() if not text] == []


def test_explanations_are_those_in_the_source():
    docs = setting_docs(TrainingConfig)
    assert docs["eval_levels"] == "Levels of the ladder (jans: 7)."
    assert docs["max_simulations"].startswith("Evaluations per move, including the root (jans:")
    assert "\n" not in docs["actors"]
