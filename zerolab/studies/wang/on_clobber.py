"""wang's questions asked of Clobber: which parameters and which losses matter there?

The paper judges parameters by the loss alone. A smaller loss need not be a stronger player, so here
strength is measured too: by exact play on 5x5, on the ladder on 6x6.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.experiments.sweeps.definition import Place, open_sweep
from zerolab.experiments.sweeps.findings import TrialSummary, summarise
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.games.base import shape
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.studies.report import Chart, Curve, Report
from zerolab.studies.wang import loss_functions
from zerolab.studies.wang.effort import Effort, effort_of, place_of
from zerolab.studies.wang.hyper_parameters import (
    SAME,
    ratios,
    seconds_of,
    sweep_of,
    trials_of,
)
from zerolab.studies.wang.loss_functions import SOLVED
from zerolab.studies.wang.paper import PARAMETERS, Parameter
from zerolab.studies.wang.significance import LEVEL, chance, is_real, p_text

BOARDS = (Clobber(5, 5), Clobber(6, 6))
STRENGTHS = {"perfect": "critical wins kept", "ladder": "mean result on the ladder"}


class Effect(NamedTuple):
    """What a parameter changes: numbers at minimum, default and maximum."""

    parameter: Parameter
    values: tuple[float, ...]
    losses: tuple[float, ...]
    strengths: tuple[float, ...]
    strength_errors: tuple[float | None, ...]
    seconds: tuple[float, ...]
    loss_p: float | None
    """How likely losses at least as different are, if the parameter changes nothing; None with one
    seed.
    """
    strength_p: float | None

    @property
    def changes_loss(self) -> bool:
        """Whether the losses differ by more than chance explains."""
        return is_real(self.loss_p)

    @property
    def changes_strength(self) -> bool:
        """Whether the strengths differ by more than chance explains."""
        return is_real(self.strength_p)

    @property
    def changes_time(self) -> bool:
        """Whether runs take longer or shorter, by the rule for the paper's Table 3."""
        return max(self.seconds) > SAME * min(self.seconds)


def parameters(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    boards: Sequence[Clobber] = BOARDS,
    workers: int | None = None,
) -> list[Report]:
    """Twelve parameters, as in wang-sweep; a report for each board."""
    reports: list[Report] = []
    for number, game in enumerate(boards):

        def told(done: float, total: float, before: int = number) -> None:
            on_progress(before + done / total, len(boards))

        reports.append(vary_parameters(game, effort_of(scale), seed, told, workers))
        if not reports[-1].is_complete:
            break
    return reports


def losses(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    boards: Sequence[Clobber] = BOARDS,
    workers: int | None = None,
) -> list[Report]:
    """Four losses, as in wang-losses."""
    return loss_functions.compare(scale, seed, on_progress, boards, workers)


def vary_parameters(
    game: Clobber, effort: Effort, seed: int, on_progress: OnProgress, workers: int | None = None
) -> Report:
    """Train and judge all, or go on."""
    rows, cols = shape(game)
    measure = "perfect" if rows * cols <= SOLVED else "ladder"
    sweep = sweep_of(game, effort, ("loss", measure), seed)
    board = describe(game).replace(" ", "-")
    place = Place(place_of("sweep", effort.name, seed, [board]))
    is_complete = run_to_the_end(sweep, place, on_progress, workers)
    found = summarise(sweep, open_sweep(sweep, place)).complete
    effects = [
        effect
        for parameter in PARAMETERS
        if (effect := effect_of(parameter, effort, found)) is not None
    ]
    return _report(game, measure, effects, effort, is_complete, place.directory)


def effect_of(parameter: Parameter, effort: Effort, found: Sequence[TrialSummary]) -> Effect | None:
    """What came of a parameter; None if a run is missing."""
    trials = [trial for trial in trials_of(parameter, effort, found) if trial is not None]
    if len(trials) < len(parameter.values):
        return None
    losses, strengths = zip(*(trial.values or () for trial in trials), strict=True)
    loss_errors, strength_errors = zip(*(trial.errors for trial in trials), strict=True)
    return Effect(
        parameter,
        effort.values(parameter),
        losses,
        strengths,
        strength_errors,
        tuple(seconds_of(trial) for trial in trials),
        chance(losses, loss_errors, effort.seeds),
        chance(strengths, strength_errors, effort.seeds),
    )


def _report(
    game: Clobber,
    measure: str,
    effects: Sequence[Effect],
    effort: Effort,
    is_complete: bool,
    directory: Path,
) -> Report:
    rows, values = [], []
    form = "{:.1%}" if measure == "perfect" else "{:+.2f}"
    for each in effects:
        rows.append(
            (
                each.parameter.symbol,
                " ".join(f"{value:g}" for value in each.values),
                " ".join(f"{loss:.3f}" for loss in each.losses),
                p_text(each.loss_p),
                " ".join(form.format(strength) for strength in each.strengths),
                p_text(each.strength_p),
                ratios(each.seconds),
            )
        )
        values.append(_as_record(each))
    return Report(
        f"{describe(game)}, twelve parameters, {effort.seeds} seeds, scale {effort.name}",
        ("parameter", "values", "loss", "p", STRENGTHS[measure], "p", "time"),
        rows,
        values,
        verdict_on(effects) if is_complete else "stopped",
        is_complete,
        picture=directory / "wang-sweep.svg",
        charts=tuple(_chart(each, STRENGTHS[measure]) for each in effects),
    )


def _chart(effect: Effect, strength: str) -> Chart:
    errors = tuple(each for each in effect.strength_errors if each is not None)
    curve = Curve(strength, effect.values, effect.strengths, errors)
    title = f"{effect.parameter.symbol} ({effect.parameter.setting})"
    return Chart(title, (effect.parameter.symbol, strength), (curve,))


def _as_record(effect: Effect) -> dict[str, Any]:
    return effect._asdict() | {
        "parameter": effect.parameter.symbol,
        "changes_loss": effect.changes_loss,
        "changes_strength": effect.changes_strength,
        "changes_time": effect.changes_time,
    }


def verdict_on(effects: Sequence[Effect]) -> str:
    """What depends on which parameters."""

    def those(which: Sequence[bool]) -> str:
        names = [e.parameter.symbol for e, yes in zip(effects, which, strict=True) if yes]
        return ", ".join(names) or "none"

    known = [each.parameter for each in effects]
    missing = [each.symbol for each in PARAMETERS if each not in known]
    return (
        f"the loss depends on {those([each.changes_loss for each in effects])}; strength on "
        f"{those([each.changes_strength for each in effects])}; time on "
        f"{those([each.changes_time for each in effects])} (p: analysis of variance over seeds, "
        f"{LEVEL:.0%}; times are multiples of the default's)"
        + (f"; runs failed for {', '.join(missing)}" if missing else "")
    )
