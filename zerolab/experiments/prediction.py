"""How long a run will take, before anything is trained: wang, equation 2, for either loop.

A run is a sum of self-play (moves x simulations), learning (batches) and, in the staged loop, the
arena (moves x simulations). What one of each costs is measured (calibration/) or read from a log;
how many there are follows from the settings. This file only adds up.
"""

import math
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.training.loop import Limits
from zerolab.training.settings.loops import SelfPlayConfig
from zerolab.training.settings.staged_config import StagedConfig

MOST_STEPS = 10**12  # more than any run makes


class Part(NamedTuple):
    """What moves cost in one part of a game."""

    share: float
    """Of the moves of a game; those of all parts add up to 1."""
    simulations: float
    """Of a move; proofs end a search before its time."""
    seconds: float
    """Of a simulation, on the clock of the one who plays."""


class Costs(NamedTuple):
    """What one of everything costs, in seconds, and how long games are."""

    moves: float
    """Of a game of self-play, without those of a random opening."""
    parts: tuple[Part, ...]
    """Of games with the first network, which has learnt nothing."""
    learnt_parts: tuple[Part, ...]
    """Of games with later networks. These are sure of fewer moves, which lie in the cache."""
    batch: float
    """To learn one batch."""
    publishing: float = 0.0
    """To make what players use of the weights."""
    checkpoint: float = 0.0
    starting: float = 0.0
    """Until processes play."""
    arena: float = 0.0
    """A simulation in the arena."""
    arena_simulations: float = 0.0
    """Of a game of the arena, by both networks."""
    compiling: float = 0.0
    ladder: float = 0.0
    """One game against each level of the ladder, with each network that is judged."""


class Spent(NamedTuple):
    """Seconds of a step, or of many, as the learner's clock has them."""

    selfplay: float = 0.0
    """Playing, or where others play, waiting for their games."""
    learning: float = 0.0
    arena: float = 0.0
    checkpoints: float = 0.0

    @property
    def total(self) -> float:
        """All together."""
        return sum(self)

    def times(self, factor: float) -> "Spent":
        """Each part multiplied by a factor."""
        return Spent(*(factor * each for each in self))

    def plus(self, other: "Spent") -> "Spent":
        """Both together."""
        return Spent(*(one + another for one, another in zip(self, other, strict=True)))


class Done(NamedTuple):
    """What a run that goes on has behind it."""

    steps: int = 0
    seconds: float = 0.0
    states: int = 0
    """Ever learnt from."""
    window: tuple[int, ...] = ()
    """Examples of each iteration that the staged loop keeps, the oldest first."""


NOTHING = Done()


class Prediction(NamedTuple):
    """What is still to come of a run."""

    steps: int
    """That are made to their ends."""
    games: float
    states: float
    starting: float
    spent: Spent
    compiling: float
    evaluation: float
    """Games at the end."""

    @property
    def training(self) -> float:
        """Seconds as the run itself counts them: without compiling and evaluation."""
        return self.starting + self.spent.total

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.compiling + self.training + self.evaluation


def predict(
    config: SelfPlayConfig, limits: Limits, costs: Costs, done: Done = NOTHING, games: int = 0
) -> Prediction:
    """What a run takes from where it is to its limits, and then `games` against each level."""
    most = steps_left(config, limits, done)
    seconds = math.inf if limits.seconds is None else limits.seconds - done.seconds
    starting = costs.starting if most > 0 and seconds > 0 else 0.0
    steps, spent = _until(_Schedule(config, costs, done), most, seconds - starting)
    played, states = _games(config, costs, steps)
    evaluation = games * costs.ladder
    return Prediction(steps, played, states, starting, spent, costs.compiling, evaluation)


def move_seconds(parts: tuple[Part, ...]) -> float:
    """What a move of self-play costs on average over a game."""
    return sum(part.share * part.simulations * part.seconds for part in parts)


