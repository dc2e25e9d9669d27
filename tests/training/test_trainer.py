import itertools

import numpy as np
import torch

from zerolab.games.board import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.rng import stream
from zerolab.networks.evaluator import OnnxEvaluator
from zerolab.solver.alphabeta import Solver
from zerolab.solver.views import make_view
from zerolab.training.config import TrainingConfig
from zerolab.training.samples import Samples, make_batch
from zerolab.training.trainer import Step, Trainer

TINY = TrainingConfig(
    learning_rate=1e-2,
    train_batch_size=32,
    replay_buffer_size=256,
    replay_buffer_reuse=4,
    max_simulations=10,
    temperature_drop=3,
    nn_model="zerolab",
    nn_width=8,
    nn_depth=1,
    batch=8,
)


def run(game: Clobber, config: TrainingConfig, steps: int) -> tuple[Trainer, list[Step]]:
    trainer = Trainer(game, config, seed=1)
    return trainer, list(itertools.islice(trainer.steps(), steps))


def test_a_seeded_run_is_the_same_to_the_bit() -> None:
    config = TINY.model_copy(
        update={"exact_stones": 6, "symmetries": True, "int8": True, "schedule": "cosine"}
    )
    (one, first), (two, second) = (run(Clobber(3, 4), config, 3) for _ in range(2))
    assert [step.losses for step in first] == [step.losses for step in second]
    for step, again in zip(first, second, strict=True):
        for record, other in zip(step.games.records, again.games.records, strict=True):
            np.testing.assert_array_equal(record.actions, other.actions)
            np.testing.assert_array_equal(record.policies, other.policies)
    for weights, others in zip(
        one.learner.network.state_dict().values(),
        two.learner.network.state_dict().values(),
        strict=True,
    ):
        assert torch.equal(weights, others)


def test_a_run_that_sees_components() -> None:
    config = TINY.model_copy(
        update={"encoding": "components", "int8": True, "symmetries": True, "exact_stones": 6}
    )
    trainer, steps = run(Clobber(3, 4), config, 3)
    assert trainer.learner.network.signature.planes == 7
    assert steps[-1].losses.total < steps[0].losses.total


def test_steps_wait_for_new_states() -> None:
    trainer, steps = run(Clobber(3, 3), TINY, 6)
    assert [step.number for step in steps] == [1, 2, 3, 4, 5, 6]
    for step in steps:
        new = sum(len(record.states) for record in step.games.records)
        assert 64 <= new < 64 + 8 * 8  # at most the last round is over
    assert trainer.replay.size == 256


def test_a_trivial_game_is_learnt() -> None:
    """2x2 Clobber is won by the first player; after training the network knows it."""
    game = Clobber(2, 2)
    trainer, steps = run(game, TINY, 12)
    state = initial_state(game, stream(0))
    samples = Samples(
        state[None], np.zeros((1, 16), np.float32), np.zeros(1, np.float32), np.ones(1, np.float32)
    )
    planes = make_batch(game, make_view(game, "own"), samples).planes
    _, values = OnnxEvaluator(trainer.model())(planes)
    assert Solver(game).value(state) == 1
    assert values[0] > 0.5
    assert steps[-1].losses.value < steps[0].losses.value
