"""Actors on a cluster of this machine beside the same actors as processes; costs of a cluster.

Both engines have their actors all the time, and take turns: those of the other one are stopped
(SIGSTOP). What is counted are positions that reach the learner, who learns nothing while
they do. Then what the learner's machine does for a cluster is measured piece by piece, so that the
model (cluster_model.py) can add it up.
"""

import os
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from zerolab.benchmarks.cluster_model import ClusterCosts
from zerolab.experiments.engines.engine import LOCAL, RAY, Engine, EngineChoice, open_engine
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of
from zerolab.games.clobber import Clobber
from zerolab.networks.machine import one_thread
from zerolab.records.batches import make_batch
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.samples.value_targets import make_samples
from zerolab.training.selfplay.actors import act
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import SelfPlayBatch
from zerolab.training.selfplay.workforce import Job, Link, Workers, cores_beside
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import ours

GAME: Game = Clobber(5, 5)
TURN = 2.0  # seconds
SETTLE = 0.5  # seconds of each turn that do not count: what was on its way arrives
ECHOES = 10  # networks whose way to a worker is timed
BATCHES = 5  # of learning that are timed


class EngineSpeed(NamedTuple):
    """Actors of one engine."""

    name: str
    actors: int
    states: int
    """Positions that reached the learner."""
    seconds: float

    @property
    def states_per_second(self) -> float:
        """Of all actors."""
        return self.states / self.seconds


class RayBench(NamedTuple):
    """All that is measured."""

    speeds: list[EngineSpeed]
    """Of the local engine, and of Ray's."""
    turns: list[float]
    """Ray's speed divided by the local one, turn by turn."""
    costs: ClusterCosts
    settings: TrainingConfig

    @property
    def ratio(self) -> float:
        """Ray's speed divided by the local one."""
        local, ray = self.speeds
        return ray.states_per_second / local.states_per_second


def bench_ray(
    seconds: float,
    on_progress: Callable[[int, int], None],
    game: Game = GAME,
    settings: TrainingConfig | None = None,
) -> RayBench:
    """Each engine plays for `seconds`, in turns, beside an idle learner."""
    settings = settings or ours(game)
    settings = settings.changed(actors=cores_beside(1), evaluators=0)
    trainer = ContinuousTrainer(game, settings, seed=1)
    model = trainer.model()
    arguments = name_of(game), describe(game), settings
    jobs = [Job(f"actor {number + 1}", act, arguments) for number in range(settings.actors)]
    with (
        tempfile.TemporaryDirectory() as directory,
        open_engine(EngineChoice(RAY)) as engine,
        closing(Crew(jobs, Path(directory) / "model.onnx")) as crew,
        closing(engine.hire(jobs, Path(directory))) as hired,
    ):
        contestants = _Playing(LOCAL, crew), _Playing(RAY, hired)
        for each in contestants:
            each.begin(model)
        turns, ratios = max(1, round(seconds / (TURN - SETTLE))), []
        for turn in range(turns):
            first, second = (each.turn() for each in contestants)
            ratios.append(second / first)
            on_progress(turn + 1, turns + 1)
        records = [record for each in contestants for record in each.records]
        playing = contestants[1]
        for each in contestants:
            each.go_on()  # to its end
        publishing = _median(lambda: hired.publish(1, model))
        parcels = playing.parcels
    with open_engine(EngineChoice(RAY)) as engine:
        putting, echo = _weights(engine, model)
    batch, sample, exporting = _learning(trainer, records)
    costs = ClusterCosts(
        states_per_second=playing.speed.states_per_second / settings.actors,
        states_per_step=settings.replay.states_per_step,
        batches_per_step=settings.learner.batches_of(settings.replay.replay_buffer_size),
        batch_seconds=batch,
        sample_seconds=sample,
        model_seconds=exporting + putting,
        model_bytes=len(model),
        announce_seconds=max(0.0, publishing - putting) / settings.actors,
        arrival_seconds=echo,
        receive_seconds=playing.processor_seconds / max(1, playing.speed.states),
        parcel_seconds=playing.processor_seconds / max(1, parcels),
        state_bytes=playing.bytes_per_state,
    )
    on_progress(turns + 1, turns + 1)
    return RayBench([each.speed for each in contestants], ratios, costs, settings)


