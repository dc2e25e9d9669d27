"""The runs below a directory, at a glance. Needs neither PyTorch nor the game."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.files import lock
from zerolab.training.runs.logs import CONFIG, LOG, networks_of, read_config, read_log

DEEPEST = 4  # folders below the directory
MOST = 500


class RunSummary(NamedTuple):
    """A run at a glance."""

    name: str
    """Its path below the directory."""
    directory: Path
    game: str
    loop: str
    is_running: bool
    """Whether a process trains it now."""
    seconds_ago: float
    """Since the last step."""
    step: int
    minutes: float
    """Of training."""
    strength: str
    """The best that the log says about how well it plays."""
    networks: int


def find_runs(root: Path) -> list[RunSummary]:
    """The runs below a directory, the most recent first; links are not followed."""
    found = [summarise(root, path) for path in _directories(root)]
    return sorted(found, key=lambda run: run.seconds_ago)[:MOST]


def summarise(root: Path, directory: Path) -> RunSummary:
    """What a run is and how far it has come; a damaged log counts as none."""
    config = read_config(directory)
    try:
        lines = read_log(directory)
    except UsageError:
        lines = []
    last = lines[-1] if lines else {}
    touched = [
        path.stat().st_mtime for path in (directory / LOG, directory / CONFIG) if path.exists()
    ]
    return RunSummary(
        name=str(directory.relative_to(root)),
        directory=directory,
        game=str(config.get("game") or "?"),
        loop=str(config.get("loop") or "continuous"),
        is_running=is_running(directory),
        seconds_ago=time.time() - max(touched, default=0.0),
        step=int(last.get("step") or 0),
        minutes=float(last.get("time_rel") or 0) / 60,
        strength=_strength(lines),
        networks=len(networks_of(directory)),
    )


def is_running(directory: Path) -> bool:
    """Whether a process holds the run."""
    path = directory / "lock"
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return not lock(file)
    except OSError:
        return False


def _directories(root: Path) -> Iterator[Path]:
    base = len(root.parts)
    for folder, below, files in os.walk(root):
        path = Path(folder)
        if CONFIG in files:
            yield path
            below.clear()
        elif len(path.parts) - base >= DEEPEST:
            below.clear()
        below.sort()


def _strength(lines: list[dict[str, Any]]) -> str:
    """The last result on the ladder, against perfect play, or on games that were not learnt."""
    for line in reversed(lines):
        perfect = line.get("perfect") or {}
        if isinstance(perfect.get("keeps"), float):
            return f"{perfect['keeps']:.1%} of wins kept"
        results = [
            each for each in (line.get("eval") or {}).get("results") or [] if each is not None
        ]
        if results:
            return f"ladder {sum(results) / len(results):+.2f}"
        validation = line.get("validation") or {}
        if isinstance(validation.get("accuracy"), float):
            return f"{validation['accuracy']:.1%} of moves predicted"
    return ""
