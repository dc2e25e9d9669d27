import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch

from zerolab.errors import UsageError
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score
from zerolab.records.batches import make_batch
from zerolab.records.samples import Batch, Samples
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.arena import ArenaResult, open_pairs
from zerolab.training.learner import Learner, LossValues
from zerolab.training.samples.value_targets import make_samples
from zerolab.training.samples.window import join
from zerolab.training.selfplay.selfplay import SelfPlay
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.shares import OnRound, Work
from zerolab.training.staged import StagedTrainer
from zerolab.training.steps import Step
from zerolab.training.weights import rounded_models

GAME = Clobber(3, 3)
TINY = StagedConfig(
    iterations=3,
    episodes=6,
    temperature_threshold=4,
    max_simulations=8,
    retrain_window=2,
    epochs=2,
    train_batch_size=16,
    arena_games=4,
    nn_model="zerolab",
    nn_width=8,
    nn_depth=1,
    batch=4,
)
LOST = ArenaResult(Score(wins=0, draws=0, losses=4), distinct=4)
WON = ArenaResult(Score(wins=4, draws=0, losses=0), distinct=4)


def changed(**settings: object) -> StagedConfig:
    return StagedConfig.model_validate(TINY.flat() | settings)


def run(config: StagedConfig, game=GAME, seed=1) -> tuple[StagedTrainer, list[Step]]:
    trainer = StagedTrainer(game, config, seed)
    return trainer, list(trainer.steps())


