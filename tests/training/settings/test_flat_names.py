"""Settings in records under flat names: both name the same, and mistakes get one sentence."""

import json
from typing import Annotated

import pytest
from pydantic import BaseModel

from tests.documentation import ROOT
from zerolab.errors import UsageError
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.runs.run_directory import LATER
from zerolab.training.settings.continuous_config import TrainingConfig, parse_config
from zerolab.training.settings.flat_names import Leaves, Settings, change_settings
from zerolab.training.settings.staged_config import StagedConfig, parse_staged


class Colour(BaseModel):
    red: int = 1
    blue: int = 2
    hidden: int = 3


class Picture(Settings):
    width: int = 10
    front: Annotated[Colour, Leaves(without=("hidden",))] = Colour(blue=5)


def test_records_and_flat_names_say_the_same() -> None:
    for values in ({"red": 7}, {"front.red": 7}, {"front": {"red": 7}}):
        picture = Picture.model_validate(values)
        # The other field is as this configuration has it by default, not as the record does.
        assert picture == Picture(front=Colour(red=7, blue=5))
        assert picture.flat() == {"width": 10, "red": 7, "blue": 5}
    assert Picture.names() == ["width", "red", "blue"]
    both = Picture.model_validate({"front": Colour(red=3), "blue": 4})
    assert both.front == Colour(red=3, blue=4)


def test_changed_leaves_the_rest_as_it_is() -> None:
    picture = Picture(width=4, front=Colour(red=7))
    assert picture.changed(blue=9) == Picture(width=4, front=Colour(red=7, blue=9))
    assert picture.front.blue == 2
    with pytest.raises(ValueError, match="'green' is not a setting; expected width, red, blue"):
        picture.changed(green=1)


def test_what_would_not_be_kept_is_refused() -> None:
    """config.json has settings only: another field of a record would be lost with it."""
    for values in ({"hidden": 4}, {"front.hidden": 4}, {"front": Colour(hidden=4)}):
        with pytest.raises(ValueError, match="hidden' is not a setting"):
            Picture.model_validate(values)
    with pytest.raises(ValueError, match="'cache_size' is not a setting"):
        TrainingConfig(search=SearchConfig(cache_size=8))


def test_a_name_occurs_once() -> None:
    with pytest.raises(AssertionError, match="a setting of Two occurs twice"):

        class Two(Settings):
            front: Colour = Colour()
            back: Colour = Colour()

    with pytest.raises(AssertionError, match="a record of Same is a setting"):

        class Same(Settings):
            red: Colour = Colour()


@pytest.mark.parametrize("key", ["max_simulations", "search.max_simulations"])
def test_texts(key: str) -> None:
    for defaults, parse in ((TrainingConfig(), parse_config), (StagedConfig(), parse_staged)):
        config = parse(change_settings(defaults, (f"{key}=50", "nn_width=none")))
        assert config == defaults.changed(max_simulations=50, nn_width=None)
    for text in ("search=50", "max_simulations", "searches.max_simulations=50"):
        with pytest.raises(UsageError, match=f"'{text}' is not a setting; expected KEY=VALUE with"):
            change_settings(TrainingConfig(), (text,))


def test_all_settings_survive_their_flat_form() -> None:
    for config in (TrainingConfig(), StagedConfig()):
        assert type(config).model_validate(config.flat()) == config


@pytest.mark.parametrize(
    ("kept", "kind"), [("continuous", TrainingConfig), ("staged", StagedConfig)]
)
def test_config_json_has_the_keys_it_always_had(kept: str, kind: type[Settings]) -> None:
    about = json.loads((ROOT / "tests" / "kept" / kept / "config.json").read_text("utf-8"))
    beside = {
        "game",
        "rules",
        "path",
        "seed",
        "loop",
        "version",
        "observation_shape",
        "output_size",
    }
    later = {key: value for key, value in LATER.items() if key in kind.names()}
    settings = later | {key: value for key, value in about.items() if key not in beside}
    assert kind.model_validate(settings).flat() == settings
