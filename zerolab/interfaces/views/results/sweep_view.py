"""What `zerolab sweep` shows: how trials go, then the table, what matters, and plots."""

import time
from typing import Any

from zerolab.evaluation.ratings.bayesian_elo import Rated
from zerolab.experiments.engines.engine import HERE, LOCAL, EngineChoice, open_engine
from zerolab.experiments.experiment import prepare_experiment
from zerolab.experiments.sweeps.definition import TOURNAMENT, Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import ENDED, FAILED, SweepSummary, TrialSummary, summarise
from zerolab.experiments.sweeps.objectives import ANCHORS, ELO, OBJECTIVES, rate_all
from zerolab.experiments.sweeps.trials import Told
from zerolab.experiments.sweeps.workers import run_hired, run_workers
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.sweep_plots import plot_sweep
from zerolab.interfaces.views.output import Output

REPORT = "report.svg"
WORKER_CORES = 2  # on a cluster: one learns, one plays
MOST_RATED = 120  # networks of the final tournament, whose games grow with the square


def show_sweep(
    out: Output,
    sweep: Sweep,
    place: Place,
    workers: int,
    cores: int | None = None,
    where: EngineChoice = HERE,
) -> None:
    """Make the trials that are missing, then show them all."""
    sweep.check()
    study = open_sweep(sweep, place)
    with out.compiling():  # settings that cannot work at all are refused before any trial
        prepare_experiment(sweep.game, sweep.base)
    out.line(f"{describe(sweep.game)}: {sweep.size} trials, {sweep.method}, in {place.directory}")
    is_stopped = not _run(out, sweep, place, workers, cores, where)
    summary = summarise(sweep, study)
    ratings = None
    if not is_stopped and ELO in sweep.objectives:
        ratings = _rate(out, summary, place)
    _show_trials(out, summary, ratings)
    _show_findings(out, summary)
    plot = None
    if summary.complete:
        plot = place.directory / REPORT
        plot_sweep(summary, plot)
        out.line(f"plots: {plot}")
    if is_stopped:
        out.note("stopped; the same command goes on")
    out.result(_fields(summary, ratings, place, is_stopped, plot))


def _run(
    out: Output,
    sweep: Sweep,
    place: Place,
    workers: int,
    cores: int | None,
    where: EngineChoice,
) -> bool:
    """Make the trials that are missing; return whether Ctrl-C has not stopped it."""
    shares: dict[int, float] = {}
    started = time.monotonic()
    study = open_sweep(sweep, place)
    ended_before = sum(each.state in ENDED for each in summarise(sweep, study).trials)
    with open_engine(where) as engine, out.status() as show:

        def on_told(told: Told) -> None:
            shares[told.number] = told.share
            done = ended_before + sum(shares.values())
            left = ""
            if done > ended_before:
                spent = time.monotonic() - started
                minutes = spent * (sweep.size - done) / (done - ended_before) / 60
                left = f", about {max(0, minutes):.0f} minutes left"
            show(f"{done:.1f} of {sweep.size} trials{left}; trial {told.number}: {told.text}")

        if where.name == LOCAL:
            return run_workers(sweep, place, workers, on_told)
        cores = cores or WORKER_CORES
        return run_hired(sweep, place, workers, cores, engine.hire_with(cores), on_told)


def _rate(out: Output, summary: SweepSummary, place: Place) -> dict[str, Rated] | None:
    """The tournament of all networks of complete trials."""
    sweep = summary.sweep
    players = [player for trial in summary.complete for player in _players(sweep, trial)]
    if len(players) > MOST_RATED:
        out.note(f"no tournament: {len(players)} networks are too many, {MOST_RATED} is the most")
    if not players or len(players) > MOST_RATED:
        return None
    with out.progress("tournament", 1, "") as tell:
        return rate_all(
            *(sweep.game, players, sweep.judging, place.directory / TOURNAMENT),
            lambda done, planned: tell(done / max(1, planned)),
        )


