import itertools

import numpy as np
import pytest
import torch

from zerolab.encodings.views import make_view
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import stream
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.records.batches import make_batch
from zerolab.records.samples import Samples
from zerolab.solver.alphabeta import Solver
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.steps import Step

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


def run(game: Clobber, config: TrainingConfig, steps: int) -> tuple[ContinuousTrainer, list[Step]]:
    trainer = ContinuousTrainer(game, config, seed=1)
    return trainer, list(itertools.islice(trainer.steps(), steps))


def test_a_seeded_run_is_the_same_to_the_bit() -> None:
    config = TINY.changed(exact_stones=6, symmetries=True, int8=True, schedule="cosine")
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


def test_half_precision_learns_nearly_the_same() -> None:
    (_, exact), (_, half) = (
        run(Clobber(3, 4), TINY.changed(precision=each), 1) for each in ("float32", "bfloat16")
    )
    assert exact[0].losses.total != half[0].losses.total
    assert half[0].losses.total == pytest.approx(exact[0].losses.total, rel=0.05)


def test_a_run_that_sees_components() -> None:
    config = TINY.changed(encoding="components", int8=True, symmetries=True, exact_stones=6)
    trainer, steps = run(Clobber(3, 4), config, 3)
    assert trainer.learner.network.signature.planes == 7
    assert steps[-1].losses.total < steps[0].losses.total


def test_searches_cut_short_are_not_learnt() -> None:
    """Positions in the buffer are those searched in full, and policies are theirs."""
    game = Clobber(3, 4)
    update = {"fast_simulations": 2, "full_share": 0.3, "replay_buffer_size": 4096}
    trainer, steps = run(game, TINY.changed(**(update | {"replay_buffer_reuse": 32})), 2)
    records = [record for step in steps for record in step.games.records]
    full = np.concatenate([record.full for record in records])
    assert 0.2 < full.mean() < 0.4
    assert trainer.replay.size == full.sum() == sum(step.games.states for step in steps)
    kept = trainer.replay.samples
    for name in ("states", "policies"):
        played = np.concatenate([getattr(record, name) for record in records])
        np.testing.assert_array_equal(
            {"states": kept.states, "policies": kept.policy}[name], played[full]
        )
    # A search of two simulations has tried one move.
    short = np.concatenate([record.policies for record in records])[~full]
    assert (short.max(axis=1) == 1).all()
    assert (kept.policy.max(axis=1) < 1).any()


@pytest.mark.parametrize(
    "settings",
    [
        {"gumbel": True},
        {"gumbel": True, "gumbel_considered": 2},
        {"forced_playouts": 2.0},
        {"reuse": True},
    ],
)
def test_search_settings_reach_the_games(settings: dict[str, object]) -> None:
    """The games are others than those of the defaults, from the same seed and weights."""
    enough = {"max_simulations": 40}  # for a tree that is worth keeping
    before = enough | ({"gumbel": True} if "gumbel_considered" in settings else {})
    played = []
    for update in (before, enough | settings):
        _, (step,) = run(Clobber(3, 4), TINY.changed(**update), 1)
        played.append(np.concatenate([record.policies for record in step.games.records]))
    assert played[0].shape != played[1].shape or (played[0] != played[1]).any()


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


def test_a_step_cannot_be_left_unfinished() -> None:
    """Of the continuous loop, whose games go on in any case."""
    trainer = ContinuousTrainer(Clobber(3, 3), TINY, seed=1)
    assert not trainer.can_pause
    with pytest.raises(TypeError, match="this trainer ends its steps"):
        trainer.pause(1.0)
    with pytest.raises(TypeError, match="this trainer ends its steps"):
        trainer.go_on({}, "")
