"""The trials of a sweep: taken one at a time, trained, measured, told.

A trial that fails is recorded with its reason. One that was stopped or whose process was killed is
put back, and whoever takes it goes on with its runs.
"""

import contextlib
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from zerolab.errors import UsageError
from zerolab.experiments.experiment import Outcome, run_experiment
from zerolab.experiments.sweeps.axes import Parameters
from zerolab.experiments.sweeps.definition import TRIALS, Place, Sweep, what_counts
from zerolab.experiments.sweeps.objectives import OBJECTIVES, is_sound
from zerolab.files import lock
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import CONFIG
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.loops import RunConfig
from zerolab.training.steps import Event, OnEvent, StepEvent

if TYPE_CHECKING:
    import optuna

# What is remembered of a trial besides its parameters and values.
RUNS, SECONDS, STEPS, ERRORS, REASON = "runs", "seconds", "steps", "errors", "reason"
FIRST = "first"  # the trial that this one goes on with, if that was stopped or its process killed
REPLACES = "replaces"  # the last one of that kind
PLANNED = "planned"
STOPPED = "stopped"
_QUEUE = "queue.lock"
_FIXED = "fixed_params"  # so Optuna calls the parameters of a trial that waits in its queue


class Pruned(Exception):  # noqa: N818  (no error: an end like any other)
    """A run is worse than others were at that point."""


class Diverged(Exception):  # noqa: N818  (the reason of a trial, not a fault of the program)
    """The losses of a run are no numbers any more."""


class Told(NamedTuple):
    """How far a trial is."""

    number: int
    share: float
    """From 0 to 1."""
    text: str


OnTold = Callable[[Told], None]


class Taken(NamedTuple):
    """A trial in hand."""

    trial: "optuna.Trial"
    parameters: Parameters
    held: BinaryIO
    """Locked as long as its process lives."""


def take(sweep: Sweep, study: "optuna.Study", place: Place) -> Taken | None:
    """The next trial; None if there is none left for this process."""
    import optuna

    with _alone(place):
        put_back_dead(study, place)
        if sweep.plan is not None and PLANNED not in study.user_attrs:
            for parameters in sweep.plan:
                study.enqueue_trial(parameters)
            study.set_user_attr(PLANNED, len(sweep.plan))
        trials = study.get_trials(deepcopy=False)
        is_waiting = any(trial.state == optuna.trial.TrialState.WAITING for trial in trials)
        counted = len(trials) - len(replaced(trials))
        if not is_waiting and (sweep.plan is not None or counted >= sweep.size):
            return None
        trial = study.ask()
        held = _lock_path(place, trial.number).open("wb")
        lock(held)
        parameters = {axis.name: axis.suggest(trial) for axis in sweep.axes}
    return Taken(trial, parameters, held)


def replaced(trials: "Sequence[optuna.trial.FrozenTrial]") -> set[int]:
    """The numbers of trials that others go on with."""
    return {each.user_attrs[REPLACES] for each in trials if REPLACES in each.user_attrs}


@contextlib.contextmanager
def _alone(place: Place) -> Iterator[None]:
    """One process at a time takes a trial."""
    with (place.directory / TRIALS / _QUEUE).open("wb") as file:
        lock(file, wait=True)
        yield


def _lock_path(place: Place, number: int) -> Path:
    return place.directory / TRIALS / f"{number:04}.lock"


def put_back_dead(study: "optuna.Study", place: Place) -> None:
    """Put the trials back into the queue whose process is gone."""
    import optuna

    for trial in study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,)):
        with _lock_path(place, trial.number).open("wb") as file:
            if lock(file):
                parameters = trial.params or trial.system_attrs.get(_FIXED, {})
                _put_back(study, trial.number, parameters, trial.user_attrs)


def _put_back(
    study: "optuna.Study", number: int, parameters: Parameters, about: dict[str, Any]
) -> None:
    import optuna

    study.tell(number, state=optuna.trial.TrialState.FAIL)
    if parameters:
        again = {FIRST: about.get(FIRST, number), REPLACES: number}
        study.enqueue_trial(parameters, user_attrs=again)


