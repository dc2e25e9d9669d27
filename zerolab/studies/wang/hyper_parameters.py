"""wang-sweep: each of twelve hyper-parameters at minimum, default and maximum (Tables 1, 3, 4).

All runs are 6x6 Othello, one parameter changed at a time. Which value has the smallest loss, and
does the parameter change how long a run takes? Times are processor times, so that other programs do
not change the answer.
"""

import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.experiments.sweeps.asking import ONE_AT_A_TIME
from zerolab.experiments.sweeps.axes import Axis, Values
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import TrialSummary, summarise
from zerolab.experiments.sweeps.objectives import Judging
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.games.base import Game
from zerolab.games.othello import Othello
from zerolab.studies.report import Chart, Curve, Report
from zerolab.studies.wang.effort import Effort, effort_of, place_of
from zerolab.studies.wang.paper import FRIENDLY, PARAMETERS, SENSITIVE, Parameter
from zerolab.studies.wang.significance import LEVEL, chance, is_real, p_text
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import processor_seconds, read_log

BOARD = Othello(6, 6)
SAME = 1.2  # times that differ by less than this factor are called the same, as in Table 3
SURE = 2.0  # standard errors


class Row(NamedTuple):
    """What came of a parameter: at minimum, default and maximum."""

    parameter: Parameter
    values: tuple[float, ...]
    losses: tuple[float | None, ...]
    loss_errors: tuple[float | None, ...]
    seconds: tuple[float | None, ...]
    runs: tuple[tuple[str, ...], ...]
    loss_p: float | None = None
    """How likely losses at least as different are, if the parameter changes nothing; None with one
    seed.
    """

    @property
    def kind(self) -> str | None:
        """Whether it changes how long a run takes; None if a run is missing."""
        found = [each for each in self.seconds if each is not None]
        if len(found) < len(self.seconds):
            return None
        return SENSITIVE if max(found) > SAME * min(found) else FRIENDLY

    @property
    def best(self) -> int | None:
        """Which of the three has the smallest loss."""
        if None in self.losses:
            return None
        return min(range(3), key=lambda index: self.losses[index] or 0.0)

    @property
    def is_sure(self) -> bool:
        """Whether the smallest loss is smaller than the others by more than chance explains."""
        best = self.best
        if best is None or None in self.loss_errors:
            return False
        low, error = self.losses[best] or 0.0, self.loss_errors[best] or 0.0
        return all(
            (loss or 0.0) - low > SURE * math.hypot(error, other or 0.0)
            for index, (loss, other) in enumerate(zip(self.losses, self.loss_errors, strict=True))
            if index != best
        )

    @property
    def paper_best(self) -> int | None:
        """Which of the three the paper has; None if it sees no difference."""
        value = self.parameter.best_loss
        return self.parameter.values.index(value) if isinstance(value, int | float) else None

    @property
    def loss_verdict(self) -> str:
        """Whether the paper's best value is ours."""
        if self.best is None:
            return "missing"
        if self.paper_best is None:
            if self.loss_p is None:
                return "cannot be told"
            return "differs" if is_real(self.loss_p) else "agrees"
        if self.best == self.paper_best:
            return "agrees" if self.is_sure else "agrees, within noise"
        return "differs" if self.is_sure else "cannot be told"

    @property
    def time_verdict(self) -> str:
        """Whether the parameter costs time here too."""
        if self.kind is None:
            return "missing"
        return "agrees" if self.kind == self.parameter.kind else "differs"


def axes_of(effort: Effort) -> tuple[Axis, ...]:
    """The twelve parameters."""
    base = effort.base.flat()
    return tuple(
        Values(
            parameter.setting,
            tuple(
                dict.fromkeys(type(base[parameter.setting])(v) for v in effort.values(parameter))
            ),
        )
        for parameter in PARAMETERS
    )


def compare(
    scale: str, seed: int, on_progress: OnProgress, game: Game = BOARD, workers: int | None = None
) -> list[Report]:
    """Train all, or go on; then the paper's findings on losses and on times beside ours."""
    effort = effort_of(scale)
    sweep = sweep_of(game, effort, ("loss",), seed)
    place = Place(place_of("sweep", scale, seed))
    is_complete = run_to_the_end(sweep, place, on_progress, workers)
    found = summarise(sweep, open_sweep(sweep, place)).complete
    rows = [_row(parameter, effort, found) for parameter in PARAMETERS]
    picture = place.directory / "wang-sweep.svg"
    return [
        _loss_report(rows, effort, is_complete, picture),
        _time_report(rows, effort, is_complete),
    ]


def sweep_of(game: Game, effort: Effort, objectives: tuple[str, ...], seed: int) -> Sweep:
    """Each parameter at its three values, the others at their defaults."""
    base = effort.base
    return Sweep(
        *(game, base, axes_of(effort), Limits(), objectives, ONE_AT_A_TIME),
        repeats=effort.seeds,
        judging=Judging(2 * effort.games, base.search.max_simulations, seed=seed),
        seed=seed,
    )


def trials_of(
    parameter: Parameter, effort: Effort, found: Sequence[TrialSummary]
) -> list[TrialSummary | None]:
    """The trials at minimum, default and maximum of a parameter, where they are complete."""
    base = effort.base.flat()
    settings = [each.setting for each in PARAMETERS]
    trials = []
    for value in effort.values(parameter):
        wanted = {name: base[name] for name in settings} | {parameter.setting: value}
        trials.append(next((each for each in found if each.parameters == wanted), None))
    return trials


def seconds_of(trial: TrialSummary) -> float:
    """The mean processor time of the runs of a trial."""
    logs = [read_log(Path(run)) for run in trial.runs]
    return statistics.fmean(sum(processor_seconds(log).values()) for log in logs)


