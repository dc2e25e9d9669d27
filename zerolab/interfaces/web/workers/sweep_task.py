"""What a sweep has found so far, for the page: read, never written, away from the event loop."""

from pathlib import Path
from typing import NamedTuple

from zerolab.interfaces.web.workers.search_worker import Memory, Tell


class SeenTrial(NamedTuple):
    """A trial of a sweep, in words and numbers."""

    number: int
    settings: tuple[str, ...]
    """One for each of what is varied."""
    texts: tuple[str, ...]
    """Its objectives, with their errors; empty if it is not complete."""
    values: tuple[float, ...]
    """The same as numbers."""
    is_best: bool
    state: str
    """And why, if it failed."""
    seconds: float | None
    runs: tuple[str, ...]
    """The directories of its runs."""


class SeenSweep(NamedTuple):
    """A sweep, so that a page needs neither Optuna nor PyTorch to show it."""

    title: str
    varied: tuple[str, ...]
    objectives: tuple[str, ...]
    meanings: tuple[str, ...]
    """What each of them is, and whether it should be large."""
    trials: tuple[SeenTrial, ...]
    """The best by the first objective first."""
    importances: dict[str, dict[str, float]]
    """Of each objective: the share of its variation that each setting explains."""
    time_saved: float | None
    """Share of the time that pruning has saved."""


class LookAtSweep(NamedTuple):
    """What has a sweep found so far?"""

    directory: Path

    def run(self, memory: Memory, tell: Tell) -> None:
        """Tell a SeenSweep."""
        from zerolab.experiments.sweeps.findings import ENDED
        from zerolab.experiments.sweeps.reading import read_sweep
        from zerolab.games.catalogue import describe
        from zerolab.interfaces.views.results.sweep_view import short_value, value_texts

        summary = read_sweep(self.directory)
        sweep = summary.sweep
        names = tuple(axis.name for axis in sweep.axes)
        trials = tuple(
            SeenTrial(
                each.number,
                tuple(short_value(each.parameters.get(name)) for name in names),
                tuple(value_texts(sweep, each)),
                each.values or (),
                each.number in summary.best,
                each.state if each.reason is None else f"{each.state}: {each.reason}",
                each.seconds,
                each.runs,
            )
            for each in summary.ranked
        )
        ended = sum(each.state in ENDED for each in summary.trials)
        tell(
            SeenSweep(
                f"{describe(sweep.game)}, {sweep.method}: {ended} of {len(trials)} trials ended",
                names,
                sweep.objectives,
                tuple(map(_meaning, sweep.objectives)),
                trials,
                {each.objective: each.shares for each in summary.importances},
                summary.time_saved,
            )
        )


def _meaning(name: str) -> str:
    from zerolab.experiments.sweeps.objectives import MAXIMIZE, OBJECTIVES

    objective = OBJECTIVES[name]
    better = "more" if objective.direction == MAXIMIZE else "less"
    return f"{objective.meaning}, {better} is better"