def _players(sweep: Sweep, trial: TrialSummary) -> list[str]:
    return [sweep.judging.player_of(run, trial.steps or 0) for run in trial.runs]


def _show_trials(out: Output, summary: SweepSummary, ratings: dict[str, Rated] | None) -> None:
    sweep = summary.sweep
    names = [axis.name for axis in sweep.axes]
    rows = []
    for trial in summary.ranked:
        mark = "best" if trial.number in summary.best else trial.state
        elo = _tournament_elo(sweep, trial, ratings)
        rows.append(
            (
                *(str(trial.number), *(short_value(trial.parameters.get(name)) for name in names)),
                *value_texts(sweep, trial),
                *([] if ratings is None else ["" if elo is None else f"{elo:+.0f}"]),
                "" if trial.seconds is None else f"{trial.seconds:,.0f}",
                mark if trial.reason is None else f"{mark}: {trial.reason}",
            )
        )
    headings = ("trial", *names, *sweep.objectives)
    tournament = () if ratings is None else ("tournament Elo",)
    out.table("Trials", (*headings, *tournament, "seconds", ""), rows)


def value_texts(sweep: Sweep, trial: TrialSummary) -> list[str]:
    """The values of a trial with their errors, one for each objective."""
    if trial.values is None:
        return [""] * len(sweep.objectives)
    return [
        short_value(value) if error is None else f"{short_value(value)} ± {short_value(error)}"
        for value, error in zip(trial.values, trial.errors, strict=True)
    ]


def short_value(value: Any) -> str:
    """A setting or a measure as a table has it."""
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return "none" if value is None else str(value)


def _tournament_elo(
    sweep: Sweep, trial: TrialSummary, ratings: dict[str, Rated] | None
) -> float | None:
    """The mean over the seeds of a trial."""
    if ratings is None:
        return None
    found = [ratings[name].rating for name in _players(sweep, trial) if name in ratings]
    return sum(found) / len(found) if found else None


def _show_findings(out: Output, summary: SweepSummary) -> None:
    rows = [
        (each.objective, ", ".join(f"{name} {share:.0%}" for name, share in each.shares.items()))
        for each in summary.importances
    ]
    if rows:
        out.table("What explains the differences (fANOVA)", ("objective", "settings"), rows)
    for name in summary.sweep.objectives:
        out.line(f"{name}: {OBJECTIVES[name].meaning}")
    if summary.time_saved is not None:
        out.line(f"pruning has saved {summary.time_saved:.0%} of the time")
    failed = sum(trial.state == FAILED for trial in summary.trials)
    if failed:
        out.note(f"{failed} of {len(summary.trials)} trials failed; the table says why")


def _fields(
    summary: SweepSummary,
    ratings: dict[str, Rated] | None,
    place: Place,
    is_stopped: bool,
    plot: Any,
) -> dict[str, Any]:
    sweep = summary.sweep
    trials = []
    for trial in summary.trials:
        named = dict(zip(sweep.objectives, trial.values or (), strict=False))
        errors = dict(zip(sweep.objectives, trial.errors, strict=True))
        trials.append(
            {
                **trial._asdict(),
                "values": named,
                "errors": errors,
                "tournament_elo": _tournament_elo(sweep, trial, ratings),
            }
        )
    anchors = {} if ratings is None else {name: ratings[name].rating for name in ANCHORS}
    return {
        "game": describe(sweep.game),
        "directory": str(place.directory),
        "method": sweep.method,
        "objectives": list(sweep.objectives),
        "trials": trials,
        "best": list(summary.best),
        "importances": {each.objective: each.shares for each in summary.importances},
        "anchors": anchors,
        "time_saved": summary.time_saved,
        "complete": summary.is_complete,
        "stopped": is_stopped,
        "plot": None if plot is None else str(plot),
    }
