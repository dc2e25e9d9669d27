import pytest
from torch import nn

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.training.settings.staged_config import StagedConfig, parse_staged

TABLE_1 = {
    "iterations": 100,
    "episodes": 50,
    "temperature_threshold": 15,
    "max_simulations": 100,
    "uct_c": 1.0,
    "retrain_window": 20,
    "epochs": 10,
    "train_batch_size": 64,
    "learning_rate": 0.005,
    "dropout": 0.3,
    "arena_games": 40,
    "update_threshold": 0.6,
}


def test_the_values_of_wang() -> None:
    config = StagedConfig()
    assert TABLE_1.items() <= config.flat().items()
    assert config.search.temperature_drop == 14  # moves 1 to 14, which we count from 0
    assert config.recipe.loss.weight_decay == 0
    assert not config.targets.exact_targets


@pytest.mark.parametrize("dropout", [0.0, 0.2, 0.4])
def test_dropout_reaches_the_network(dropout: float) -> None:
    config = parse_staged({"dropout": dropout, "nn_width": 4})
    network = Network(config.recipe.network, signature_of(Othello(6, 6), "own"))
    shares = [each.p for each in network.modules() if isinstance(each, nn.Dropout)]
    assert shares == ([dropout] * 2 if dropout else [])  # after each of the dense layers


@pytest.mark.parametrize("loss", ["sum", "policy", "value", "product", "weighted"])
def test_losses(loss: str) -> None:
    config = parse_staged({"loss": loss, "policy_share": 0.25})
    assert config.recipe.loss.combine == loss
    assert config.recipe.loss.policy_share == 0.25


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"epochs": 0}, "epochs: Input should be greater than or equal to 1"),
        ({"epoch": 1}, "'epoch' is not a setting; expected iterations, episodes,"),
        ({"update_threshold": 60}, "update_threshold: Input should be less than"),
        ({"dropout": 1}, "dropout: Input should be less than 1"),
        ({"train_batch_size": 1}, "train_batch_size: Input should be greater than or equal to 2"),
        ({"loss": "plus"}, "loss: Input should be 'sum'"),
        ({"nn_model": "nope"}, "'nope' is not a network"),
        ({"nn_depth": 1}, "2 unpadded convolutions of 1 is too many"),
        ({"arena_games": 41}, "arena_games must be even"),
    ],
)
def test_wrong_settings_get_a_sentence(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        parse_staged(values)
    assert "\n" not in str(error.value)


def test_an_arena_that_is_off_may_be_odd() -> None:
    assert parse_staged({"arena_games": 41, "arena": False}).arena_games == 41


def test_the_network_of_wang_needs_room() -> None:
    config = StagedConfig()
    with pytest.raises(UsageError, match="do not fit a board of 3x3; expected 5x5 or more"):
        Network(config.recipe.network, signature_of(Clobber(3, 3), "own"))
