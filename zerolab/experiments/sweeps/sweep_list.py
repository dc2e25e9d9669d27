"""The sweeps below a directory, and the runs that are theirs. Needs neither PyTorch nor Optuna."""

import os
from collections.abc import Sequence
from pathlib import Path

SWEEP = "sweep.json"  # says what the sweep is that a directory holds
FORMAT = "zerolab sweep 1"
DEEPEST = 4  # folders below the directory
MOST = 200


def find_sweeps(root: Path) -> list[str]:
    """The paths of sweeps below a directory; links are not followed."""
    found = []
    base = len(root.parts)
    for folder, below, files in os.walk(root):
        path = Path(folder)
        if SWEEP in files:
            found.append(str(path.relative_to(root)))
            below.clear()
        elif len(path.parts) - base >= DEEPEST:
            below.clear()
        below.sort()
    return sorted(found)[:MOST]


def sweep_of(run: str, sweeps: Sequence[str]) -> str | None:
    """The sweep that a run is a trial of; both by their paths below the directory."""
    return next((sweep for sweep in sweeps if run.startswith(f"{sweep}/")), None)
