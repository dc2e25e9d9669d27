import numpy as np
import pytest
import torch

from tests.networks.making import CONFIGS, GAMES, OF_ANY_SIZE, make_network, random_planes
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_policy
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.networks.architectures import make_recipe
from zerolab.networks.heads import ConvPolicy
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_evaluator import TorchEvaluator
from zerolab.networks.torch_network import Network


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("game", GAMES)
def test_onnx_and_pytorch_agree(game: Game, name: str) -> None:
    network = make_network(CONFIGS[name], game)
    noise = np.random.default_rng(1).normal(size=(5, *network.signature.input_shape))
    evaluate = OnnxEvaluator(network.to_onnx())
    for planes in (random_planes(game, 30), noise.astype(np.float32)):
        logits, values = evaluate(planes)
        expected_logits, expected_values = TorchEvaluator(network)(planes)
        assert logits.shape == (len(planes), num_actions(game))
        assert values.shape == (len(planes),)
        np.testing.assert_allclose(logits, expected_logits, atol=1e-4)
        np.testing.assert_allclose(values, expected_values, atol=1e-4)
    assert np.ptp(logits) > 0.01
    assert np.ptp(values) > 0.001


@pytest.mark.parametrize("name", OF_ANY_SIZE)
@pytest.mark.parametrize(
    ("game", "others"),
    [
        (Clobber(4, 5), [Clobber(3, 7), Clobber(10, 10)]),
        (Othello(6, 6), [Othello(4, 4), Othello(8, 8)]),
        (ConnectFour(5, 7), [ConnectFour(6, 4)]),
    ],
)
def test_one_model_for_any_size(game: Game, others: list[Game], name: str) -> None:
    network = make_network(OF_ANY_SIZE[name], game)
    evaluate = OnnxEvaluator(network.to_onnx(any_size=True))
    assert evaluate.fits_any_size
    for other in [game, *others]:
        resized = Network(OF_ANY_SIZE[name], signature_of(other))
        resized.load_state_dict(network.state_dict())
        evaluate.places = resized.signature.places
        planes = random_planes(other, 8)
        expected_logits, expected_values = TorchEvaluator(resized.eval())(planes)
        logits, values = evaluate(planes)
        assert logits.shape == (8, num_actions(other))
        np.testing.assert_allclose(logits, expected_logits, atol=1e-4)
        np.testing.assert_allclose(values, expected_values, atol=1e-4)


def test_a_model_of_one_size_says_so() -> None:
    network = make_network(CONFIGS["resnet none"], Clobber(4, 5))
    assert not OnnxEvaluator(network.to_onnx()).fits_any_size
    dense = make_network(CONFIGS["dense heads"], Clobber(4, 5))
    with pytest.raises(UsageError, match="fits any size"):
        dense.to_onnx(any_size=True)


@pytest.mark.parametrize("name", ["a0.small.conv.bin", "mobile.small"])
def test_deep_networks_agree_too(name: str) -> None:
    game = Clobber(5, 5)
    config = make_recipe(name).network.model_copy(update={"rectified": False})
    network = make_network(config, game)
    planes = random_planes(game, 16)
    for ours, theirs in zip(
        OnnxEvaluator(network.to_onnx())(planes), TorchEvaluator(network)(planes), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)
        assert np.ptp(theirs) > 0.01


@pytest.mark.parametrize("name", OF_ANY_SIZE)
@pytest.mark.parametrize("game", [Clobber(4, 5), Othello(4, 4), ConnectFour(4, 5)])
@pytest.mark.parametrize("training", [False, True])
def test_padding_changes_no_output(game: Game, name: str, training: bool) -> None:
    planes = torch.from_numpy(random_planes(game, 12)).double()
    _, _, rows, cols = planes.shape
    alone, padded = (make_network(OF_ANY_SIZE[name], game).double() for _ in range(2))
    alone.train(training)
    padded.train(training)
    logits, win = alone.rate(planes)
    larger = torch.nn.functional.pad(planes, (0, 3, 0, 2))
    mask = torch.nn.functional.pad(torch.ones_like(planes[:, :1]), (0, 3, 0, 2))
    padded_logits, padded_win = padded.rate(larger, mask)
    layout = alone.signature.layout
    assert layout is not None
    kinds = len(layout.kinds)
    if layout.by_column:
        rows = 1
    cells = padded_logits[:, : padded_logits.shape[1] - layout.passes]
    cells = cells.reshape(12, kinds, -1, cols + 3)[:, :, :rows, :cols]
    torch.testing.assert_close(cells.flatten(1), logits[:, : kinds * rows * cols])
    torch.testing.assert_close(
        padded_logits[:, padded_logits.shape[1] - layout.passes :], logits[:, kinds * rows * cols :]
    )
    torch.testing.assert_close(padded_win, win)
    for one, other in zip(alone.buffers(), padded.buffers(), strict=True):
        torch.testing.assert_close(one, other)  # running statistics among them
    alone_gradient, padded_gradient = (
        torch.autograd.grad(value.square().sum(), next(network.parameters()))[0]
        for value, network in ((win, alone), (padded_win, padded))
    )
    torch.testing.assert_close(alone_gradient, padded_gradient)


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_weights_serve_another_size(name: str) -> None:
    network = make_network(OF_ANY_SIZE[name], Clobber(3, 4))
    other = Network(OF_ANY_SIZE[name], signature_of(Clobber(6, 5))).eval()
    other.load_state_dict(network.state_dict())
    logits, values = TorchEvaluator(other)(random_planes(Clobber(6, 5), 4))
    assert logits.shape == (4, 120)
    assert np.isfinite(logits).all()
    assert np.isfinite(values).all()


def test_a_convolutional_head_turns_with_the_board() -> None:
    """With kernels that are alike in all directions, the policy of a turned board is turned."""
    game = Clobber(4, 4)
    network = make_network(OF_ANY_SIZE["resnet none"], game)
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, torch.nn.Conv2d) and module.kernel_size == (3, 3):
                centre = module.weight[:, :, 1, 1].clone()
                module.weight.copy_(module.weight.mean((2, 3), keepdim=True).expand(-1, -1, 3, 3))
                module.weight[:, :, 1, 1] = centre
        assert isinstance(network.policy, ConvPolicy)
        directions = network.policy.planes.conv.weight
        directions.copy_(directions.mean(0, keepdim=True).expand(4, -1, -1, -1))
    planes = random_planes(game, 20)
    evaluate = TorchEvaluator(network)
    logits, values = evaluate(planes)
    for symmetry in symmetries(game):
        turned_logits, turned_values = evaluate(turn_planes(planes, symmetry))
        np.testing.assert_allclose(turn_policy(logits, symmetry), turned_logits, atol=1e-5)
        np.testing.assert_allclose(values, turned_values, atol=1e-5)


def test_dense_heads_serve_one_size_and_graphs() -> None:
    game = GraphClobber(edges="0-1 1-2 2-3", stones="xoxo")
    network = Network(CONFIGS["mlp"], signature_of(game))
    logits, _ = network(torch.zeros(2, *network.signature.input_shape))
    assert logits.shape == (2, 6)
    with pytest.raises(UsageError, match="fits any size"):
        network.rate(torch.zeros(2, 3, 1, 4), torch.ones(2, 1, 1, 4))
    with pytest.raises(UsageError, match="needs a board"):
        Network(OF_ANY_SIZE["conv"], signature_of(game))
