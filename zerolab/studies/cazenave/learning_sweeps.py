"""Networks of cazenave that learn from the same records, several seeds each."""

import itertools
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.experiments.sweeps.asking import GRID
from zerolab.experiments.sweeps.axes import Axis, Values
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import TrialSummary, summarise
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.games.catalogue import describe
from zerolab.games.go import Go
from zerolab.networks.architectures import make_recipe
from zerolab.networks.signature import signature_of
from zerolab.networks.summary import summarise as summarise_layers
from zerolab.networks.torch_network import Network
from zerolab.records.dataset import open_dataset
from zerolab.studies.cazenave.game_data import check_board
from zerolab.studies.cazenave.scales import ENCODING, Effort
from zerolab.studies.cazenave.statements import ACCURACY, MSE
from zerolab.studies.over_seeds import in_words, mean_curve
from zerolab.studies.report import Chart, Curve, Report
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log

MEASURES = {ACCURACY: "share of moves foreseen", MSE: "squared error of the value"}
HEADINGS = ("network", "parameters", "moves foreseen", "error of the value", "positions a second")
TABLE_NOTE = (
    "after the last epoch, on validation games; ± is a standard error over seeds; the last column "
    "is learning, by processor time"
)
POSITIONS, MINUTES = "positions learnt", "processor minutes"


class Measured(NamedTuple):
    """A network after an epoch."""

    samples: int
    """Positions learnt."""
    seconds: float
    """Processor time of learning so far."""
    accuracy: float
    """Share of moves that it foresees, on validation games."""
    mse: float
    """Of its value between 0 and 1."""


class Learnt(NamedTuple):
    """A network, and what it learnt with each seed."""

    network: str
    blocks: int
    parameters: int
    """As Keras counts."""
    runs: tuple[str, ...]
    curves: tuple[tuple[Measured, ...], ...]
    """For each seed, an entry for each epoch."""

    @property
    def label(self) -> str:
        """Its name, with its blocks where they are not those that the name says."""
        usual = make_recipe(self.network).network.depth
        return self.network if self.blocks == usual else f"{self.network}, {self.blocks} blocks"

    def last(self, measure: str) -> tuple[float, ...]:
        """A measure after the last epoch, for each seed."""
        return tuple(getattr(curve[-1], measure) for curve in self.curves)

    @property
    def speed(self) -> float:
        """Positions learnt in a second of processor time."""
        return sum(curve[-1].samples for curve in self.curves) / sum(self.last("seconds"))

    @property
    def fields(self) -> dict[str, Any]:
        """What JSON says of it."""
        return {
            "network": self.network,
            "blocks": self.blocks,
            "parameters": self.parameters,
            "accuracy": self.last(ACCURACY),
            "mse": self.last(MSE),
            "positions_per_second": self.speed,
            "runs": self.runs,
            "curves": [[point._asdict() for point in curve] for curve in self.curves],
        }


class Course(NamedTuple):
    """Networks that are to learn from packed games."""

    data: Path
    networks: tuple[str, ...]
    blocks: tuple[int, ...] = ()
    """Instead of those that the names say; each network with each of them."""

    @property
    def game(self) -> Go:
        """The board of the games."""
        return check_board(open_dataset(self.data).game)

    @property
    def board(self) -> str:
        """The game and the data in words."""
        return f"{describe(self.game)}, {self.data.parent.name or self.data.name}"

    def sweep(self, effort: Effort, seed: int) -> Sweep:
        """A run for each network, number of blocks and seed."""
        axes: list[Axis] = [Values("nn_model", self.networks)]
        if self.blocks:
            axes.append(Values("nn_depth", self.blocks))
        base = effort.config(self.game, self.data, seed)
        return Sweep(
            *(self.game, base, tuple(axes), Limits(), ("loss",), GRID),
            repeats=effort.seeds,
            seed=seed,
        )


def place_of(data: Path, part: str, effort: Effort, seed: int) -> Place:
    """Where the runs of a part of a study are kept: beside the games."""
    return Place(data.parent / f"{part}-{effort.name}-seed{seed}")