def weights(trainer: StagedTrainer) -> list[np.ndarray]:
    return [array.copy() for array in trainer.learner.arrays().values()]


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all((a == b).all() for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("symmetries", [False, True])
def test_a_seeded_run_is_the_same_to_the_bit(symmetries: bool) -> None:
    config = changed(symmetries=symmetries)
    (one, first), (two, second) = run(config), run(config)
    assert same(weights(one), weights(two))
    assert [each.stages.epochs for each in first] == [each.stages.epochs for each in second]
    assert [each.stages.arena for each in first] == [each.stages.arena for each in second]
    for iteration, again in zip(first, second, strict=True):
        for record, other in zip(iteration.games.records, again.games.records, strict=True):
            np.testing.assert_array_equal(record.actions, other.actions)
    other, _ = run(config, seed=2)
    assert not same(weights(one), weights(other))


SHARED = changed(episodes=20, batch=17, shares=3, arena_games=16, iterations=2)


def in_reverse(works: Sequence[Work], on_round: OnRound) -> None:
    """As if the last share were always the first to be done."""
    for work in reversed(works):
        work(on_round)


def test_threads_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    one, first = run(SHARED)
    monkeypatch.setattr("zerolab.training.staged.work_side_by_side", in_reverse)
    two, second = run(SHARED)
    assert same(weights(one), weights(two))
    assert one.draw.bit_generator.state == two.draw.bit_generator.state
    for iteration, again in zip(first, second, strict=True):
        assert iteration.stages.arena == again.stages.arena
        assert iteration.games.cache == again.games.cache
        np.testing.assert_array_equal(iteration.games.batches, again.games.batches)
        for record, other in zip(iteration.games.records, again.games.records, strict=True):
            np.testing.assert_array_equal(record.states, other.states)
            np.testing.assert_array_equal(record.policies, other.policies)


def test_shares_are_games_with_seeds_drawn_in_order() -> None:
    trainer = StagedTrainer(GAME, SHARED, seed=1)
    draw = np.random.default_rng(1)
    network = SearchingNetwork(GAME, trainer.evaluator, SHARED.search)
    expected = []
    for slots, games in [(6, 7), (6, 7), (5, 6)]:  # of 17 and of 20
        selfplay, records = SelfPlay(network, slots, int(draw.integers(2**63)), games), []
        while len(records) < games:
            records += selfplay.round()
        expected += records
    played = trainer.play()
    for record, other in zip(played.records, expected, strict=True):
        np.testing.assert_array_equal(record.states, other.states)
        np.testing.assert_array_equal(record.policies, other.policies)
    assert len(played.batches) == 18
    assert played.batches[:7].sum() == played.batches.sum() > 0
    assert played.cache.misses == played.batches @ np.arange(18)


def test_the_arena_does_not_depend_on_shares() -> None:
    trainer = StagedTrainer(GAME, SHARED, seed=1)
    candidate, _ = trainer.retrain(trainer.replay.with_new(samples_of(trainer)).samples)
    moves = []
    for shares in (1, 3):
        trainer.config = SHARED.changed(shares=shares)
        trainer.iteration.arena = open_pairs(GAME, 16, seed=5)
        result = trainer.compare(candidate, trainer.replay)
        assert result.score.games == 16
        assert all(game.is_over for game in trainer.iteration.arena)
        moves.append([game.moves for game in trainer.iteration.arena])
    assert moves[0] == moves[1]


def samples_of(trainer: StagedTrainer) -> Samples:
    """What the first games give to learn from."""
    return join([make_samples(trainer.config.targets, each) for each in trainer.play().records])


def test_three_stages() -> None:
    trainer, iterations = run(TINY, make_game("tic-tac-toe"))
    assert [each.number for each in iterations] == [1, 2, 3]
    for each in iterations:
        assert len(each.games.records) == 6
        epochs, arena, accepted, *_ = each.stages
        assert len(epochs) == 2
        assert each.losses == epochs[-1]
        assert arena is not None
        assert arena.score.games == arena.distinct == 4
        assert accepted == arena.is_passed(0.6)
    assert trainer.step == 3
    assert list(trainer.steps()) == []


def test_the_window_holds_so_many_iterations() -> None:
    trainer = StagedTrainer(GAME, TINY, seed=1)
    states: list[np.ndarray] = []
    for iteration in trainer.steps():
        states.append(np.concatenate([record.states for record in iteration.games.records]))
        np.testing.assert_array_equal(trainer.replay.samples.states, np.concatenate(states[-2:]))
    assert trainer.replay.added == sum(len(each) for each in states)


@pytest.mark.parametrize(("size", "batches"), [(33, [17, 16]), (5, [5]), (48, [16, 16, 16])])
def test_an_epoch_learns_every_example_once(
    monkeypatch: pytest.MonkeyPatch, size: int, batches: list[int]
) -> None:
    seen: list[list[float]] = []

    def step(self: Learner, batch: Batch) -> LossValues:
        seen.append(batch.weight.tolist())
        return LossValues(0, 0, 0, 0)

    trainer = StagedTrainer(GAME, changed(epochs=3), seed=1)
    (state,) = trainer.play()[0][0].states[:1]
    trainer.replay.add(
        Samples(
            np.repeat(state[None], size, axis=0),
            np.zeros((size, 36), np.float32),
            np.zeros(size, np.float32),
            np.arange(size, dtype=np.float32),
        )
    )
    monkeypatch.setattr(Learner, "step", step)
    trainer.retrain(trainer.replay.samples)
    assert [len(each) for each in seen] == batches * 3
    flat = list(itertools.chain(*seen))
    epochs = [flat[start : start + size] for start in range(0, 3 * size, size)]
    for epoch in epochs:
        assert sorted(epoch) == list(range(size))
    assert epochs[0] != epochs[1] != epochs[2]


@pytest.mark.parametrize(("result", "accepted"), [(LOST, False), (WON, True)])
def test_a_rejected_network_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, result: ArenaResult, accepted: bool
) -> None:
    monkeypatch.setattr("zerolab.training.staged.tally", lambda *rest: result)
    trainer = StagedTrainer(GAME, TINY, seed=1)
    before = weights(trainer)
    planes = np.random.default_rng(1).random((4, 3, 3, 3), np.float32)
    answers = trainer.evaluator(planes)
    iteration = next(trainer.steps())
    assert (iteration.stages.accepted, iteration.stages.arena) == (accepted, result)
    assert same(before, weights(trainer)) == (not accepted)
    assert same(list(answers), list(trainer.evaluator(planes))) == (not accepted)
    assert not trainer.learner.optimizer.state_dict()["state"]


