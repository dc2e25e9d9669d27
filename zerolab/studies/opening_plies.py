"""The gain from random moves before games of self-play, over several seeds.

Without them a run repeats a few games, and its network knows little else. Variants learn for the
same number of steps, so that a busy machine does not change the result.
"""

import statistics
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.games.clobber import Clobber
from zerolab.studies.ablations import BOARD, FULL, OURS, QUICK, Result, Scale, judge_variants
from zerolab.studies.over_seeds import in_words
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log

VARIANTS = ("no-openings", "half-openings", OURS)
SEEDS = 3
FULL_STEPS = 40
RECENT = 10  # lines of the log at the end of a run that tell how games repeat


class Measure(NamedTuple):
    """A measure of the strength of a network."""

    name: str
    of: Callable[[Result], float]


MEASURES = (
    Measure("network keeps", lambda each: each.network_keeps),
    Measure("network's values", lambda each: each.network_values),
    Measure("search keeps", lambda each: each.plain.keeps),
    Measure("exact keeps", lambda each: each.exact.keeps),
    Measure("search score", lambda each: statistics.mean(each.plain.scores)),
    Measure("exact score", lambda each: statistics.mean(each.exact.scores)),
)


def compare(steps: int | None, seed: int, on_progress: OnProgress) -> Report:
    """No openings, half of them and all, for a few seeds each."""
    scale = FULL if steps is None else QUICK
    limits = Limits(steps=steps or FULL_STEPS)
    return compare_openings(limits, range(seed, seed + SEEDS), on_progress, scale)


def compare_openings(
    limits: Limits,
    seeds: range,
    on_progress: OnProgress,
    scale: Scale = FULL,
    game: Clobber = BOARD,
) -> Report:
    """Train and judge every variant with every seed."""
    judged = judge_variants(VARIANTS, limits, seeds, on_progress, scale, game)
    rows, values = [], []
    for name, found in judged.items():
        if not found:
            continue
        distinct = [_distinct_states(each.directory) for each in found]
        measured = {each.name: [each.of(run.result) for run in found] for each in MEASURES}
        measured = {"distinct positions": distinct, **measured}
        rows.append(
            (name, str(len(found)), *(in_words(each, "{:.3f}") for each in measured.values()))
        )
        values.append({"variant": name, "seeds": len(found), **measured})
    is_complete = all(len(found) == len(seeds) for found in judged.values())
    return Report(
        "Clobber 5x5, random moves before games of self-play",
        ("variant", "seeds", "distinct positions", *(each.name for each in MEASURES)),
        rows,
        values,
        "means over seeds ± standard error; keeps: wins kept in critical positions; scores: mean "
        "result over the levels of the ladder" + ("" if is_complete else "; stopped"),
        is_complete,
        runs=tuple(run.directory for found in judged.values() for run in found),
    )


def _distinct_states(directory: Path) -> float:
    """The mean share of distinct positions over the last steps of a run."""
    return float(statistics.mean(line["distinct_states"] for line in read_log(directory)[-RECENT:]))
