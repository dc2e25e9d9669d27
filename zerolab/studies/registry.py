"""The studies by name. Each runs `quick` (minutes at most) or `full` (as the paper did it).

Some have a scale in between, `evening` (about two hours).
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.studies.damhuis.network_tables import TABLES
from zerolab.studies.report import Report

QUICK, EVENING, FULL = "quick", "evening", "full"


class Study(NamedTuple):
    """The function of a study and its size."""

    module: str
    function: str
    summary: str
    quick: int
    """Size of `quick`: games a cell, positions a batch, seconds a run. `full`: the paper's."""
    tables: tuple[str, ...] = ()
    """Its tables or boards, if it keeps experiments in a file."""
    scales: tuple[str, ...] = (QUICK, FULL)
    takes_data: bool = False
    """Whether it learns from game records, which the user may choose."""

    def size(self, scale: str) -> int | str | None:
        """What its function is told: a number for `quick`, None for `full`, or the scale itself."""
        if EVENING in self.scales:
            return scale
        return self.quick if scale == QUICK else None


DAMHUIS_QUICK = 20_000


def _wang(place: str, summary: str) -> Study:
    """`place` is module.function."""
    module, function = place.split(".")
    return Study(f"wang.{module}", function, summary, 0, scales=(QUICK, EVENING, FULL))


def _cazenave(place: str, summary: str) -> Study:
    """`place` is module.function."""
    module, function = place.split(".")
    scales = QUICK, EVENING, FULL
    return Study(f"cazenave.{module}", function, summary, 0, scales=scales, takes_data=True)


def _damhuis(
    place: str, summary: str, quick: int = DAMHUIS_QUICK, tables: tuple[str, ...] = ()
) -> Study:
    """`place` is module.function."""
    module, function = place.split(".")
    return Study(f"damhuis.{module}", function, summary, quick, tables)


def _networks(table: str, summary: str) -> Study:
    return _damhuis("network_reports.study_tables", summary, tables=(table,))


