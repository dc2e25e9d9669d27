"""A sweep that takes seconds: Othello on 5x5 with next to nothing of everything."""

from pathlib import Path
from typing import Any

from zerolab.experiments.sweeps.axes import parse_axes
from zerolab.experiments.sweeps.definition import Sweep
from zerolab.experiments.sweeps.objectives import Judging
from zerolab.games.othello import Othello
from zerolab.training.loop import Limits
from zerolab.training.settings.staged_config import StagedConfig

GAME = Othello(5, 5)
BASE = StagedConfig().changed(
    nn_width=4, episodes=2, max_simulations=2, epochs=1, arena=False, iterations=9
)
OVER = ("max_simulations=2,3", "uct_c=0.5,1.0")


def small_sweep(*over: str, **changes: Any) -> Sweep:
    defaults: dict[str, Any] = {
        "limits": Limits(steps=2),
        "objectives": ("loss",),
        "method": "grid",
        "judging": Judging(games=2, simulations=2),
    }
    base = changes.pop("base", BASE)
    return Sweep(GAME, base, parse_axes(base, over or OVER), **(defaults | changes))


def logs(directory: Path) -> dict[str, int]:
    """How many lines the log of each run has."""
    return {
        path.parent.name: len(path.read_text().splitlines())
        for path in sorted(directory.glob("trials/*/learner.jsonl"))
    }
