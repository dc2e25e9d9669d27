"""The studies by name. Each runs `quick` (minutes at most) or `full` (as the paper did it)."""

import importlib
from collections.abc import Callable
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.studies.report import Report


class Study(NamedTuple):
    """Where a study is and what it costs."""

    module: str
    function: str
    summary: str
    quick: int
    """Size of `quick`: games a cell, positions a batch, seconds a run. `full`: the paper's."""


STUDIES = {
    "damhuis-5.1": Study("damhuis", "table_5_1", "Random and Pick First, 8 boards", 10_000),
    "damhuis-5.2": Study("damhuis", "table_5_2", "flat Monte Carlo against Random", 100),
    "damhuis-5.3": Study("damhuis", "table_5_3", "flat Monte Carlo against Pick First", 100),
    "cazenave-speed": Study("cazenave", "speed", "Table I: residual and mobile networks", 32),
    "architectures": Study(
        "architectures", "compare", "which network learns most in equal time", 10
    ),
    "jans": Study("jans", "boards", "AlphaZero on 3x3, 4x4, 5x5 and 5x6: loss, ladder", 60),
    "jans-buffer": Study("jans", "buffers", "does a large replay buffer ratio help?", 60),
    "jans-encoding": Study("jans", "encodings", "the first encoding against the second", 120),
    "ablations": Study("ablations", "compare", "what each part of our training is worth", 90),
}


def run_study(name: str, full: bool, seed: int, on_progress: Callable[[int, int], None]) -> Report:
    """Run a study by its name."""
    if name not in STUDIES:
        raise UsageError(f"'{name}' is not a study; expected {', '.join(STUDIES)}")
    study = STUDIES[name]
    run = getattr(importlib.import_module(f"zerolab.studies.{study.module}"), study.function)
    report: Report = run(None if full else study.quick, seed, on_progress)
    return report