STUDIES = {
    "damhuis": _damhuis("whole_thesis.everything", "all of damhuis", tables=tuple(TABLES)),
    "damhuis-5.1": _damhuis("simple_players.table_5_1", "Random and Pick First, 8 boards", 10_000),
    "damhuis-5.2": _damhuis("simple_players.table_5_2", "flat Monte Carlo against Random", 100),
    "damhuis-5.3": _damhuis("simple_players.table_5_3", "flat Monte Carlo against Pick First", 100),
    "damhuis-5.4": _networks("5.4", "networks that learn online: 4x4, 20 hidden nodes"),
    "damhuis-5.5": _networks("5.5", "the same on 4x5"),
    "damhuis-5.6": _networks("5.6", "the same on 6x6"),
    "damhuis-5.7": _networks("5.7", "two hidden layers on 4x5"),
    "damhuis-5.8": _networks("5.8", "two hidden layers on 6x6"),
    "damhuis-5.9": _networks("5.9", "30 hidden nodes on 4x5"),
    "damhuis-5.10": _networks("5.10", "40 hidden nodes on 4x5"),
    "damhuis-5.11": _networks("5.11", "50 hidden nodes on 4x5"),
    "damhuis-5.12": _networks("5.12", "60 hidden nodes on 4x5"),
    "damhuis-5.13": _networks("5.13", "100 hidden nodes on 4x5"),
    "damhuis-5.14": _networks("5.14", "100 hidden nodes on 6x6"),
    "damhuis-5.15": _networks("5.15", "a learning rate that grows during a game"),
    "damhuis-5.16": _networks("5.16", "leaky ReLU"),
    "damhuis-5.17": _networks("5.17", "networks against Monte Carlo"),
    "damhuis-text": _networks("text", "more games and more nodes, from the text of damhuis"),
    "damhuis-claims": _damhuis(
        "whole_thesis.claims", "what damhuis concludes, as statements", tables=tuple(TABLES)
    ),
    "damhuis-search": _damhuis(
        "parameter_search.search",
        "better parameters for its networks",
        tables=("4x4", "4x5", "6x6"),
    ),
    "damhuis-elo": _damhuis(
        "ranking.rank",
        "its network, Monte Carlo, UCT and AlphaZero by Elo",
        tables=("4x4", "4x5", "6x6", "8x8"),
    ),
    "cazenave-speed": Study(
        "cazenave.batch_speeds", "speed", "Table I: residual and mobile networks", 32
    ),
    "cazenave-small": _cazenave(
        "small_networks.compare", "six networks of equal size, from records"
    ),
    "cazenave-large": _cazenave("large_networks.compare", "larger networks, from records"),
    "cazenave-parameters": _cazenave(
        "parameter_efficiency.compare", "accuracy and error by parameters, from records"
    ),
    "cazenave-tournament": _cazenave("round_robin.play", "Table II: the six networks at play"),
    "mobile-or-residual": Study(
        "mobile_or_residual.contest",
        "compare",
        "self-play on Clobber: does mobile beat residual?",
        0,
        scales=(QUICK, EVENING, FULL),
    ),
    "architectures": Study(
        "architecture_race", "compare", "which network learns most in equal time", 10
    ),
    "jans": Study("jans", "boards", "AlphaZero on 3x3, 4x4, 5x5 and 5x6: loss, ladder", 60),
    "jans-buffer": Study("jans", "buffers", "does a large replay buffer ratio help?", 60),
    "jans-encoding": Study("jans", "encodings", "the first encoding against the second", 120),
    "wang-sweep": _wang("hyper_parameters.compare", "twelve hyper-parameters: loss and time"),
    "wang-correlation": _wang("correlation.compare", "81 players: iterations or epochs?"),
    "wang-losses": _wang("loss_functions.compare", "policy, value, sum or product as the loss"),
    "wang-sweep-clobber": _wang("on_clobber.parameters", "the twelve parameters on Clobber"),
    "wang-losses-clobber": _wang("on_clobber.losses", "the four losses on Clobber"),
    "solver-outlook": Study(
        "solver_outlook", "learn", "weights by which the solver orders moves", 1000
    ),
    "leaf-hardness": Study(
        "leaf_hardness", "measure", "nodes that it takes to solve a leaf, by how hard it is", 100
    ),
    "openings": Study("opening_plies", "compare", "random moves before games of self-play", 4),
    "time-prediction": Study(
        "time_prediction", "compare", "how long runs take: wang, equation 2, against the clock", 1
    ),
    "ablations": Study("ablations", "compare", "what each part of our training is worth", 90),
}


def run_study(
    name: str,
    scale: str,
    seed: int,
    on_progress: Callable[[float, float], None],
    results: Path | None = None,
    data: Path | None = None,
) -> list[Report]:
    """Run a study by its name.

    `results` is the file that keeps its experiments, `data` the game records that it learns from;
    each for studies that have such.
    """
    if name not in STUDIES:
        raise UsageError(f"'{name}' is not a study; expected {', '.join(STUDIES)}")
    study = STUDIES[name]
    if scale not in study.scales:
        raise UsageError(f"{name} has no scale '{scale}'; expected {' or '.join(study.scales)}")
    if results is not None and not study.tables:
        keeping = ", ".join(name for name, study in STUDIES.items() if study.tables)
        raise UsageError(f"{name} keeps no file of results; these do: {keeping}")
    if data is not None and not study.takes_data:
        learning = ", ".join(name for name, study in STUDIES.items() if study.takes_data)
        raise UsageError(f"{name} does not learn from game records; these do: {learning}")
    run = getattr(importlib.import_module(f"zerolab.studies.{study.module}"), study.function)
    size = study.size(scale)
    if study.tables:
        reports: list[Report] = run(study.tables, size, seed, results, on_progress)
        return reports
    found = run(size, seed, on_progress, *([data] if study.takes_data else []))
    return found if isinstance(found, list) else [found]