def steps_left(config: SelfPlayConfig, limits: Limits, done: Done = NOTHING) -> int:
    """Steps until the limits, if time is none of them; UsageError if nothing ends the run."""
    steps = limits.steps
    if limits == Limits() and config.max_steps > 0:
        steps = config.max_steps
    if isinstance(config, StagedConfig):
        steps = min(config.iterations, config.iterations if steps is None else steps)
    if steps is None:
        if limits.seconds is None:
            raise UsageError(
                "without --minutes or --steps this run goes on until Ctrl-C: give one of them"
            )
        return MOST_STEPS
    return max(0, steps - done.steps)


class _Schedule:
    """The steps that are to come. From `steady` on, counted from 0, they are alike."""

    def __init__(self, config: SelfPlayConfig, costs: Costs, done: Done) -> None:
        self._config, self._costs, self._done = config, costs, done
        self.can_pause = isinstance(config, StagedConfig)
        if isinstance(config, StagedConfig):
            self.steady = config.retrain_window
        else:
            # After `reuse` steps the buffer is full; a rest of the division needs one more.
            self.steady = config.replay.replay_buffer_reuse + 1

    def step(self, number: int) -> Spent:
        """What a step costs; `number` counts from 0 from where the run is."""
        config, costs = self._config, self._costs
        is_first = self._done.steps + number == 0
        parts = costs.parts if is_first else costs.learnt_parts
        if isinstance(config, StagedConfig):
            return self._iteration(config, number, parts)
        wanted = config.replay.states_per_step
        moves = wanted / _share_learnt(config)
        workers = max(1, config.actors)
        if number == 0:  # games begin: half of what is played is still under way when it is over
            moves += config.batch * workers * costs.moves / 2
        playing = moves * move_seconds(parts) / workers
        size = min(config.replay.replay_buffer_size, self._done.states + wanted * (number + 1))
        batches = config.learner.batches_of(size)
        learning = batches * costs.batch + costs.publishing
        if config.actors:
            playing = max(0.0, playing - learning)  # they play while the learner learns
        return Spent(playing, learning, 0.0, costs.checkpoint)

    def _iteration(self, config: StagedConfig, number: int, parts: tuple[Part, ...]) -> Spent:
        costs, states = self._costs, config.episodes * self._costs.moves
        kept = (*self._done.window, *[states] * min(number + 1, config.retrain_window))
        examples = sum(kept[-config.retrain_window :])
        batches = examples / config.learner.train_batch_size  # larger ones where few are left over
        learning = config.epochs * batches * costs.batch + costs.publishing
        arena = 0.0
        if config.arena:
            simulations = config.arena_games * costs.arena_simulations
            arena = simulations * costs.arena + costs.publishing
        return Spent(states * move_seconds(parts), learning, arena, costs.checkpoint)


def _until(schedule: _Schedule, most: int, seconds: float) -> tuple[int, Spent]:
    """Steps until `most` are made or the time is up, and what is spent by then."""
    steps, spent = 0, Spent()
    while steps < most and spent.total < seconds:
        step = schedule.step(steps)
        left = seconds - spent.total
        count = 1
        if steps >= schedule.steady:  # all at once
            count = min(most - steps, max(1, math.ceil(min(left / step.total, MOST_STEPS))))
        if schedule.can_pause and count * step.total > left:
            # The time is up in the last of them, which is kept for later and does not count.
            return steps + count - 1, spent.plus(step.times(left / step.total))
        spent = spent.plus(step.times(count))
        steps += count
    return steps, spent


def _share_learnt(config: SelfPlayConfig) -> float:
    return 1.0 if config.search.fast_simulations is None else config.search.full_share


def _games(config: SelfPlayConfig, costs: Costs, steps: int) -> tuple[float, float]:
    """Games and states that a number of steps learn from."""
    if isinstance(config, StagedConfig):
        games = steps * config.episodes
        return games, games * costs.moves
    states = steps * config.replay.states_per_step
    return states / _share_learnt(config) / costs.moves, states
