"""Mobile and residual networks, trained for the same time and for the same number of steps.

A run uses all cores, and no two runs are made side by side: they would take turns on the cores, and
the same time would no longer be the same work. Both networks of a seed are trained one after the
other, so that a machine that becomes slower in the course of the study disturbs both alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.experiments.sweeps.asking import GRID
from zerolab.experiments.sweeps.axes import Parameters, Variants
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.objectives import Judging
from zerolab.experiments.sweeps.workers import run_to_the_end
from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual.contest_scales import ContestScale
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log

RESIDUAL, MOBILE = "residual", "mobile"
NETWORKS: dict[str, Parameters] = {  # of as many parameters, to within 2 %
    RESIDUAL: {"nn_model": "zerolab", "nn_width": 32, "nn_depth": 4},
    MOBILE: {"nn_model": "zerolab.mobile", "nn_width": None, "nn_depth": None},
}
EQUAL_TIME, EQUAL_STEPS = "equal time", "equal steps"
WAYS = (EQUAL_TIME, EQUAL_STEPS)
NETWORK = "network"  # the axis of sweeps
LADDER = "ladder"  # the objective


class Contestant(NamedTuple):
    """A trained network."""

    network: str
    way: str
    """How its training was limited."""
    seed: int
    run: Path
    steps: int
    seconds: float
    """Time of training; the step in which the time is over is finished."""
    states: int
    """Positions of self-play that it learnt from."""
    cores: float
    """That the learner had on average; fewer if other programs were busy."""
    ladder: float
    """Mean result against UCT, from -1 to 1, without exact leaves."""


def limits_of(way: str, scale: ContestScale) -> Limits:
    """When runs end."""
    return Limits(seconds=scale.seconds) if way == EQUAL_TIME else Limits(steps=scale.steps)


def sweep_of(game: Clobber, way: str, scale: ContestScale, seed: int) -> Sweep:
    """Both networks with one seed."""
    return Sweep(
        game,
        scale.settings(game),
        (Variants(NETWORK, NETWORKS),),
        limits_of(way, scale),
        (LADDER,),
        GRID,
        judging=Judging(scale.games, scale.simulations, seed=seed),
        seed=seed,
    )


def cores_of(log: Sequence[Mapping[str, Any]]) -> float:
    """How many cores the learner had on average, while it learnt."""
    worked = sum(line["learn_processor_seconds"] for line in log)
    return float(worked / sum(line["learn_seconds"] for line in log))


def train_all(
    game: Clobber,
    scale: ContestScale,
    seed: int,
    directory: Path,
    told: Callable[[float], None],
) -> list[Contestant]:
    """Train the networks that are missing; KeyboardInterrupt if it was stopped.

    `told` gets the share that is done.
    """
    found: list[Contestant] = []
    works = [(way, each) for each in range(seed, seed + scale.seeds) for way in WAYS]
    for number, (way, each) in enumerate(works):

        def on_progress(done: float, total: float, before: int = number) -> None:
            told((before + done / total) / len(works))

        sweep = sweep_of(game, way, scale, each)
        place = Place(directory / way.replace(" ", "-") / f"seed{each}")
        if not run_to_the_end(sweep, place, on_progress, workers=1):
            raise KeyboardInterrupt
        found.extend(_contestants(sweep, place, way))
    return found


def _contestants(sweep: Sweep, place: Place, way: str) -> Iterator[Contestant]:
    for trial in summarise(sweep, open_sweep(sweep, place)).unless_failed():
        assert trial.values is not None
        run = Path(trial.runs[0])
        log = read_log(run)
        yield Contestant(
            network=trial.parameters[NETWORK],
            way=way,
            seed=sweep.seed,
            run=run,
            steps=trial.steps or 0,
            seconds=trial.seconds or 0.0,
            states=log[-1]["total_states"],
            cores=cores_of(log),
            ladder=trial.values[0],
        )