def _row(parameter: Parameter, effort: Effort, found: list[TrialSummary]) -> Row:
    trials = trials_of(parameter, effort, found)
    losses = [each.values[0] if each and each.values else None for each in trials]
    errors = [each.errors[0] if each else None for each in trials]
    known = [loss for loss in losses if loss is not None]
    return Row(
        parameter,
        effort.values(parameter),
        tuple(losses),
        tuple(errors),
        tuple(seconds_of(each) if each else None for each in trials),
        tuple(each.runs if each else () for each in trials),
        chance(known, errors, effort.seeds) if len(known) == len(losses) else None,
    )


def _loss_report(rows: list[Row], effort: Effort, is_complete: bool, picture: Path) -> Report:
    """Table 4: the value with the smallest loss; Figures 2 and 3."""
    table = [
        (
            row.parameter.symbol,
            " ".join(f"{value:g}" for value in row.values),
            " ".join("?" if loss is None else f"{loss:.3f}" for loss in row.losses),
            p_text(row.loss_p),
            _name(row.paper_best),
            _name(row.best),
            row.loss_verdict,
        )
        for row in rows
    ]
    return Report(
        f"6x6 Othello, losses with twelve parameters, scale {effort.name}",
        ("", "values", "loss", "p", "paper's best", "ours", "verdict"),
        table,
        [_as_record(row) for row in rows],
        _loss_verdict(rows, effort),
        is_complete,
        not any(row.loss_verdict == "differs" for row in rows) if is_complete else None,
        picture=picture,
        charts=tuple(_charts(rows)),
    )


def _time_report(rows: list[Row], effort: Effort, is_complete: bool) -> Report:
    """Table 3: what a run takes."""
    table = [
        (
            row.parameter.symbol,
            ratios(row.parameter.hours),
            ratios(row.seconds),
            row.parameter.kind.removeprefix("time-"),
            (row.kind or "?").removeprefix("time-"),
            row.time_verdict,
        )
        for row in rows
    ]
    agrees = [row.time_verdict == "agrees" for row in rows]
    return Report(
        f"6x6 Othello, times with twelve parameters, scale {effort.name}",
        ("", "paper: time", "ours", "paper: class", "ours", "verdict"),
        table,
        [_as_record(row) for row in rows],
        f"whether a parameter costs time agrees for {sum(agrees)} of {len(rows)} (times are "
        "multiples of the default's)",
        is_complete,
        all(agrees) if is_complete else None,
    )


def _as_record(row: Row) -> dict[str, object]:
    return row._asdict() | {
        "parameter": row.parameter.symbol,
        "kind": row.kind,
        "paper_kind": row.parameter.kind,
        "best": row.best,
        "paper_best": row.paper_best,
        "is_sure": row.is_sure,
        "loss_verdict": row.loss_verdict,
        "time_verdict": row.time_verdict,
    }


def _name(index: int | None) -> str:
    return "none" if index is None else ("minimum", "default", "maximum")[index]


def ratios(times: Sequence[float | None]) -> str:
    """Times as multiples of the default's."""
    default = times[1]
    if default is None:
        return "?"
    return " ".join("?" if each is None else f"{each / default:.2f}" for each in times)


def _loss_verdict(rows: list[Row], effort: Effort) -> str:
    named = [row for row in rows if row.paper_best is not None]
    same = sum(row.best == row.paper_best for row in named)
    sure = sum(row.loss_verdict == "agrees" for row in named)
    real = [row.parameter.symbol for row in rows if is_real(row.loss_p)]
    return (
        f"of {len(named)} values that the paper calls best for the loss, {same} have the smallest "
        f"here too, {sure} of them surely; chance alone gives that many with p = "
        f"{_by_chance(same, len(named)):.2g}. The loss depends on {', '.join(real) or 'none'} "
        f"(analysis of variance, {effort.seeds} seeds, {LEVEL:.0%})"
    )


def _by_chance(same: int, count: int) -> float:
    """How likely a guess among three values is right at least this often."""
    from scipy import stats

    return float(stats.binom.sf(same - 1, count, 1 / 3))


def _charts(rows: list[Row]) -> list[Chart]:
    """Figure 2, then the parts of Figure 3."""
    charts = []
    default = rows[0].runs[1]
    if default:
        charts.append(_epochs(read_log(Path(default[0]))))
    for row in rows:
        curves = [
            _mean_loss(f"{value:g}", runs)
            for value, runs in zip(row.values, row.runs, strict=True)
            if runs
        ]
        if curves:
            title = f"{row.parameter.symbol} ({row.parameter.setting})"
            charts.append(Chart(title, ("iteration", "loss"), tuple(curves)))
    return charts


def _epochs(log: list[dict[str, object]]) -> Chart:
    """Figure 2: the loss of each epoch of each iteration."""
    losses = [each["policy"] + each["value"] for line in log for each in _epoch_losses(line)]
    epochs = max(1, len(losses) // max(1, len(log)))
    x = tuple(1 + number / epochs for number in range(len(losses)))
    curve = Curve("default", x, tuple(losses))
    return Chart("Loss of each epoch, defaults", ("iteration", "loss"), (curve,))


def _epoch_losses(line: dict[str, object]) -> list[dict[str, float]]:
    found = line["epoch_losses"]
    assert isinstance(found, list)
    return found


def _mean_loss(label: str, runs: tuple[str, ...]) -> Curve:
    """The mean over seeds, iteration by iteration."""
    logs = [[line["loss"]["sum"] for line in read_log(Path(run))] for run in runs]
    length = min(map(len, logs))
    means = tuple(sum(log[step] for log in logs) / len(logs) for step in range(length))
    return Curve(label, tuple(range(1, length + 1)), means)
