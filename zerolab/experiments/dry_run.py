"""A run that is not made: how long it would take, and what memory and disk it would need."""

from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.experiments.calibration.continuous_costs import calibrate_continuous
from zerolab.experiments.calibration.ladder_costs import ladder_seconds
from zerolab.experiments.calibration.logged_costs import done_of, logged_costs
from zerolab.experiments.calibration.measured import Budget, Calibration, weight_bytes
from zerolab.experiments.calibration.staged_costs import calibrate_staged
from zerolab.experiments.calibration.staggered import stagger
from zerolab.experiments.evaluators import EXAMINED
from zerolab.experiments.footprint import (
    Disk,
    Sizes,
    disk_of,
    kept_samples,
    memory_of,
    peak_memory,
)
from zerolab.experiments.prediction import Costs, Done, Prediction, predict, steps_left
from zerolab.games.base import Game, shape
from zerolab.games.clobber import Clobber
from zerolab.training.loop import Limits, new_trainer
from zerolab.training.runs.run_directory import Run
from zerolab.training.selfplay.workforce import UNLIMITED
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import SelfPlayConfig, loop_name, of_self_play

MEASURED, LOGGED = "calibration", "log"
BUDGET = Budget()


class Forecast(NamedTuple):
    """What is to be expected of a run."""

    loop: str
    source: str
    """Where the costs are from: MEASURED or LOGGED."""
    costs: Costs
    done: Done
    prediction: Prediction
    memory: dict[str, float]
    """Bytes at the peak, by what they are for."""
    disk: Disk
    assumptions: list[str]

    @property
    def fields(self) -> dict[str, Any]:
        """For programs."""
        found = self.prediction
        seconds = {
            "compiling": found.compiling,
            "starting": found.starting,
            **found.spent._asdict(),
            "evaluation": found.evaluation,
        }
        return {
            "loop": self.loop,
            "source": self.source,
            "steps": found.steps,
            "games": found.games,
            "states": found.states,
            "seconds": {**seconds, "total": found.seconds},
            "training_seconds": found.training,
            "memory": {**self.memory, "total": sum(self.memory.values())},
            "disk": {**self.disk._asdict(), "total": self.disk.total},
            "costs": self.costs._asdict()
            | {
                name: [part._asdict() for part in getattr(self.costs, name)]
                for name in ("parts", "learnt_parts")
            },
            "assumptions": self.assumptions,
        }


def forecast(
    game: Game,
    config: SelfPlayConfig,
    limits: Limits,
    games: int = 0,
    compiling: float = 0.0,
    budget: Budget = BUDGET,
) -> Forecast:
    """A new run, from a calibration on this machine; kernels must be compiled before.

    `games` are those against each level of the ladder at the end.
    """
    steps_left(config, limits)  # what has no end fails before anything is measured
    found = calibrate(game, config, budget, compiling)
    costs = _with_ladder(game, config, found.costs, games)
    return _forecast(game, config, limits, costs, found.sizes, Done(), games, MEASURED)


def calibrate(
    game: Game, config: SelfPlayConfig, budget: Budget = BUDGET, compiling: float = 0.0
) -> Calibration:
    """What such a run costs on this machine, measured in a quarter of a minute or so."""
    if isinstance(config, TrainingConfig):
        return calibrate_continuous(game, config, budget, compiling)
    return calibrate_staged(game, config, budget, compiling)


def forecast_run(run: Run, limits: Limits, games: int = 0, compiling: float = 0.0) -> Forecast:
    """The rest of a run, from its own log, or if that is empty, as a new one."""
    game, config, log = run.game, of_self_play(run.config), run.read_log()
    if isinstance(config, TrainingConfig) and config.actors == UNLIMITED:
        raise UsageError("runs with actors on a cluster are not predicted; this is one")
    if not log:
        return forecast(game, config, limits, games, compiling)
    costs = _with_ladder(game, config, logged_costs(config, log), games)
    trainer = new_trainer(game, config, seed=0)
    branching = stagger(game, config.batch, seed=0).branching
    memory = peak_memory()
    sizes = Sizes(weight_bytes(trainer), len(trainer.model()), branching, memory, memory)
    return _forecast(game, config, limits, costs, sizes, done_of(log), games, LOGGED)


def _with_ladder(game: Game, config: SelfPlayConfig, costs: Costs, games: int) -> Costs:
    if games == 0 or not isinstance(config, TrainingConfig):
        return costs
    return costs._replace(ladder=ladder_seconds(game, config, costs))


def _forecast(
    game: Game,
    config: SelfPlayConfig,
    limits: Limits,
    costs: Costs,
    sizes: Sizes,
    done: Done,
    games: int,
    source: str,
) -> Forecast:
    found = predict(config, limits, costs, done, games)
    kept = kept_samples(config, costs, found, done)
    memory = memory_of(game, config, sizes, kept)
    disk = disk_of(game, config, sizes, found, done, kept)
    assumptions = _assumptions(game, config, games, source)
    return Forecast(loop_name(config), source, costs, done, found, memory, disk, assumptions)


def _assumptions(game: Game, config: SelfPlayConfig, games: int, source: str) -> list[str]:
    """What the numbers are good for, in sentences."""
    if source == LOGGED:
        words = ["the steps to come cost what the last ones did"]
    else:
        words = [
            "other programs use the machine as they did during the calibration",
            "games are as long as now: a network that has learnt may play longer or shorter ones",
            "caches hit as with a network that has learnt for seconds: later ones are surer of "
            "their moves, and faster by up to a third",
        ]
    if isinstance(config, TrainingConfig) and config.actors:
        words.append("actors play all the time, also while the learner learns")
    rows, cols = shape(game)
    if games and isinstance(game, Clobber) and rows * cols <= EXAMINED:
        words.append("the comparison with perfect play after the ladder is not counted")
    return words