def learn_all(
    course: Course,
    effort: Effort,
    place: Place,
    seed: int,
    on_progress: OnProgress,
    workers: int | None = None,
) -> list[Learnt]:
    """Let all networks learn, or go on; nothing if it was stopped before all had."""
    sweep = course.sweep(effort, seed)
    if not run_to_the_end(sweep, place, on_progress, workers):
        return []
    found = summarise(sweep, open_sweep(sweep, place))
    return [_learnt(course, trial) for trial in found.unless_failed()]


def _learnt(course: Course, trial: TrialSummary) -> Learnt:
    name, blocks = trial.parameters["nn_model"], trial.parameters.get("nn_depth")
    network = make_recipe(name, depth=blocks).network
    layers = summarise_layers(Network(network, signature_of(course.game, ENCODING)))
    curves = tuple(curve_of(read_log(Path(run))) for run in trial.runs)
    return Learnt(name, network.depth, layers.parameters, trial.runs, curves)


def curve_of(log: Sequence[dict[str, Any]]) -> tuple[Measured, ...]:
    """What a log says, epoch by epoch."""
    seconds = itertools.accumulate(line["learn_processor_seconds"] for line in log)
    return tuple(
        Measured(
            line["total_states"], spent, line["validation"]["accuracy"], line["validation"]["mse"]
        )
        for line, spent in zip(log, seconds, strict=True)
    )


def numbers_of(learnt: Mapping[str, Learnt]) -> dict[str, dict[str, tuple[float, ...]]]:
    """What statements are judged by: measures after the last epoch."""
    return {
        measure: {kind: each.last(measure) for kind, each in learnt.items()} for measure in MEASURES
    }


def stopped(title: str) -> Report:
    """The report of networks that have not all learnt."""
    verdict = "stopped; the same command continues it"
    return Report(title, HEADINGS, [], [], verdict, is_complete=False)


def table_of(
    title: str, learnt: Sequence[Learnt], picture: Path, charts: Sequence[Chart]
) -> Report:
    """A row for each network."""
    rows = [
        (
            *(each.label, f"{each.parameters:,}"),
            in_words(each.last(ACCURACY), "{:.1%}"),
            in_words(each.last(MSE), "{:.4f}"),
            f"{each.speed:,.0f}",
        )
        for each in learnt
    ]
    values = [each.fields for each in learnt]
    return Report(
        *(title, HEADINGS, rows, values, TABLE_NOTE),
        is_complete=True,
        picture=picture,
        charts=tuple(charts),
    )


def curves_over(learnt: Sequence[Learnt]) -> list[Chart]:
    """Both measures over positions and over time."""
    places: dict[str, Callable[[Measured], float]] = {
        POSITIONS: lambda point: point.samples,
        MINUTES: lambda point: point.seconds / 60,
    }
    return [
        Chart(
            f"{MEASURES[measure]}, {place}",
            (place, MEASURES[measure]),
            tuple(_curve(each, measure, at) for each in learnt),
        )
        for place, at in places.items()
        for measure in MEASURES
    ]


def _curve(learnt: Learnt, measure: str, at: Callable[[Measured], float]) -> Curve:
    places = [statistics.fmean(map(at, points)) for points in zip(*learnt.curves, strict=False)]
    curves = [[getattr(point, measure) for point in curve] for curve in learnt.curves]
    return mean_curve(learnt.label, places, curves)


def by_parameters(families: Mapping[str, Sequence[Learnt]]) -> list[Chart]:
    """Both measures after the last epoch over the number of parameters (Figures 5, 6, 11, 12)."""
    return [
        Chart(
            f"{MEASURES[measure]} by parameters",
            ("parameters", MEASURES[measure]),
            tuple(
                mean_curve(
                    family,
                    [each.parameters for each in learnt],
                    list(zip(*(each.last(measure) for each in learnt), strict=True)),
                )
                for family, learnt in families.items()
            ),
        )
        for measure in MEASURES
    ]