def test_who_plays_is_who_was_learnt() -> None:
    trainer, iterations = run(changed(arena=False))
    assert all(each.stages.accepted and each.stages.arena is None for each in iterations)
    planes = np.random.default_rng(1).random((4, 3, 3, 3), np.float32)
    with torch.inference_mode():
        logits, win = trainer.learner.network(torch.from_numpy(planes))
    found = trainer.evaluator(planes)
    np.testing.assert_allclose(found[0], logits.numpy(), atol=1e-5)
    np.testing.assert_allclose(found[1], np.tanh(win.numpy()), atol=1e-5)


def test_training_makes_the_loss_smaller() -> None:
    _, (iteration,) = run(changed(iterations=1, epochs=8, learning_rate=0.01, arena=False))
    assert iteration.stages.epochs[-1].total < iteration.stages.epochs[0].total


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("policy", lambda policy, value: policy),
        ("value", lambda policy, value: value),
        ("product", lambda policy, value: policy * value),
        ("weighted", lambda policy, value: 0.2 * policy + 0.8 * value),
    ],
)
def test_every_loss_is_made_small(loss: str, expected: Callable[[float, float], float]) -> None:
    """One batch has all examples, so that the numbers of an epoch are those of a batch."""
    batch = {"train_batch_size": 1000, "epochs": 12, "learning_rate": 0.01}
    config = changed(loss=loss, policy_share=0.2, iterations=1, arena=False, **batch)
    _, (iteration,) = run(config)
    for total, policy, value, _ in iteration.stages.epochs:
        assert total == pytest.approx(expected(policy, value), rel=1e-5)
    assert iteration.stages.epochs[-1].total < 0.9 * iteration.stages.epochs[0].total


def test_the_network_of_wang_learns() -> None:
    config = changed(nn_model="wang", nn_width=8, nn_depth=4, iterations=1, episodes=2)
    _, (iteration,) = run(config, Othello(6, 6))
    assert np.isfinite(iteration.losses.total)


def test_one_position_is_too_few() -> None:
    with pytest.raises(UsageError, match="one position is too few"):
        run(changed(episodes=1), Clobber(1, 2))


def test_eight_bits_reach_self_play_and_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first samples on; without the setting nothing is rounded."""
    rounded: list[int] = []

    def watch(model: bytes, planes: np.ndarray) -> bytes:
        rounded.append(len(planes))
        return model

    monkeypatch.setattr(rounded_models, "quantise", watch)
    list(StagedTrainer(GAME, TINY.changed(iterations=1), seed=1).steps())
    assert rounded == []
    trainer = StagedTrainer(GAME, TINY.changed(iterations=1, int8=True), seed=1)
    assert rounded == []  # there are no positions yet
    list(trainer.steps())
    assert rounded == [trainer.replay.samples.size] * 2  # the candidate, then whichever is best


def test_a_run_in_eight_bits_resumes_to_the_bit() -> None:
    """Whether or not the last network was accepted, the ranges are those of the last games."""
    config = TINY.changed(int8=True)
    straight = StagedTrainer(GAME, config, seed=1)
    steps = straight.steps()
    for _ in range(2):
        next(steps)
        again = StagedTrainer(GAME, config, seed=1)
        again.learner.restore(straight.learner.arrays())
        again.replay = straight.replay
        again.resume(straight.step)
        planes = make_batch(GAME, straight.view, straight.replay.samples).planes
        for one, other in zip(straight.evaluator(planes), again.evaluator(planes), strict=True):
            np.testing.assert_array_equal(one, other)
