import pytest
from pydantic import ValidationError

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.networks.architectures import NetworkConfig, make_recipe
from zerolab.networks.signature import cazenave_signature, signature_of
from zerolab.networks.summary import summarise
from zerolab.networks.torch_network import Network

CAZENAVE = {  # section V.A of the paper
    "a0.small": 986_748,
    "a0.small.conv.bin": 968_485,
    "a0.small.conv.bin.val4": 968_485,
    "mobile.small": 997_506,
    "mobile.small.conv.bin": 970_477,
    "mobile.small.conv.bin.val4": 970_477,
}


@pytest.mark.parametrize(("name", "parameters"), CAZENAVE.items())
def test_parameters_of_cazenave(name: str, parameters: int) -> None:
    network = Network(make_recipe(name).network, cazenave_signature(19, 19))
    assert summarise(network).parameters == parameters


@pytest.mark.parametrize(
    ("name", "parameters", "on_19x19"),
    [
        ("a0.tiny", 72_066, 319_866),
        ("a0.tiny.conv.bin", 72_424, 72_424),
        ("a0.tiny.conv.bin.val4", 72_424, 72_424),
        ("mobile.tiny", 71_138, 318_938),
        ("mobile.tiny.conv.bin", 72_243, 72_243),
        ("mobile.tiny.conv.bin.val4", 72_243, 72_243),
    ],
)
def test_parameters_of_tiny_networks(name: str, parameters: int, on_19x19: int) -> None:
    """On 9x9 equal to within 2 %; a dense policy of 19x19 has 2 x 361 x 361 + 361 weights."""
    recipe = make_recipe(name)
    assert recipe.loss.value_weight == (
        4 if name.endswith("val4") else 1 if "bin" in name else 0.25
    )
    for side, expected in ((9, parameters), (19, on_19x19)):
        network = Network(recipe.network, cazenave_signature(side, side))
        assert summarise(network).parameters == expected
    assert abs(parameters - 71_800) < 0.01 * 71_800


@pytest.mark.parametrize(
    ("name", "blocks"),
    [
        # Two 3x3 convolutions with bias; a norm for each, or one for both.
        ("a0.medium", 5 * (2 * (64 * 64 * 9 + 64) + 2 * 4 * 64)),
        ("a0.medium.conv.bin", 5 * (2 * (64 * 64 * 9 + 64) + 4 * 64)),
        # Expand, depthwise, squeeze without bias; a norm after each.
        ("mobile.medium", 10 * (2 * 48 * 192 + 9 * 192 + 2 * 4 * 192 + 4 * 48)),
        ("mobile.medium.conv.bin", 10 * (2 * 48 * 192 + 9 * 192 + 2 * 4 * 192 + 4 * 48)),
        ("mobile.medium.conv.bin.val4", 10 * (2 * 48 * 192 + 9 * 192 + 2 * 4 * 192 + 4 * 48)),
    ],
)
def test_parameters_of_medium_networks(name: str, blocks: int) -> None:
    width = 64 if name.startswith("a0") else 48
    stem = 21 * width + width + 4 * width
    # A plane of policy, or two with norm and a dense layer; 50 and 1 dense units.
    policy = width if "conv" in name else 2 * width + 2 + 4 * 2 + (2 * 81 * 81 + 81)
    value = (width * 50 + 50) + (50 + 1)
    network = Network(make_recipe(name).network, cazenave_signature(9, 9))
    assert summarise(network).parameters == stem + blocks + policy + value


@pytest.mark.parametrize("side", [6, 8])
@pytest.mark.parametrize(
    ("encoding", "residual", "mobile"), [("components", 79_013, 77_605), ("own", 77_861, 76_453)]
)
def test_ours_has_a_mobile_twin(side: int, encoding: str, residual: int, mobile: int) -> None:
    """Of as many parameters to within 2 %, on boards of any size; all but the blocks is alike."""
    recipes = make_recipe("zerolab"), make_recipe("zerolab.mobile")
    signature = signature_of(Clobber(side, side), encoding)
    counts = [summarise(Network(each.network, signature)).parameters for each in recipes]
    assert counts == [residual, mobile]
    assert abs(mobile - residual) < 0.02 * residual
    assert recipes[0].loss == recipes[1].loss
    blocks = {"trunk": "resnet", "depth": 4, "inner": None}
    assert recipes[1].network.model_dump() | blocks == recipes[0].network.model_dump()


