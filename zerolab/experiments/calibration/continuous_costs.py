"""What a step of the continuous loop costs, with games of this process or of others."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

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
    as_unfinished,
    batches_in,
    samples_of,
    stagger,
)
from zerolab.experiments.calibration.watches import (
    COLD_BATCHES,
    WARM,
    WARM_BATCHES,
    BatchWatch,
    PlayWatch,
)
from zerolab.experiments.evaluators import evaluator_jobs
from zerolab.experiments.footprint import COPIES, Sizes, peak_memory, search_bytes
from zerolab.experiments.prediction import Costs
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of, remake
from zerolab.networks.machine import at_most
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.exact_leaves import make_oracle
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.learner import Arrays
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.move_times import PlayTimes, total
from zerolab.training.selfplay.selfplay import GameRecord, SelfPlay
from zerolab.training.selfplay.workforce import Job, Link, cores_beside
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.stopping import TimeIsUp

TELL_SECONDS = 0.5  # between messages of a worker


class Playing:
    """Self-play as an actor has it, in games that are at all plies at once."""

    def __init__(self, game: Game, config: TrainingConfig, model: bytes, seed: int) -> None:
        self._evaluator = OnnxEvaluator(model)
        oracle = make_oracle(game, config.exact_stones)
        network = SearchingNetwork(game, self._evaluator, config.search, oracle)
        opening = config.search.opening_plies // 2
        starts = stagger(game, config.batch, seed).positions
        unfinished = [as_unfinished(each, opening) for each in starts]
        self.games = SelfPlay(network, config.batch, seed, unfinished=unfinished)
        self._ended: list[GameRecord] = []

    def round(self) -> None:
        """Look at one more leaf in every game."""
        self._ended += self.games.round()

    def records(self) -> list[GameRecord]:
        """All games so far, over or not."""
        return [*self._ended, *self.games.unfinished()]

    def refresh(self, model: bytes) -> None:
        """Play on with another network."""
        self._evaluator.load(model)
        self.games.search.forget_evaluations()


class Told(NamedTuple):
    """What a worker says of the games since its last message."""

    model: int
    """The number of the network that it plays with."""
    times: PlayTimes
    records: list[GameRecord]
    """All games since it began."""
    memory: int


def calibrate_continuous(
    game: Game, config: TrainingConfig, budget: Budget, compiling: float
) -> Calibration:
    """Play and learn, and play with what was learnt."""
    trainer = ContinuousTrainer(game, config, seed=0)
    model = trainer.model()
    rounds = round_seconds(game, config, model, config.batch)
    most = config.search.max_simulations
    simulations = simulations_in(budget.play, most, rounds)
    small = config.changed(**shrunken(config, simulations))
    starts = stagger(game, config.batch, seed=0)
    measure = _beside if config.actors else _in_turn
    found = measure(trainer, small, budget)
    length, opening = starts.length, config.search.opening_plies
    parts, learnt = (
        parts_of(each, length, most / simulations, opening) for each in (found.first, found.later)
    )
    costs = Costs(
        moves=max(1.0, length - opening / 2),
        parts=parts,
        learnt_parts=learnt,
        batch=found.batch,
        publishing=found.publishing,
        checkpoint=save_seconds(game, config, trainer),
        starting=found.starting,
        compiling=compiling,
    )
    sizes = Sizes(weight_bytes(trainer), len(model), starts.branching)
    searching = int(search_bytes(game, small.search, small.batch, sizes.branching))
    here = peak_memory() - COPIES * sizes.weights - (0 if config.actors else searching)
    worker = found.worker - searching
    return Calibration(costs, sizes._replace(process=max(0, here), worker=max(0, worker)))


class Found(NamedTuple):
    """What was measured."""

    first: PlayTimes
    later: PlayTimes
    batch: float
    publishing: float
    starting: float = 0.0
    worker: int = 0
    """Bytes."""


def _in_turn(trainer: ContinuousTrainer, config: TrainingConfig, budget: Budget) -> Found:
    """The learner plays itself."""
    playing = Playing(trainer.game, config, trainer.model(), seed=0)
    first = _play(playing, budget.play, config.batch)
    batch = _learn_a_little(trainer, playing.records(), budget.learn)
    publishing = timed(lambda: playing.refresh(trainer.model()))
    playing.games.times.take()
    return Found(first, _play(playing, budget.play, config.batch), batch, publishing)


def _play(playing: Playing, seconds: float, games: int) -> PlayTimes:
    watch = PlayWatch(seconds, games, lambda: playing.games.times.by_ply)
    with suppress(TimeIsUp):
        while True:
            playing.round()
            watch()
    return watch.found()


def _learn(trainer: ContinuousTrainer, watch: Callable[[str, float], None]) -> None:
    trainer.on_phase = watch
    with suppress(TimeIsUp), at_most(cores_beside(trainer.config.actors)):
        while True:
            trainer.learn()


def _learn_a_little(trainer: ContinuousTrainer, records: list[GameRecord], seconds: float) -> float:
    """Learn these games as often as a run would; return the seconds of a batch.

    Of a few moves nothing is learnt: a network that knows them by heart is sure of itself as no
    other.
    """
    before = _weights(trainer)
    batches = _fill(trainer, records)
    watch = BatchWatch(seconds, batches)
    _learn(trainer, watch)
    if batches < COLD_BATCHES + WARM_BATCHES:
        trainer.learner.restore(before)
    return watch.found()


def _weights(trainer: ContinuousTrainer) -> Arrays:
    return {name: each.copy() for name, each in trainer.learner.arrays().items()}


def _fill(trainer: ContinuousTrainer, records: list[GameRecord]) -> float:
    """Give the learner samples; return how many batches it may learn from them."""
    config, size = trainer.config, trainer.config.learner.train_batch_size
    trainer.replay.add(samples_of(config.targets, records, size))
    return batches_in(records, size, config.replay.replay_buffer_reuse)


# With actors.


def keep_playing(
    link: Link, seed: int, rules: str, description: str, config: TrainingConfig
) -> None:
    """The work of an actor while a run is calibrated."""
    game = remake(rules, description)
    found = link.new_model()
    assert found is not None
    number, model = found
    playing = Playing(game, config, model, seed)
    told = time.perf_counter()
    while True:
        playing.round()
        if time.perf_counter() - told >= TELL_SECONDS:
            times = playing.games.times.take()
            link.send(Told(number, times, playing.records(), peak_memory()))
            found = link.new_model()
            if found is not None:
                number, model = found
                playing.refresh(model)
            told = time.perf_counter()


def _beside(trainer: ContinuousTrainer, config: TrainingConfig, budget: Budget) -> Found:
    """Actors play, evaluators judge, and the learner learns, all at once, as in a run."""
    with _crew(trainer, config) as crew:
        started = time.perf_counter()
        crew.start(0, trainer.model(), 0)
        messages = [_next(crew)]
        starting = max(0.0, time.perf_counter() - started - TELL_SECONDS)
        while not any(record.full.any() for record in messages[-1].records):
            messages.append(_next(crew))  # until there is a move to learn
        _fill(trainer, messages[-1].records)
        unlearnt = _weights(trainer)
        watch = BatchWatch(budget.learn)  # all the time, beside those who play
        _learn(trainer, watch)
        messages += _until(crew, config, model=0)
        trainer.learner.restore(unlearnt)
        _learn_a_little(trainer, messages[-1].records, budget.learn)
        publishing = timed(lambda: crew.publish(1, trainer.model()))
        _learn(trainer, BatchWatch(budget.play))
        later = _until(crew, config, model=1)
    first = [each for each in messages if each.model == 0]
    worker = max(each.memory for each in messages)
    return Found(_settled(first), _settled(later), watch.found(), publishing, starting, worker)


@contextmanager
def _crew(trainer: ContinuousTrainer, config: TrainingConfig) -> Iterator[Crew]:
    game = trainer.game
    arguments = name_of(game), describe(game), config
    names = [f"actor {number + 1}" for number in range(config.actors)]
    actors = [Job(name, keep_playing, arguments) for name in names]
    with tempfile.TemporaryDirectory() as directory:
        crew = Crew([*actors, *evaluator_jobs(game, config)], Path(directory) / "model.onnx")
        try:
            yield crew
        finally:
            crew.close()


def _next(crew: Crew) -> Told:
    """The next message of an actor; what evaluators find does not matter."""
    while True:
        message = crew.take()
        if isinstance(message, Told):
            return message


def _until(crew: Crew, config: TrainingConfig, model: int) -> list[Told]:
    """Messages about this network, those that wait and more, until every game has had a move."""
    messages: list[Told] = []
    moves = 0.0
    while moves < config.actors * config.batch or crew.waiting > 0:
        message = _next(crew)
        if message.model == model:
            messages.append(message)
            moves += float(message.times.moves.sum())
    return messages


def _settled(messages: list[Told]) -> PlayTimes:
    """What moves cost, without the first messages if there are enough others."""
    found = total([each.times for each in messages[int(WARM * len(messages)) :]])
    assert found is not None
    return found