class _Playing:
    """The actors of one engine, which play only in their turns."""

    def __init__(self, name: str, workers: Workers) -> None:
        self.name = name
        self.workers = workers
        self.records: list[GameRecord] = []
        self.processor_seconds = 0.0
        """Of this process, in turns."""
        self._states, self._seconds = 0, 0.0
        self._first: dict[str, float] = {}

    def begin(self, model: bytes) -> None:
        """Start, and stop when there is a first game."""
        self.workers.start(0, model, 1)
        while not self._take():
            pass
        self._first = dict(self.workers.figures)
        self._signal(signal.SIGSTOP)

    def turn(self) -> float:
        """Play for a while; the states a second."""
        self.go_on()
        settled = time.perf_counter() + SETTLE
        while time.perf_counter() < settled:
            self._take()
        while self.workers.waiting:
            self._take()
        started, work, states = time.perf_counter(), time.process_time(), 0
        while (elapsed := time.perf_counter() - started) < TURN - SETTLE:
            states += self._take()
        elapsed = time.perf_counter() - started
        self.processor_seconds += time.process_time() - work
        self._signal(signal.SIGSTOP)
        self._states += states
        self._seconds += elapsed
        return max(1, states) / elapsed

    def go_on(self) -> None:
        """Let them play."""
        self._signal(signal.SIGCONT)

    @property
    def speed(self) -> EngineSpeed:
        """In all turns."""
        return EngineSpeed(self.name, self.workers.players, self._states, self._seconds)

    @property
    def parcels(self) -> float:
        """That came in turns; the settling at the beginning of each is left out in proportion."""
        return self._counted("parcels") * (1 - SETTLE / TURN)

    @property
    def bytes_per_state(self) -> float:
        """Of games as they are sent."""
        states = sum(len(record.states) for record in self.records)
        return self._counted("bytes") / max(1, states)

    def _counted(self, name: str) -> float:
        return float(self.workers.figures[name] - self._first[name])

    def _take(self) -> int:
        message = self.workers.take()
        assert isinstance(message, SelfPlayBatch)
        self.records += message.records
        return message.states

    def _signal(self, number: int) -> None:
        for pid in self.workers.pids.values():
            os.kill(pid, number)


def echo_models(link: Link, seed: int) -> None:
    """Say at once which network has come."""
    while True:
        found = link.new_model()
        if found is not None:
            link.send(found[0])
        time.sleep(0.0005)


def _weights(engine: Engine, model: bytes) -> tuple[float, float]:
    """Seconds to put a network into the store, and until a worker has answered that it has it."""
    with tempfile.TemporaryDirectory() as directory:
        with closing(engine.hire([], Path(directory))) as nobody:
            putting = _median(lambda: nobody.publish(0, model))
        with closing(engine.hire([], Path(directory), [Job("echo", echo_models, ())])) as echo:
            echo.start(0, model, 1)
            assert echo.take() == 0
            times = []
            for step in range(1, ECHOES + 1):
                started = time.perf_counter()
                echo.publish(step, model)
                while echo.take() != step:
                    pass
                times.append(time.perf_counter() - started)
    return putting, statistics.median(times)


def _learning(
    trainer: ContinuousTrainer, records: Sequence[GameRecord]
) -> tuple[float, float, float]:
    """Seconds of the learner on one core: a batch, a new position, and the model for actors."""
    size, count = trainer.config.learner.train_batch_size, 0
    started = time.perf_counter()
    for record in records:
        trainer.replay.add(make_samples(trainer.config.targets, record))
        count += int(record.full.sum())
    sample = (time.perf_counter() - started) / max(1, count)
    turning = trainer.draw if trainer.config.learner.symmetries else None
    with one_thread():

        def learn() -> None:
            samples = trainer.replay.draw(size, trainer.draw)
            trainer.learner.step(make_batch(trainer.game, trainer.view, samples, turning))

        learn()
        return _median(learn, BATCHES), sample, _median(trainer.model)


def _median(call: Callable[[], object], times: int = 5) -> float:
    found = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        found.append(time.perf_counter() - started)
    return statistics.median(found)
