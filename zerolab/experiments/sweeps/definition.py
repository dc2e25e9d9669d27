"""A sweep: which settings are tried, what is measured, and where it is kept."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.experiments.sweeps.asking import GRID, METHODS, NSGA2, ONE_AT_A_TIME, open_study
from zerolab.experiments.sweeps.axes import Axis, Parameters, grid, one_at_a_time, settings_of
from zerolab.experiments.sweeps.objectives import OBJECTIVES, WHILE_TRAINING, Judging
from zerolab.experiments.sweeps.sweep_list import FORMAT, SWEEP
from zerolab.files import make_directory, replacing
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.training.loop import Limits
from zerolab.training.runs.run_directory import LATER
from zerolab.training.settings.flat_names import parse_settings
from zerolab.training.settings.loops import RunConfig, loop_name

DATABASE, TRIALS, TOURNAMENT = "sweep.db", "trials", "tournament.jsonl"
MACHINE = ("actors",)


class Sweep(NamedTuple):
    """All that a sweep is, besides where it is kept."""

    game: Game
    base: RunConfig
    """The settings of which some are varied."""
    axes: tuple[Axis, ...]
    limits: Limits
    """Of each run; where there are none, its settings say how many steps it takes."""
    objectives: tuple[str, ...]
    method: str
    trials: int | None = None
    """How many, for methods that propose; a list of all trials has its own number."""
    repeats: int = 1
    """Runs of a trial, each with another seed; a trial's value is their mean."""
    prune: str | None = None
    """What a run is compared by with others while it trains, if hopeless ones are ended."""
    judging: Judging = Judging()
    seed: int = 0

    def check(self) -> None:
        """Raise a UsageError if there is no such sweep."""
        if not self.axes:
            raise UsageError("a sweep varies something; expected --over KEY=VALUE,VALUE,...")
        if self.method not in METHODS:
            raise UsageError(f"'{self.method}' is no method; expected {', '.join(METHODS)}")
        for name in self.objectives:
            if name not in OBJECTIVES:
                raise UsageError(f"'{name}' is no objective; expected {', '.join(OBJECTIVES)}")
        if not self.objectives or len(set(self.objectives)) < len(self.objectives):
            raise UsageError("a sweep needs one objective or more, each once")
        if self.method == NSGA2 and len(self.objectives) < 2:
            raise UsageError("nsga2 is for two objectives or more; tpe takes one")
        if self.prune is not None:
            if self.prune not in WHILE_TRAINING:
                allowed = ", ".join(WHILE_TRAINING)
                raise UsageError(f"runs cannot be pruned by '{self.prune}'; expected {allowed}")
            if len(self.objectives) > 1:
                raise UsageError("pruning is for sweeps with one objective")
        if self.limits_of(self.base) == Limits():
            raise UsageError("each run needs an end; expected --minutes or --steps")
        if self.plan is None and self.trials is None:
            raise UsageError(f"{self.method} needs to know how many trials; expected --trials N")
        for parameters in self.plan or ():
            self.config(parameters)

    @property
    def plan(self) -> list[Parameters] | None:
        """The trials in order, for methods that know them all before."""
        if self.method == GRID:
            return grid(self.axes)
        if self.method == ONE_AT_A_TIME:
            return one_at_a_time(self.axes, self.base)
        return None

    @property
    def size(self) -> int:
        """How many trials there will be."""
        plan = self.plan
        return len(plan) if plan is not None else self.trials or 0

    @property
    def directions(self) -> list[str]:
        """Of the objectives."""
        return [OBJECTIVES[name].direction for name in self.objectives]

    def config(self, parameters: Parameters) -> RunConfig:
        """The settings of a trial; a UsageError if they cannot be."""
        return parse_settings(
            type(self.base), self.base.flat() | settings_of(self.axes, parameters)
        )

    def limits_of(self, config: RunConfig) -> Limits:
        """When a run with these settings ends."""
        if self.limits == Limits() and config.max_steps > 0:
            return Limits(steps=config.max_steps)
        return self.limits

    @property
    def about(self) -> dict[str, Any]:
        """What two sweeps must have in common to be the same."""
        fields = {
            "format": FORMAT,
            "game": describe(self.game),
            "loop": loop_name(self.base),
            "settings": what_counts(self.base),
            "axes": [[type(axis).__name__, *axis] for axis in self.axes],
            "limits": self.limits._asdict(),
            "objectives": self.objectives,
            "method": self.method,
            "repeats": self.repeats,
            "prune": self.prune,
            "judging": self.judging._replace(threads=1)._asdict(),
            "seed": self.seed,
        }
        return dict(json.loads(json.dumps(fields)))


def what_counts(config: RunConfig) -> dict[str, Any]:
    """The settings without those that only say how many processes share the work."""
    return {name: value for name, value in config.flat().items() if name not in MACHINE}


class Place(NamedTuple):
    """Where a sweep is kept."""

    directory: Path
    storage: str | None = None
    """The URL of a storage of Optuna; without one it is a file in the directory."""

    @property
    def url(self) -> str:
        """The storage."""
        return self.storage or f"sqlite:///{self.directory.resolve() / DATABASE}"

    @property
    def name(self) -> str:
        """Of the study in the storage, which may hold others."""
        return "sweep" if self.storage is None else f"zerolab {self.directory.resolve().name}"

    def run(self, number: int, repeat: int) -> Path:
        """The directory of a run."""
        return self.directory / TRIALS / f"{number:04}-{repeat}"


def open_sweep(sweep: Sweep, place: Place, worker: int = 0) -> Any:
    """The study of a sweep, with its list of trials if it has one.

    A directory that holds another sweep is left alone. More trials may be asked for later.
    """
    sweep.check()
    make_directory(place.directory / TRIALS)
    path = place.directory / SWEEP
    if path.exists():
        _check_same(path, sweep)
    else:
        with replacing(path) as file:
            about = sweep.about | {"version": __version__}
            file.write(json.dumps(about, indent=2).encode() + b"\n")
    return open_study(sweep.directions, sweep.method, sweep.seed + worker, place.url, place.name)


def _check_same(path: Path, sweep: Sweep) -> None:
    try:
        known = json.loads(path.read_text("utf-8"))
        known.pop("version", None)
        added = {name: value for name, value in LATER.items() if name in sweep.base.names()}
        known["settings"] = added | known["settings"]
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        raise UsageError(f"{path} is damaged") from None
    if known == sweep.about:
        return
    keys = [key for key, value in sweep.about.items() if known.get(key) != value]
    raise UsageError(
        f"{path.parent} holds another sweep, which differs in {', '.join(keys)}; choose another "
        "directory"
    )