def run_trial(
    sweep: Sweep, study: "optuna.Study", place: Place, taken: Taken, on_told: OnTold
) -> None:
    """Train and measure a trial, and tell the study what came of it.

    KeyboardInterrupt puts it back into the queue.
    """
    import optuna

    trial = taken.trial
    try:
        config = sweep.config(taken.parameters)
        measured = []
        for repeat in range(sweep.repeats):
            outcome = _train(sweep, place, trial, config, repeat, on_told)
            on_told(Told(trial.number, (repeat + 1) / sweep.repeats, "measuring"))
            measured.append(
                [OBJECTIVES[name].measure(outcome, sweep.judging) for name in sweep.objectives]
            )
            _remember(trial, outcome)
        columns = list(zip(*measured, strict=True))
        trial.set_user_attr(ERRORS, [_error(column) for column in columns])
        study.tell(trial, [statistics.fmean(column) for column in columns])
    except Pruned:
        study.tell(trial, state=optuna.trial.TrialState.PRUNED)
    except KeyboardInterrupt:
        trial.set_user_attr(REASON, STOPPED)
        _put_back(study, trial.number, taken.parameters, trial.user_attrs)
        raise
    except Exception as error:  # whatever it was, other trials may do better
        trial.set_user_attr(REASON, f"{error}" or type(error).__name__)
        study.tell(trial, state=optuna.trial.TrialState.FAIL)
    finally:
        taken.held.close()


def _train(
    sweep: Sweep,
    place: Place,
    trial: "optuna.Trial",
    config: RunConfig,
    repeat: int,
    on_told: OnTold,
) -> Outcome:
    directory = place.run(trial.user_attrs.get(FIRST, trial.number), repeat)
    limits, seed = sweep.limits_of(config), sweep.seed + repeat
    watch = _watch(sweep, limits, trial, repeat, on_told)
    config = _as_begun(sweep, directory, config)
    outcome = run_experiment(sweep.game, config, directory, limits, watch, seed)
    outcome.unless_stopped()
    if not outcome.log:
        raise UsageError("the time is over before the first step; give it more minutes")
    if not is_sound(outcome.log[-1]):
        raise Diverged(f"diverged before step {outcome.log[-1]['step']}")
    return outcome


def _as_begun(sweep: Sweep, directory: Path, config: RunConfig) -> RunConfig:
    """The settings that a run was begun with: it may have had another share of the cores."""
    if not (directory / CONFIG).exists():
        return config
    begun = Run.open(directory, sweep.game).config
    return begun if what_counts(begun) == what_counts(config) else config


def _watch(
    sweep: Sweep, limits: Limits, trial: "optuna.Trial", repeat: int, on_told: OnTold
) -> OnEvent:
    """Tells how far a run is; ends it if it has diverged, or is to be pruned."""
    told = -1

    def on_event(event: Event) -> None:
        nonlocal told
        if not isinstance(event, StepEvent):
            share = (repeat + event.progress) / sweep.repeats
            on_told(Told(trial.number, share, event.phase))
            return
        line = event.line
        if not is_sound(line):
            raise Diverged(f"diverged in step {line['step']}")
        progress = limits.progress(line["time_rel"], line["step"])
        text = f"step {line['step']}, loss {line['loss']['sum']:.3f}"
        on_told(Told(trial.number, (repeat + progress) / sweep.repeats, text))
        percent = int(100 * progress)
        if sweep.prune is None or repeat > 0 or percent == told or progress >= 1:
            return
        objective = OBJECTIVES[sweep.prune]
        assert objective.while_training is not None
        value = objective.while_training(line)
        if value is not None:
            told = percent
            # Optuna compares in the direction of the study, whatever it is that is compared.
            same = objective.direction == sweep.directions[0]
            trial.report(value if same else -value, percent)
            if trial.should_prune():
                trial.set_user_attr(SECONDS, line["time_rel"])
                trial.set_user_attr(STEPS, line["step"])
                raise Pruned

    return on_event


def _remember(trial: "optuna.Trial", outcome: Outcome) -> None:
    runs = [*trial.user_attrs.get(RUNS, []), str(outcome.run.directory)]
    trial.set_user_attr(RUNS, runs)
    trial.set_user_attr(SECONDS, trial.user_attrs.get(SECONDS, 0.0) + outcome.run.seconds)
    trial.set_user_attr(STEPS, outcome.trainer.step)


def _error(values: tuple[float, ...]) -> float | None:
    """The standard error of the mean over seeds."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
