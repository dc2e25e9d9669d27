"""What an iteration of the staged loop costs.

A short one is made from beginning to end. Of a long one a few seconds of each stage are, in games
that are at all plies at once, with fewer simulations if need be; later networks are then taken to
play as the first one does.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from zerolab.experiments.calibration.measured import (
    Budget,
    Calibration,
    parts_of,
    round_seconds,
    save_seconds,
    shrunken,
    simulations_in,
    timed,
    weight_bytes,
)
from zerolab.experiments.calibration.staggered import (
    Staggered,
    as_unfinished,
    batches_in,
    samples_of,
    stagger,
)
from zerolab.experiments.calibration.watches import ArenaWatch, BatchWatch, PlayWatch
from zerolab.experiments.footprint import COPIES, Sizes, peak_memory, staged_search_bytes
from zerolab.experiments.prediction import Costs, Part
from zerolab.games.base import Game
from zerolab.games.playing.openings import PLIES
from zerolab.networks.torch_network import Network
from zerolab.records.samples import Samples
from zerolab.training.arena import ArenaGame, open_pairs
from zerolab.training.selfplay.move_times import total
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.staged import StagedTrainer
from zerolab.training.stopping import TimeIsUp
from zerolab.training.unfinished_iteration import UnfinishedIteration

MANY = 10**6  # games: more than any calibration ends


class Shape(NamedTuple):
    """How games are played while they are measured."""

    config: StagedConfig
    starts: Staggered
    is_whole: bool
    """Whether a stage is made from its beginning to its end."""
    scale: float
    """How many times these simulations a real search has."""


class Played(NamedTuple):
    """What self-play costs."""

    parts: tuple[Part, ...]
    moves: float
    """Of a game."""


def calibrate_staged(
    game: Game, config: StagedConfig, budget: Budget, compiling: float
) -> Calibration:
    """Play, learn, play with what was learnt, and compare."""
    model = StagedTrainer(game, config, seed=0).model()
    shape = _shape(game, config, model, budget.play)
    trainer = StagedTrainer(game, shape.config, seed=0)
    first = _play(trainer, shape, budget.play)
    done = trainer.iteration
    records = [*done.records, *done.unfinished]
    samples = samples_of(config.targets, records, config.learner.train_batch_size)
    most = batches_in(records, config.learner.train_batch_size, config.epochs)
    batch, candidate = _learn(trainer, samples, BatchWatch(budget.learn, most))
    if shape.is_whole:
        trainer.learner.network.load_state_dict(candidate.state_dict())
    publishing = timed(lambda: trainer.resume(0))
    # A network that knows a few moves by heart is sure of itself as no other: it tells nothing.
    learnt = _play(trainer, shape, budget.play) if shape.is_whole else first
    costs = Costs(
        moves=(first.moves + learnt.moves) / 2,
        parts=first.parts,
        learnt_parts=learnt.parts,
        batch=batch,
        publishing=publishing,
        compiling=compiling,
    )
    if config.arena:
        network = candidate if shape.is_whole else trainer.learner.network
        arena, simulations = _compare(trainer, network, shape, budget.arena)
        if simulations is None:
            moves = max(1.0, costs.moves - PLIES)
            simulations = moves * sum(part.share * part.simulations for part in learnt.parts)
        costs = costs._replace(arena=arena, arena_simulations=simulations)
    trainer.replay.add(samples)
    costs = costs._replace(checkpoint=save_seconds(game, config, trainer))
    sizes = Sizes(weight_bytes(trainer), len(model), shape.starts.branching)
    searching = staged_search_bytes(game, shape.config, shape.config.episodes, sizes.branching)
    here = peak_memory() - COPIES * sizes.weights - int(searching)
    return Calibration(costs, sizes._replace(process=max(0, here)))


def _shape(game: Game, config: StagedConfig, model: bytes, seconds: float) -> Shape:
    games, most = min(config.batch, config.episodes), config.search.max_simulations
    rounds = round_seconds(game, config, model, games)
    starts = stagger(game, games, seed=0)
    if config.episodes / games * starts.length * most * rounds <= seconds:
        return Shape(config, starts, True, 1.0)
    simulations = simulations_in(seconds, most, rounds)
    # Where a game ends, another begins, so that the batch stays full.
    small = config.changed(**shrunken(config, simulations), batch=games, episodes=MANY)
    return Shape(small, starts, False, most / simulations)


def _play(trainer: StagedTrainer, shape: Shape, seconds: float) -> Played:
    trainer.iteration = iteration = UnfinishedIteration()
    if shape.is_whole:
        trainer.on_phase = lambda phase, share: None
        spent = timed(trainer.play)
        times = total(iteration.times)
        assert times is not None
        # What lies between rounds belongs to self-play too.
        times = times._replace(seconds=times.seconds * spent / times.seconds.sum())
        length = float(np.mean([len(record.states) for record in iteration.records]))
        return Played(parts_of(times, length, 1.0), length)
    iteration.unfinished = [as_unfinished(each) for each in shape.starts.positions]
    watch = PlayWatch(seconds, len(iteration.unfinished), lambda: total(iteration.times))
    trainer.on_phase = watch
    with suppress(TimeIsUp):
        trainer.play()
    length = shape.starts.length
    return Played(parts_of(watch.found(), length, shape.scale, opening=0), length)


def _learn(trainer: StagedTrainer, samples: Samples, watch: BatchWatch) -> tuple[float, Network]:
    """Seconds of a batch, and a network that has learnt a little."""
    trainer.on_phase = watch
    iteration = trainer.iteration
    with suppress(TimeIsUp):
        while True:  # as many epochs as there is time for
            trainer.retrain(samples)
            iteration.epochs.clear()
    assert iteration.candidate is not None
    return watch.found(), iteration.candidate.network


def _compare(
    trainer: StagedTrainer, candidate: Network, shape: Shape, seconds: float
) -> tuple[float, float | None]:
    """Seconds of a simulation in the arena, and simulations of a game if games were whole."""
    config, starts = trainer.config, shape.starts.positions
    if shape.is_whole:
        games = open_pairs(trainer.game, config.arena_games, seed=0)
    else:
        numbers = range(config.arena_games)
        games = [ArenaGame(number, number % 2, starts[number % len(starts)]) for number in numbers]
    trainer.iteration.arena = games
    watch = ArenaWatch(seconds, games)
    trainer.on_phase = watch
    with suppress(TimeIsUp):
        trainer.compare(candidate, trainer.replay)
        watch.end()
    if shape.is_whole and all(each.is_over for each in games):
        return watch.found(), sum(each.simulations for each in games) / len(games)
    return watch.found(), None
