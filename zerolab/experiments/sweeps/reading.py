"""A sweep read from its directory, whoever works on it, without changing anything there."""

import json
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.asking import look_at_study
from zerolab.experiments.sweeps.axes import Axis, Range, Values, Variants
from zerolab.experiments.sweeps.definition import DATABASE, Sweep
from zerolab.experiments.sweeps.findings import SweepSummary, summarise
from zerolab.experiments.sweeps.objectives import Judging
from zerolab.experiments.sweeps.sweep_list import FORMAT, SWEEP
from zerolab.games.base import Game
from zerolab.games.catalogue import GAMES, remake
from zerolab.training.loop import Limits
from zerolab.training.runs.run_directory import LATER
from zerolab.training.settings.flat_names import parse_settings
from zerolab.training.settings.loops import LOOPS

LONGEST = 1_000_000  # bytes of a description
AXES = {kind.__name__: kind for kind in (Values, Range, Variants)}


def read_sweep(directory: Path) -> SweepSummary:
    """What a sweep has found so far; UsageError if there is none, or if it is damaged."""
    sweep = read_definition(directory / SWEEP)
    if not (directory / DATABASE).is_file():
        raise UsageError("the trials of this sweep are in another storage, or there are none yet")
    return summarise(sweep, look_at_study(directory / DATABASE))


def read_definition(path: Path) -> Sweep:
    """The sweep that a file describes. How many trials were asked for is not in it."""
    try:
        if path.stat().st_size > LONGEST:
            raise UsageError(f"{path.name} is too long for a sweep")
        about = json.loads(path.read_text("utf-8"))
        if about["format"] != FORMAT:
            raise UsageError(f"{path.name} is of another version")
        kind = LOOPS[about["loop"]]
        added = {name: value for name, value in LATER.items() if name in kind.names()}
        return Sweep(
            _game(str(about["game"])),
            parse_settings(kind, added | about["settings"]),
            tuple(_axis(*each) for each in about["axes"]),
            Limits(**about["limits"]),
            tuple(about["objectives"]),
            str(about["method"]),
            None,
            int(about["repeats"]),
            about["prune"],
            Judging(**about["judging"]),
            int(about["seed"]),
        )
    except UsageError:
        raise
    except OSError as error:
        raise UsageError(f"there is no {path.name}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{path.name} is damaged") from None


def _game(description: str) -> Game:
    """Of the catalogue alone: rules in a file are a program, which reading must not start."""
    name = description.partition(" ")[0]
    if name not in GAMES:
        raise UsageError(f"sweeps of {name[:80]!a} are shown by zerolab sweep only")
    return remake(name, description)


def _axis(kind: str, name: str, *rest: Any) -> Axis:
    if kind == Values.__name__:
        return Values(str(name), tuple(rest[0]))
    return AXES[kind](str(name), *rest)
