import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.settings.continuous_config import TrainingConfig, parse_config
from zerolab.training.settings.presets import PRESETS, make_preset, temperature_drop


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning_rate": 0}, "learning_rate: Input should be greater than 0"),
        ({"learning_rat": 1}, "'learning_rat' is not a setting; expected learning_rate, "),
        ({"nn_model": "nope"}, "'nope' is not a network"),
        ({"replay_buffer_size": 2, "replay_buffer_reuse": 3}, "cannot be larger than"),
        ({"encoding": "smell"}, "encoding: Input should be 'colours', 'own', 'components' or"),
        ({"fast_simulations": 101}, "fast_simulations cannot be more than max_simulations"),
        ({"full_share": 0}, "full_share: Input should be greater than 0"),
        ({"gumbel": True, "forced_playouts": 2}, "gumbel cannot be combined with forced_playouts"),
        (
            {"gumbel": True, "reuse": True},
            "gumbel cannot be combined with forced_playouts or reuse",
        ),
    ],
)
def test_wrong_settings_get_a_sentence(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_config(values)


def test_the_loss_of_jans() -> None:
    """Weights decay through the loss; OpenSpiel's L2 has a half."""
    config = make_preset("jans", Clobber(5, 5))
    assert config.recipe.loss.weight_decay == 0.5e-4
    assert not config.recipe.loss.decoupled
    assert config.replay.states_per_step == 2**16 // 3


def test_temperature_drop_follows_the_length_of_games() -> None:
    assert temperature_drop(Clobber(5, 5)) == 6  # the example of jans, N = 15.7
    assert make_preset("jans", Clobber(7, 7)).search.temperature_drop == 9  # N = 31.3


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "game", [Clobber(3, 3), Clobber(8, 6), Othello(6, 6), ConnectFour(6, 7), GraphClobber()]
)
def test_presets_make_networks_for_every_game(preset: str, game: object) -> None:
    config = make_preset(preset, game)
    Network(config.recipe.network, signature_of(game, config.encoding))
    assert config.search.max_simulations == config.flat()["max_simulations"]


# Every setting of the search that training has too, none of them as it is by default; Gumbel has no
# forced playouts and no reuse. A new one is a line here.
SEARCHES: list[dict[str, object]] = [
    {
        "max_simulations": 77,
        "uct_c": 3.25,
        "urgency": 0.125,
        "policy_alpha": None,
        "policy_epsilon": 0.375,
        "fast_simulations": 33,
        "full_share": 0.5,
        "forced_playouts": 2.5,
        "reuse": True,
        "temperature": 0.75,
        "temperature_drop": 5,
        "opening_plies": 3,
        "encoding": "colours",
        "cache_symmetric": True,
    },
    {"gumbel": True, "gumbel_considered": 4},
]


@pytest.mark.parametrize("settings", SEARCHES)
def test_actors_search_as_the_settings_say(settings: dict[str, object]) -> None:
    search = parse_config(settings).search.model_dump()
    assert {key: search[key] for key in settings} == settings
    # What was not set is as it is by default.
    defaults = SearchConfig().model_dump()
    assert {key: search[key] for key in set(search) - set(settings)} == {
        key: defaults[key] for key in set(search) - set(settings)
    }


def test_every_setting_of_the_search_is_tried() -> None:
    defaults = SearchConfig().model_dump()
    tried = {key: value for settings in SEARCHES for key, value in settings.items()}
    assert all(value != defaults[key] for key, value in tried.items())
    assert set(tried) == set(defaults) & set(TrainingConfig.names())


def test_unknown_preset() -> None:
    with pytest.raises(UsageError, match="expected zerolab or jans"):
        make_preset("other", Clobber(3, 3))


def test_evaluators_need_actors() -> None:
    with pytest.raises(UsageError, match="evaluators need actors"):
        parse_config({"actors": 0, "evaluators": 1})