def test_parameters_of_an_unbounded_network() -> None:
    summary = summarise(
        Network(make_recipe("mobile.conv.bin.2").network, cazenave_signature(19, 19))
    )
    # 1x1 stem with bias and norm; blocks of three convolutions without bias, with norms;
    # one plane of policy; 50 and 1 dense units.
    stem = 21 * 128 + 128 + 4 * 128
    block = 128 * 512 + 4 * 512 + 9 * 512 + 4 * 512 + 512 * 128 + 4 * 128
    heads = 128 + (128 * 50 + 50) + (50 + 1)
    assert summary.parameters == stem + 2 * block + heads
    norms = 2 * (128 + 2 * (512 + 512 + 128))  # running mean and variance of each
    assert summary.trainable == summary.parameters - norms


def test_multiply_adds_of_a_resnet() -> None:
    summary = summarise(
        Network(make_recipe("resnet", width=4, depth=1).network, signature_of(Clobber(3, 3)))
    )
    trunk = 9 * (9 * 3 * 4) + 2 * 9 * (9 * 4 * 4)
    policy = 9 * 4 * 2 + 18 * 36
    value = 9 * 4 * 1 + 9 * 4 + 4 * 1
    assert summary.multiply_adds == trunk + policy + value


def test_wang_is_four_convolutions_and_two_dense_layers() -> None:
    config = make_recipe("wang", width=16).network
    layers = summarise(Network(config, signature_of(Othello(6, 6)))).layers
    shapes = [layer.output for layer in layers if layer.kind == "3x3 convolution"]
    assert shapes == [(16, 6, 6), (16, 6, 6), (16, 4, 4), (16, 2, 2)]
    assert [layer.output for layer in layers if layer.kind == "dense"] == [
        *((1024,), (512,)),
        *((37,), (1,)),
    ]
    with pytest.raises(UsageError, match="expected 5x5 or more"):
        Network(config, signature_of(Othello(4, 4)))


def test_losses_that_belong_to_names() -> None:
    assert make_recipe("a0.small").loss.value == "mse"
    assert make_recipe("a0.small").loss.value_weight == 0.25  # of values between -1 and 1
    assert make_recipe("mobile.conv.bin.40").loss.value == "bce"
    assert make_recipe("mobile.conv.bin.val4.40").loss.value_weight == 4


@pytest.mark.parametrize(
    "name",
    [
        *("", "resnet5", "a0", "a0.0", "mobile", "mobile.val4.3", "a0.conv.bin.5", "a0.small.5"),
        *("mobile.1000", "A0.small", "mobile.small.val4", "zerolab.small"),
    ],
)
def test_unknown_names_list_the_known(name: str) -> None:
    with pytest.raises(UsageError, match=r"is not a network; expected mlp, .*, zerolab, .* with N"):
        make_recipe(name)


def test_parts_that_do_not_fit() -> None:
    for wrong in (
        {"trunk": "mlp", "policy": "conv"},
        {"dense": (3,), "value": "pooled"},
        {"unpadded": 1},
        {"trunk": "conv", "depth": 1, "unpadded": 2},
        {"trunk": "conv", "context": "squeeze"},
        {"width": 0},
        {"dropout": 1.0},
        {"dropout": 0.5},
        {"policy": "conv", "policy_hidden": (8,)},
        {"rectified": True},
        {"inner": 8},
        {"trunk": "mlp", "stem": 1},
        {"colour": 1},
    ):
        with pytest.raises(ValidationError):
            NetworkConfig.model_validate(wrong)
