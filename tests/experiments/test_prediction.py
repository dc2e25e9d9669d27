"""Sums of invented costs, worked out by hand."""

import pytest

from zerolab.errors import UsageError
from zerolab.experiments.prediction import Costs, Done, Part, move_seconds, predict, steps_left
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig, parse_config
from zerolab.training.settings.staged_config import parse_staged

# The first half of a game costs 10 simulations of 0.1 s a move, the second 4 of 0.25: 1 s a move.
# With a network that has learnt it is 0.5 s.
PARTS = (Part(0.5, 10, 0.1), Part(0.5, 4, 0.25))
LEARNT = (Part(0.5, 10, 0.05), Part(0.5, 4, 0.125))
COSTS = Costs(
    moves=8,
    parts=PARTS,
    learnt_parts=LEARNT,
    batch=2.0,
    publishing=1.0,
    checkpoint=3.0,
    starting=7.0,
    arena=0.125,
    arena_simulations=16.0,
    compiling=20.0,
    ladder=1.5,
)
# 5 games of 8 moves are 40 examples, which make 4 batches; an arena is 10 x 16 x 0.125 = 20 s.
STAGED = parse_staged(
    {"iterations": 5, "episodes": 5, "retrain_window": 2, "epochs": 3, "arena_games": 10}
    | {"train_batch_size": 10}
)
# A step has 64 / 4 = 16 new states; the buffer is full after four.
CONTINUOUS = TrainingConfig(
    replay_buffer_size=64, replay_buffer_reuse=4, train_batch_size=8, batch=2, max_simulations=10
)
STILL = COSTS._replace(starting=0.0)


def test_a_move_costs_what_its_part_of_the_game_does() -> None:
    assert move_seconds(PARTS) == 0.5 * 10 * 0.1 + 0.5 * 4 * 0.25
    assert move_seconds((Part(0.75, 10, 0.1), Part(0.25, 4, 0.25))) == pytest.approx(1.0)
    assert move_seconds((Part(0.75, 10, 0.2), Part(0.25, 4, 0.25))) == pytest.approx(1.75)


def test_an_iteration_is_self_play_training_and_arena() -> None:
    found = predict(STAGED, Limits(steps=1), STILL)
    assert (found.steps, found.games, found.states) == (1, 5, 40)
    assert found.spent == (40, 3 * 4 * 2 + 1, 20 + 1, 3)
    assert found.training == 40 + 25 + 21 + 3
    assert found.seconds == found.training + 20
    assert predict(STAGED.changed(arena=False), Limits(steps=1), STILL).spent.arena == 0


def test_the_window_grows_until_it_is_full() -> None:
    """Later networks play in half the time; from the second iteration on there are 80 examples."""
    spent = [predict(STAGED, Limits(steps=steps), STILL).spent for steps in range(1, 6)]
    assert [each.selfplay for each in spent] == [40, 60, 80, 100, 120]
    assert [each.learning for each in spent] == [25, 74, 123, 172, 221]
    assert predict(STAGED, Limits(), STILL).spent == spent[-1]  # all iterations of the settings
    assert predict(STAGED, Limits(steps=99), STILL).spent == spent[-1]


def test_the_rest_of_a_staged_run() -> None:
    """With 10 examples in the window there are 50 for the first iteration, and 80 after it."""
    done = Done(steps=2, seconds=500, states=50, window=(40, 10))
    found = predict(STAGED, Limits(), STILL, done)
    assert (found.steps, found.spent.selfplay) == (3, 60)
    assert found.spent.learning == (3 * 5 * 2 + 1) + 2 * 49
    assert predict(STAGED, Limits(steps=2), COSTS, done)[:5] == (0, 0, 0, 0, (0, 0, 0, 0))


def test_a_staged_run_stops_when_its_time_is_up() -> None:
    """Iterations take 89, 93, 93, ... seconds; the one under way does not count."""
    found = predict(STAGED, Limits(seconds=89 + 93 + 31), STILL)
    assert found.steps == 2
    assert found.training == pytest.approx(89 + 93 + 31)
    assert found.spent.arena == pytest.approx(42 + 21 / 3)
    longer = predict(STAGED, Limits(seconds=10**6), STILL)
    assert (longer.steps, longer.training) == (5, 89 + 4 * 93)
    late = predict(STAGED, Limits(seconds=600), STILL, Done(steps=1, seconds=600))
    assert (late.steps, late.training) == (0, 0)


def test_steps_of_the_continuous_loop() -> None:
    """Two games begin, half of which, 8 moves, are under way when the first step has its states.

    Then the buffer grows by 16 states a step, which are two batches, up to eight.
    """
    found = predict(CONTINUOUS, Limits(steps=6), STILL)
    assert (found.states, found.games) == (96, 12)
    assert found.spent.selfplay == (16 + 8) * 1 + 5 * 16 * 0.5
    assert found.spent.learning == 2 * (2 + 4 + 6 + 8 + 8 + 8) + 6
    assert (found.spent.arena, found.spent.checkpoints) == (0, 18)


def test_many_steps_are_counted_at_once_and_alike() -> None:
    first, many = (predict(CONTINUOUS, Limits(steps=steps), STILL) for steps in (10, 10**9))
    each = 8 + 17 + 3  # of a step when the buffer is full
    assert many.training == pytest.approx(first.training + (10**9 - 10) * each)
    day = predict(CONTINUOUS, Limits(seconds=first.training + 100.5 * each), STILL)
    assert day.steps == 10 + 101  # the step under way is made to its end
    assert day.training == pytest.approx(first.training + 101 * each)


def test_actors_play_while_the_learner_learns() -> None:
    """With two actors and four games, 16 + 16 moves take the first step 16 s, and 8 moves the
    others 4 s; learning takes 5, 9, 13 and then 17 s.
    """
    config = CONTINUOUS.changed(actors=2)
    found = predict(config, Limits(steps=4), COSTS)
    assert found.starting == 7
    assert found.spent.learning == 5 + 9 + 13 + 17
    assert found.spent.selfplay == 16 - 5
    slow = predict(config, Limits(steps=4), COSTS._replace(learnt_parts=(Part(1, 10, 0.4),)))
    assert slow.spent.selfplay == (16 - 5) + (32 - 9) + (32 - 13) + (32 - 17)


def test_short_searches_are_not_learnt() -> None:
    """A quarter of the moves counts, so that there are four times as many."""
    config = CONTINUOUS.changed(fast_simulations=2, full_share=0.25)
    found = predict(config, Limits(steps=2), STILL)
    assert (found.states, found.games) == (32, 16)
    assert found.spent.selfplay == (64 + 8) * 1 + 64 * 0.5


def test_the_ladder_at_the_end() -> None:
    assert predict(CONTINUOUS, Limits(steps=1), STILL, games=10).evaluation == 15
    assert predict(CONTINUOUS, Limits(steps=1), STILL).evaluation == 0


def test_what_has_no_end_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="goes on until Ctrl-C: give one of them"):
        predict(CONTINUOUS, Limits(), STILL)
    assert steps_left(parse_config({"max_steps": 4}), Limits()) == 4
    assert steps_left(CONTINUOUS, Limits(steps=4), Done(steps=3)) == 1
