import numpy as np

from tests.networks.making import CONFIGS, make_network, random_planes
from zerolab.games.clobber import Clobber
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise

GAME = Clobber(5, 5)


def test_eight_bits_give_nearly_the_same():
    model = make_network(CONFIGS["resnet none"], GAME).to_onnx()
    rounded = quantise(model, random_planes(GAME, 200, seed=2))
    planes = random_planes(GAME, 100, seed=3)
    logits, values = OnnxEvaluator(model)(planes)
    rounded_logits, rounded_values = OnnxEvaluator(rounded)(planes)
    assert 0 < np.abs(logits - rounded_logits).mean() < 0.1 * logits.std()
    assert 0 < np.abs(values - rounded_values).mean() < 0.2 * values.std()
