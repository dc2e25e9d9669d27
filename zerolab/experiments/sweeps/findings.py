"""What a sweep has found so far, for tables and plots."""

import contextlib
import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.axes import Parameters
from zerolab.experiments.sweeps.definition import Sweep
from zerolab.experiments.sweeps.objectives import MAXIMIZE
from zerolab.experiments.sweeps.trials import (
    ERRORS,
    REASON,
    RUNS,
    SECONDS,
    STEPS,
    replaced,
)

if TYPE_CHECKING:
    import optuna

COMPLETE, PRUNED, FAILED, RUNNING, WAITING = "complete", "pruned", "failed", "running", "waiting"
ENDED = (COMPLETE, PRUNED, FAILED)
FEWEST = 4  # complete trials from which importances can be told
IMPORTANCE_SEED = 0


class TrialSummary(NamedTuple):
    """A trial."""

    number: int
    state: str
    parameters: Parameters
    values: tuple[float, ...] | None
    """Of the objectives; None if it is not complete."""
    errors: tuple[float | None, ...]
    """Standard errors over seeds, where there are several."""
    runs: tuple[str, ...]
    steps: int | None
    seconds: float | None
    reason: str | None
    """Why it failed."""


class Importance(NamedTuple):
    """How much of the variation of an objective each axis explains (fANOVA)."""

    objective: str
    shares: dict[str, float]
    """By axis, the largest first; they add up to 1."""


class SweepSummary(NamedTuple):
    """All trials, and what they say together."""

    sweep: Sweep
    trials: tuple[TrialSummary, ...]
    best: tuple[int, ...]
    """Numbers of the best trial, or with several objectives of those that none beats in all."""
    importances: tuple[Importance, ...]

    @property
    def complete(self) -> list[TrialSummary]:
        """Trials with values."""
        return [trial for trial in self.trials if trial.values is not None]

    @property
    def ranked(self) -> list[TrialSummary]:
        """The best by the first objective first, then those without values."""
        sign = -1 if self.sweep.directions[0] == MAXIMIZE else 1

        def key(trial: TrialSummary) -> tuple[bool, float, int]:
            value = 0.0 if trial.values is None else sign * trial.values[0]
            return trial.values is None, value, trial.number

        return sorted(self.trials, key=key)

    def unless_failed(self) -> list[TrialSummary]:
        """Trials with values; a UsageError names the first one that failed, if one did."""
        for trial in self.trials:
            if trial.state == FAILED:
                which = ", ".join(f"{name} {value}" for name, value in trial.parameters.items())
                raise UsageError(f"the {which} failed: {trial.reason}")
        return self.complete

    @property
    def is_complete(self) -> bool:
        """Whether no trial is missing."""
        ended = sum(trial.state in ENDED for trial in self.trials)
        return ended >= self.sweep.size

    @property
    def time_saved(self) -> float | None:
        """Share of the time that pruning has saved, were pruned runs as long as complete ones."""
        spent = [trial.seconds for trial in self.complete if trial.seconds is not None]
        cut = [each.seconds for each in self.trials if each.state == PRUNED and each.seconds]
        if not spent or not cut:
            return None
        whole = statistics.fmean(spent) * len(cut) + sum(spent)
        return 1 - (sum(spent) + sum(cut)) / whole


def summarise(sweep: Sweep, study: "optuna.Study") -> SweepSummary:
    """What a study holds by now."""
    import optuna

    states = {
        optuna.trial.TrialState.COMPLETE: COMPLETE,
        optuna.trial.TrialState.PRUNED: PRUNED,
        optuna.trial.TrialState.FAIL: FAILED,
        optuna.trial.TrialState.RUNNING: RUNNING,
        optuna.trial.TrialState.WAITING: WAITING,
    }
    known = study.get_trials(deepcopy=False)
    gone = replaced(known)
    trials = []
    for each in known:
        if each.number not in gone:
            about = each.user_attrs
            values = tuple(each.values) if each.state.name == "COMPLETE" else None
            trials.append(
                TrialSummary(
                    each.number,
                    states[each.state],
                    dict(each.params),
                    values,
                    tuple(about.get(ERRORS) or [None] * len(sweep.objectives)),
                    tuple(about.get(RUNS, ())),
                    about.get(STEPS),
                    about.get(SECONDS),
                    about.get(REASON),
                )
            )
    best = tuple(sorted(each.number for each in study.best_trials)) if _any(trials) else ()
    return SweepSummary(sweep, tuple(trials), best, tuple(_importances(sweep, study, trials)))


def _any(trials: Sequence[TrialSummary]) -> bool:
    return any(trial.values is not None for trial in trials)


def _importances(
    sweep: Sweep, study: "optuna.Study", trials: Sequence[TrialSummary]
) -> list[Importance]:
    import optuna

    found = []
    done = [trial for trial in trials if trial.values is not None]
    for index, name in enumerate(sweep.objectives):
        values = {trial.values[index] for trial in done if trial.values is not None}
        if len(done) < FEWEST or len(values) < 2 or not all(map(math.isfinite, values)):
            continue

        def target(trial: "optuna.trial.FrozenTrial", index: int = index) -> float:
            return float(trial.values[index])

        evaluator = optuna.importance.FanovaImportanceEvaluator(seed=IMPORTANCE_SEED)
        with contextlib.suppress(RuntimeError):  # what differs is explained by no setting
            shares = optuna.importance.get_param_importances(
                study, evaluator=evaluator, target=target
            )
            found.append(Importance(name, {key: float(each) for key, each in shares.items()}))
    return found
