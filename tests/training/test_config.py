import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.networks.network import Network
from zerolab.networks.signature import signature_of
from zerolab.training.config import parse_config
from zerolab.training.presets import PRESETS, make_preset, temperature_drop


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning_rate": 0}, "learning_rate: Input should be greater than 0"),
        ({"learning_rat": 1}, "learning_rat: Extra inputs"),
        ({"nn_model": "nope"}, "'nope' is not a network"),
        ({"replay_buffer_size": 2, "replay_buffer_reuse": 3}, "cannot be larger than"),
        ({"encoding": "smell"}, "encoding: Input should be 'colours', 'own' or 'components'"),
        ({"fast_simulations": 101}, "fast_simulations cannot be more than max_simulations"),
        ({"full_share": 0}, "full_share: Input should be greater than 0"),
        ({"gumbel": True, "forced_playouts": 2}, "with gumbel there are no forced_playouts"),
        ({"gumbel": True, "reuse": True}, "with gumbel there are no forced_playouts and no reuse"),
    ],
)
def test_wrong_settings_get_a_sentence(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_config(values)


def test_the_values_of_jans() -> None:
    small, large = make_preset("jans", Clobber(4, 4)), make_preset("jans", Clobber(5, 5))
    assert (small.learning_rate, large.learning_rate) == (0.01, 0.001)
    assert (small.replay_buffer_size, small.replay_buffer_reuse) == (2**14, 4)
    assert (small.max_simulations, large.max_simulations) == (25, 100)
    assert (small.temperature_drop, large.temperature_drop) == (4, 10)
    assert (small.nn_depth, large.nn_depth, large.nn_width) == (2, 6, 128)
    assert large.states_per_step == 2**16 // 3
    assert large.recipe.loss.weight_decay == 0.5e-4  # OpenSpiel's L2 has a half
    assert not large.recipe.loss.decoupled


def test_temperature_drop_follows_the_length_of_games() -> None:
    assert temperature_drop(Clobber(5, 5)) == 6  # the example of jans, N = 15.7
    assert make_preset("jans", Clobber(7, 7)).temperature_drop == 9  # N = 31.3


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "game", [Clobber(3, 3), Clobber(8, 6), Othello(6, 6), ConnectFour(6, 7), GraphClobber()]
)
def test_presets_make_networks_for_every_game(preset: str, game: object) -> None:
    config = make_preset(preset, game)
    Network(config.recipe.network, signature_of(game, config.encoding))
    assert config.search.max_simulations == config.max_simulations


def test_actors_search_as_the_settings_say() -> None:
    """All that training and search both have is the same, also where it is not the default."""
    for settings in (
        {"gumbel": True, "gumbel_considered": 4, "max_simulations": 32, "encoding": "components"},
        {"fast_simulations": 25, "full_share": 0.5, "forced_playouts": 2, "reuse": True},
    ):
        config = parse_config(settings)
        search = config.search.model_dump()
        assert {key: search[key] for key in settings} == settings
        shared = set(search) & set(config.model_dump())
        assert {key: search[key] for key in shared} == {
            key: value for key, value in config.model_dump().items() if key in shared
        }


def test_unknown_preset() -> None:
    with pytest.raises(UsageError, match="expected zerolab or jans"):
        make_preset("other", Clobber(3, 3))


def test_evaluators_need_actors() -> None:
    with pytest.raises(UsageError, match="evaluators need actors"):
        parse_config({"actors": 0, "evaluators": 1})
